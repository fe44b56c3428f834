// What somebody shows of themselves: a picture, some lines and links, and what they like.

import { request, route } from '../api/api.js';
import { signedIn } from '../auth/auth.js';
import { el, Form, switchOf } from '../account/form.js';
import { loadStyles } from '../screens/screens.js';
import { pictureOf } from './picture.js';
import { problemText, t } from '../words/words.js';

// As the contract has it.
const LINKS = 3;

export async function fill(place, on) {
  const waiting = el('div', { class: 'turning', role: 'img', 'aria-label': t('Loading') });
  place.append(waiting);
  try {
    const [profile] = await Promise.all([request(route`/profiles/${signedIn().handle}`), loadStyles('/app/settings/page.css')]);
    if (on.signal.aborted) return;
    waiting.replaceWith(pictureOf(profile.author, on), formOf(profile, on), el('h3', {}, t('What you like')), likesOf(profile, on));
    on.arrive();
  } catch (error) {
    waiting.remove();
    on.say(problemText(error) || t('This could not be loaded. Please try again.'));
  }
}

function likesOf({ likes_public: isOn }, on) {
  // One change after the other, so that the last one holds.
  let last = Promise.resolve();
  const save = (wanted) => {
    last = last.catch(() => {}).then(() => request('/account/profile', { method: 'PATCH', body: { likes_public: wanted } }));
    return last;
  };
  return el('ul', { class: 'switches' }, switchOf({
    id: 'likes-public', label: t('Show others what you like'), hint: t('Everybody finds the public clips that you like on your profile.'), isOn, save, say: on.say,
  }));
}

function formOf({ bio, links }, on) {
  const names = Array.from({ length: LINKS }, (_, at) => `links[${at}]`);
  return new Form({
    label: t('Profile'), submit: t('Save the profile'), busy: t('Saving…'),
    fields: [
      { name: 'bio', label: t('About you'), type: 'lines', optional: true, value: bio, rows: 4, autocapitalize: 'sentences', spellcheck: 'true',
        hint: t('At most 160 characters, in at most five lines.') },
      ...names.map((name, at) => ({ name, label: t('Link {number}', { number: at + 1 }), type: 'url', inputmode: 'url', optional: true, value: links[at] ?? '',
        autocomplete: at ? 'off' : 'url' })),
    ],
    send: async (values) => {
      // What is empty is left out; a refusal names the place in what was sent.
      const given = names.filter((name) => values[name].trim());
      try {
        await request('/account/profile', { method: 'PATCH', body: { bio: values.bio, links: given.map((name) => values[name].trim()) } });
      } catch (error) {
        const place = names.indexOf(error.field);
        if (place >= 0) error.field = given[place];
        throw error;
      }
      on.back(t('The profile is saved.'));
    },
  }).root;
}

// Whether somebody sees clips for adults: a page of the account screen, for guests too. Who may end it is the server's to say.

import { request } from '../api/api.js';
import { el } from '../account/form.js';
import { signedIn } from '../auth/auth.js';
import { loadStyles } from '../screens/screens.js';
import { language, problemText, t } from '../words/words.js';

const PATH = '/account/restricted-mode';
const dayOf = (date) => new Intl.DateTimeFormat(language(), { dateStyle: 'long' }).format(new Date(date));

/** What stands under the switch. */
export function hintOf({ restricted, confirmed_at: at }, isGuest) {
  if (at) return t('You said on {day} that you are an adult.', { day: dayOf(at) });
  if (!restricted) return '';
  return isGuest ? t('To turn it off, sign in. Only adults can.') : t('Only adults can turn it off.');
}

/** `on`: the account screen. */
export async function fill(place, on) {
  const [mode] = await Promise.all([request(PATH), loadStyles('/app/settings/page.css')]);
  if (on.signal.aborted) return;
  const note = el('small', { id: 'restricted-hint' });
  const box = el('input', { type: 'checkbox', role: 'switch', id: 'restricted-mode', 'aria-describedby': note.id, change: () => turn(box.checked) });
  const question = el('div', { class: 'adult', role: 'group', 'aria-label': t('Are you an adult?'), hidden: true },
    el('p', {}, t('Clips for adults can show what is not for everybody. Are you an adult?')),
    el('p', { class: 'ways' },
      el('button', { type: 'button', class: 'main', click: () => turn(false, true) }, t('I am an adult')),
      el('button', { type: 'button', class: 'plain', click: () => { question.hidden = true; box.focus(); } }, t('Cancel'))));
  const show = (now) => {
    box.checked = now.restricted;
    note.textContent = hintOf(now, !signedIn());
    question.hidden = true;
  };
  let isBusy = false;
  const turn = async (restricted, isAdult) => {
    if (isBusy) return;
    isBusy = true;
    try {
      show(await request(PATH, { method: 'PUT', body: { restricted, ...(isAdult && { is_adult: true }) } }));
      on.say(restricted ? t('Clips for adults are hidden.') : t('Clips for adults show up from now on.'));
    } catch (error) {
      box.checked = !restricted;
      if (error.code === 'adult_unconfirmed') {
        question.hidden = false;
        question.querySelector('button').focus();
      } else on.say(error.code === 'sign_in_needed' ? t('Sign in to turn it off.') : problemText(error) || t('This was not saved. Please try again.'));
    }
    isBusy = false;
  };
  show(mode);
  place.append(el('p', { class: 'lead' }, t('In restricted mode clips for adults are nowhere: not in the feed, in searches or on profiles.')),
    el('ul', { class: 'switches' }, el('li', {}, el('label', { for: box.id }, t('Restricted mode')), box, note)), question);
}

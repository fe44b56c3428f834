// The form that shows a draft to others: caption, tags, cover, who can see it and for whom it is.

import { el } from '../account/form.js';
import { CoverChoice } from '../cover/cover.js';
import { loadStyles } from '../screens/screens.js';
import { remember } from '../clip-link/clip.js';
import { captionFits, wireDetails } from '../upload/details.js';
import { t } from '../words/words.js';
import { drafts, publish } from './asking.js';
import { refusalOf } from './words.js';

const seenBy = () => [
  ['public', t('Everyone'), t('in the feed')], ['unlisted', t('Unlisted'), t('anyone with the link')], ['private', t('Private'), t('only you')],
];
const id = (part) => `publishing-${part}`;

/** `published(generation)` hears what the server says of it then. */
export async function publishForm(generation, signal, published) {
  // Without its looks a cover can still be chosen.
  await loadStyles('/app/cover/cover.css').catch(console.warn);
  const name = `publish ${generation.id}`;
  const known = drafts().fields(name);
  const caption = el('textarea', { id: id('caption'), rows: '3', dir: 'auto', placeholder: t('Say something about it'), 'aria-describedby': id('error') });
  const tags = el('input', { id: id('tags'), dir: 'auto', autocomplete: 'off', autocapitalize: 'none', placeholder: t('dawn, harbour, bicycle') });
  const choices = seenBy().map(([value, title, hint]) => el('label', {},
    el('input', { type: 'radio', name: 'publishing-visibility', value, checked: value === (known.visibility ?? 'public') }), el('span', {}, el('b', {}, title), ` ${hint}`)));
  const adults = el('input', { type: 'checkbox', id: id('adults'), checked: known.adults ?? false });
  const error = el('p', { class: 'error', id: id('error'), role: 'alert', tabindex: '-1', hidden: true });
  const submit = el('button', { type: 'submit', class: 'main' }, t('Publish'));
  caption.value = known.caption ?? '';
  tags.value = known.tags ?? '';
  let cover = known.cover ?? null;
  const detailsNow = () => ({ caption: caption.value, tags: tags.value, cover, adults: adults.checked, visibility: form.querySelector('[type=radio]:checked').value });
  const keep = () => drafts().write(name, detailsNow());
  const strip = new CoverChoice({ chosen: (ms) => { cover = ms; }, settled: keep });
  remember(generation.clip_id, generation.upload_id);
  strip.show({ clip: generation.clip_id, file: null, ms: cover });
  signal.addEventListener('abort', () => strip.free(), { once: true });
  // Somebody left meanwhile.
  if (signal.aborted) strip.free();
  const fail = (words) => {
    error.textContent = words;
    error.hidden = !words;
  };
  let isBusy = false;
  const form = el('form', { novalidate: true, 'aria-label': t('Publish'), input: keep, submit: async (event) => {
    event.preventDefault();
    if (isBusy) return;
    fail('');
    const details = detailsNow();
    if (!captionFits(details)) {
      fail(t('The caption is too long. It has 300 characters at most.'));
      caption.focus();
      return;
    }
    isBusy = true;
    submit.setAttribute('aria-disabled', 'true');
    submit.textContent = t('Publishing…');
    try {
      // Any number of times is once: it can be tried again whatever became of it.
      const answer = await publish(generation.id, wireDetails(details));
      drafts().forget(name);
      published(answer);
      strip.free();
    } catch (refusal) {
      if (refusal.detail === undefined) console.error(refusal);
      fail(refusalOf(refusal));
      if (refusal.field === 'caption') caption.focus(); else error.focus();
    }
    isBusy = false;
    submit.removeAttribute('aria-disabled');
    submit.textContent = t('Publish');
  } },
  el('div', { class: 'field' }, el('label', { for: id('caption') }, t('Caption')), caption),
  el('div', { class: 'field' }, el('label', { for: id('tags') }, t('Tags')), tags),
  // Its room is there before the pictures are: the button below must not move away under a finger.
  el('div', { class: 'cover-room' }, el('p', { class: 'hint' }, t('The pictures to choose a cover from come in a moment.')), strip.root),
  el('fieldset', { class: 'choices' }, el('legend', {}, t('Who can see it')), ...choices),
  el('fieldset', { class: 'choices' }, el('legend', {}, t('Who it is for')), el('label', {}, adults, el('span', {}, el('b', {}, t('Adults')), ` ${t('hidden in restricted mode')}`))),
  error, submit);
  return form;
}

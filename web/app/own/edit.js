// The form for what is said about a clip that is there: caption, tags, and who can see it. It sends only what was changed.

import { el } from '../account/form.js';
import { captionFits, patchOf, wireDetails } from '../upload/details.js';
import { t } from '../words/words.js';

const seenBy = () => [['public', t('Everyone'), t('in the feed')], ['unlisted', t('Unlisted'), t('anyone with the link')], ['private', t('Private'), t('only you')]];
let forms = 0;

/** `send(patch)` may throw an `ApiError`, which is shown; `cancel()` closes the form, as does saving what is unchanged. */
export function formFor(clip, { send, cancel }) {
  forms += 1;
  const name = (part) => `own-${forms}-${part}`;
  const caption = el('textarea', { id: name('caption'), rows: '3', dir: 'auto', 'aria-describedby': name('error') });
  caption.value = clip.caption;
  // Those in the caption count by themselves.
  const tags = el('input', { id: name('tags'), dir: 'auto', autocomplete: 'off', autocapitalize: 'none', value: clip.tags.join(', ') });
  const choices = seenBy().map(([value, title, hint]) => el('label', {},
    el('input', { type: 'radio', name: name('visibility'), value, checked: value === clip.visibility }),
    el('span', {}, el('b', {}, title), ` ${hint}`)));
  const adults = el('input', { type: 'checkbox', id: name('adults'), checked: Boolean(clip.for_adults) });
  const error = el('p', { class: 'error', id: name('error'), role: 'alert', hidden: true });
  const save = el('button', { type: 'submit', class: 'main' }, t('Save'));
  const fail = (words) => {
    error.textContent = words;
    error.hidden = !words;
  };
  const known = { caption: clip.caption, tags: clip.tags, visibility: clip.visibility, for_adults: Boolean(clip.for_adults) };
  let isBusy = false;
  return el('form', { novalidate: true, 'aria-label': t('Edit: {clip}', { clip: clip.caption || t('clip without a caption') }), submit: async (event) => {
    event.preventDefault();
    if (isBusy) return;
    fail('');
    const details = { caption: caption.value, tags: tags.value, adults: adults.checked,
      visibility: event.target.querySelector('[type=radio]:checked')?.value ?? clip.visibility };
    if (!captionFits(details)) {
      fail(t('The caption is too long. It has 300 characters at most.'));
      caption.focus();
      return;
    }
    const patch = patchOf(known, wireDetails(details));
    if (!patch) {
      cancel();
      return;
    }
    isBusy = true;
    save.setAttribute('aria-disabled', 'true');
    try {
      await send(patch);
    } catch (refusal) {
      fail(refusal.detail ?? t('This was not saved. Please try again.'));
    }
    isBusy = false;
    save.removeAttribute('aria-disabled');
  } },
  el('div', { class: 'field' }, el('label', { for: name('caption') }, t('Caption')), caption),
  el('div', { class: 'field' }, el('label', { for: name('tags') }, t('Tags')), tags),
  el('fieldset', { class: 'seen-by' }, el('legend', {}, t('Who can see it')), ...choices),
  el('fieldset', { class: 'seen-by' }, el('legend', {}, t('Who it is for')), el('label', {}, adults, el('span', {}, el('b', {}, t('Adults')), ` ${t('hidden in restricted mode')}`))),
  error,
  el('p', { class: 'ways' }, save, el('button', { type: 'button', class: 'plain', click: cancel }, t('Cancel'))));
}

// The choice of one's own clip from whose picture a video starts, where whoever makes videos can do that. It is fetched once it is opened.

import { el } from '../account/form.js';
import { pictureOf } from '../account/lists.js';
import { request } from '../api/api.js';
import { problemText, t } from '../words/words.js';

const CLIPS = 24;

/** `chosen` is the clip of before; `changed()` is told of each choice. Answers `{root, value}`, the latter the clip or null. */
export function startChoice({ chosen = null, changed, signal }) {
  let value = chosen;
  const list = el('div', { class: 'clips' });
  const summary = el('summary');
  const tell = () => { summary.textContent = value ? t('Starts from one of your clips') : t('Start from one of your clips'); };
  const root = el('details', { class: 'start' }, summary, list);
  const option = (clip, words, ...picture) => el('label', {},
    el('input', { type: 'radio', name: 'generation-start', checked: value === clip, change: () => {
      value = clip;
      tell();
      changed();
    } }), el('span', { class: 'shown', 'aria-hidden': 'true' }, ...picture), el('span', { dir: 'auto' }, words));
  let isLoaded = false;

  root.addEventListener('toggle', async () => {
    if (!root.open || isLoaded) return;
    isLoaded = true;
    list.replaceChildren(el('p', { class: 'hint' }, t('Loading…')));
    try {
      const { items } = await request('/account/clips', { query: { limit: CLIPS }, signal });
      if (signal.aborted) return;
      const clips = items.filter(({ state, clip_id: id }) => state === 'published' && id);
      // One that is gone is no choice any more.
      if (value && !clips.some(({ clip_id: id }) => id === value)) {
        value = null;
        tell();
        changed();
      }
      list.replaceChildren(...(clips.length ? [option(null, t('None::clip')), ...clips.map((clip) => option(clip.clip_id, clip.caption || t('Clip without a caption'),
        ...(clip.picture ? pictureOf(clip.picture) : [])))] : [el('p', { class: 'hint' }, t('You have no clips yet.'))]));
    } catch (error) {
      isLoaded = false;
      if (!signal.aborted) list.replaceChildren(el('p', { class: 'error', role: 'alert' }, problemText(error) || t('Your clips could not be loaded. Open this again.')));
    }
  });
  tell();
  return {
    root, get value() { return value; },
    clear() {
      value = null;
      for (const input of list.querySelectorAll('input')) input.checked = false;
      tell();
    },
  };
}

// The versions of a clip from words, side by side: fetched, and as buttons that lead to each.

import { el } from '../account/form.js';
import { request } from '../api/api.js';
import { t } from '../words/words.js';
import { load } from './asking.js';
import { paint } from './preview.js';
import { changesIn, familyOf } from './versions.js';
import { shortStateOf } from './words.js';

const NEWEST = 50;
// Of those before the newest fifty: a version names the one before it.
const MOST_BEFORE = 10;

/** All versions that are known of, the oldest first. */
export async function familyIn(generation, signal) {
  const { items } = await request('/generations', { query: { limit: NEWEST }, signal });
  const known = new Map([...items, generation].map((item) => [item.id, item]));
  let before = generation.refines_id;
  for (let steps = 0; before && steps < MOST_BEFORE; steps += 1) {
    // One that was discarded has no place any more.
    const item = known.get(before) ?? await load(before, signal).catch(() => null);
    if (!item) break;
    known.set(item.id, item);
    before = item.refines_id;
  }
  return familyOf(generation.id, [...known.values()]);
}

/** Nothing for one alone. `go(id)` leads to another. */
export function versionsOf(family, id, go) {
  if (family.length < 2) return [];
  const byId = new Map(family.map((version) => [version.id, version]));
  const rows = family.map((version, at) => {
    const { prompt } = byId.get(version.refines_id) ?? version;
    const shown = el('span', { class: 'shown', 'aria-hidden': 'true' });
    if (version.state === 'ready') paint(shown, version).catch(console.warn);
    const isHere = version.id === id;
    return el('li', {}, el('button', { type: 'button', 'aria-current': isHere && 'true', click: () => { if (!isHere) go(version.id); } },
      shown, el('span', { class: 'told' }, el('b', {}, t('Version {number}', { number: at + 1 })), el('span', {}, shortStateOf(version)),
        el('span', { class: 'words', dir: 'auto' }, ...changesIn(version.prompt, prompt).map(({ text, isNew }) => (isNew ? el('mark', {}, text) : text))))));
  });
  return [el('nav', { class: 'versions', 'aria-label': t('Versions') }, el('ol', {}, ...rows))];
}

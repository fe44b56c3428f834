// Plays kept clips from this device: lies over the disk level of the media cache (web/app/playback/disk.js), tells the core which
// clips of the feed are there whole, and reads them when they are wanted. Comes with the disk where clips are kept.

import { EVENT } from '../core/core.js';
import { INIT } from '../playback/downloads.js';
import { goTo } from '../screens/screens.js';
import { loadWords, t } from '../words/words.js';
import { change, keptClips, readPart } from './kept.js';

// By id of the clip, those that are whole.
const whole = new Map();
let isAttached = false;

/** Which of the clip's renditions is here; −1: none. */
const placeOf = (clip) => clip.renditions.findIndex(({ url }) => url === whole.get(clip.id)?.rendition.url);

function tell({ report }, clip) {
  const { bytes, rendition } = whole.get(clip.id);
  report(EVENT.diskHolds, clip.item, rendition.segments.length, bytes, 0, 1);
}

/** @param {App} app */
function eachOf(app, id, act) {
  for (let item = 0; item < app.feed.size; item += 1) {
    const clip = app.feed.clip(item);
    if (clip?.id === id) act(clip);
  }
}

/** The clip is here whole from now on. */
export function begin(app, record) {
  whole.set(record.item.id, record);
  eachOf(app, record.item.id, (clip) => { if (placeOf(clip) >= 0) tell(app, clip); });
}

/** It is not, as far as the core may count on it. */
export function end(app, id) {
  if (whole.delete(id)) eachOf(app, id, ({ item }) => app.report(EVENT.savedForOffline, item, 0));
}

/** @param {App} app */
export async function attach(app) {
  const { disk, feed, report } = app;
  if (isAttached || !disk) return;
  isAttached = true;
  const below = { ...disk };
  Object.assign(disk, {
    announce(clip) {
      if (placeOf(clip) >= 0) tell(app, clip); else below.announce(clip);
    },
    async restore(item, first, count) {
      const clip = feed.clip(item);
      const rendition = clip ? placeOf(clip) : -1;
      if (rendition < 0) return below.restore(item, first, count);
      const record = whole.get(clip.id);
      if (await read(disk.store, record, clip, rendition, first, count, report)) return undefined;
      // The browser took some of it. The network has it, and the list of kept clips offers to mend it.
      end(app, clip.id);
      await change(clip.id, { isWhole: false }).catch(() => {});
      return report(EVENT.restoreFailed, item);
    },
    persist(item, count) {
      const clip = feed.clip(item);
      return clip && placeOf(clip) >= 0 ? undefined : below.persist(item, count);
    },
  });
  for (const record of await keptClips()) if (record.isWhole) begin(app, record);
  loadWords('feed').then(offer);
}

async function read(store, record, clip, rendition, first, count, report) {
  for (const segment of [INIT, ...Array.from({ length: count }, (_, at) => first + at)]) {
    const bytes = await readPart(record, segment).catch(() => null);
    if (!bytes) return false;
    store.put(clip.item, rendition, segment, bytes);
    report(EVENT.segmentStored, 0, clip.item, rendition, segment);
  }
  return true;
}

/** Where nothing else is left to show, the way to what is kept. */
function offer() {
  const panel = document.querySelector('#trouble .offline');
  if (!whole.size || panel.querySelector('button')) return;
  const button = Object.assign(document.createElement('button'), { type: 'button', textContent: t('Watch kept clips') });
  Object.assign(button.style, { marginTop: '14px', padding: '11px 22px', borderRadius: '24px', background: 'rgb(255 255 255 / 14%)', fontWeight: 600 });
  button.addEventListener('click', () => goTo('#account/kept'));
  panel.append(button);
}

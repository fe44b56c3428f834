// Keeps clips and lets them go, one after the other: what the menu of a clip and the list of kept clips have in common. Whoever
// shows them hears of each change.

import { loadClip } from '../clip-link/clip.js';
import { REASON } from '../core/core.js';
import { takeAway } from '../screens/screens.js';
import { settings } from '../settings/settings.js';
import { t } from '../words/words.js';
import { change, keep, KeepError, keptClips, newRecord, remove } from './kept.js';
import { attach, begin, end } from './playing.js';

const DAY_MS = 86_400_000;
const wordsOf = (reason) => ({
  full: t('There is no room for this clip. Remove kept clips or clear the cache, then try again.'),
  gone: t('This clip is gone.'),
  many: t('You keep as many clips as there is room for. Remove some first.'),
}[reason] ?? t('The clip did not come whole. Try again when the connection is better.'));

/** Where a browser keeps nothing for a page, nothing is offered. */
export const canKeep = Boolean(globalThis.caches && navigator.storage?.estimate);

// By id: `{share, abort, done}` of what is on its way or waits for its turn, and why what failed did.
const running = new Map();
const failed = new Map();
const changes = new EventTarget();
let turn = Promise.resolve();

const changed = () => changes.dispatchEvent(new Event('changed'));
export const onKept = (listener, signal) => changes.addEventListener('changed', listener, { signal });

export const shareOf = (id) => running.get(id)?.share;
export const failureOf = (id) => failed.get(id);
export const stop = (id) => running.get(id)?.abort.abort();

/** `{isWhole}` of a kept clip, or nothing. */
export const recordOf = async (id) => (await keptClips()).find((record) => record.item.id === id);

/** Pictures and captions of kept clips come from the worker. */
const tellWorker = () => navigator.serviceWorker?.controller?.postMessage('kept');

/** Keeps a clip of the feed; answers whether it is there whole. The person hears how it went. */
export async function keepClip(app, clip) {
  try {
    return await bring(app, await recordOf(clip.id) ?? await newRecord(clip, settings().saves));
  } catch (error) {
    app.notice(wordsOf(error.reason));
    return false;
  }
}

/** Fetches what is missing of a record, in its turn. */
export async function bring(app, record) {
  const { id } = record.item;
  if (running.has(id)) return false;
  const work = { share: 0, abort: new AbortController() };
  running.set(id, work);
  failed.delete(id);
  changed();
  work.done = turn.then(() => fetchWhole(app, record, work));
  turn = work.done.catch(() => {});
  try {
    await work.done;
    app.notice(t('This clip plays without a network now.'));
    return true;
  } catch (error) {
    if (error.reason === 'ended') await remove(record);
    else {
      failed.set(id, wordsOf(error.reason));
      app.notice(failed.get(id));
    }
    return false;
  } finally {
    running.delete(id);
    changed();
  }
}

async function fetchWhole(app, record, work) {
  const { signal } = work.abort;
  if (signal.aborted) throw new KeepError('ended');
  // So that a browser short of room takes other things first; some ask the person.
  navigator.storage.persist?.().catch(() => {});
  await keep(record, { signal, progress: (share) => {
    work.share = share;
    changed();
  } });
  await attach(app);
  begin(app, record);
  tellWorker();
}

export async function letGo(app, record) {
  const { id } = record.item;
  const work = running.get(id);
  work?.abort.abort();
  // Or what is just being written would come behind.
  await work?.done.catch(() => {});
  failed.delete(id);
  end(app, id);
  await remove(record);
  tellWorker();
  changed();
}

/** Clips that the server no longer shows to everybody go from here too. Each is asked after once a day; `isAll`: now.
 *  @param {App} app */
export async function lookAfter(app, isAll = false, now = Date.now()) {
  for (const record of await keptClips()) {
    if (!isAll && now - record.checked < DAY_MS) continue;
    try {
      const { visibility } = await loadClip(record.item.id);
      if (visibility) throw Object.assign(new Error(visibility), { reason: REASON.gone });
      await change(record.item.id, { checked: now });
    } catch (error) {
      // No network, or a full disk: another day.
      if (error.reason !== REASON.gone) return;
      await letGo(app, record);
      takeAway(app, ({ id }) => id === record.item.id);
    }
  }
}

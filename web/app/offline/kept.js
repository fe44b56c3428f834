// Clips that a person keeps on this device, whole: one rendition, poster and captions, in Cache Storage. Each clip has a record
// of its own, so that two tabs never write over each other, and it lies there before the first byte is fetched.
// It refuses to know the feed, the core and the page: those are playing.js and keeping.js.

import { SegmentSplitter, partsOf, reasonOf } from '../playback/downloads.js';

export const KEPT_KEY = 'clipfeed.kept';
const NAME = 'clipfeed-kept-1';
const RECORD = '/kept/';
// The short edge, in px, and what it is where somebody saves data.
const [EDGE, SAVING_EDGE] = [1080, 540];
// More is not a person's choice.
const MOST = 200;

/** `reason`: `full`, `gone`, `many`, `network` or, by the person, `ended`. */
export class KeepError extends Error {
  constructor(reason) {
    super(reason);
    this.reason = reason;
  }
}

const recordOf = (id) => RECORD + encodeURIComponent(id);
const placeOf = ({ url }, { offset, size }) => `${url}?bytes=${offset}-${offset + size - 1}`;
const open = () => caches.open(NAME);
const reasonFor = (error) => error.reason ?? (error.name === 'QuotaExceededError' ? 'full' : error.name === 'AbortError' ? 'ended' : 'network');

/** A clip as anybody may see it, as the server tells clips; what this person has to do with it is asked for anew. */
function itemOf(clip) {
  const { id, caption, tags, author, counts, takesComments, width, height, poster, duration, hls, captions, renditions, retention, aiGenerated, soundId } = clip;
  return {
    id, caption, tags, author, counts, comments: takesComments ? 'on' : 'off', width, height, poster, ai_generated: aiGenerated, sound_id: soundId,
    playback: { duration_ms: duration, hls_url: hls, captions, renditions, retention },
  };
}

/** The sharpest that is not sharper than is worth the room; the smallest if all are. */
export function renditionFor({ renditions }, saves) {
  const edge = ({ width, height }) => Math.min(width, height);
  return renditions.findLast((rendition) => edge(rendition) <= (saves ? SAVING_EDGE : EDGE)) ?? renditions[0];
}

export const sizeOf = ({ init, segments }) => segments.reduce((sum, { size }) => sum + size, init.size);

const partsIn = (rendition) => partsOf(rendition, 0, rendition.segments.length, true);

function remember(isAny) {
  try { if (isAny) localStorage.setItem(KEPT_KEY, '1'); else localStorage.removeItem(KEPT_KEY); } catch { /* storage may be off */ }
}

/** The newest first. A record: `{item, rendition, since, checked, bytes, isWhole}`. */
export async function keptClips() {
  const cache = await open();
  const requests = (await cache.keys()).filter(({ url }) => new URL(url).pathname.startsWith(RECORD));
  const records = await Promise.all(requests.map(async (request) => (await cache.match(request))?.json().catch(() => null)));
  const sound = records.filter((record) => record?.item?.id && record.rendition?.segments);
  remember(sound.length > 0);
  return sound.sort((a, b) => b.since - a.since);
}

async function write(record) {
  try {
    await (await open()).put(recordOf(record.item.id), Response.json(record));
  } catch (error) {
    throw new KeepError(reasonFor(error));
  }
}

let turn = Promise.resolve();

/** One after the other, in all tabs: what `work` reads is still so when it writes. */
function inTurn(work) {
  if (navigator.locks) return navigator.locks.request(NAME, work);
  const done = turn.then(work);
  turn = done.catch(() => {});
  return done;
}

/** Changes what is known of a kept clip. Answers false for one that is not kept any more: nobody's removing is undone. */
export function change(id, facts) {
  return inTurn(async () => {
    const record = await (await (await open()).match(recordOf(id)))?.json().catch(() => null);
    if (record) await write({ ...record, ...facts });
    return Boolean(record);
  });
}

/** Writes the record and fetches what is missing. `progress(share)`; throws a `KeepError`, and what has come stays. */
export async function keep(record, { signal, progress }) {
  try {
    await write(record);
    remember(true);
    const { quota = Infinity, usage = 0 } = await navigator.storage.estimate().catch(() => ({}));
    if (quota - usage < record.bytes) throw new KeepError('full');
    await fetchParts(record, signal, progress);
    await fetchFiles(record.item, signal);
    if (!await change(record.item.id, { isWhole: true })) throw new KeepError('ended');
  } catch (error) {
    throw new KeepError(reasonFor(error));
  }
}

/** The record of a clip of the feed that is about to be kept. */
export async function newRecord(clip, saves) {
  if ((await keptClips()).length >= MOST) throw new KeepError('many');
  const rendition = renditionFor(clip, saves);
  return { item: itemOf(clip), rendition, since: Date.now(), checked: Date.now(), bytes: sizeOf(rendition), isWhole: false };
}

/** One request from the first part that is missing to the end; each part is written as it comes. */
async function fetchParts({ rendition, bytes: all }, signal, progress) {
  const cache = await open();
  const parts = partsIn(rendition);
  while (parts.length && await cache.match(placeOf(rendition, parts[0]))) parts.shift();
  if (!parts.length) return;
  const from = parts[0].offset;
  const end = Math.max(...parts.map(({ offset, size }) => offset + size));
  const answer = await fetch(rendition.url, { headers: { Range: `bytes=${from}-${end - 1}` }, signal, priority: 'low' });
  if (reasonOf(answer.status, answer.headers.get('Content-Range'), from, end - from)) {
    answer.body?.cancel().catch(() => {});
    throw new KeepError([404, 410, 416].includes(answer.status) ? 'gone' : 'network');
  }
  const splitter = new SegmentSplitter(parts, from);
  let come = all - (end - from);
  for (const reader = answer.body.getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) break;
    for (const { segment, bytes } of splitter.push(value)) {
      await cache.put(placeOf(rendition, parts.find((part) => part.segment === segment)), new Response(bytes));
    }
    come += value.length;
    progress(Math.min(1, come / all));
  }
  if (!splitter.done) throw new KeepError('network');
}

/** Poster and captions, whose names stand for what is in them. */
async function fetchFiles({ poster, playback }, signal) {
  const cache = await open();
  for (const url of [poster?.url, ...(playback.captions ?? []).map((track) => track.url)]) {
    if (!url || await cache.match(url)) continue;
    const answer = await fetch(url, { signal, priority: 'low' });
    // Captions may have been taken back since.
    if (answer.ok) await cache.put(url, answer); else if (answer.status >= 500) throw new KeepError('network');
  }
}

/** The bytes of one part; null if they are not there whole. */
export async function readPart({ rendition }, segment) {
  const part = partsIn(rendition).find((one) => one.segment === segment);
  const answer = part && await (await open()).match(placeOf(rendition, part));
  const bytes = new Uint8Array(await answer?.arrayBuffer() ?? 0);
  return part && bytes.length === part.size ? bytes : null;
}

/** All of it, but for what another kept clip has too: files are named by their content. The record goes last, so that whatever
 *  ends this in the middle leaves something to be removed. */
export const remove = (record) => inTurn(() => removeNow(record));

async function removeNow({ item, rendition }) {
  const cache = await open();
  const others = (await keptClips()).filter((record) => record.item.id !== item.id);
  const addresses = (one) => [...partsIn(one.rendition).map((part) => placeOf(one.rendition, part)),
    one.item.poster?.url, ...(one.item.playback.captions ?? []).map(({ url }) => url)];
  const needed = new Set(others.flatMap(addresses));
  for (const address of addresses({ item, rendition })) if (address && !needed.has(address)) await cache.delete(address);
  await cache.delete(recordOf(item.id));
  remember(others.length > 0);
}

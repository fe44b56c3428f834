// Carries out `fetch`, `cancel` and `discard`: one HTTP range request each, its bytes cut into
// segments that are stored in memory and reported one by one while the rest still comes.
// It refuses to know what to download next and what is worth keeping, and never retries.

import { EVENT, REASON, now } from '../core/core.js';

export const INIT = -1;

// What comes of a segment is shown every so many bytes, once the rate was seen for so long, if the rest takes less than
// this share of its duration.
const GROWTH_BYTES = 4096;
const GROWTH_MS = 20;
const IN_TIME = 0.6;

/** The bytes: per clip, rendition and segment (−1: the init segment). */
export class Store {
  #clips = new Map();
  #growing = new Map();
  #listeners = new Set();

  /** `listener(item)` runs whenever a segment of a clip has arrived, or some more of one. */
  onStored(listener) {
    this.#listeners.add(listener);
  }

  put(item, rendition, segment, bytes) {
    let clip = this.#clips.get(item);
    if (!clip) this.#clips.set(item, clip = new Map());
    let segments = clip.get(rendition);
    if (!segments) clip.set(rendition, segments = new Map());
    segments.set(segment, bytes);
    this.#tell(item);
  }

  #tell(item) {
    for (const listener of this.#listeners) listener(item);
  }

  /** Of a segment that is still coming, the first `have` bytes are there. */
  grow(item, rendition, segment, bytes, have) {
    this.#growing.set(`${item}/${segment}`, { rendition, bytes, have });
    this.#tell(item);
  }

  /** It is complete, or does not come. */
  stopGrowing(item, segment) {
    if (this.#growing.delete(`${item}/${segment}`)) this.#tell(item);
  }

  /** `{rendition, bytes, have}` of a segment that is still coming, if it comes in time to be played. */
  growing(item, segment) {
    return this.#growing.get(`${item}/${segment}`);
  }

  get(item, rendition, segment) {
    return this.#clips.get(item)?.get(rendition)?.get(segment);
  }

  /** The highest rendition that holds this segment and its init segment; −1: none does. */
  best(item, segment) {
    let best = -1;
    for (const [rendition, segments] of this.#clips.get(item) ?? []) {
      if (rendition > best && segments.has(segment) && segments.has(INIT)) best = rendition;
    }
    return best;
  }

  discard(item) {
    this.#clips.delete(item);
  }

  /** Keeps of a clip its init segments and the first `count` others. */
  trim(item, count) {
    for (const segments of this.#clips.get(item)?.values() ?? []) {
      for (const segment of segments.keys()) if (segment >= count) segments.delete(segment);
    }
  }

  /** Bytes held now, for tests and measurements. */
  get size() {
    let size = 0;
    for (const clip of this.#clips.values()) {
      for (const segments of clip.values()) {
        for (const bytes of segments.values()) size += bytes.length;
      }
    }
    return size;
  }
}

/** The parts of a request: `{segment, offset, size}`, offsets counted from the start of the file. */
export function partsOf(rendition, first, count, withInit) {
  const parts = withInit ? [{ segment: INIT, ...rendition.init }] : [];
  for (let i = first; i < first + count; i += 1) {
    const { offset, size } = rendition.segments[i];
    parts.push({ segment: i, offset, size });
  }
  return parts.sort((a, b) => a.offset - b.offset);
}

/** Cuts a stream of bytes into parts. */
export class SegmentSplitter {
  #parts;
  #at;

  /** `offset`: where in the file the stream begins. */
  constructor(parts, offset) {
    this.#parts = parts.map((part) => ({ ...part, bytes: new Uint8Array(part.size) }));
    this.#at = offset;
  }

  /** Takes the next bytes; answers the parts that they complete, as `{segment, bytes}`. */
  push(chunk) {
    const start = this.#at;
    const end = this.#at += chunk.length;
    const complete = [];
    while (this.#parts.length) {
      const part = this.#parts[0];
      const from = Math.max(start, part.offset);
      const to = Math.min(end, part.offset + part.size);
      if (from < to) part.bytes.set(chunk.subarray(from - start, to - start), from - part.offset);
      if (part.offset + part.size > end) break;
      complete.push({ segment: part.segment, bytes: part.bytes });
      this.#parts.shift();
    }
    return complete;
  }

  /** The part that is coming: `{segment, bytes, have}`; null if nothing of it is there. */
  get growing() {
    const [part] = this.#parts;
    const have = part ? this.#at - part.offset : 0;
    return have > 0 ? { segment: part.segment, bytes: part.bytes, have } : null;
  }

  /** Whether every part is complete. */
  get done() {
    return this.#parts.length === 0;
  }
}

/** Shows the store what has come of a segment, where the rest comes sooner than it is played: so a
 *  picture that somebody waits for need not wait for the whole second that it begins. */
export class PartialSegment {
  #store;
  #item;
  #rendition;
  #segments;
  #began = 0;
  #bytes = 0;
  #shown = { segment: INIT, have: 0 };

  constructor(store, item, rendition, segments) {
    this.#store = store;
    this.#item = item;
    this.#rendition = rendition;
    this.#segments = segments;
  }

  note(part, size) {
    this.#began ||= performance.now();
    this.#bytes += size;
    if (part?.segment !== this.#shown.segment) this.end();
    if (!part || part.segment === INIT || !this.#inTime(part)) return;
    if (part.segment === this.#shown.segment && part.have - this.#shown.have < GROWTH_BYTES) return;
    this.#shown = { segment: part.segment, have: part.have };
    this.#store.grow(this.#item, this.#rendition, part.segment, part.bytes, part.have);
  }

  end() {
    if (this.#shown.segment !== INIT) this.#store.stopGrowing(this.#item, this.#shown.segment);
    this.#shown = { segment: INIT, have: 0 };
  }

  #inTime({ segment, bytes, have }) {
    const elapsed = performance.now() - this.#began;
    const left = (elapsed / this.#bytes) * (bytes.length - have);
    return elapsed >= GROWTH_MS && left <= IN_TIME * this.#segments[segment].duration_ms;
  }
}

class Refused extends Error {
  constructor(reason) {
    super('refused');
    this.reason = reason;
  }
}

/** What an answer's status means to the core; 0: these are the bytes that were asked for. */
export function reasonOf(status, contentRange, offset, size) {
  if (status === 404 || status === 410 || status === 416) return REASON.gone;
  if (status !== 206) return status >= 400 && status < 500 ? REASON.network : REASON.server;
  // Another origin may hide the header; then the status has to do.
  const range = /^bytes (\d+)-(\d+)\//.exec(contentRange ?? `bytes ${offset}-${offset + size - 1}/`);
  const exact = range && Number(range[1]) === offset && Number(range[2]) === offset + size - 1;
  return exact ? 0 : REASON.server;
}

export class Downloads {
  #running = new Map();
  #clipOf;
  #store;
  #report;

  constructor(clipOf, store, report) {
    this.#clipOf = clipOf;
    this.#store = store;
    this.#report = report;
  }

  /** The fields of the command `fetch`. */
  async fetch({ request, item, rendition, first, count, init, offset, size }) {
    const abort = new AbortController();
    this.#running.set(request, abort);
    const began = now();
    const live = () => this.#running.get(request) === abort;
    try {
      const clip = this.#clipOf(item);
      const descriptor = clip.renditions[rendition];
      const splitter = new SegmentSplitter(partsOf(descriptor, first, count, init), offset);
      const partial = new PartialSegment(this.#store, item, rendition, descriptor.segments);
      const response = await this.#open(clip, descriptor.url, offset, size, abort.signal);
      const firstByte = now() - began;
      const bytes = await this.#read(response, (chunk) => {
        for (const part of splitter.push(chunk)) {
          if (!live()) return;
          this.#store.put(item, rendition, part.segment, part.bytes);
          this.#report(EVENT.segmentStored, request, item, rendition, part.segment);
        }
        if (live()) partial.note(splitter.growing, chunk.length);
      }).finally(() => partial.end());
      if (!splitter.done) throw new Refused(REASON.network);
      if (live()) this.#report(EVENT.fetchFinished, request, bytes, now() - began, firstByte);
    } catch (error) {
      if (live()) this.#report(EVENT.fetchFailed, request, error.reason ?? REASON.network);
    } finally {
      if (live()) this.#running.delete(request);
    }
  }

  cancel(request) {
    const abort = this.#running.get(request);
    this.#running.delete(request);
    abort?.abort();
  }

  async #open(clip, url, offset, size, signal) {
    const headers = { Range: `bytes=${offset}-${offset + size - 1}` };
    const response = await fetch(url, { headers, signal });
    const range = response.headers.get('Content-Range');
    const reason = reasonOf(response.status, range, offset, size);
    if (reason) {
      response.body?.cancel().catch(() => {});
      // Its address is over; the core tries again, at the one that holds then.
      if (response.status === 403) await (await import('../clip-link/clip.js')).renew(clip);
      throw new Refused(reason);
    }
    return response;
  }

  async #read(response, take) {
    let bytes = 0;
    const reader = response.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return bytes;
      bytes += value.length;
      take(value);
    }
  }
}

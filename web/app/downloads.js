// Carries out `fetch`, `cancel` and `discard`: one HTTP range request each, its bytes cut into
// segments that are stored in memory and reported one by one while the rest still comes.
// It refuses to know what to download next and what is worth keeping, and never retries.

import { EVENT, REASON, now } from './core.js';

export const INIT = -1;

/** The bytes: per clip, rendition and segment (−1: the init segment). */
export class Store {
  #clips = new Map();
  #listeners = new Set();

  /** `listener(item)` runs whenever a segment of a clip has arrived. */
  onStored(listener) {
    this.#listeners.add(listener);
  }

  put(item, rendition, segment, bytes) {
    let clip = this.#clips.get(item);
    if (!clip) this.#clips.set(item, clip = new Map());
    let segments = clip.get(rendition);
    if (!segments) clip.set(rendition, segments = new Map());
    segments.set(segment, bytes);
    for (const listener of this.#listeners) listener(item);
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
export class Cutter {
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

  /** Whether every part is complete. */
  get done() {
    return this.#parts.length === 0;
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

  async fetch(request, item, rendition, first, count, withInit, offset, size) {
    const abort = new AbortController();
    this.#running.set(request, abort);
    const began = now();
    const live = () => this.#running.get(request) === abort;
    try {
      const descriptor = this.#clipOf(item).renditions[rendition];
      const cutter = new Cutter(partsOf(descriptor, first, count, withInit), offset);
      const response = await this.#open(descriptor.url, offset, size, abort.signal);
      const firstByte = now() - began;
      const bytes = await this.#read(response, (chunk) => {
        for (const part of cutter.push(chunk)) {
          if (!live()) return;
          this.#store.put(item, rendition, part.segment, part.bytes);
          this.#report(EVENT.segmentStored, request, item, rendition, part.segment);
        }
      });
      if (!cutter.done) throw new Refused(REASON.network);
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

  async #open(url, offset, size, signal) {
    const headers = { Range: `bytes=${offset}-${offset + size - 1}` };
    const response = await fetch(url, { headers, signal });
    const range = response.headers.get('Content-Range');
    const reason = reasonOf(response.status, range, offset, size);
    if (reason) {
      response.body?.cancel().catch(() => {});
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

// Carries out `fetch` and `cancel`: one HTTP range request each, its bytes cut into segments that
// are stored and reported one by one while the rest still comes.
// It refuses to know what to download next, and never retries.

import { now } from './core.js';
import { Cutter, partsOf } from './cutter.js';
import { EVENT, REASON } from './wire.js';

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

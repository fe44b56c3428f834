// Cuts a stream of bytes into the parts (init and segments) that one request covers.
// It refuses to know where the bytes come from and where they go.

import { INIT } from './store.js';

/** The parts of a request: `{segment, offset, size}`, offsets counted from the start of the file. */
export function partsOf(rendition, first, count, withInit) {
  const parts = withInit ? [{ segment: INIT, ...rendition.init }] : [];
  for (let i = first; i < first + count; i += 1) {
    const { offset, size } = rendition.segments[i];
    parts.push({ segment: i, offset, size });
  }
  return parts.sort((a, b) => a.offset - b.offset);
}

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

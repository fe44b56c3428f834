// Holds downloaded bytes in memory: per clip, rendition and segment (−1: the init segment).
// It refuses to know what is worth keeping: the core says `discard`.

export const INIT = -1;

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

// The disk level of the media cache: carries out `persist`, `evict`, `restore` and `evictUnknown` with
// the browser's Cache Storage. A part is one segment (or init) of one rendition; its address is that of
// the file, which is named by its content, and the range. So it outlives the page and any change of ids.
// It refuses to know what is worth keeping, and nothing waits for it: where there is no such storage, or
// it fails, there is only no disk level.

import { EVENT } from '../core/core.js';
import { INIT } from './downloads.js';

// Of what the browser would give; and never more than so much.
const SHARE_OF_QUOTA = 0.1;
const LARGEST_BUDGET = 256 * 1024 * 1024;
const NAME = 'clipfeed-media-1';
const INDEX = '/media/index';

const addressOf = ({ url, offset, size }) => `${url}?bytes=${offset}-${offset + size - 1}`;
/** By which a clip is known from visit to visit. */
const keyOf = (clip) => clip.renditions[0].url;
const partOf = (rendition, segment) => {
  const { offset, size } = segment === INIT ? rendition.init : rendition.segments[segment];
  return { url: rendition.url, segment, offset, size };
};
const bytesOf = (parts) => parts.reduce((sum, { size }) => sum + size, 0);

/** How many segments from the first on are whole: the segment and the init of its rendition. */
export function leadingSegments(parts) {
  const inits = new Set(parts.filter((p) => p.segment === INIT).map((p) => p.url));
  const whole = new Set(parts.filter((p) => p.segment !== INIT && inits.has(p.url)).map((p) => p.segment));
  let count = 0;
  while (whole.has(count)) count += 1;
  return count;
}

export class Disk {
  #cache;
  // Clip key → { used: when it was last used (ms since 1970), parts }.
  #entries;
  #named = new Set();
  // One thing after the other, so that what was asked for last is how it ends.
  #work = Promise.resolve();

  /** Null where the browser has no such storage or does not open it. */
  static async open(storage = globalThis.caches) {
    try {
      const cache = await storage.open(NAME);
      const index = await (await cache.match(INDEX))?.json().catch(() => null);
      const disk = new Disk(cache, new Map(index ?? []));
      await disk.#sweep();
      return disk;
    } catch {
      return null;
    }
  }

  constructor(cache, entries) {
    this.#cache = cache;
    this.#entries = entries;
  }

  get used() {
    return [...this.#entries.values()].reduce((sum, { parts }) => sum + bytesOf(parts), 0);
  }

  /** What is there of a clip: `{segments, bytes, age}`, or null. From now on it is named. */
  holds(clip) {
    this.#named.add(keyOf(clip));
    const entry = this.#entries.get(keyOf(clip));
    const segments = entry ? leadingSegments(this.#readable(clip, entry)) : 0;
    if (!segments) return null;
    return { segments, bytes: bytesOf(entry.parts), age: Math.max(0, Date.now() - entry.used) };
  }

  /** Writes the first `count` segments as `store` holds them now. Answers `{segments, bytes, isFull}`. */
  persist(clip, count, store) {
    const parts = storedParts(clip, count, store);
    this.#named.add(keyOf(clip));
    return this.#then(async () => {
      const entry = this.#entries.get(keyOf(clip)) ?? { parts: [] };
      this.#entries.set(keyOf(clip), entry);
      entry.used = Date.now();
      let isFull = false;
      try {
        for (const { bytes, ...part } of parts) {
          if (entry.parts.some((p) => addressOf(p) === addressOf(part))) continue;
          await this.#cache.put(addressOf(part), new Response(bytes));
          entry.parts.push(part);
        }
      } catch (error) {
        isFull = error.name === 'QuotaExceededError';
      }
      await this.#save().catch(() => { isFull = true; });
      return { segments: Math.min(count, leadingSegments(entry.parts)), bytes: bytesOf(entry.parts), isFull };
    });
  }

  /** Reads segments into `store`; `stored(rendition, segment)` runs for each. False if one cannot be read. */
  restore(clip, first, count, store, stored) {
    return this.#then(async () => {
      const entry = this.#entries.get(keyOf(clip));
      const parts = entry ? this.#readable(clip, entry) : [];
      const wanted = ({ segment }) => segment === INIT || (segment >= first && segment < first + count);
      const found = new Set();
      for (const part of parts.filter(wanted)) {
        const answer = await this.#cache.match(addressOf(part));
        const bytes = new Uint8Array(await answer?.arrayBuffer() ?? 0);
        if (bytes.length !== part.size) continue;
        const rendition = clip.renditions.findIndex(({ url }) => url === part.url);
        store.put(clip.item, rendition, part.segment, bytes);
        stored(rendition, part.segment);
        if (part.segment !== INIT) found.add(part.segment);
      }
      if (entry) entry.used = Date.now();
      return found.size === count;
    }).catch(() => false);
  }

  /** Drops a clip but for its first `keeping` segments. */
  evict(clip, keeping) {
    return this.#then(() => this.#drop(keyOf(clip), keeping));
  }

  /** Makes room by clips of earlier visits that nobody has named since, least recently used first. */
  evictUnknown(bytes) {
    return this.#then(async () => {
      const old = [...this.#entries].filter(([key]) => !this.#named.has(key))
        .sort(([, a], [, b]) => a.used - b.used);
      let freed = 0;
      for (const [key, { parts }] of old) {
        if (freed >= bytes) return;
        freed += bytesOf(parts);
        await this.#drop(key, 0);
      }
    });
  }

  #then(work) {
    const done = this.#work.then(work);
    this.#work = done.catch(() => {});
    return done;
  }

  async #drop(key, keeping) {
    const entry = this.#entries.get(key);
    if (!entry) return;
    const kept = keeping > 0 ? entry.parts.filter(({ segment }) => segment < keeping) : [];
    for (const part of entry.parts) if (!kept.includes(part)) await this.#cache.delete(addressOf(part));
    entry.parts = kept;
    if (!kept.length) this.#entries.delete(key);
    await this.#save();
  }

  /** The parts that this descriptor of the clip still knows. */
  #readable(clip, { parts }) {
    return parts.filter((part) => {
      const rendition = clip.renditions.find(({ url }) => url === part.url);
      if (!rendition || part.segment >= rendition.segments.length) return false;
      return addressOf(partOf(rendition, part.segment)) === addressOf(part);
    });
  }

  #save() {
    return this.#cache.put(INDEX, new Response(JSON.stringify([...this.#entries])));
  }

  /** A visit that ended in the middle of writing leaves parts that no entry names. */
  async #sweep() {
    const known = new Set([INDEX]);
    for (const { parts } of this.#entries.values()) parts.forEach((part) => known.add(addressOf(part)));
    for (const request of await this.#cache.keys()) {
      const { pathname, search } = new URL(request.url);
      if (!known.has(pathname + search) && !known.has(request.url)) await this.#cache.delete(request);
    }
  }
}

/** The best that is stored of each of the first segments, with the inits they need. */
function storedParts(clip, count, store) {
  const parts = new Map();
  for (let segment = 0; segment < count; segment += 1) {
    const best = store.best(clip.item, segment);
    if (best < 0) break;
    for (const number of [INIT, segment]) {
      const part = partOf(clip.renditions[best], number);
      parts.set(addressOf(part), { ...part, bytes: store.get(clip.item, best, number) });
    }
  }
  return [...parts.values()];
}

/** Answers what carries out the core's commands; null where there is no disk. `start` tells the core of
 *  the disk and of the clips that it holds. */
export async function attachDisk(feed, store, report) {
  const disk = await Disk.open();
  const { quota = 0 } = await navigator.storage?.estimate?.().catch(() => ({})) ?? {};
  if (!disk || !quota) return null;
  return {
    store,
    announce(clip) {
      const there = disk.holds(clip);
      if (there) report(EVENT.diskHolds, clip.item, there.segments, there.bytes, there.age, 0);
    },
    start() {
      report(EVENT.diskFound, Math.min(LARGEST_BUDGET, quota * SHARE_OF_QUOTA), disk.used);
      feed.onAppended((clip) => this.announce(clip));
    },
    async persist(item, count) {
      const clip = feed.clip(item);
      // What is not for everybody does not stay behind on the device.
      if (!clip || clip.visibility) return;
      const { segments, bytes, isFull } = await disk.persist(clip, count, store);
      if (segments < count) report(EVENT.persistFailed, item, segments, bytes, isFull);
    },
    async restore(item, first, count) {
      const clip = feed.clip(item);
      const stored = (rendition, segment) => report(EVENT.segmentStored, 0, item, rendition, segment);
      if (!clip || !await disk.restore(clip, first, count, store, stored)) report(EVENT.restoreFailed, item);
    },
    evict(item, keeping) {
      const clip = feed.clip(item);
      if (clip) disk.evict(clip, keeping);
    },
    evictUnknown: (bytes) => disk.evictUnknown(bytes),
  };
}

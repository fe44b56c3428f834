// Brings the pages of the feed and gives each clip the handle by which the core knows it.
// It refuses to know when a page is needed and which clip is on the screen.

import { EVENT, itemFields } from '../core/core.js';

// Short, so that the first clip is known early; the preload of index.html has the same address.
const FIRST = '/api/v1/feed?limit=5';
const PAGE_LIMIT = 10;
const PATIENCE_MS = 15_000;
// Clips kept at hand; the core asks for those around the current one, 24 on each side at most.
const AT_HAND = 64;
// What the last visit left, by web/app/feed/last-visit.js.
export const LAST_VISIT_KEY = 'clipfeed.feed';
// Seconds of a clip for which the core takes a share.
const RETENTION_LIMIT = 600;

/** A clip as the modules use it; null if it has nothing to play. */
export function clipFrom(item, handle, canPlay) {
  const all = item.playback?.renditions ?? [];
  const playable = all.filter((r) => canPlay(r.codecs));
  const renditions = playable.length ? playable : all;
  if (!renditions.length || !(item.playback.duration_ms > 0)) return null;
  return {
    item: handle,
    id: item.id,
    caption: item.caption ?? '',
    tags: item.tags,
    author: item.author ?? {},
    counts: item.counts ?? {},
    viewer: item.viewer ?? {},
    takesComments: item.comments !== 'off',
    visibility: item.visibility,
    // Of the last visit: it may be gone by now.
    isLeft: item.isLeft === true,
    width: item.width,
    height: item.height,
    poster: item.poster ?? {},
    duration: item.playback.duration_ms,
    hls: item.playback.hls_url,
    captions: item.playback.captions,
    renditions,
    retention: retentionOf(item.playback.retention),
  };
}

/** Shares in millionths of those who start the clip that still watch it after 0, 1, 2 … s; null if the
 *  server does not tell, or nothing that makes sense. */
function retentionOf(shares) {
  const fine = Array.isArray(shares) && shares.length > 0 && shares.every(Number.isFinite);
  return fine ? shares.slice(0, RETENTION_LIMIT) : null;
}

export class Feed {
  #report;
  #canPlay;
  #load;
  // By handle; what was not used lately as text, which takes a tenth of the memory.
  #clips = [];
  #atHand = new Set();
  // By id: the handle, if there is something to play.
  #known = new Map();
  #top = 0;
  #appended = () => {};
  #cursor = null;
  #again = false;
  #loading = false;
  // Items that may be shown until the first page is there.
  #left;
  // Whether they are there: the first page comes on top of them.
  #isResumed = false;

  /** `canPlay(codecs)`; `load(url)` answers the decoded page; `left` are items of the last visit. */
  constructor(report, canPlay, load = loadPage, left = []) {
    this.#report = report;
    this.#canPlay = canPlay;
    this.#load = load;
    this.#left = left;
  }

  clip(item) {
    const clip = this.#clips[item];
    if (clip === undefined) return undefined;
    return this.#keep(item, typeof clip === 'string' ? JSON.parse(clip) : clip);
  }

  /** The clip will not be asked for again. */
  forget(item) {
    delete this.#clips[item];
    this.#atHand.delete(item);
  }

  /** `listener(clip)` runs for each clip: for those that are there, now. */
  onAppended(listener) {
    this.#appended = listener;
    for (const item of this.#clips.keys()) {
      const clip = this.clip(item);
      if (clip) listener(clip);
    }
  }

  /** Tells the core what it has to know of a clip, by the event that asks for it or is asked for; `first` are the
   *  fields before the clip's. */
  tell(kind, item, ...first) {
    const clip = this.clip(item);
    if (!clip) return;
    this.#report(kind, ...first, ...itemFields(clip));
    if (clip.retention) this.#report(EVENT.retentionKnown, item, clip.retention.length, ...clip.retention);
  }

  get size() {
    return this.#clips.length;
  }

  /** Fetches the next page; behind the last one it looks at the top for clips that are new. */
  async requestPage() {
    if (this.#loading) return;
    this.#loading = true;
    // Whoever loads the page again asks for what is new.
    if (!isReload()) this.#resume();
    let page;
    let status;
    try {
      page = await this.#load(this.#address());
    } catch (error) {
      status = error.status;
      // A cursor that the server no longer takes must not end the feed for good.
      if (status === 400) this.#cursor = null;
    }
    // The panel says whose trouble it is.
    globalThis.trouble?.setAttribute('data-status', status);
    this.#loading = false;
    if (!page) this.#resume();
    if (page) this.#take(page); else this.#report(EVENT.pageFailed);
  }

  #resume() {
    const before = this.#clips.length;
    for (const item of this.#left.splice(0)) {
      try {
        this.#append({ ...item, isLeft: true });
      } catch (error) {
        console.warn('clip of the last visit', error);
      }
    }
    this.#isResumed ||= this.#clips.length > before;
  }

  #address() {
    if (!this.#cursor) return FIRST;
    return `/api/v1/feed?cursor=${encodeURIComponent(this.#cursor)}&limit=${PAGE_LIMIT}`;
  }

  #take(page) {
    const fresh = page.items.filter((item) => !this.#known.has(item.id));
    // On a second look at the top, the first clip that is known ends the news.
    const caughtUp = this.#again && fresh.length < page.items.length;
    this.#cursor = caughtUp ? null : page.next_cursor ?? null;
    if (!this.#cursor && this.#known.size + fresh.length) this.#again = true;
    if (this.#isResumed) this.#putOnTop(fresh); else for (const item of fresh) this.#append(item);
    this.#isResumed = false;
    this.#left = [];
    this.#report(EVENT.pageLoaded, this.#cursor ? 1 : 0);
  }

  /** The first of them is the new top; what is on the screen stays there. */
  #putOnTop(items) {
    const old = this.#top;
    for (const item of items) this.#append(item, EVENT.itemInserted, old);
    this.#top = items.map(({ id }) => this.#known.get(id)).find((handle) => handle !== undefined) ?? old;
  }

  /** Puts a clip on top of the feed, unless it is in there; answers its handle. */
  insert(item) {
    if (!this.#known.has(item.id)) {
      const top = this.#top;
      this.#append(item, EVENT.itemInserted, top);
      this.#top = this.#known.get(item.id) ?? top;
    }
    return this.#known.get(item.id);
  }

  #append(item, kind = EVENT.itemAppended, ...first) {
    const clip = clipFrom(item, this.#clips.length, this.#canPlay);
    this.#known.set(item.id, clip?.item);
    if (!clip) return;
    this.#clips.push(null);
    this.#keep(clip.item, clip);
    this.tell(kind, clip.item, ...first);
    this.#appended(clip);
  }

  #keep(item, clip) {
    this.#clips[item] = clip;
    this.#atHand.delete(item);
    this.#atHand.add(item);
    if (this.#atHand.size > AT_HAND) {
      const [oldest] = this.#atHand;
      this.#atHand.delete(oldest);
      this.#clips[oldest] = JSON.stringify(this.#clips[oldest]);
    }
    return clip;
  }
}

export const isReload = () => globalThis.performance?.getEntriesByType?.('navigation')[0]?.type === 'reload';

/** The items that the last visit left; none if it is long ago. The first was on the screen then: for whoever `returns` to
 *  it; others have watched it. */
export function leftItems(returns, now = Date.now()) {
  try {
    const { until, items, shown } = JSON.parse(localStorage.getItem(LAST_VISIT_KEY));
    return until > now && Array.isArray(items) ? items.filter(({ id }) => returns || id !== shown) : [];
  } catch {
    return [];
  }
}

// NB: no signal on what is preloaded; a request with one does not take up the preload everywhere.
export async function loadPage(url, signal = url === FIRST ? null : AbortSignal.timeout(PATIENCE_MS)) {
  const response = await fetch(url, { signal });
  if (!response.ok) throw Object.assign(new Error(url), { status: response.status });
  return response.json();
}

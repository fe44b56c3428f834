// Brings the pages of the feed and gives each clip the handle by which the core knows it.
// It refuses to know when a page is needed, which clip is on the screen, and which other lists there are.

import { EVENT, itemFields } from '../core/core.js';

// By web/app/tabs/tabs.js.
export const TAB_KEY = 'clipfeed.tab';
const FEED = '/api/v1/feed?tab=';
// Short, so that the first clip is known early; index.html preloads this address.
const FIRST = `${FEED}for_you&limit=5`;
const PAGE_LIMIT = 10;
const PATIENCE_MS = 15_000;
// Clips kept at hand; the core asks for 24 on each side of the current one.
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
    reason: item.reason,
    aiGenerated: item.ai_generated,
    soundId: item.sound_id,
    // Of the last visit: it may be gone.
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
 *  server tells none that make sense. */
function retentionOf(shares) {
  const fine = Array.isArray(shares) && shares.length > 0 && shares.every(Number.isFinite);
  return fine ? shares.slice(0, RETENTION_LIMIT) : null;
}

/** Clips to watch one after the other, those of a tab if it has one: their handles in `order`; `isKnown` once a page has come. */
export const newList = (tab, load = loadPage, left = []) => ({ tab, load, left, order: [], ids: new Set(), cursor: null });

export class Feed {
  #report;
  #canPlay;
  // By handle; what was not used lately as text, which takes a tenth of the memory.
  #clips = [];
  #atHand = new Set();
  // By id: the handle, if there is something to play.
  #known = new Map();
  #appended = () => {};
  /** What the core has; `isChanging` while another list takes its place (web/app/tabs/lists.js). */
  list;
  isChanging = false;

  /** `canPlay(codecs)`; `load(url)` answers the decoded page; `left` are items of the last visit, on top of which the first page
   *  comes. */
  constructor(report, canPlay, load, left) {
    this.#report = report;
    this.#canPlay = canPlay;
    this.list = newList(lastTab(), load, left);
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
    this.list.order = this.list.order.filter((handle) => handle !== item);
  }

  /** The clip is gone from all lists. */
  drop(item) {
    this.#report(EVENT.itemRemoved, item);
    this.forget(item);
  }

  has(item) {
    return item in this.#clips;
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
  async requestPage(list = this.list) {
    if (this.isChanging || list.isLoading) return;
    list.isLoading = true;
    // Whoever loads the page again asks for what is new.
    if (!isReload()) this.#resume(list);
    let page;
    let status;
    try {
      page = await list.load(addressIn(list));
    } catch (error) {
      status = error.status;
      // A cursor that the server no longer takes must not end the feed for good.
      if (status === 400) list.cursor = null;
    }
    list.isLoading = false;
    if (!page) this.#resume(list);
    if (page) this.#take(page, list);
    if (list !== this.list) return;
    // The panel says whose trouble it is.
    globalThis.trouble?.setAttribute('data-status', status);
    if (page) this.#report(EVENT.pageLoaded, list.cursor ? 1 : 0); else this.#report(EVENT.pageFailed);
  }

  #resume(list) {
    const before = list.order.length;
    for (const item of list.left.splice(0)) {
      try {
        this.#append({ ...item, isLeft: true }, list);
      } catch (error) {
        console.warn('clip of the last visit', error);
      }
    }
    list.isResumed ||= list.order.length > before;
  }

  #take({ items, next_cursor: cursor }, list) {
    const fresh = items.filter(({ id }) => !list.ids.has(id));
    // On a second look at the top, the first clip that is known ends the news.
    const caughtUp = list.isAgain && fresh.length < items.length;
    list.cursor = caughtUp ? null : cursor ?? null;
    // Newer clips come on top of what the last visit left; what is on the screen stays there.
    let place = list.isResumed && list.tab !== 'for_you' ? 0 : list.order.length;
    for (const item of fresh) if (this.#append(item, list, place) !== undefined) place += 1;
    Object.assign(list, { left: [], isResumed: false, isKnown: true });
    if (!list.cursor && list.ids.size) list.isAgain = true;
  }

  /** Puts a clip on top of the feed, unless it is in there; answers its handle. */
  insert(item) {
    const handle = this.#known.get(item.id);
    return this.list.order.includes(handle) ? handle : this.#append(item, this.list, 0);
  }

  #append(item, list, place = list.order.length) {
    list.ids.add(item.id);
    const known = this.#known.get(item.id);
    const handle = this.has(known) ? known : this.#add(item, known ?? this.#clips.length);
    if (handle === undefined) return handle;
    if (item.reason) this.clip(handle).reason = item.reason;
    const next = list.order[place];
    list.order.splice(place, 0, handle);
    if (list !== this.list) return handle;
    this.put(handle, next);
    return handle;
  }

  /** Tells the core that a clip comes before another one, or at the end. */
  put(item, next) {
    if (next === undefined) this.tell(EVENT.itemAppended, item); else this.tell(EVENT.itemInserted, item, next);
    this.#appended(this.clip(item));
  }

  #add(item, handle) {
    const clip = clipFrom(item, handle, this.#canPlay);
    this.#known.set(item.id, clip?.item);
    if (clip) this.#keep(handle, clip);
    return clip?.item;
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

const addressIn = ({ tab, cursor }) =>
  `${FEED}${tab}&limit=${cursor ? `${PAGE_LIMIT}&cursor=${encodeURIComponent(cursor)}` : 5}`;

/** What was watched last on this device. */
export function lastTab() {
  try { return /^(following|latest)$/.exec(localStorage.getItem(TAB_KEY))[0]; } catch { return 'for_you'; }
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

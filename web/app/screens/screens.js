// What the screens over the feed have in common: each has an address, so that going back leaves it, takes the
// feed's place while it is there, and keeps what it works on to one tab.

import { EVENT } from '../core/core.js';

// As long as a tab that is just being closed may need to let go.
const LOCK_PATIENCE_MS = 2000;
const loading = new Map();

/**
 * What modules are handed by web/app/main.js; the same object on every call. `report` tells the core, `notice` the person; `current()` is the clip
 * on the screen; `found` says by clip in which list it was come upon; `linked` is the comment that the address names.
 * @typedef {{ stage: Element, report: Function, feed: import('../feed/feed.js').Feed, pages: import('../feed/pages.js').Pages, current: Function, notice: Function, found?: Map, linked?: { clip: string, comment: string } }} App
 */

/** Loads once; anew if it failed. */
export function once(name, load) {
  if (!loading.has(name)) {
    loading.set(name, load().catch((error) => {
      loading.delete(name);
      throw error;
    }));
  }
  return loading.get(name);
}

export const loadStyles = (href) => once(href, () => new Promise((resolve, reject) => {
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href });
  link.addEventListener('load', () => resolve());
  link.addEventListener('error', () => {
    link.remove();
    reject(new Error(`${href} did not come`));
  });
  document.head.append(link);
}));

/** A screen's own sheet, and what it has in common with others; its root has the class `screen`. */
export const loadScreenStyles = (href) => Promise.all([loadStyles('/app/screens/components.css'), loadStyles(href)]);

// By their first sheet.
const onTheWay = new Set();

/** Makes a screen over the feed when its sheets are there, and goes back if they do not come. Nothing if it is on its way, or
 *  if nobody wants it any more by then: somebody may have gone back. */
export async function lay(sheets, isWanted, make) {
  const [name] = sheets;
  if (onTheWay.has(name)) return;
  onTheWay.add(name);
  layFeedBehind(location.hash);
  try {
    await Promise.all(sheets.map(loadScreenStyles));
    if (isWanted()) make();
  } catch (error) {
    history.back();
    throw error;
  } finally {
    onTheWay.delete(name);
  }
}

/** A picture of lines, 24 by 24. */
export function icon(path) {
  const place = document.createElement('template');
  place.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${path}"/></svg>`;
  return place.content.firstElementChild;
}

/** Answers what lets go again; null if another tab holds it until `signal`. Where a browser has no locks, everybody
 *  holds them. */
export function hold(lock, signal = AbortSignal.timeout(LOCK_PATIENCE_MS)) {
  if (!navigator.locks) return Promise.resolve(() => {});
  return new Promise((resolve, reject) => {
    navigator.locks.request(lock, { signal }, () => new Promise((release) => { resolve(release); }))
      .catch((error) => (signal.aborted ? resolve(null) : reject(error)));
  });
}

export const enterAddress = (address) => history.pushState({ fromFeed: true }, '', address);

/** Opens what is at an address, over the feed. */
export function goTo(address) {
  enterAddress(address);
  dispatchEvent(new PopStateEvent('popstate', { state: history.state }));
}

/** Goes back to the feed, with its address. */
export function leaveAddress(address) {
  if (location.hash !== address) return Promise.resolve();
  return new Promise((resolve) => {
    addEventListener('popstate', () => resolve(), { once: true });
    history.back();
  });
}

/** Whoever came by the address alone gets the feed behind it, to go back to. */
export function layFeedBehind(address) {
  if (history.state?.fromFeed) return;
  history.replaceState(null, '', location.pathname + location.search);
  enterAddress(address);
}

/** Clips that are not there any more leave the feed, whichever of them is on the screen. */
export function takeAway({ feed }, isGone) {
  for (let item = 0; item < feed.size; item += 1) {
    const clip = feed.clip(item);
    if (clip && isGone(clip)) feed.drop(item);
  }
}

// What lies over the feed, the lowest first: `{root, below}`, what each has made inert.
const covers = [];

/** Lays `root` over the feed, which rests, or over another screen. Answers what gives back what is below, and the focus to `opener`. */
export function cover(stage, root, feed, opener = 'record') {
  const own = { root, below: [...stage.children].filter(({ inert }) => !inert) };
  for (const element of own.below) element.inert = true;
  if (covers.push(own) === 1) {
    feed(EVENT.feedLocked, 1);
    // The feed cannot be seen, and what lies over it may need the decoders.
    feed(EVENT.cameraOpened);
  }
  stage.append(root);
  root.focus();
  return () => {
    const at = covers.indexOf(own);
    if (at < 0) return;
    covers.splice(at, 1);
    // What lies over it goes on covering the feed.
    if (covers[at]) {
      covers[at].below.push(...own.below);
      return;
    }
    if (!at) {
      feed(EVENT.cameraClosed);
      feed(EVENT.feedLocked, 0);
    }
    for (const element of own.below) element.inert = false;
    (covers.at(-1)?.root ?? document.getElementById(opener)).focus({ preventScroll: true });
  };
}

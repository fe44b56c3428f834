// Puts another list of clips in the place of the one that is shown, by the core's own events: clips go from the feed, come into
// it and change their place, so that afterwards it is the other list, with the clip on the screen that was left there.
// It refuses to know what lists there are, and when one is wanted.

import { EVENT } from '../core/core.js';

const FADE_MS = 160;

/** Shows `list`, of which a page is there, at `item`; at its first clip where that is gone. `order` is what it has from now on.
 *  @param {App} app */
export function show(app, list, item, order = list.order) {
  const { feed, report } = app;
  const shown = app.current()?.item;
  const left = feed.list.order;
  list.order = order.filter((handle) => feed.has(handle));
  const wanted = list.order.includes(item) ? item : list.order[0];
  if (wanted !== shown) app.fade(matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : FADE_MS);
  // No page is asked for and no text that somebody writes is given up for what happens meanwhile.
  feed.isChanging = true;
  try {
    feed.list = list;
    change(app, left, shown, wanted);
  } finally {
    feed.isChanging = false;
  }
  if (wanted === undefined) app.flag({ booting: false, empty: true });
  report(EVENT.pageLoaded, list.cursor ? 1 : 0);
}

/** `left` is what the core has so far, with `shown` on the screen; afterwards it has the feed's list, with `wanted` there. What is
 *  in both is not given up, so its bytes stay. */
function change({ feed, report }, left, shown, wanted) {
  const { order } = feed.list;
  const remains = new Set(order);
  const from = left.indexOf(shown);
  // The farthest first, so that what gets ready for the screen changes once.
  const going = left.filter((item) => item !== shown && !remains.has(item));
  going.sort((a, b) => Math.abs(left.indexOf(b) - from) - Math.abs(left.indexOf(a) - from));
  for (const item of going) report(EVENT.itemRemoved, item);
  if (wanted !== shown) {
    // Right behind what is on the screen, whose place it gets.
    const next = left.slice(from + 1).find((item) => remains.has(item) && item !== wanted);
    if (wanted !== undefined) feed.put(wanted, next ?? NOWHERE);
    if (shown !== undefined) report(EVENT.itemRemoved, shown);
  }
  const place = order.indexOf(wanted);
  for (const item of order.slice(place + 1)) feed.put(item, NOWHERE);
  for (let at = place - 1; at >= 0; at -= 1) feed.put(order[at], order[at + 1]);
}

// No clip has this handle: before it is at the end.
const NOWHERE = 2 ** 31 - 1;

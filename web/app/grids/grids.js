// Clips as a grid from which the feed goes on: what rises now, and what resembles a clip. Pages of the account screen. Whoever comes
// back finds the grid as it was.
// It refuses to know how clips are found, and what becomes of the feed.

import { route } from '../api/api.js';
import { listOf, pageOf, tileOf } from '../account/lists.js';
import { t } from '../words/words.js';

// The grid that was left for one of its clips: which one, how far it was scrolled, and by which number its place in the history
// of the window has it.
let kept = { number: 0 };

export const trending = (place, on) => gridOf(place, on, {
  path: '/trending', title: t('Trending'), label: t('Clips that rise now'),
  none: t('Nothing rises just now. Come back when more people have watched.'),
});

/** `token`: the clip's id, as it stands in an address. */
export function similar(place, on, token) {
  let id = '';
  try { id = decodeURIComponent(token); } catch { /* it is no clip's, and the server says so */ }
  gridOf(place, on, {
    path: route`/clips/${id}/similar`, title: t('More like this'), label: t('Clips that resemble one'),
    none: t('There is nothing like it yet.'),
  });
}

/** The list to which somebody is coming back; empty if to none. */
export const keptPath = () => (history.state?.kept === kept.number ? kept.path ?? '' : '');

/** `dress(tile, clip)` may add to a tile. `source`: which list events of the clips name; else that of the page. */
export function gridOf(place, on, { path, title, label, none, source, dress = (tile) => tile }) {
  const back = keptPath() === path ? kept : null;
  const clips = [];
  let next = null;
  const middle = () => place.closest('.middle');
  const open = ({ id }) => {
    kept = { number: kept.number + 1, path, clips, next, id, top: middle().scrollTop };
    history.replaceState({ ...history.state, kept: kept.number }, '');
    on.watch(title, clips, { id }, next && more(kept), source);
  };
  place.append(listOf({
    path, name: 'grid', label, none, signal: on.signal, first: back && { items: back.clips, next_cursor: back.next },
    paged: (cursor) => { next = cursor; },
    row: (clip) => {
      clips.push(clip);
      return dress(tileOf(clip, open), clip);
    },
  }));
  if (!back) return;
  middle().scrollTop = back.top;
  place.querySelectorAll('.tile')[clips.findIndex(({ id }) => id === back.id)]?.focus({ preventScroll: true });
}

/** What the feed goes on with behind the clips of a grid, which has them as well when somebody comes back to it. */
const more = (left) => async () => {
  const page = await pageOf(left.path, {}, left.next);
  left.clips.push(...page.items);
  left.next = page.next_cursor;
  return page;
};

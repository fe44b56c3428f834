// Clips as a grid from which the feed goes on: what rises now, and what resembles a clip. Pages of the account screen. Whoever comes
// back finds the grid as it was.
// It refuses to know how clips are found, and what becomes of the feed.

import { route } from '../api/api.js';
import { listOf, tileOf } from '../account/lists.js';

// The grid that was left for one of its clips: which one, how far it was scrolled, and by which number its place in the history
// of the window has it.
let kept = { number: 0 };

export const trending = (place, on) => fill(place, on, {
  path: '/trending', title: 'Trending', label: 'Clips that rise now',
  none: 'Nothing rises just now. Come back when more people have watched.',
});

/** `token`: the clip's id, as it stands in an address. */
export function similar(place, on, token) {
  let id = '';
  try { id = decodeURIComponent(token); } catch { /* it is no clip's, and the server says so */ }
  fill(place, on, {
    path: route`/clips/${id}/similar`, title: 'More like this', label: 'Clips that resemble one',
    none: 'There is nothing like it yet.',
  });
}

function fill(place, on, { path, title, label, none }) {
  const back = kept.path === path && history.state?.kept === kept.number ? kept : null;
  const clips = [];
  place.append(listOf({
    path, name: 'grid', label, none, signal: on.signal, first: back && { items: back.clips, next_cursor: null },
    row: (clip) => {
      clips.push(clip);
      return tileOf(clip, () => {
        kept = { number: kept.number + 1, path, clips, id: clip.id, top: place.closest('.middle').scrollTop };
        history.replaceState({ ...history.state, kept: kept.number }, '');
        on.watch(title, clips, clip);
      });
    },
  }));
  if (!back) return;
  place.closest('.middle').scrollTop = back.top;
  place.querySelectorAll('.tile')[clips.findIndex(({ id }) => id === back.id)]?.focus({ preventScroll: true });
}

// What this visit leaves to the next one: the clips that come next, so that they stand there at once and play from disk while
// the feed is asked for what is new.

import { hasAnyoneLeft, onChanged } from '../auth/auth.js';
import { LAST_VISIT_KEY, lastTab } from './feed.js';

// As many as the core has on disk at most.
const CLIPS = 5;
const DAYS = 7;

/** A clip as the server told it, as far as anybody may see it again. What this person has to do with it is asked for anew. */
function itemOf(clip) {
  const { id, caption, author, counts, takesComments, width, height, poster, duration, hls, captions, renditions, retention, reason, aiGenerated, soundId } = clip;
  return {
    id, caption, author, counts, comments: takesComments ? 'on' : 'off', width, height, poster, reason, ai_generated: aiGenerated, sound_id: soundId,
    playback: { duration_ms: duration, hls_url: hls, captions, renditions, retention },
  };
}

/** The clip on the screen, and what comes behind it. */
export function itemsFrom(feed, current, most = CLIPS + 1) {
  const items = [];
  const { order } = feed.list;
  for (let place = order.indexOf(current.item); place >= 0 && place < order.length && items.length < most; place += 1) {
    const clip = feed.clip(order[place]);
    // What is not for everybody does not stay behind on the device.
    if (clip && !clip.visibility) items.push(itemOf(clip));
  }
  return items;
}

/** @param {App} app */
export function watch(app) {
  // Told to an account that has left, though it may still be on the screen.
  let others = hasAnyoneLeft() ? app.feed.list : null;
  const leave = () => {
    const current = app.current();
    // A grid's clips are not how the next visit begins, and another window may have gone to another tab.
    if (!document.hidden || !current || app.feed.list === others || app.feed.list.tab !== lastTab()) return;
    const items = itemsFrom(app.feed, current);
    const until = Date.now() + DAYS * 86_400_000;
    try { localStorage.setItem(LAST_VISIT_KEY, JSON.stringify({ until, items, shown: current.id })); } catch { /* storage may be off or full */ }
  };
  document.addEventListener('visibilitychange', leave);
  onChanged((isOther, isOver, hasLeft) => { if (hasLeft) others = app.feed.list; });
}

// What this visit leaves to the next one: the clips that come next, so that they stand there at once and play from disk while
// the feed is asked for what is new.

import { LAST_VISIT_KEY } from '../feed.js';

// As many as the core has on disk at most.
const CLIPS = 5;
const DAYS = 7;

/** A clip as the server told it, as far as anybody may see it again. What this person has to do with it is asked for anew. */
function itemOf(clip) {
  const { id, caption, author, counts, takesComments, width, height, poster, duration, hls, captions, renditions, retention } = clip;
  return {
    id, caption, author, counts, comments: takesComments ? 'on' : 'off', width, height, poster,
    playback: { duration_ms: duration, hls_url: hls, captions, renditions, retention },
  };
}

/** What comes behind the clip on the screen: that one was watched. */
export function itemsBehind(feed, current, most = CLIPS) {
  const items = [];
  for (let item = current.item + 1; item < feed.size && items.length < most; item += 1) {
    const clip = feed.clip(item);
    // What is not for everybody does not stay behind on the device.
    if (clip && !clip.visibility) items.push(itemOf(clip));
  }
  return items;
}

/** `page`: `feed`, `current()`. */
export function watch(page) {
  const leave = () => {
    const current = page.current();
    if (!document.hidden || !current) return;
    const items = itemsBehind(page.feed, current);
    const until = Date.now() + DAYS * 86_400_000;
    try { localStorage.setItem(LAST_VISIT_KEY, JSON.stringify({ until, items })); } catch { /* storage may be off or full */ }
  };
  document.addEventListener('visibilitychange', leave);
}

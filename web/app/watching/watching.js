// Reports what becomes of the clip on the screen, from which the core makes what the server hears of it. It looks at the page's
// videos as anybody could, and changes nothing.

import { ACTIVITY, loadActivity } from '../activity/activity.js';

// The address follows the clip on the screen, so it is that with which the page came which says how it was come to.
const [visit] = performance.getEntriesByType('navigation');
const linked = visit?.type === 'navigate' ? new URL(visit.name).pathname : '';
const sourceOf = ({ id }, { found, feed }) => found?.get(id)
  ?? (linked === `/c/${encodeURIComponent(id)}` ? 'link' : feed.list.tab || 'feed');

/** Whoever has told the browser not to be followed is not. */
const isUnwatched = () => navigator.globalPrivacyControl === true || navigator.doNotTrack === '1';

let isWatching = false;

/** @param {App} app */
export async function watch(app) {
  if (isWatching || isUnwatched()) return;
  isWatching = true;
  const activity = await loadActivity();
  let clip = null;
  // By item: what the server is told of a clip.
  const about = new Map();
  activity.describeWith((item) => about.get(item));

  function begin(watched) {
    const next = app.current();
    if (!next || next.item === clip?.item) return;
    const before = clip?.item;
    clip = next;
    about.set(clip.item, { clip_id: clip.id, source: sourceOf(clip, app) });
    activity.report(ACTIVITY.clipShown, clip.item, clip.duration, watched ?? -1);
    about.delete(before);
  }

  /** Of the clip on the screen only: others get ready out of sight. */
  const on = (kind, act) => app.stage.addEventListener(kind, ({ target }) => {
    if (clip && target.dataset?.clip === clip.id) act(target);
  }, { capture: true });

  // This module came after the first clip moved.
  const first = app.stage.querySelector('video[data-shown]');
  begin(first ? first.currentTime * 1000 : null);
  app.stage.addEventListener('current', () => begin(null));
  on('playing', () => activity.report(ACTIVITY.playing));
  on('timeupdate', (video) => {
    if (!video.paused) activity.report(ACTIVITY.advanced, video.currentTime * 1000);
  });
  on('waiting', () => activity.report(ACTIVITY.waiting));
  on('pause', () => activity.report(ACTIVITY.paused));
  const leave = () => activity.report(ACTIVITY.pageHidden);
  document.addEventListener('visibilitychange', () => { if (document.hidden) leave(); });
  // Not every browser says before that the page is hidden.
  addEventListener('pagehide', leave);
}

// Tells the server what was watched. It looks at the page's videos as anybody could, and changes nothing.

import { beacon, randomKey, request } from '../api/api.js';
import { Outbox } from './outbox.js';
import { Visit } from './visit.js';

const EVENTS = '/events';

const sourceOf = ({ id }, found) => found?.get(id)
  ?? (location.pathname === `/c/${encodeURIComponent(id)}` ? 'link' : 'feed');

/** Whoever has told the browser not to be followed is not. */
const isUnwatched = () => navigator.globalPrivacyControl === true || navigator.doNotTrack === '1';

let isWatching = false;

/** `page`: `stage`, `current()`, and `found`, by clip: in which list it was come upon. */
export function watch(page) {
  if (isWatching || isUnwatched()) return;
  isWatching = true;
  const outbox = new Outbox({
    send: (body) => request(EVENTS, { method: 'POST', body }),
    beacon: (body) => beacon(EVENTS, body),
  });
  const now = () => Math.round(performance.now());
  const wall = (at) => Math.round(performance.timeOrigin + at);
  let visit = null;
  let clip = null;
  let position = -1;

  function begin(watched) {
    const next = page.current();
    if (!next || next.item === clip?.item) return;
    visit?.ended(now());
    clip = next;
    position += 1;
    const about = { clip_id: clip.id, source: sourceOf(clip, page.found), position };
    const tell = (kind, at, fields) => outbox.add({ id: randomKey(), kind, at_ms: wall(at), ...about, ...fields });
    visit = new Visit({ duration: clip.duration, began: now(), watched, tell });
  }

  /** Of the clip on the screen only: others get ready out of sight. */
  const on = (kind, act) => page.stage.addEventListener(kind, ({ target }) => {
    if (visit && target.dataset?.clip === clip.id) act(target);
  }, { capture: true });

  // This module came after the first clip moved.
  const first = page.stage.querySelector('video[data-shown]');
  begin(first ? first.currentTime * 1000 : null);
  page.stage.addEventListener('current', () => begin(null));
  on('playing', () => visit.started(now()));
  on('timeupdate', (video) => {
    if (!video.paused) visit.moved(video.currentTime * 1000, now());
  });
  on('waiting', () => visit.stalled(now()));
  on('pause', () => visit.paused());
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) return;
    visit?.paused();
    outbox.leave();
  });
  // Not every browser says before that the page is hidden.
  addEventListener('pagehide', () => outbox.leave());
}

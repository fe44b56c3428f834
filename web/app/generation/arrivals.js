// Tells somebody who went on watching that a clip of theirs is made, or not. The server says by a live event that its list has news; what
// that is, is asked for. What happens while no page is open stands in the list of notifications, and comes by push.

import { el } from '../account/form.js';
import { request, route } from '../api/api.js';
import { onLive } from '../live/live.js';
import { goTo } from '../screens/screens.js';
import { loadWords, t } from '../words/words.js';
import { isUnderWay } from './words.js';

// Read by web/app/live/live.js, so that a page without any of these never fetches this module.
const KEY = 'clipfeed.generating';
const GATHER_MS = 600;
// More are not under way; what was never heard of again goes.
const MOST = 20;

let notice = null;
let gathering = 0;

function read() {
  try {
    const ids = JSON.parse(localStorage.getItem(KEY));
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}

function write(ids) {
  try {
    if (ids.length) localStorage.setItem(KEY, JSON.stringify(ids.slice(-MOST))); else localStorage.removeItem(KEY);
  } catch { /* then its page tells, and the list */ }
}

/** Somebody waits for it. */
export function expect(id, tell) {
  write([...read().filter((known) => known !== id), id]);
  watch(tell);
}

/** It was seen, wherever. */
export const arrived = (id) => { if (read().includes(id)) write(read().filter((known) => known !== id)); };

/** `tell(text, …)` says it over the feed. */
export function watch(tell) {
  const isFirst = !notice;
  notice = tell;
  if (!isFirst) return;
  const soon = () => {
    clearTimeout(gathering);
    gathering = setTimeout(look, GATHER_MS);
  };
  onLive(({ kind }) => {
    if (kind === 'notification') soon();
    return false;
  });
  // What came meanwhile made no event that anybody here heard.
  document.addEventListener('visibilitychange', () => { if (!document.hidden) soon(); });
  addEventListener('popstate', soon);
  soon();
}

async function look() {
  // A notice below a screen is seen by nobody: it waits until the screen is gone.
  if (!read().length || document.querySelector('#stage > [aria-modal="true"]')) return;
  await loadWords('screens');
  for (const id of read()) {
    let generation;
    try {
      generation = await request(route`/generations/${id}`);
    } catch (error) {
      if (error.status === 404) arrived(id);
      continue;
    }
    if (isUnderWay(generation) || !read().includes(id)) continue;
    arrived(id);
    const address = `#account/generation/${encodeURIComponent(id)}`;
    // What was cancelled nobody waits for.
    if (generation.state === 'cancelled') continue;
    notice(generation.state === 'ready' ? t('Your clip is made.') : t('Your clip could not be made.'),
      el('button', { type: 'button', click: () => goTo(address) }, generation.state === 'ready' ? t('Have a look') : t('See why')));
  }
}

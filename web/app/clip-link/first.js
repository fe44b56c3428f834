// The feed at a clip's own address, `/c/{clip}`: the clip comes first, and then the feed without it. The address of a
// private clip has its upload behind the `#`, which stays in the browser. The link of a comment names that besides.

import { REASON } from '../core/core.js';
import { loadPage } from '../feed/feed.js';
import { arriveAt, loadClip, remember, SECRET } from './clip.js';

const comment = new URLSearchParams(globalThis.location?.search).get('comment');

/** The comment that the address names, and its clip. */
export const linked = comment && { clip: idIn(location.pathname), comment };

/** As `loadPage`; the first page begins with the clip. Without it the feed is shown, and `notice(…)` says so. */
export function loadFirst(notice) {
  let id = idIn(location.pathname);
  arriveAt(id);
  if (id && SECRET.test(location.hash)) remember(id, location.hash.slice(1));
  return async (url) => {
    if (!id) return loadPage(url);
    // NB: no signal, or the page's preload is not taken up.
    const [clip, page] = await Promise.all([loadClip(id, null).catch(missing), loadPage(url)]);
    const first = id;
    id = null;
    if (!clip.id) {
      import('../words/words.js').then(async ({ loadWords, t }) => {
        await loadWords('feed');
        notice(t('This clip is gone, or not for everyone.'));
      }).catch(console.warn);
      // Refused, and not missing: it may be for adults.
      if (clip.status === 403) offerAdults(first, notice).catch(() => {});
      return page;
    }
    return { ...page, items: [clip, ...page.items.filter((item) => item.id !== clip.id)] };
  };
}

/** Behind the notice that it is gone. */
async function offerAdults(first, notice) {
  await (await import('../words/words.js')).loadWords('screens');
  (await import('../restricted/offer.js')).offer(first, notice);
}

function idIn(path) {
  try { return decodeURIComponent(path.slice('/c/'.length)); } catch { return null; }
}

/** A connection that failed is for the core to try again. */
function missing(error) {
  if (error.reason !== REASON.gone) throw error;
  return error;
}

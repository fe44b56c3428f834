// What this device has for times without a network: the page's worker, what this visit leaves to the next one, and a word on what
// is shown while nothing comes. Comes after the first clip moves.
// It refuses to know which clips are kept, and what the worker does.

import { watch as watchLeaving } from '../feed/last-visit.js';
import { t } from '../words/words.js';
import { register } from './register.js';

/** @param {App} app */
export function watch(app) {
  watchLeaving(app);
  register();
  tellOfNetwork(app);
  if (localStorage['clipfeed.kept']) import('./keeping.js').then(({ lookAfter }) => lookAfter(app)).catch(console.warn);
}

/** @param {App} app */
function tellOfNetwork({ feed, notice }) {
  let isAnnounced = false;
  const tell = (words) => {
    isAnnounced = Boolean(words);
    notice(words || t('The network is back.'));
  };
  addEventListener('offline', () => tell(t('No network. Clips that are on this device play on.')));
  addEventListener('online', () => { if (isAnnounced) tell(''); });
  // Whether a network leads anywhere shows in what becomes of the feed's first page, which may still be asked for.
  const look = () => {
    const { list } = feed;
    if (list.isLoading || list.isKnown || !list.isResumed || isAnnounced) return;
    tell(t('No network. These clips are from last time; new ones come when it is back.'));
  };
  new MutationObserver(look).observe(document.getElementById('trouble'), { attributeFilter: ['data-status'] });
  look();
}

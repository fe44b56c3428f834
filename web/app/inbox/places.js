// The two lists behind the inbox's button, and the way from one to the other: messages, and what happened otherwise.

import { el } from '../account/form.js';
import { plural, t } from '../words/words.js';
import { news } from './entry.js';

const PLACES = [['#messages', () => t('Messages'), 'unread'], ['#notifications', () => t('Notifications'), 'unseen']];

/** A row of both, of which `here` is shown. */
export function places(here) {
  return el('nav', { class: 'places', 'aria-label': t('Inbox') }, ...PLACES.map(([address, labelOf, what]) => {
    const label = labelOf();
    const count = address === here ? 0 : news()[what];
    return el('button', { type: 'button', 'aria-current': address === here ? 'page' : null, 'aria-label': count ? plural(count, '{label}, {count} new', '{label}, {count} new', { label }) : label, click: () => {
      if (address === here) return;
      // In the place of the other, so that going back leads to the feed.
      history.replaceState({ fromFeed: true }, '', address);
      dispatchEvent(new PopStateEvent('popstate', { state: history.state }));
    } }, label, count ? el('b', { 'aria-hidden': 'true' }, String(count)) : '');
  }));
}

/** One page deeper in one of both. */
export const enterPage = (address) => history.pushState({ fromFeed: true, depth: (history.state?.depth ?? 0) + 1 }, '', address);

/** Goes back to the list at this address. False: somebody came without it, and it has the address now. */
export function leavePage(list) {
  if (history.state?.depth > 0) {
    history.back();
    return true;
  }
  history.replaceState(history.state, '', list);
  return false;
}

// What is said of keys for programs, in words for people. It has no page, so it is tested without one.

import { language, t } from '../words/words.js';

/** By scope, in the order in which they are shown. */
export const scopes = () => [['videos:read', t('Look at videos from words and download them')], ['videos:write', t('Have videos made and delete them, for your credits')]];

/** Days for which a key counts; '': for ever. */
export const lifetimes = () => [['30', t('for 30 days')], ['90', t('for 90 days')], ['365', t('for a year')], ['', t('until you revoke it')]];

const SHORT = { 'videos:read': () => t('look at videos'), 'videos:write': () => t('make videos') };

/** "May look at videos and make videos". A newer server may know of more. */
export function mayDo(scopes) {
  const known = scopes.map((scope) => (Object.hasOwn(SHORT, scope) ? SHORT[scope]() : scope));
  return known.length ? t('May {acts}', { acts: new Intl.ListFormat(language()).format(known) }) : t('May do nothing');
}

/** Since when there is one, when it was used, and until when it counts. `dayOf(date)` writes a day. */
export function stateOf({ created_at: made, used_at: used, expires_at: until }, dayOf, now = Date.now()) {
  const parts = [t('Since {day}', { day: dayOf(made) }), used ? t('last used on {day}', { day: dayOf(used) }) : t('not used yet')];
  if (until) parts.push(Date.parse(until) <= now ? t('expired on {day}', { day: dayOf(until) }) : t('until {day}', { day: dayOf(until) }));
  return parts.join(' · ');
}

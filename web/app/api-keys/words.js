// What is said of keys for programs, in words for people. It has no page, so it is tested without one.

/** By scope, in the order in which they are shown. */
export const SCOPES = [['videos:read', 'Look at videos from words and download them'], ['videos:write', 'Have videos made and delete them, for your credits']];

/** Days for which a key counts; '': for ever. */
export const LIFETIMES = [['30', 'for 30 days'], ['90', 'for 90 days'], ['365', 'for a year'], ['', 'until you revoke it']];

const SHORT = { 'videos:read': 'look at videos', 'videos:write': 'make videos' };

/** "May look at videos and make videos". A newer server may know of more. */
export function mayDo(scopes) {
  const known = scopes.map((scope) => (Object.hasOwn(SHORT, scope) ? SHORT[scope] : scope));
  return known.length ? `May ${known.join(' and ')}` : 'May do nothing';
}

/** Since when there is one, when it was used, and until when it counts. `dayOf(date)` writes a day. */
export function stateOf({ created_at: made, used_at: used, expires_at: until }, dayOf, now = Date.now()) {
  const parts = [`Since ${dayOf(made)}`, used ? `last used on ${dayOf(used)}` : 'not used yet'];
  if (until) parts.push(Date.parse(until) <= now ? `expired on ${dayOf(until)}` : `until ${dayOf(until)}`);
  return parts.join(' · ');
}

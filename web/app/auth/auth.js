// Who is signed in, as far as this browser knows. The tokens lie in cookies that no script can read; what is kept here says
// only whose they are and until when they count, and is no secret.
// It refuses to know how anything is asked for: that is web/app/api/api.js.

import { LAST_VISIT_KEY } from '../feed/feed.js';

const KEY = 'clipfeed.account';
// By web/sync.js.
const AHEAD = 'clipfeed-ahead-1';

const listeners = new Set();
// Where a browser keeps nothing.
let inMemory = null;
let isLeaving = false;
let isAnyoneGone = false;

/** `{id, handle, name, session, until}` of whoever is signed in, `until` by this device's clock; null for a guest. */
export function signedIn() {
  try { return accountIn(localStorage.getItem(KEY)); } catch { return inMemory; }
}

function keep(account) {
  inMemory = account;
  try {
    if (account) localStorage.setItem(KEY, JSON.stringify(account)); else localStorage.removeItem(KEY);
  } catch { /* storage may be off */ }
}

/** `listener(isOther, isOver, hasLeft)` runs when somebody else asks from now on, or the same by another name; in whichever tab that
 *  was said. `isOver`: the session ended by itself; `hasLeft`: an account is gone, where a guest goes along into one. */
export function onChanged(listener) {
  listeners.add(listener);
}

/** Whether an account has left since the page came: for whoever listens later. */
export const hasAnyoneLeft = () => isAnyoneGone;

function tell(before, after, isOver = false) {
  if (before?.id === after?.id && before?.name === after?.name) return;
  const isOther = before?.id !== after?.id;
  const hasLeft = isOther && Boolean(before);
  if (hasLeft) forgetFeed();
  for (const listener of listeners) listener(isOther, isOver, hasLeft);
}

/** The beginning of the next visit was told to an account that has left. NB: who listens may not be there yet. */
function forgetFeed() {
  isAnyoneGone = true;
  try {
    localStorage.removeItem(LAST_VISIT_KEY);
    caches.delete(AHEAD).catch(() => {});
  } catch { /* storage may be off */ }
}

function update(account, isOver) {
  const before = signedIn();
  keep(account);
  tell(before, account, isOver);
}

function accountIn(text) {
  try {
    const account = JSON.parse(text);
    return typeof account?.id === 'string' && Number.isFinite(account.until) ? account : null;
  } catch {
    return null;
  }
}

globalThis.addEventListener?.('storage', ({ key, oldValue, newValue }) => {
  if (key === KEY || key === null) tell(accountIn(oldValue), accountIn(newValue));
});

/** By our clock, which may be wrong. */
function untilOf(expiresAt, response) {
  const skew = Date.now() - (Date.parse(response.headers.get('Date')) || Date.now());
  return Date.parse(expiresAt) + skew;
}

/** A session of the server's, in its `response`, begins or goes on; answers the account. */
export function begin({ id, account, expires_at: expiresAt }, response) {
  const { id: who, handle, name } = account;
  update({ id: who, handle, name, session: id, until: untilOf(expiresAt, response) });
  return account;
}

/** What the server says now, of whoever may have left meanwhile. */
export function renew({ id, handle, name }) {
  const account = signedIn();
  if (account?.id === id) update({ ...account, handle, name });
}

export const forget = (isOver = false) => update(null, isOver && !isLeaving);

/** Until `work` has its answer, a session that is over has not ended by itself: what was asked for beside it is refused, too. */
export async function whileLeaving(work) {
  isLeaving = true;
  try { return await work; } finally { isLeaving = false; }
}

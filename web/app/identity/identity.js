// Who is signed in, as far as this browser knows, and requests on their behalf. The tokens lie in cookies that no script
// can read; what is kept here says only whose they are and until when they count, and is no secret.
// It refuses to know what anybody asks for.

const API = '/api/v1';
const KEY = 'clipfeed.account';
const LOCK = 'clipfeed-session';
const PATIENCE_MS = 15_000;
// A token that would be over while its request travels is renewed before.
const MARGIN_MS = 15_000;
// It can get another token.
const STALE = 'access_token_expired';
// There is none, or not any more.
const OVER = new Set([
  'access_token_invalid', 'session_ended', 'sign_in_needed', 'refresh_token_invalid', 'refresh_token_reused',
]);

/** 128 random bits in hexadecimal digits. NB: `crypto.randomUUID` is not there on plain HTTP. */
export const randomKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

const listeners = new Set();
// Where a browser keeps nothing.
let inMemory = null;
let refreshing = null;
// The first thing that somebody leaves makes a guest of them; two at once would make two.
let introduction = null;
let isIntroduced = false;
// The key of what is being tried.
let tried = {};

/** What the server did not do: its `code`, the `field` it is about, and `detail`, a sentence for people. `mayHaveArrived`:
 *  nobody knows whether it did it after all. */
export class Refusal extends Error {
  constructor({ status = 0, code = 'network', field, detail, retryAfter = 0 }) {
    super(code);
    Object.assign(this, { status, code, field, retryAfter, mayHaveArrived: status === 0 || status >= 500 });
    this.detail = detail ?? 'The server does not answer. Check the connection and try again.';
  }

  /** Whoever asked is not signed in any more. */
  get isOver() {
    return OVER.has(this.code);
  }
}

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

/** `listener(isOther, isOver)` runs when somebody else asks from now on, or the same by another name; in whichever tab that
 *  was said. `isOver`: the session ended by itself. */
export function onChanged(listener) {
  listeners.add(listener);
}

function tell(before, after, isOver = false) {
  if (before?.id === after?.id && before?.name === after?.name) return;
  for (const listener of listeners) listener(before?.id !== after?.id, isOver);
}

function told(account, isOver) {
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

function begin({ id, account, expires_at: expiresAt }, response) {
  const { id: who, handle, name } = account;
  told({ id: who, handle, name, session: id, until: untilOf(expiresAt, response) });
  return account;
}

/** What the server says now. */
export function renew({ handle, name }) {
  const account = signedIn();
  if (account) told({ ...account, handle, name });
}

export const forget = (isOver = false) => told(null, isOver);

async function refusalIn(response) {
  const problem = await response.json().catch(() => ({}));
  const { status } = response;
  const detail = problem.detail ?? 'The server could not do this. Please try again.';
  return new Refusal({ ...problem, status, code: problem.code ?? 'unknown', detail,
    retryAfter: Number(response.headers.get('Retry-After')) || 0 });
}

async function send(path, { body, headers, ...options } = {}) {
  const content = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } };
  try {
    return await fetch(API + path, {
      cache: 'no-store', signal: AbortSignal.timeout(PATIENCE_MS), ...options, ...content,
      headers: { ...content.headers, ...headers },
    });
  } catch {
    throw new Refusal({});
  }
}

async function answerIn(response) {
  if (!response.ok) throw await refusalIn(response);
  if (response.status === 204) return null;
  try {
    const text = await response.text();
    return text ? JSON.parse(text) : null;
  } catch {
    // It broke off in the middle.
    throw new Refusal({});
  }
}

/** One tab refreshes at a time: such a token is good once. Without locks the server's patience has to do. */
const inTurn = (act) => (globalThis.navigator?.locks ? navigator.locks.request(LOCK, act) : act());

/** False: the session is over. `before`: what the caller knew. */
function refresh(before) {
  refreshing ??= inTurn(() => refreshOnce(before)).finally(() => { refreshing = null; });
  return refreshing;
}

async function refreshOnce(before) {
  // What another tab kept is seen late.
  await new Promise((seen) => { setTimeout(seen, 99); });
  const now = signedIn();
  if (!now) return false;
  // Another was first; its cookies are ours.
  if (now.until !== before.until || now.id !== before.id) return true;
  const response = await send('/sessions/refresh', { method: 'POST', body: {} });
  if (response.ok) {
    begin(await answerIn(response), response);
    return true;
  }
  const refusal = await refusalIn(response);
  if (refusal.status !== 401) throw refusal;
  forget(true);
  return false;
}

async function asked(path, options) {
  const account = signedIn();
  // NB: without its token a request would count as a guest's.
  if (account && account.until - Date.now() < MARGIN_MS && !await refresh(account)) throw over();
  const response = await send(path, options);
  if (response.status !== 401 || !account) return response;
  const refusal = await refusalIn(response);
  if (refusal.isOver) forget(true);
  if (refusal.code !== STALE) throw refusal;
  if (!await refresh(account)) throw over();
  return send(path, options);
}

/** What is read next is read as whoever is signed in, if that can be. */
export async function freshen() {
  const account = signedIn();
  if (account && account.until - Date.now() < MARGIN_MS) await refresh(account).catch(() => {});
}

const over = () => new Refusal({ status: 401, code: 'session_ended', detail: 'You are signed out. Sign in again.' });

/** Asks as whoever is signed in and answers what came, decoded. Throws a `Refusal`. */
export async function ask(path, options = {}) {
  const answer = () => asked(path, options).then(answerIn);
  return !options.method || options.method === 'GET' ? answer() : introduced(answer);
}

/** Does what leaves something here; as a guest's first thing it is done alone. */
export async function introduced(leave) {
  if (signedIn()) return leave();
  while (introduction) await introduction;
  const answer = leave();
  if (!isIntroduced) {
    introduction = answer.then(() => { isIntroduced = true; }, () => {}).finally(() => { introduction = null; });
  }
  return answer;
}

/** Signing up and in. Answers the account; where there is none yet, what came instead. The same again after a lost answer
 *  makes no second account. */
export async function enter(path, body) {
  const text = JSON.stringify(body);
  tried = { [text]: tried[text] ?? randomKey() };
  const response = await send(path, {
    method: 'POST', body: { ...body, transport: 'cookie' }, headers: { 'Idempotency-Key': tried[text] },
  });
  const answer = await answerIn(response);
  tried = {};
  const session = answer.session ?? answer;
  return session.account ? begin(session, response) : answer;
}

/** What nobody has to be signed in for. */
export const askAnybody = async (path, options) => answerIn(await send(path, options));

/** Ends all of the account's sessions, this one too; without an answer they go on. */
export async function leaveEverywhere() {
  // NB: a session that is over already has ended none of the others.
  await ask('/sessions', { method: 'DELETE' });
  forget();
}

/** Ends this session; without an answer it goes on. */
export async function leave() {
  try {
    await ask('/sessions/current', { method: 'DELETE' });
  } catch (error) {
    if (!error.isOver && error.status !== 404) throw error;
  }
  forget();
}

// Requests to the API: address, time-out, JSON, idempotency key, errors, and a token that is refreshed before it expires.
// It refuses to know what is asked for. NB: feed.js fetches without it, since every byte before the first clip counts.

import { begin, forget, signedIn } from '../auth/auth.js';

const API = '/api/v1';
const LOCK = 'clipfeed-session';
const PATIENCE_MS = 15_000;
// A token that would be over while its request travels is refreshed before.
const MARGIN_MS = 15_000;
// It can get another token.
const STALE = 'access_token_expired';
// There is none, or not any more.
const OVER = new Set([
  'access_token_invalid', 'session_ended', 'sign_in_needed', 'refresh_token_invalid', 'refresh_token_reused',
]);

// The one refresh under way.
let refreshing = null;
// The first thing that somebody leaves makes a guest of them; two at once would make two.
let introduction = null;
let isIntroduced = false;

/** Problem details (RFC 9457): `code`, the `field` it is about, and `detail`, a sentence for people; `status` 0 and a `cause` if
 *  nothing came back. `mayHaveArrived`: the server may have done it after all. */
export class ApiError extends Error {
  constructor({ status = 0, code = status ? '' : 'network', field, detail, header = () => null }, cause) {
    super(code, { cause });
    Object.assign(this, { status, code, field, header, mayHaveArrived: status === 0 || status >= 500 });
    this.retryAfter = Number(header('Retry-After')) || 0;
    this.detail = detail ?? (status ? 'The server could not do this. Please try again.'
      : 'The server does not answer. Check the connection and try again.');
  }

  /** Whoever asked is not signed in any more. */
  get isOver() {
    return OVER.has(this.code);
  }
}

/** `text` and `header(name)` are the answer's. */
export function errorFrom(status, text, header) {
  let problem = {};
  try { problem = JSON.parse(text) ?? {}; } catch { /* it comes from something in between */ }
  return new ApiError({ ...problem, status, header });
}

/** 128 random bits in hexadecimal digits. NB: `crypto.randomUUID` is not there on plain HTTP. */
export const randomKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** A path in which every value is one segment: route`/clips/${id}/like`. */
export const route = (parts, ...values) => String.raw({ raw: parts }, ...values.map(encodeURIComponent));

/** Where a path of the API is; what is null in `query` stays out. */
export function addressOf(path, query = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined);
  return API + path + (given.length ? `?${new URLSearchParams(given)}` : '');
}

/** `signal`, which also aborts after `ms`, unless `stay()` was called; `free()` ends both. */
export function timed(signal, ms, reason = new DOMException('too late', 'TimeoutError')) {
  const end = new AbortController();
  const timer = setTimeout(() => end.abort(reason), ms);
  const stop = () => end.abort(signal.reason);
  if (signal?.aborted) stop();
  signal?.addEventListener('abort', stop, { once: true });
  const stay = () => clearTimeout(timer);
  const free = () => {
    stay();
    signal?.removeEventListener('abort', stop);
  };
  return { signal: end.signal, stay, free };
}

function contentOf(body, type = 'application/json') {
  if (body === undefined) return {};
  return { body: body instanceof Blob ? body : JSON.stringify(body), headers: { 'Content-Type': type } };
}

/** One request. `query`: see `addressOf`; `body` goes as JSON, a file as it is; `type`: the body's; `key`: the same one makes the
 *  same thing once; `patience`: ms to the last byte; the rest is as for `fetch`. */
export async function exchange(path, { query, body, type, key, patience = PATIENCE_MS, signal, ...options } = {}) {
  const time = timed(signal, patience);
  const { headers, ...content } = contentOf(body, type);
  let response;
  let text;
  try {
    response = await fetch(addressOf(path, query), {
      cache: 'no-store', ...options, ...content, headers: { ...headers, ...(key && { 'Idempotency-Key': key }) }, signal: time.signal,
    });
    text = await response.text();
    // NB: what broke off in the middle is no answer.
    if (response.ok) return { answer: text ? JSON.parse(text) : null, response };
  } catch (error) {
    throw new ApiError({}, error);
  } finally {
    time.free();
  }
  throw errorFrom(response.status, text, (name) => response.headers.get(name));
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
  try {
    const { answer, response } = await exchange('/sessions/refresh', { method: 'POST', body: {} });
    begin(answer, response);
    return true;
  } catch (error) {
    if (error.status !== 401) throw error;
    forget(true);
    return false;
  }
}

const isStale = (account) => account && account.until - Date.now() < MARGIN_MS;
const over = () => new ApiError({ status: 401, code: 'session_ended', detail: 'You are signed out. Sign in again.' });

async function authorized(path, options) {
  const account = signedIn();
  // NB: without its token a request would count as a guest's.
  if (isStale(account) && !await refresh(account)) throw over();
  try {
    return await requestAsAnybody(path, options);
  } catch (error) {
    if (error.status !== 401 || !account) throw error;
    if (error.isOver) forget(true);
    if (error.code !== STALE) throw error;
  }
  if (!await refresh(account)) throw over();
  return requestAsAnybody(path, options);
}

/** Does what leaves something on the server; as a guest's first thing it is done alone. */
async function introduced(leave) {
  if (signedIn()) return leave();
  while (introduction) await introduction;
  const answer = leave();
  if (!isIntroduced) {
    introduction = answer.then(() => { isIntroduced = true; }, () => {}).finally(() => { introduction = null; });
  }
  return answer;
}

/** Asks as whoever is signed in and answers what came, decoded, or null. Throws an `ApiError`. Options: see `exchange`. */
export async function request(path, options = {}) {
  const ask = () => authorized(path, options);
  return !options.method || options.method === 'GET' ? ask() : introduced(ask);
}

/** What nobody has to be signed in for. */
export const requestAsAnybody = async (path, options) => (await exchange(path, options)).answer;

/** For what is asked for next without `request`. */
export async function freshen() {
  const account = signedIn();
  if (isStale(account)) await refresh(account).catch(() => {});
}

/** From a page that goes. As text: it cannot ask first whether it may send JSON. */
export const beacon = (path, body) => navigator.sendBeacon(addressOf(path), JSON.stringify(body));

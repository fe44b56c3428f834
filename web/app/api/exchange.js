// One request to the API: address, time-out, JSON, idempotency key, errors.
// It refuses to know what is asked for and in whose name. NB: feed.js fetches without it, since every byte before the first clip
// counts.

import { loadWords, problemText, t } from '../words/words.js';

const API = '/api/v1';
const PATIENCE_MS = 15_000;

/** Problem details (RFC 9457): `code`, the `field` it is about, and `detail`, a sentence for people in the language in use; `status` 0 and a `cause` if
 *  nothing came back. `mayHaveArrived`: the server may have done it after all; `isOver`: whoever asked is not signed in any more; `challenge`: a sign-in goes on
 *  with it. */
export class ApiError extends Error {
  constructor({ status = 0, code = status ? '' : 'network', field, detail, challenge, header = () => null }, cause) {
    super(code, { cause });
    Object.assign(this, { status, code, field, header, ...(challenge && { challenge }), mayHaveArrived: status === 0 || status >= 500 });
    this.retryAfter = Number(header('Retry-After')) || 0;
    this.detail = problemText({ code, detail }) || (status ? t('The server could not do this. Please try again.')
      : t('The server does not answer. Check the connection and try again.'));
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
  await loadWords('problems');
  throw errorFrom(response.status, text, (name) => response.headers.get(name));
}

/** What nobody has to be signed in for. */
export const requestAsAnybody = async (path, options) => (await exchange(path, options)).answer;

/** From a page that goes. As text: it cannot ask first whether it may send JSON. */
export const beacon = (path, body) => navigator.sendBeacon(addressOf(path), JSON.stringify(body));

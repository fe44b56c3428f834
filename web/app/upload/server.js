// The server's side of an upload (docs/design/uploads-on-the-wire.md), one function per request. Each ends within its time or
// with an error; what an error means is for others to say.

import { freshen, introduced } from '../identity/identity.js';
import { Refusal, secondsOf } from './trouble.js';

const UPLOADS = '/api/v1/uploads';
// A little less than the machine waits, so that its own clock is for what hangs in here.
const PATIENCE_MS = 28_000;
const JSON_TYPE = 'application/json';
const PATCH_TYPE = 'application/merge-patch+json';
const BYTES_TYPE = 'application/offset+octet-stream';

const placeOf = (id) => `${UPLOADS}/${encodeURIComponent(id)}`;

function refusal(status, text, header) {
  let problem = {};
  try { problem = JSON.parse(text) ?? {}; } catch { /* it comes from something in between */ }
  const offset = header('Upload-Offset');
  return new Refusal({
    status, code: problem.code, detail: problem.detail, retryAfter: secondsOf(header('Retry-After')),
    ...(/^\d+$/.test(offset ?? '') && { offset: Number(offset) }),
  });
}

/** The same as `signal`, and an end after so long. */
function timed(signal) {
  const end = new AbortController();
  const timer = setTimeout(() => end.abort(new DOMException('too late', 'TimeoutError')), PATIENCE_MS);
  const stop = () => end.abort(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  const free = () => {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  };
  return { signal: end.signal, free };
}

async function request(address, options, signal) {
  const time = timed(signal);
  try {
    await freshen();
    const response = await fetch(address, { cache: 'no-store', ...options, signal: time.signal });
    const text = await response.text();
    if (!response.ok) throw refusal(response.status, text, (name) => response.headers.get(name));
    return text;
  } finally {
    time.free();
  }
}

/** An upload's state; an answer that is none counts as an error of the server. */
async function state(address, options, signal) {
  const text = await request(address, options, signal);
  try {
    const upload = JSON.parse(text);
    if (typeof upload.id === 'string' && typeof upload.state === 'string') return upload;
  } catch { /* said below */ }
  throw new Refusal({ status: 502, detail: 'The answer makes no sense.' });
}

const body = (method, type, content, headers = {}) =>
  ({ method, headers: { 'Content-Type': type, ...headers }, body: JSON.stringify(content) });

/** The key means something for the same guest alone, whom the first of these makes. */
export const create = (upload, key, signal) => introduced(
  () => state(UPLOADS, body('POST', JSON_TYPE, upload, { 'Idempotency-Key': key }), signal));

export const stateOf = (id, signal) => state(placeOf(id), {}, signal);

export const describe = (id, details, signal) => state(placeOf(id), body('PATCH', PATCH_TYPE, details), signal);

export const commit = (id, signal) => state(`${placeOf(id)}/commit`, { method: 'POST' }, signal);

export const terminate = (id, signal) => request(placeOf(id), { method: 'DELETE' }, signal);

/** The request when it was answered, with whatever status. `sent(bytes)` is told how many have left. Its time is the
 *  machine's to watch, since it may take long as long as something moves. */
export function sending(method, address, headers, bytes, signal, sent) {
  return new Promise((resolve, reject) => {
    const call = new XMLHttpRequest();
    const stop = () => call.abort();
    call.open(method, address);
    for (const [name, value] of Object.entries(headers)) call.setRequestHeader(name, value);
    call.upload.addEventListener('progress', ({ loaded }) => sent(loaded));
    call.addEventListener('load', () => resolve(call));
    call.addEventListener('error', () => reject(new TypeError('the bytes did not arrive')));
    call.addEventListener('abort', () => reject(signal.reason));
    call.addEventListener('loadend', () => signal.removeEventListener('abort', stop));
    if (signal.aborted) return reject(signal.reason);
    signal.addEventListener('abort', stop);
    return call.send(bytes);
  });
}

export const isGood = ({ status }) => status >= 200 && status <= 299;

/** Answers the server's offset behind these bytes. */
export async function append(id, bytes, offset, signal, sent) {
  await freshen();
  const headers = { 'Content-Type': BYTES_TYPE, 'Upload-Offset': offset };
  const call = await sending('PATCH', placeOf(id), headers, bytes, signal, sent);
  const header = (name) => call.getResponseHeader(name);
  if (!isGood(call)) throw refusal(call.status, call.responseText, header);
  const reached = header('Upload-Offset');
  if (reached === null) throw new Refusal({ status: 502 });
  return Number(reached);
}

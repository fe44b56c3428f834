// The server's side of an upload (docs/design/uploads-on-the-wire.md), one function per request. Each ends within its time or
// with an error; what an error means is for others to say.

import { ApiError, addressOf, errorFrom, freshen, request, route } from '../api/api.js';
import { t } from '../words/words.js';

// A little less than the machine waits, so that its own clock is for what hangs in here.
const PATIENCE_MS = 28_000;
const PATCH_TYPE = 'application/merge-patch+json';
const BYTES_TYPE = 'application/offset+octet-stream';

const placeOf = (id) => route`/uploads/${id}`;

const send = (path, signal, options) => request(path, { signal, patience: PATIENCE_MS, ...options });

/** An upload's state; an answer that is none counts as an error of the server. */
async function state(path, signal, options) {
  const upload = await send(path, signal, options);
  if (typeof upload?.id === 'string' && typeof upload.state === 'string') return upload;
  throw new ApiError({ status: 502, detail: t('The answer makes no sense.') });
}

/** The key means something for the same guest alone, whom the first of these makes. */
export const create = (upload, key, signal) => state('/uploads', signal, { method: 'POST', body: upload, key });

export const stateOf = (id, signal) => state(placeOf(id), signal);

export const describe = (id, details, signal) => state(placeOf(id), signal, { method: 'PATCH', body: details, type: PATCH_TYPE });

export const commit = (id, signal) => state(`${placeOf(id)}/commit`, signal, { method: 'POST' });

export const terminate = (id, signal) => send(placeOf(id), signal, { method: 'DELETE' });

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
  const call = await sending('PATCH', addressOf(placeOf(id)), headers, bytes, signal, sent);
  const header = (name) => call.getResponseHeader(name);
  if (!isGood(call)) throw errorFrom(call.status, call.responseText, header);
  const reached = header('Upload-Offset');
  if (reached === null) throw new ApiError({ status: 502 });
  return Number(reached);
}

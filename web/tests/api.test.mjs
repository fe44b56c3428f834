import assert from 'node:assert/strict';
import test from 'node:test';
import { ApiError, addressOf, exchange, request, route, timed } from '../app/api/api.js';
import { withDoors } from './doors.mjs';

/** A server that keeps what it was asked and answers the same each time. */
function serve(t, answer) {
  const asked = [];
  t.mock.method(globalThis, 'fetch', withDoors(async (url, options) => {
    asked.push({ url, ...options });
    return answer(options);
  }));
  return asked;
}

test('what is put into a path stays one segment of it', () => {
  assert.equal(route`/clips/${'a/b?c'}/${'like'}`, '/clips/a%2Fb%3Fc/like');
  assert.equal(addressOf('/feed', { limit: 5, cursor: 'a&b' }), '/api/v1/feed?limit=5&cursor=a%26b');
  assert.equal(addressOf('/feed', { cursor: null, limit: undefined }), '/api/v1/feed');
});

test('a body goes as JSON, of another type if one is given, and a file as it is', async (t) => {
  const asked = serve(t, () => Response.json({ id: 1 }));
  assert.deepEqual(await request('/a', { method: 'POST', body: { x: 1 }, key: 'k' }), { id: 1 });
  await request('/a', { method: 'PATCH', body: {}, type: 'application/merge-patch+json' });
  const file = new Blob(['WEBVTT']);
  await request('/a', { method: 'PUT', body: file, type: 'text/vtt' });
  await request('/a', { method: 'DELETE' });
  assert.deepEqual(asked.map(({ body }) => body), ['{"x":1}', '{}', file, undefined]);
  assert.deepEqual(asked.map(({ headers }) => headers), [
    { 'Content-Type': 'application/json', 'Idempotency-Key': 'k' }, { 'Content-Type': 'application/merge-patch+json' },
    { 'Content-Type': 'text/vtt' }, {},
  ]);
  assert.ok(asked.every(({ cache, signal }) => cache === 'no-store' && !signal.aborted));
});

test('an answer without content is null', async (t) => {
  serve(t, () => new Response(null, { status: 204 }));
  assert.equal(await request('/a'), null);
});

test('problem details become an error, and a page of something in between does too', async (t) => {
  const problem = { code: 'handle_taken', field: 'handle', detail: 'Taken.', status: 200 };
  serve(t, () => new Response(JSON.stringify(problem), { status: 409, headers: { 'Retry-After': '3', 'Upload-Offset': '7' } }));
  const error = await request('/a').catch((thrown) => thrown);
  assert.ok(error instanceof ApiError);
  assert.deepEqual({ ...error, header: error.header('Upload-Offset') }, {
    status: 409, code: 'handle_taken', field: 'handle', detail: 'Taken.', retryAfter: 3, mayHaveArrived: false, header: '7' });
  t.mock.reset();
  serve(t, () => new Response('<html>', { status: 502 }));
  await assert.rejects(request('/a'), { status: 502, code: '', mayHaveArrived: true, detail: /try again/ });
});

const hanging = ({ signal }) => new Promise((_, reject) => {
  signal.throwIfAborted();
  signal.addEventListener('abort', () => reject(signal.reason));
});

test('a server that does not answer is given up after the patience, and said to be late', async (t) => {
  serve(t, hanging);
  const error = await exchange('/a', { patience: 5 }).catch((thrown) => thrown);
  assert.deepEqual([error.status, error.code, error.cause.name], [0, 'network', 'TimeoutError']);
});

test('whoever asked can give up before', async (t) => {
  serve(t, hanging);
  const end = new AbortController();
  const answer = exchange('/a', { signal: end.signal });
  end.abort();
  await assert.rejects(answer, ({ status, cause }) => status === 0 && cause.name === 'AbortError');
  await assert.rejects(exchange('/a', { signal: end.signal }), { status: 0 });
});

test('an end that was put off does not come', async () => {
  const end = new AbortController();
  const time = timed(end.signal, 1, new TypeError('late'));
  time.stay();
  await new Promise((over) => { setTimeout(over, 10); });
  assert.ok(!time.signal.aborted);
  end.abort();
  assert.ok(time.signal.aborted);
  time.free();
});

import assert from 'node:assert/strict';
import test from 'node:test';
import { EVENT, REASON } from '../app/core/core.js';
import { Downloads, INIT, PartialSegment, SegmentSplitter, Store, partsOf, reasonOf } from '../app/playback/downloads.js';

const file = Uint8Array.from({ length: 40 }, (_, i) => i);
const rendition = {
  url: '/media/a.mp4',
  init: { offset: 0, size: 6 },
  segments: [{ offset: 6, size: 14 }, { offset: 20, size: 10 }, { offset: 30, size: 10 }],
};

function feedAll(splitter, bytes, step) {
  const complete = [];
  for (let at = 0; at < bytes.length; at += step) complete.push(...splitter.push(bytes.subarray(at, at + step)));
  return complete;
}

for (const step of [1, 5, 7, 40]) {
  test(`bytes in chunks of ${step} are cut into init and segments`, () => {
    const splitter = new SegmentSplitter(partsOf(rendition, 0, 3, true), 0);
    const parts = feedAll(splitter, file, step);
    assert.deepEqual(parts.map((p) => p.segment), [INIT, 0, 1, 2]);
    assert.deepEqual([...parts[2].bytes], [20, 21, 22, 23, 24, 25, 26, 27, 28, 29]);
    assert.ok(splitter.done);
  });
}

test('a request from the middle of the file is cut at its own offset', () => {
  const splitter = new SegmentSplitter(partsOf(rendition, 1, 1, false), 20);
  const [part] = feedAll(splitter, file.subarray(20, 30), 3);
  assert.equal(part.segment, 1);
  assert.equal(part.bytes[9], 29);
});

test('the init alone, and bytes between two parts that belong to none', () => {
  assert.deepEqual(partsOf(rendition, 0, 0, true), [{ segment: INIT, offset: 0, size: 6 }]);
  const splitter = new SegmentSplitter(partsOf(rendition, 2, 1, true), 0);
  const parts = feedAll(splitter, file, 9);
  assert.deepEqual(parts.map((p) => [p.segment, p.bytes[0]]), [[INIT, 0], [2, 30]]);
});

test('only the very range that was asked for is taken', () => {
  assert.equal(reasonOf(206, 'bytes 6-19/40', 6, 14), 0);
  assert.equal(reasonOf(206, null, 6, 14), 0);
  assert.equal(reasonOf(206, 'bytes 6-18/40', 6, 14), REASON.server);
  assert.equal(reasonOf(200, null, 6, 14), REASON.server);
  assert.equal(reasonOf(503, null, 6, 14), REASON.server);
  for (const status of [404, 410, 416]) assert.equal(reasonOf(status, null, 6, 14), REASON.gone);
});

function setUp(t, answer) {
  const events = [];
  const store = new Store();
  t.mock.method(globalThis, 'fetch', answer);
  const downloads = new Downloads(() => ({ renditions: [rendition] }), store, (...e) => events.push(e));
  return { downloads, store, events };
}

const partial = (from, to, body = file.subarray(from, to + 1)) => new Response(body, {
  status: 206, headers: { 'Content-Range': `bytes ${from}-${to}/40` },
});

test('each segment is stored and reported, then the request', async (t) => {
  const { downloads, store, events } = setUp(t, async (url, { headers }) => {
    assert.equal(url, '/media/a.mp4');
    assert.equal(headers.Range, 'bytes=0-29');
    return partial(0, 29);
  });
  await downloads.fetch({ request: 9, item: 4, rendition: 0, first: 0, count: 2, init: 1, offset: 0, size: 30 });
  assert.deepEqual(events.slice(0, 3), [-1, 0, 1].map((s) => [EVENT.segmentStored, 9, 4, 0, s]));
  assert.deepEqual(events[3].slice(0, 3), [EVENT.fetchFinished, 9, 30]);
  assert.equal(store.size, 30);
});

test('an answer that ends early fails, and keeps what is complete', async (t) => {
  const { downloads, store, events } = setUp(t, async () => partial(0, 29, file.subarray(0, 25)));
  await downloads.fetch({ request: 9, item: 4, rendition: 0, first: 0, count: 2, init: 1, offset: 0, size: 30 });
  assert.deepEqual(events.at(-1), [EVENT.fetchFailed, 9, REASON.network]);
  assert.equal(store.best(4, 0), 0);
  assert.equal(store.best(4, 1), -1);
});

test('a missing file is gone; no network is the network', async (t) => {
  const answers = [() => new Response('', { status: 404 }), () => { throw new TypeError('offline'); }];
  const { downloads, events } = setUp(t, async () => answers.shift()());
  await downloads.fetch({ request: 1, item: 4, rendition: 0, first: 0, count: 1, init: 1, offset: 0, size: 20 });
  await downloads.fetch({ request: 2, item: 4, rendition: 0, first: 0, count: 1, init: 1, offset: 0, size: 20 });
  assert.deepEqual(events, [[EVENT.fetchFailed, 1, REASON.gone], [EVENT.fetchFailed, 2, REASON.network]]);
});

test('nothing is heard of a cancelled request', async (t) => {
  const { downloads, events } = setUp(t, (url, { signal }) => new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  }));
  const running = downloads.fetch({ request: 1, item: 4, rendition: 0, first: 0, count: 1, init: 1, offset: 0, size: 20 });
  downloads.cancel(1);
  await running;
  assert.deepEqual(events, []);
});

test('the store answers the highest rendition that can be played', () => {
  const store = new Store();
  store.put(1, 0, INIT, file);
  store.put(1, 0, 0, file);
  store.put(1, 2, 0, file);
  assert.equal(store.best(1, 0), 0);
  store.put(1, 2, INIT, file);
  assert.equal(store.best(1, 0), 2);
  store.discard(1);
  assert.equal(store.best(1, 0), -1);
});

test('the part that is coming is told with what of it is there', () => {
  const splitter = new SegmentSplitter(partsOf(rendition, 0, 2, true), 0);
  assert.equal(splitter.growing, null);
  splitter.push(file.subarray(0, 4));
  assert.deepEqual([splitter.growing.segment, splitter.growing.have], [INIT, 4]);
  splitter.push(file.subarray(4, 6));
  assert.equal(splitter.growing, null);
  splitter.push(file.subarray(6, 13));
  assert.deepEqual([splitter.growing.segment, splitter.growing.have], [0, 7]);
  assert.deepEqual([...splitter.growing.bytes.subarray(0, 7)], [6, 7, 8, 9, 10, 11, 12]);
});

/** A segment of a second and 100 kB of which `rate` bytes come in each of ten milliseconds. */
function grown(t, rate, steps) {
  let now = 1000;
  t.mock.method(performance, 'now', () => now);
  const store = new Store();
  const partial = new PartialSegment(store, 4, 1, [{ duration_ms: 1000 }]);
  const bytes = new Uint8Array(100_000);
  const seen = [];
  store.onStored(() => seen.push(store.growing(4, 0)?.have ?? 'gone'));
  for (let step = 1; step <= steps; step += 1) {
    partial.note({ segment: 0, bytes, have: step * rate }, rate);
    now += 10;
  }
  return { store, partial, seen };
}

test('a segment whose rest comes sooner than it is played is shown while it comes', (t) => {
  const { store, partial, seen } = grown(t, 2500, 12);
  // From the third report on, since the rate is not known before, and then every 4 kB or more.
  assert.deepEqual(seen, [7500, 12500, 17500, 22500, 27500]);
  assert.equal(store.growing(4, 0).rendition, 1);
  partial.end();
  assert.equal(seen.at(-1), 'gone');
});

test('a segment that comes too slowly is not shown before it is whole', (t) => {
  assert.deepEqual(grown(t, 1000, 30).seen, []);
});

test('the next segment takes the place of the one before, and an init is not shown', (t) => {
  const { store, partial } = grown(t, 2500, 4);
  partial.note({ segment: INIT, bytes: new Uint8Array(9), have: 3 }, 3);
  assert.equal(store.growing(4, 0), undefined);
  partial.note(null, 5);
  partial.end();
});

test('trimming keeps the init and the first segments', () => {
  const store = new Store();
  for (const segment of [INIT, 0, 1, 2]) store.put(3, 0, segment, new Uint8Array(10));
  store.trim(3, 1);
  assert.equal(store.size, 20);
  assert.ok(store.get(3, 0, INIT) && store.get(3, 0, 0));
  store.trim(9, 1);
});

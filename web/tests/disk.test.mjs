import assert from 'node:assert/strict';
import test from 'node:test';
import { Disk, leadingSegments } from '../app/playback/disk.js';
import { INIT, Store } from '../app/playback/downloads.js';

/** Cache Storage in memory; `room`: bytes that fit. */
class FakeStorage {
  entries = new Map();
  room = Infinity;

  async open() { return this; }
  async keys() { return [...this.entries.keys()].map((key) => ({ url: `http://here${key}` })); }
  async match(key) { return this.entries.get(key)?.clone(); }
  async delete(request) { return this.entries.delete(request.url?.slice(11) ?? request); }

  async put(key, response) {
    const { byteLength } = await response.clone().arrayBuffer();
    if (byteLength > this.room) throw Object.assign(new Error('full'), { name: 'QuotaExceededError' });
    this.room -= byteLength;
    this.entries.set(key, response);
  }

  get media() { return [...this.entries.keys()].filter((key) => key.includes('bytes=')); }
}

const rendition = (name) => ({
  url: `/media/${name}.mp4`, init: { offset: 0, size: 10 },
  segments: [10, 30, 60].map((offset, i) => ({ offset, size: 20 + 10 * i, duration_ms: 1000 })),
});
const clip = (item = 0, name = 'a') => ({ item, renditions: [rendition(`${name}-low`), rendition(`${name}-high`)] });

/** A store that holds the first segments of a clip in one rendition. */
function stored({ item, renditions }, count = 3, number = 0, store = new Store()) {
  store.put(item, number, INIT, new Uint8Array(10).fill(9));
  renditions[number].segments.slice(0, count).forEach(({ size }, i) =>
    store.put(item, number, i, new Uint8Array(size).fill(i + 1)));
  return store;
}

test('what one visit writes, the next one reads, whatever the clip is called there', async () => {
  const storage = new FakeStorage();
  const first = await Disk.open(storage);
  assert.equal(first.holds(clip()), null);
  assert.deepEqual(await first.persist(clip(), 2, stored(clip())), { segments: 2, bytes: 60, isFull: false });
  const next = await Disk.open(storage);
  assert.equal(next.used, 60);
  const there = next.holds(clip(7));
  assert.deepEqual([there.segments, there.bytes], [2, 60]);
  const store = new Store();
  const reports = [];
  assert.equal(await next.restore(clip(7), 0, 2, store, (...what) => reports.push(what)), true);
  assert.deepEqual(reports, [[0, INIT], [0, 0], [0, 1]]);
  assert.deepEqual(store.get(7, 0, 1), new Uint8Array(30).fill(2));
});

test('the best of each segment is written, with the init that it needs, and nothing twice', async () => {
  const storage = new FakeStorage();
  const disk = await Disk.open(storage);
  const store = stored(clip(), 3, 0);
  store.put(0, 1, INIT, new Uint8Array(10));
  store.put(0, 1, 1, new Uint8Array(30));
  await disk.persist(clip(), 3, store);
  assert.deepEqual(storage.media, [
    '/media/a-low.mp4?bytes=0-9', '/media/a-low.mp4?bytes=10-29', '/media/a-high.mp4?bytes=0-9',
    '/media/a-high.mp4?bytes=30-59', '/media/a-low.mp4?bytes=60-99',
  ]);
  const written = storage.media.length;
  assert.equal((await disk.persist(clip(), 3, store)).segments, 3);
  assert.equal(storage.media.length, written);
});

test('a full disk is said, with what was written before', async () => {
  const storage = new FakeStorage();
  const disk = await Disk.open(storage);
  storage.room = 65;
  assert.deepEqual(await disk.persist(clip(), 3, stored(clip())), { segments: 2, bytes: 60, isFull: true });
});

test('bytes are taken at once: a discard that follows does not spoil them', async () => {
  const disk = await Disk.open(new FakeStorage());
  const store = stored(clip());
  const done = disk.persist(clip(), 3, store);
  store.discard(0);
  assert.equal((await done).segments, 3);
});

test('evicting keeps the first segments, or nothing', async () => {
  const storage = new FakeStorage();
  const disk = await Disk.open(storage);
  await disk.persist(clip(), 3, stored(clip()));
  await disk.evict(clip(), 1);
  assert.equal(disk.holds(clip()).segments, 1);
  await disk.evict(clip(), 0);
  assert.equal(disk.holds(clip()), null);
  assert.deepEqual(storage.media, []);
});

test('clips of earlier visits make room, the least recently used first, but not those that are named', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: 1e12 });
  const storage = new FakeStorage();
  const before = await Disk.open(storage);
  for (const name of ['a', 'b', 'c']) {
    await before.persist(clip(0, name), 3, stored(clip(0, name)));
    t.mock.timers.tick(1000);
  }
  const disk = await Disk.open(storage);
  disk.holds(clip(0, 'a'));
  await disk.evictUnknown(50);
  assert.ok(disk.holds(clip(0, 'a')) && disk.holds(clip(0, 'c')));
  assert.equal(disk.holds(clip(0, 'b')), null);
});

test('what cannot be read is said, and what is broken does not come', async () => {
  const storage = new FakeStorage();
  const disk = await Disk.open(storage);
  await disk.persist(clip(), 2, stored(clip()));
  storage.entries.set('/media/a-low.mp4?bytes=30-59', new Response(new Uint8Array(3)));
  const store = new Store();
  assert.equal(await disk.restore(clip(), 0, 2, store, () => {}), false);
  assert.ok(store.get(0, 0, 0));
  assert.equal(store.get(0, 0, 1), undefined);
  assert.equal(await disk.restore(clip(3, 'never'), 0, 1, store, () => {}), false);
});

test('a clip that was packaged anew is not there', async () => {
  const storage = new FakeStorage();
  const disk = await Disk.open(storage);
  await disk.persist(clip(), 2, stored(clip()));
  const changed = clip();
  changed.renditions[0].segments[0].size += 1;
  assert.equal(disk.holds(changed), null);
});

test('parts that no entry names are swept away at the start', async () => {
  const storage = new FakeStorage();
  const disk = await Disk.open(storage);
  await disk.persist(clip(), 1, stored(clip()));
  await storage.put('/media/lost.mp4?bytes=0-9', new Response(new Uint8Array(10)));
  await Disk.open(storage);
  assert.deepEqual(storage.media, ['/media/a-low.mp4?bytes=0-9', '/media/a-low.mp4?bytes=10-29']);
});

test('without a storage, or with a broken one, there is no disk', async () => {
  assert.equal(await Disk.open(undefined), null);
  assert.equal(await Disk.open({ open: async () => { throw new Error('no'); } }), null);
});

test('a segment counts with the init of its rendition only', () => {
  const part = (url, segment) => ({ url, segment });
  assert.equal(leadingSegments([]), 0);
  assert.equal(leadingSegments([part('a', 0), part('a', 1)]), 0);
  assert.equal(leadingSegments([part('a', INIT), part('a', 0), part('b', 1)]), 1);
  assert.equal(leadingSegments([part('a', INIT), part('a', 0), part('a', 2)]), 1);
});

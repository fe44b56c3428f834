import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test, { beforeEach } from 'node:test';
import vm from 'node:vm';
import { clipFrom } from '../app/feed/feed.js';
import { Disk } from '../app/playback/disk.js';
import { Store } from '../app/playback/downloads.js';
import { watch } from '../app/offline/ahead.js';
import { Storage } from './fake-caches.mjs';

const ORIGIN = 'https://clips.example';
const FEED = '/api/v1/feed?tab=for_you&limit=5';
const scripts = ['../app/outbox/queue.js', '../sync.js'].map((file) => readFileSync(new URL(file, import.meta.url), 'utf8'));

const SIZE = 1000;
const item = (id, more = {}, codecs = 'avc1.64001f,mp4a.40.2', size = SIZE) => ({
  id, caption: id, viewer: { liked: true }, reason: 'because', counts: {}, ...more,
  playback: { duration_ms: 4000, renditions: [{
    url: `/media/${id}.mp4`, codecs, width: 360, height: 640, init: { offset: 0, size: 100 },
    segments: [0, 1, 2, 3].map((at) => ({ offset: 100 + at * size, size, duration_ms: 1000 })),
  }] },
});

let storage;
let asked;
let items;
let open;
let isCut;

async function answerTo(url, { headers = {} } = {}) {
  const path = String(url.url ?? url).replace(ORIGIN, '');
  if (isCut) throw new TypeError('no network');
  asked.push(headers.Range ? `${path} ${headers.Range}` : path);
  if (path === '/api/v1/sessions/refresh') return new Response('{}', { status: 401 });
  if (path === FEED) return Response.json({ items, next_cursor: 'next' });
  const [, from, to] = /bytes=(\d+)-(\d+)/.exec(headers.Range).map(Number);
  return new Response(new Uint8Array(to - from + 1).fill(7), { status: 206 });
}

function wake(connection = {}) {
  const listeners = {};
  const self = {
    addEventListener: (name, listener) => { listeners[name] = listener; }, location: new URL(ORIGIN),
    clients: { matchAll: async () => open }, navigator: { connection },
  };
  const context = { self, caches: storage, fetch: answerTo, Response, URL, AbortSignal, JSON, Date, Error };
  vm.createContext(context);
  for (const script of scripts) {
    vm.runInContext(script, context);
    self.clipfeedQueue ??= context.clipfeedQueue;
  }
  return listeners;
}

async function bringAhead(connection) {
  const waits = [];
  wake(connection).periodicsync({ tag: 'clipfeed-feed', waitUntil: (work) => waits.push(work) });
  await Promise.all(waits);
}

async function askForFeed() {
  let answer;
  wake().fetch({ request: { method: 'GET', url: ORIGIN + FEED }, respondWith: (given) => { answer = given; } });
  return (await answer).json();
}

const ranges = () => asked.filter((one) => one.includes(' '));

beforeEach(() => {
  storage = new Storage(ORIGIN);
  asked = [];
  items = ['a', 'b', 'c'].map((id) => item(id));
  open = [];
  isCut = false;
});

test('the first clips begin from disk at the next visit: three segments of the next one, one of those beyond', async () => {
  await bringAhead();
  assert.deepEqual(ranges(), ['/media/a.mp4 bytes=0-3099', '/media/b.mp4 bytes=0-1099', '/media/c.mp4 bytes=0-1099']);
  const disk = await Disk.open(storage);
  const clips = items.map((one, at) => clipFrom(one, at, () => true));
  assert.deepEqual(clips.map((clip) => disk.holds(clip)?.segments), [3, 1, 1]);
  const store = new Store();
  const stored = [];
  assert.equal(await disk.restore(clips[0], 0, 3, store, (rendition, segment) => stored.push(segment)), true);
  assert.deepEqual(stored, [-1, 0, 1, 2]);
  assert.equal(store.get(0, 0, 2).length, SIZE);
});

test('what is there is not fetched again', async () => {
  await bringAhead();
  asked = [];
  await bringAhead();
  assert.deepEqual(ranges(), []);
});

test('the page is there without a network, without what this person had to do with it', async () => {
  items.push(item('secret', { visibility: 'followers' }));
  await bringAhead();
  isCut = true;
  const page = await askForFeed();
  assert.deepEqual(page.items.map(({ id, viewer, reason }) => [id, viewer, reason]), ['a', 'b', 'c'].map((id) => [id, undefined, undefined]));
  assert.equal(page.next_cursor, 'next');
});

test('with a network, or where nothing was brought, the feed is the network’s', async () => {
  await bringAhead();
  items = [item('fresh')];
  assert.deepEqual((await askForFeed()).items.map(({ id }) => id), ['fresh']);
  storage = new Storage(ORIGIN);
  isCut = true;
  await assert.rejects(askForFeed(), TypeError);
});

for (const [what, connection] of [['data is saved', { saveData: true }], ['each byte costs', { type: 'cellular' }]]) {
  test(`nothing is brought where ${what}`, async () => {
    await bringAhead(connection);
    assert.deepEqual(asked, []);
  });
}

test('nothing is brought while a page is open', async () => {
  open = [{}];
  await bringAhead();
  assert.deepEqual(asked, []);
});

test('no more than three megabytes come, and nothing that a page may not be able to play', async () => {
  items = [item('a', {}, 'hvc1.1', 900_000), item('b', {}, 'avc1.64001f', 2_000_000), item('c', {}, 'avc1.64001f', 2_000_000)];
  await bringAhead();
  assert.deepEqual(ranges(), ['/media/b.mp4 bytes=0-2000099']);
});

test('the page asks to be woken where it is installed, and takes that back where data is saved', async () => {
  const kept = new Map();
  globalThis.localStorage = { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value) };
  globalThis.caches = storage;
  globalThis.addEventListener ??= () => {};
  const done = [];
  const worker = { periodicSync: { register: async (tag) => done.push(`on ${tag}`), unregister: async (tag) => done.push(`off ${tag}`) } };
  let state = 'denied';
  Object.defineProperty(globalThis, 'navigator', { configurable: true, value: { permissions: { query: async () => ({ state }) } } });
  await watch(worker);
  assert.deepEqual(done, []);
  state = 'granted';
  await watch(worker);
  assert.deepEqual(done, ['on clipfeed-feed']);
  kept.set('clipfeed.playback', '{"saves":true}');
  await watch(worker);
  assert.deepEqual(done, ['on clipfeed-feed', 'off clipfeed-feed']);
});

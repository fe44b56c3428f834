import assert from 'node:assert/strict';
import test, { beforeEach } from 'node:test';
import { INIT, Store } from '../app/playback/downloads.js';
import { change, keep, keptClips, newRecord, readPart, remove, renditionFor, sizeOf } from '../app/offline/kept.js';
import { sizeText } from '../app/offline/room.js';

const ORIGIN = 'http://here';

class Storage {
  entries = new Map();
  room = Infinity;

  async open() { return this; }
  #key(request) { return new URL(request.url ?? request, ORIGIN).href; }
  async keys() { return [...this.entries.keys()].map((url) => ({ url })); }
  async match(request) { return this.entries.get(this.#key(request))?.clone(); }
  async delete(request) { return this.entries.delete(this.#key(request)); }

  async put(request, answer) {
    const bytes = await answer.arrayBuffer();
    if (bytes.byteLength > this.room) throw new DOMException('full', 'QuotaExceededError');
    this.room -= bytes.byteLength;
    this.entries.set(this.#key(request), new Response(bytes));
  }

  get places() { return [...this.entries.keys()].map((url) => url.slice(ORIGIN.length)); }
}

const rendition = (name, edge) => ({
  url: `/media/${name}.mp4`, width: edge, height: edge * 16 / 9, codecs: 'avc1', init: { offset: 0, size: 10 },
  segments: [10, 30, 60].map((offset, i) => ({ offset, size: 20 + 10 * i, duration_ms: 1000 })),
});
const clip = (id = 'a', file = id) => ({
  id, item: 0, caption: 'A clip', author: { name: 'Ada' }, viewer: { liked: true }, poster: { url: `/media/${file}.jpg` }, duration: 3000,
  captions: [{ language: 'en', url: '/media/words.vtt' }], renditions: [rendition(`${file}-360`, 360), rendition(`${file}-1080`, 1080)],
});
const fileOf = (path) => Uint8Array.from({ length: 100 }, (_, at) => path.length + at);

let storage;
let asked;
// What becomes of a request: a number is a status, a function makes the answer; else the file comes.
let answers;

beforeEach(() => {
  storage = new Storage();
  asked = [];
  answers = {};
  globalThis.caches = storage;
  const items = new Map();
  globalThis.localStorage = { setItem: (key, value) => items.set(key, value), removeItem: (key) => items.delete(key), getItem: (key) => items.get(key) ?? null };
  Object.defineProperty(globalThis, 'navigator', { configurable: true, value: { storage: { estimate: async () => ({ quota: 1e6, usage: 0 }) } } });
  globalThis.fetch = async (path, { headers } = {}) => {
    asked.push(headers?.Range ? `${path} ${headers.Range}` : path);
    if (typeof answers[path] === 'number') return new Response('', { status: answers[path] });
    if (answers[path]) return answers[path]();
    if (!headers) return new Response(`file ${path}`);
    const [, from, to] = /bytes=(\d+)-(\d+)/.exec(headers.Range).map(Number);
    return new Response(fileOf(path).slice(from, to + 1), { status: 206, headers: { 'Content-Range': `bytes ${from}-${to}/100` } });
  };
});

const keepAll = async (one = clip(), saves = false) => {
  const record = await newRecord(one, saves);
  await keep(record, { signal: new AbortController().signal, progress: () => {} });
  return record;
};
const reasonOf = (work) => work.then(() => null, ({ reason }) => reason);

test('keeps the whole clip, by one request for its bytes', async () => {
  const shares = [];
  const record = await newRecord({ ...clip(), soundId: 's' }, false);
  await keep(record, { signal: new AbortController().signal, progress: (share) => shares.push(share) });
  assert.deepEqual(asked, ['/media/a-1080.mp4 bytes=0-99', '/media/a.jpg', '/media/words.vtt']);
  assert.equal(shares.at(-1), 1);
  const [kept] = await keptClips();
  assert.ok(kept.isWhole);
  assert.equal(kept.bytes, 100);
  assert.equal(kept.item.viewer, undefined);
  assert.equal(kept.item.sound_id, 's');
  for (const [segment, from, to] of [[INIT, 0, 10], [0, 10, 30], [2, 60, 100]]) {
    assert.deepEqual(await readPart(kept, segment), fileOf('/media/a-1080.mp4').slice(from, to));
  }
  assert.equal(localStorage.getItem('clipfeed.kept'), '1');
});

test('takes the sharpest that is worth its room, and less where somebody saves data', () => {
  assert.equal(renditionFor(clip(), false).width, 1080);
  assert.equal(renditionFor(clip(), true).width, 360);
  assert.equal(renditionFor({ renditions: [rendition('a', 2160)] }, true).width, 2160);
  assert.equal(sizeOf(rendition('a', 360)), 100);
});

test('goes on where a link broke, and never has a part that is not whole', async () => {
  answers['/media/a-1080.mp4'] = () => new Response(fileOf('/media/a-1080.mp4').slice(0, 45),
    { status: 206, headers: { 'Content-Range': 'bytes 0-99/100' } });
  assert.equal(await reasonOf(keepAll()), 'network');
  const [record] = await keptClips();
  assert.ok(!record.isWhole);
  assert.equal(await readPart(record, 1), null);
  answers = {};
  asked = [];
  await keep(record, { signal: new AbortController().signal, progress: () => {} });
  assert.equal(asked[0], '/media/a-1080.mp4 bytes=30-99');
  assert.deepEqual(await readPart(record, 2), fileOf('/media/a-1080.mp4').slice(60));
  assert.ok((await keptClips())[0].isWhole);
});

test('says what stands in the way', async () => {
  for (const [answer, reason] of [[404, 'gone'], [410, 'gone'], [503, 'network'], [200, 'network'], [429, 'network']]) {
    answers['/media/a-1080.mp4'] = answer;
    assert.equal(await reasonOf(keepAll()), reason, String(answer));
  }
  answers = {};
  storage.room = 900;
  assert.equal(await reasonOf(keepAll()), 'full');
  navigator.storage.estimate = async () => ({ quota: 1000, usage: 950 });
  storage.room = Infinity;
  asked = [];
  assert.equal(await reasonOf(keepAll(clip('b'))), 'full');
  assert.deepEqual(asked, []);
});

test('ends when the person says so', async () => {
  const abort = new AbortController();
  answers['/media/a-1080.mp4'] = () => {
    abort.abort();
    throw abort.signal.reason;
  };
  assert.equal(await reasonOf(keep(await newRecord(clip(), false), { signal: abort.signal, progress: () => {} })), 'ended');
});

test('captions that were taken back are no reason to fail', async () => {
  answers['/media/words.vtt'] = 404;
  await keepAll();
  assert.ok((await keptClips())[0].isWhole);
});

test('what is removed is gone, but for what another clip has too', async () => {
  const one = await keepAll(clip('a', 'same'));
  const other = await keepAll(clip('b', 'same'));
  await remove(one);
  assert.deepEqual((await keptClips()).map(({ item }) => item.id), ['b']);
  assert.deepEqual(await readPart(other, 1), fileOf('/media/same-1080.mp4').slice(30, 60));
  await remove(other);
  assert.deepEqual(storage.places, []);
  assert.equal(localStorage.getItem('clipfeed.kept'), null);
});

test('what is removed while it is written to stays away', async () => {
  const record = await keepAll();
  const put = storage.put.bind(storage);
  let go;
  const held = new Promise((resolve) => { go = resolve; });
  storage.put = async (...all) => { await held; await put(...all); };
  const changed = change('a', { checked: 1 });
  const removed = remove(record);
  // As long as a removal takes that waits for nothing.
  await new Promise((resolve) => { setTimeout(resolve, 20); });
  go();
  await Promise.all([changed, removed]);
  assert.deepEqual(storage.places, []);
  assert.equal(await change('a', { checked: 2 }), false);
  assert.deepEqual(storage.places, []);
});

test('what is removed while it comes does not end as a clip that is here whole', async () => {
  const record = await newRecord(clip(), false);
  const progress = () => storage.delete('/kept/a');
  assert.equal(await reasonOf(keep(record, { signal: new AbortController().signal, progress })), 'ended');
  assert.deepEqual(await keptClips(), []);
});

test('a record that is nonsense is no clip', async () => {
  for (const nonsense of ['', '{', 'null', '[]', '{"item":{}}', '{"item":{"id":"a"}}']) {
    await storage.put('/kept/a', new Response(nonsense));
    assert.deepEqual(await keptClips(), [], nonsense);
  }
});

test('a clip that is kept plays from the device; one that is broken there comes from the network', async () => {
  const { attach } = await import('../app/offline/playing.js');
  await keepAll();
  const reports = [];
  const below = [];
  const store = new Store();
  const known = [{ ...clip(), item: 0 }, { ...clip('b'), item: 1 }];
  globalThis.document = { documentElement: {}, querySelector: () => ({ querySelector: () => null, append: () => {} }), createElement: () => ({ style: {}, addEventListener: () => {} }) };
  const log = (name) => (...given) => { below.push([name, ...given]); };
  const app = {
    report: (...words) => reports.push(words), feed: { size: 2, clip: (item) => known[item] },
    disk: { store, announce: log('announce'), restore: log('restore'), persist: log('persist') },
  };
  await attach(app);
  // `diskHolds`: three segments of a clip that is saved.
  assert.deepEqual(reports.splice(0), [[55, 0, 3, 100, 0, 1]]);
  for (const one of known) app.disk.announce(one);
  assert.deepEqual(reports.splice(0), [[55, 0, 3, 100, 0, 1]]);
  await app.disk.restore(0, 1, 2);
  assert.deepEqual(reports.splice(0).map((words) => words.slice(2)), [[0, 1, -1], [0, 1, 1], [0, 1, 2]]);
  assert.deepEqual(store.get(0, 1, 2), fileOf('/media/a-1080.mp4').slice(60));
  await app.disk.persist(0, 3);
  await app.disk.restore(1, 0, 1);
  assert.deepEqual(below.map(([name]) => name), ['announce', 'restore']);
  await storage.put('/media/a-1080.mp4?bytes=30-59', new Response('short'));
  await app.disk.restore(0, 1, 1);
  assert.deepEqual(reports.at(-1), [56, 0]);
  assert.ok(!(await keptClips())[0].isWhole);
});

test('sizes are read at a glance', () => {
  const told = [0, 999, 1234, 999_499, 999_500, 1_250_000, 34_567_890, 5_000_000_000].map(sizeText);
  assert.deepEqual(told, ['0 bytes', '999 bytes', '1 KB', '999 KB', '1.0 MB', '1.3 MB', '35 MB', '5.0 GB']);
});

test('a kept clip goes once the server says that it is gone, and not for what something in between says', async () => {
  const { lookAfter } = await import('../app/offline/keeping.js');
  const app = { feed: { size: 0 }, report: () => {} };
  await keepAll();
  for (const status of [403, 404, 410]) {
    for (const body of ['', '<html>', '{}', '{"code":"route_not_found"}']) {
      answers['/api/v1/clips/a'] = () => new Response(body, { status });
      await lookAfter(app, true);
      assert.equal((await keptClips()).length, 1, `${status} ${body}`);
    }
  }
  answers['/api/v1/clips/a'] = () => Response.json({ code: 'clip_not_found' }, { status: 404 });
  await lookAfter(app, true);
  assert.deepEqual(await keptClips(), []);
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test, { beforeEach } from 'node:test';
import vm from 'node:vm';
import { Drafts } from '../app/messages/drafts.js';
import { begin, forget } from '../app/auth/auth.js';
import { Disk } from './fake-indexeddb.mjs';
import { openDoors } from './doors.mjs';

await openDoors();

const DAY_MS = 86_400_000;
let disk;
let items;
let asked;
// What becomes of a request, by path: a status and a body, or nothing.
let answers;
let online;

const isReachable = () => online;
const server = async (url, { method = 'GET', headers = {}, body } = {}) => {
  if (!isReachable()) throw new TypeError('no network');
  const path = url.replace('/api/v1', '');
  asked.push({ path, method, key: headers['Idempotency-Key'], text: body && JSON.parse(body).text });
  const [status, answer] = answers[path]?.() ?? [200, { id: path }];
  return new Response(JSON.stringify(answer), { status, headers: { 'Content-Type': 'application/json' } });
};

globalThis.localStorage = {
  getItem: (key) => items.get(key) ?? null, setItem: (key, value) => items.set(key, String(value)), removeItem: (key) => items.delete(key),
};
globalThis.indexedDB = { open: () => disk.open() };
Object.defineProperty(globalThis, 'navigator', { configurable: true, value: { get onLine() { return online; } } });

/** The module of a page: another page has another one, over the same storage. */
let pages = 0;
async function openPage() {
  pages += 1;
  // Its queue lets go of the storage of the test before.
  vm.runInThisContext(readFileSync(new URL('../app/outbox/queue.js', import.meta.url), 'utf8'));
  return import(`../app/outbox/outbox.js?${pages}`);
}

const here = (id) => begin({ id: `session of ${id}`, account: { id, handle: id, name: id }, expires_at: new Date(Date.now() + DAY_MS).toISOString() },
  new Response(''));
const message = (text, key = `key-${text}`, more = {}) => ({
  place: 'conversation bob', path: '/conversations/bob/messages', method: 'POST', body: { text }, key, failed: 'Your message was not sent.',
  book: 'clipfeed.conversations', draft: 'bob', ...more,
});
const like = (on, clip = 'one') => ({ place: `like ${clip}`, path: `/clips/${clip}/like`, method: on ? 'PUT' : 'DELETE', isState: true, failed: 'The like was not saved.' });
const texts = () => asked.map(({ text, method, path }) => text ?? `${method} ${path}`);

beforeEach(() => {
  disk = new Disk();
  items = new Map();
  asked = [];
  answers = {};
  online = true;
  forget();
  globalThis.fetch = server;
});

test('with a network a wish is asked for at once, and nothing is stored', async () => {
  const { deliver } = await openPage();
  assert.deepEqual(await deliver(message('hello')), { id: '/conversations/bob/messages' });
  assert.deepEqual([texts(), disk.last], [['hello'], 0]);
});

test('without one it waits, outlives the page, and goes once and in order under its key', async () => {
  online = false;
  const { KEPT, deliver } = await openPage();
  for (const text of ['one', 'two']) assert.equal(await deliver(message(text)), KEPT);
  const { onSent, run, waiting } = await openPage();
  assert.deepEqual((await waiting()).map(({ key }) => key), ['key-one', 'key-two']);
  const heard = [];
  onSent(({ body }) => heard.push(body.text));
  online = true;
  await Promise.all([run(), run()]);
  await run();
  assert.deepEqual(asked.map(({ text, key }) => [text, key]), [['one', 'key-one'], ['two', 'key-two']]);
  assert.deepEqual(heard, ['one', 'two']);
  assert.equal(disk.rows.size, 0);
  assert.equal(items.has('clipfeed.outbox'), false);
});

test('what is kept while the network comes back is sent although nobody hears of that again', async () => {
  online = false;
  globalThis.indexedDB = { open: () => { online = true; return disk.open(); } };
  try {
    const { KEPT, deliver } = await openPage();
    assert.equal(await deliver(message('hello')), KEPT);
    for (let turn = 0; turn < 100 && !asked.length; turn += 1) await new Promise(setImmediate);
    assert.deepEqual(texts(), ['hello']);
  } finally {
    globalThis.indexedDB = { open: () => disk.open() };
  }
});

test('what is written next in the same place does not overtake what waits', async () => {
  online = false;
  const { KEPT, deliver, run } = await openPage();
  await deliver(message('first'));
  online = true;
  answers['/conversations/bob/messages'] = () => [503, { code: 'unavailable', detail: 'Later.' }];
  assert.equal(await deliver(message('second')), KEPT);
  // Another place is not held up.
  assert.deepEqual(await deliver(like(true)), { id: '/clips/one/like' });
  answers = {};
  asked = [];
  await run();
  assert.deepEqual(texts(), ['first', 'second']);
});

test('of what is turned on and off only the last wish is sent', async () => {
  online = false;
  const { deliver, run } = await openPage();
  for (const on of [true, false, true]) await deliver(like(on));
  await deliver(like(true, 'two'));
  assert.equal(disk.rows.size, 2);
  online = true;
  await run();
  assert.deepEqual(texts(), ['PUT /clips/one/like', 'PUT /clips/two/like']);
});

test('the same message is not kept twice', async () => {
  online = false;
  const { deliver } = await openPage();
  await deliver(message('hello'));
  await deliver(message('hello'));
  assert.equal(disk.rows.size, 1);
});

test('what fails while there is a network fails as ever, and what was given up is not kept', async () => {
  const { deliver } = await openPage();
  globalThis.fetch = async () => { throw new TypeError('reset'); };
  await assert.rejects(deliver(message('hello')), ({ status }) => status === 0);
  online = false;
  await assert.rejects(deliver({ ...message('hello'), signal: AbortSignal.abort() }));
  answers['/conversations/bob/messages'] = () => [422, { code: 'message_empty' }];
  online = true;
  globalThis.fetch = server;
  await assert.rejects(deliver(message('hello')), ({ status }) => status === 422);
  assert.equal(disk.last, 0);
});

for (const trouble of ['isFull', 'isOff']) {
  test(`where nothing can be stored (${trouble}) it is as it was without an outbox`, async () => {
    online = false;
    disk[trouble] = true;
    const { deliver } = await openPage();
    await assert.rejects(deliver(message('hello')), ({ status, code }) => status === 0 && code === 'network');
    assert.equal(disk.rows.size, 0);
  });
}

test('a refused text is a draft again, in front of what was written since, and those behind it go', async () => {
  online = false;
  const { deliver, onRefused, run } = await openPage();
  await deliver(message('refused'));
  await deliver(message('fine', 'key-fine', { place: 'conversation eve', path: '/conversations/eve/messages', draft: 'eve' }));
  const drafts = new Drafts(localStorage, 'visit', 'clipfeed.conversations');
  drafts.change('bob', 'bob', 'typed since');
  drafts.store('bob');
  const heard = [];
  onRefused(({ refused }) => heard.push(refused));
  online = true;
  answers['/conversations/bob/messages'] = () => [403, { code: 'author_blocked', detail: 'You have blocked them.' }];
  await run();
  assert.deepEqual(heard, ['You have blocked them.']);
  assert.equal(texts().at(-1), 'fine');
  const after = new Drafts(localStorage, 'later', 'clipfeed.conversations');
  assert.equal(after.restore('bob', 'bob'), 'refused\ntyped since');
  // Sent again unchanged, it is the message that it was.
  assert.deepEqual(after.send('bob', 1).parts.map(({ key }) => key), ['key-refused', 'later-1']);
  assert.equal(disk.rows.size, 0);
});

test('a text that nobody can take back stays', async () => {
  online = false;
  const { deliver, run } = await openPage();
  await deliver(message('refused'));
  online = true;
  answers['/conversations/bob/messages'] = () => [403, { detail: 'No.' }];
  const { setItem } = localStorage;
  localStorage.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };
  await run();
  assert.equal(disk.all[0].refused, 'No.');
  localStorage.setItem = setItem;
  await run();
  assert.equal(disk.rows.size, 0);
  assert.equal(asked.length, 1);
});

test('whoever has the draft at hand gets it', async () => {
  online = false;
  const { deliver, holdBook, run } = await openPage();
  await deliver(message('refused'));
  online = true;
  answers['/conversations/bob/messages'] = () => [403, { detail: 'No.' }];
  const taken = [];
  holdBook('clipfeed.conversations', (place, part) => { taken.push([place, part]); });
  await run();
  assert.deepEqual(taken, [['bob', { text: 'refused', key: 'key-refused' }]]);
});

test('nothing is sent as somebody else: an account waits for that person', async () => {
  here('ada');
  online = false;
  const { deliver, run, waiting } = await openPage();
  await deliver(message('of ada'));
  here('bob');
  online = true;
  assert.deepEqual(await waiting(), []);
  await run();
  forget();
  await run();
  assert.deepEqual([texts(), disk.rows.size], [[], 1]);
  here('ada');
  await run();
  assert.deepEqual([texts(), disk.rows.size], [['of ada'], 0]);
});

test('what a guest did is no account’s, and comes back', async () => {
  online = false;
  const { deliver, run } = await openPage();
  await deliver(message('of a guest'));
  here('ada');
  online = true;
  await run();
  assert.deepEqual([texts(), disk.rows.size], [[], 0]);
  assert.equal(new Drafts(localStorage, 'visit', 'clipfeed.conversations').restore('bob', 'bob'), 'of a guest');
});

test('whoever changes in the middle is not asked in whose name the rest goes', async () => {
  here('ada');
  online = false;
  const { deliver, run } = await openPage();
  for (const text of ['one', 'two']) await deliver(message(text));
  online = true;
  answers['/conversations/bob/messages'] = () => {
    here('bob');
    return [200, {}];
  };
  await run();
  assert.deepEqual([texts(), disk.all.map(({ body }) => body.text)], [['one'], ['two']]);
});

test('where guests may not do it any more, it comes back; an account whose session is over waits', async () => {
  online = false;
  const { deliver, run } = await openPage();
  await deliver(message('of a guest'));
  online = true;
  answers['/conversations/bob/messages'] = () => [401, { code: 'sign_in_needed', detail: 'Sign in to write.' }];
  await run();
  assert.equal(disk.rows.size, 0);
  assert.equal(new Drafts(localStorage, 'visit', 'clipfeed.conversations').restore('bob', 'bob'), 'of a guest');
  here('ada');
  online = false;
  await deliver(message('of ada'));
  online = true;
  await run();
  assert.equal(disk.all[0].refused, undefined);
  // Nobody tries again behind this test.
  forget();
  await run();
});

test('nothing waits for more than a week', async () => {
  online = false;
  const { deliver, run } = await openPage();
  await deliver(message('old'));
  const [row] = disk.all;
  disk.rows.set(row.number, { ...row, since: Date.now() - 8 * DAY_MS });
  online = true;
  await run();
  assert.deepEqual([texts(), disk.rows.size], [[], 0]);
  assert.equal(new Drafts(localStorage, 'visit', 'clipfeed.conversations').restore('bob', 'bob'), 'old');
});

// MARK: the worker

/** sync.js in a service worker in front of the same storage; `open`: pages that are there. */
function worker({ open = [], session = [401, {}], connection = {} } = {}) {
  const listeners = {};
  const self = {
    addEventListener: (name, listener) => { listeners[name] = listener; }, navigator: { connection },
    clients: { matchAll: async () => open }, location: new URL('https://clips.example'),
  };
  answers['/sessions/refresh'] = () => session;
  const context = { self, indexedDB, navigator: {}, fetch: (...given) => globalThis.fetch(...given), AbortSignal, DOMException, Response, URL, Error, Date, JSON, caches: globalThis.caches };
  vm.createContext(context);
  for (const file of ['../app/outbox/queue.js', '../sync.js']) {
    vm.runInContext(readFileSync(new URL(file, import.meta.url), 'utf8'), context);
    self.clipfeedQueue ??= context.clipfeedQueue;
  }
  return async (name, event) => {
    const waits = [];
    let answer;
    listeners[name]({ ...event, waitUntil: (work) => waits.push(work), respondWith: (work) => { answer = work; } });
    const ends = await Promise.allSettled(waits);
    return { isDone: ends.every(({ status }) => status === 'fulfilled'), answer: await answer };
  };
}
const SYNC = { tag: 'clipfeed-outbox' };

test('the worker sends what waits when no page is open, as whoever is signed in', async () => {
  here('ada');
  online = false;
  const { deliver } = await openPage();
  await deliver(message('of ada'));
  await deliver(like(true));
  online = true;
  assert.equal((await worker({ session: [200, { account: { id: 'eve' } }] })('sync', SYNC)).isDone, true);
  assert.deepEqual(texts(), ['POST /sessions/refresh']);
  asked = [];
  assert.equal((await worker({ session: [401, {}] })('sync', SYNC)).isDone, true);
  assert.deepEqual(texts(), ['POST /sessions/refresh']);
  asked = [];
  await worker({ session: [200, { account: { id: 'ada' } }] })('sync', SYNC);
  assert.deepEqual(asked.slice(1).map(({ path, key }) => [path, key]), [['/conversations/bob/messages', 'key-of ada'], ['/clips/one/like', undefined]]);
  assert.equal(disk.rows.size, 0);
});

test('the worker leaves it to a page that is open', async () => {
  online = false;
  const { deliver } = await openPage();
  await deliver(message('hello'));
  online = true;
  const told = [];
  await worker({ open: [{ postMessage: ({ kind }) => told.push(kind) }] })('sync', SYNC);
  assert.deepEqual([told, texts(), disk.rows.size], [['outbox'], [], 1]);
});

test('the worker asks the browser to come again, and leaves what is refused to the page', async () => {
  online = false;
  const { deliver, run } = await openPage();
  await deliver(message('hello'));
  online = true;
  answers['/conversations/bob/messages'] = () => [503, {}];
  assert.equal((await worker()('sync', SYNC)).isDone, false);
  answers['/conversations/bob/messages'] = () => [403, { detail: 'No.' }];
  assert.equal((await worker()('sync', SYNC)).isDone, true);
  assert.equal(disk.all[0].refused, 'No.');
  // It is not tried again.
  asked = [];
  await worker()('sync', SYNC);
  assert.deepEqual(texts(), []);
  await run();
  assert.equal(new Drafts(localStorage, 'visit', 'clipfeed.conversations').restore('bob', 'bob'), 'hello');
});

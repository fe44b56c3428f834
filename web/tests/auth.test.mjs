import assert from 'node:assert/strict';
import test, { beforeEach } from 'node:test';
import { openDoors, withDoors } from './doors.mjs';
import './pages.mjs';

const KEY = 'clipfeed.account';
const kept = new Map();
globalThis.localStorage = {
  getItem: (key) => kept.get(key) ?? null,
  setItem: (key, value) => kept.set(key, value),
  removeItem: (key) => kept.delete(key),
};

const ADA = { id: 'ada', handle: 'ada', name: 'Ada', role: 'member' };
const problem = (status, code, more = {}) => new Response(JSON.stringify({ code, detail: `${code}.`, ...more }), { status });
const session = (life = 600_000, clock = Date.now()) => Response.json(
  { id: 's', account: ADA, expires_at: new Date(clock + life).toISOString() },
  { status: 201, headers: { Date: new Date(clock).toUTCString() } });

const load = async (query) => Object.assign({}, ...await Promise.all(
  ['api/api.js', 'auth/auth.js', 'auth/entering.js'].map((name) => import(`../app/${name}?${query}`))));

// Each test has a page of its own.
let page = 0;
let me;
let asked;
let keys;
let answers;
beforeEach(async (context) => {
  kept.clear();
  page += 1;
  asked = [];
  keys = [];
  answers = {};
  context.mock.method(globalThis, 'fetch', withDoors(async (url, { method = 'GET', headers } = {}) => {
    const request = `${method} ${url.replace('/api/v1', '')}`;
    asked.push(request);
    keys.push(headers?.['Idempotency-Key']);
    return answers[request]?.() ?? Response.json({});
  }));
  me = await load(`page=${page}`);
  // Loads the machine.
  await me.freshen();
});

const signIn = (life) => {
  answers['POST /sessions'] = () => session(life);
  return me.enter('/sessions', { handle: 'ada', password: 'x' });
};

test('whoever signs in is known to the next page without a request', async () => {
  await signIn();
  assert.equal(me.signedIn().name, 'Ada');
  const next = await load(`page=${page}-next`);
  assert.equal(next.signedIn().handle, 'ada');
  assert.deepEqual(asked, ['POST /sessions']);
  // Nothing that opens anything is kept where scripts can read it.
  assert.deepEqual(Object.keys(JSON.parse(kept.get(KEY))).sort(), ['handle', 'id', 'name', 'session', 'until']);
});

test('where a code is asked for nobody is signed in before it', async () => {
  answers['POST /sessions'] = () => problem(401, 'second_step_needed', { challenge: 'ada.secret' });
  await assert.rejects(me.enter('/sessions', { handle: 'ada', password: 'x' }), { code: 'second_step_needed', challenge: 'ada.secret' });
  assert.equal(me.signedIn(), null);
  answers['POST /sessions/second-step'] = () => session();
  assert.equal((await me.enter('/sessions/second-step', { challenge: 'ada.secret', code: '123456' })).name, 'Ada');
  assert.equal(me.signedIn().handle, 'ada');
});

// Who could guess the key of a sign-up could have its answer, which is a session.
test('the key of a sign-up cannot be guessed, and is the same until there is an answer', async () => {
  answers['POST /accounts'] = () => { throw new TypeError('cut'); };
  await assert.rejects(me.enter('/accounts', { handle: 'ada' }));
  await assert.rejects(me.enter('/accounts', { handle: 'ada' }));
  answers['POST /accounts'] = () => session();
  await me.enter('/accounts', { handle: 'ada' });
  await me.enter('/accounts', { handle: 'ada' });
  assert.ok(keys.every((key) => /^[0-9a-f]{32}$/.test(key)), `${keys}`);
  assert.equal(new Set(keys.slice(0, 3)).size, 1);
  assert.notEqual(keys[3], keys[0]);
});

for (const damaged of ['{', 'null', '5', '{"id":5,"until":1}', '{"id":"a"}']) {
  test(`damaged storage counts as nobody: ${damaged}`, () => {
    kept.set(KEY, damaged);
    assert.equal(me.signedIn(), null);
  });
}

test('a device whose clock is wrong refreshes when it is time', async () => {
  answers['POST /sessions'] = () => session(600_000, Date.now() - 5 * 3_600_000);
  await me.enter('/sessions', {});
  const left = me.signedIn().until - Date.now();
  assert.ok(left > 590_000 && left < 602_000, `${left}`);
});

test('a token that is about to be over is renewed first, once for many requests', async () => {
  await signIn(1000);
  answers['POST /sessions/refresh'] = () => session();
  await Promise.all([me.request('/a'), me.request('/b', { method: 'PUT' }), me.request('/c')]);
  assert.deepEqual(asked.slice(1), ['POST /sessions/refresh', 'GET /a', 'PUT /b', 'GET /c']);
});

test('a token that is over for the server is renewed and the request made again, once', async () => {
  await signIn();
  const refusals = [problem(401, 'access_token_expired')];
  answers['PUT /clips/1/like'] = () => refusals.shift() ?? Response.json({ liked: true });
  answers['POST /sessions/refresh'] = () => session(900_000);
  assert.deepEqual(await me.request('/clips/1/like', { method: 'PUT' }), { liked: true });
  assert.deepEqual(asked.slice(1), ['PUT /clips/1/like', 'POST /sessions/refresh', 'PUT /clips/1/like']);
});

test('what another tab has renewed is not renewed again', async (context) => {
  await signIn(1000);
  // The other tab is in the middle of it, and holds the lock.
  let free;
  const held = new Promise((resolve) => { free = resolve; });
  const before = Object.getOwnPropertyDescriptor(globalThis, 'navigator') ?? { configurable: true, value: undefined };
  context.after(() => Object.defineProperty(globalThis, 'navigator', before));
  Object.defineProperty(globalThis, 'navigator', {
    configurable: true, value: { locks: { request: (_, __, act) => held.then(act) } },
  });
  const answer = me.request('/a');
  kept.set(KEY, JSON.stringify({ ...me.signedIn(), until: Date.now() + 600_000 }));
  free();
  await answer;
  assert.deepEqual(asked.slice(1), ['GET /a']);
});

test('a session that was ended elsewhere ends here, and nothing is done as a guest in its place', async () => {
  await signIn(1000);
  const heard = [];
  me.onChanged((isOther, isOver) => heard.push(isOther, isOver));
  answers['POST /sessions/refresh'] = () => problem(401, 'session_ended');
  await assert.rejects(me.request('/clips/1/like', { method: 'PUT' }), { code: 'session_ended', isOver: true });
  assert.equal(me.signedIn(), null);
  assert.deepEqual(heard, [true, true]);
  assert.deepEqual(asked.slice(1), ['POST /sessions/refresh']);
});

test('a server that cannot refresh now signs nobody out', async () => {
  await signIn(1000);
  answers['POST /sessions/refresh'] = () => problem(503, 'unavailable');
  await assert.rejects(me.request('/a'), { code: 'unavailable' });
  assert.equal(me.signedIn().handle, 'ada');
});

test('a refusal names its field, and how long to wait', async () => {
  answers['POST /accounts'] = () => problem(409, 'handle_taken', { field: 'handle' });
  await assert.rejects(me.enter('/accounts', {}), { code: 'handle_taken', field: 'handle', detail: 'handle_taken.', mayHaveArrived: false });
  answers['POST /sessions'] = () => new Response('<html>', { status: 429, headers: { 'Retry-After': '7' } });
  await assert.rejects(me.enter('/sessions', {}), { status: 429, retryAfter: 7, detail: /try again/ });
  answers['POST /sessions'] = () => { throw new TypeError('no network'); };
  await assert.rejects(me.enter('/sessions', {}), { code: 'network', mayHaveArrived: true });
  assert.equal(me.signedIn(), null);
});

test('the first thing that a guest leaves is left alone, so that one guest is made', async () => {
  let free;
  answers['PUT /clips/1/like'] = () => new Promise((resolve) => { free = () => resolve(Response.json({})); });
  const all = ['/clips/1/like', '/clips/1/bookmark', '/authors/1/follow'].map((path) => me.request(path, { method: 'PUT' }));
  await me.request('/account/likes');
  assert.deepEqual(asked, ['PUT /clips/1/like', 'GET /account/likes']);
  free();
  await Promise.all(all);
  assert.equal(asked.length, 4);
});

test('an upload that is begun is something left as well', async () => {
  const { create } = await import('../app/upload/server.js');
  await openDoors();
  let free;
  answers['POST /uploads'] = () => (free
    ? Response.json({ id: 'two', state: 'receiving' })
    : new Promise((resolve) => { free = () => resolve(Response.json({ id: 'one', state: 'receiving' })); }));
  const { signal } = new AbortController();
  const both = [create({}, 'key-1', signal), create({}, 'key-2', signal)];
  await new Promise((seen) => { setImmediate(seen); });
  assert.deepEqual(asked, ['POST /uploads']);
  free();
  assert.deepEqual((await Promise.all(both)).map(({ id }) => id), ['one', 'two']);
  assert.deepEqual(keys, ['key-1', 'key-2']);
});

test('signing out without an answer leaves the person signed in', async () => {
  await signIn();
  answers['DELETE /sessions/current'] = () => { throw new TypeError('no network'); };
  await assert.rejects(me.leave());
  assert.ok(me.signedIn());
  answers['DELETE /sessions/current'] = () => new Response(null, { status: 204 });
  await me.leave();
  assert.equal(me.signedIn(), null);
});

test('what is refused while somebody signs out is no session that ended by itself', async () => {
  await signIn();
  const heard = [];
  me.onChanged((isOther, isOver) => heard.push(isOver));
  let free;
  answers['DELETE /sessions/current'] = () => new Promise((answer) => { free = () => answer(new Response(null, { status: 204 })); });
  answers['GET /account'] = () => problem(401, 'session_ended');
  const leaving = me.leave();
  await assert.rejects(me.request('/account'), { isOver: true });
  free();
  await leaving;
  assert.deepEqual(heard, [false]);
});

test('another name is told, and as that of the same person', async () => {
  await signIn();
  const heard = [];
  me.onChanged((isOther) => heard.push(isOther));
  me.renew({ ...ADA, name: 'Ada L.' });
  me.renew({ ...ADA, name: 'Ada L.' });
  assert.deepEqual(heard, [false]);
  assert.equal(me.signedIn().name, 'Ada L.');
});

test('signing out everywhere ends it here too, and is said of nothing but an answer', async () => {
  await signIn();
  answers['DELETE /sessions'] = () => { throw new TypeError('no network'); };
  await assert.rejects(me.leaveEverywhere());
  assert.ok(me.signedIn());
  answers['DELETE /sessions'] = () => new Response(null, { status: 204 });
  await me.leaveEverywhere();
  assert.equal(me.signedIn(), null);
  assert.deepEqual(asked.slice(1), ['DELETE /sessions', 'DELETE /sessions']);
});

// Others may go on: a session that is over already ended none of them.
test('who is signed out already is not told that it was everywhere', async () => {
  await signIn();
  answers['DELETE /sessions'] = () => problem(401, 'session_ended');
  await assert.rejects(me.leaveEverywhere(), { isOver: true });
  assert.equal(me.signedIn(), null);
});

// What decides comes over the network as well.
test('a request waits for what decides, and that is asked for again if it did not come', async () => {
  const next = await load(`page=${page}-next`);
  const serve = globalThis.fetch;
  const waiting = [];
  globalThis.fetch = (url, options) => (url === '/activity.wasm'
    ? new Promise((resolve, reject) => { waiting.push({ resolve: () => resolve(serve(url)), reject }); }) : serve(url, options));
  try {
    const answers = [next.request('/a'), next.request('/b', { method: 'PUT' })];
    assert.equal(waiting.length, 1);
    waiting.pop().reject(new TypeError('cut'));
    for (const answer of answers) await assert.rejects(answer, { status: 0, code: 'network', mayHaveArrived: true });
    const again = next.request('/c');
    waiting.pop().resolve();
    await again;
    assert.deepEqual(asked, ['GET /c']);
  } finally {
    globalThis.fetch = serve;
  }
});

test('a guest who has to sign in for it is told so', async () => {
  answers['PUT /clips/1'] = () => problem(401, 'sign_in_needed');
  await assert.rejects(me.request('/clips/1', { method: 'PUT' }), { code: 'sign_in_needed', isOver: true });
  answers['PUT /clips/1'] = () => problem(401, 'wrong_password');
  await assert.rejects(me.request('/clips/1', { method: 'PUT' }), ({ isOver }) => !isOver);
});

test('where no turn is given, refreshing goes on without', async (context) => {
  await signIn(1000);
  const before = Object.getOwnPropertyDescriptor(globalThis, 'navigator') ?? { configurable: true, value: undefined };
  context.after(() => Object.defineProperty(globalThis, 'navigator', before));
  Object.defineProperty(globalThis, 'navigator', {
    configurable: true, value: { locks: { request: async () => { throw new DOMException('no', 'InvalidStateError'); } } },
  });
  answers['POST /sessions/refresh'] = () => session();
  await me.request('/a');
  assert.deepEqual(asked.slice(1), ['POST /sessions/refresh', 'GET /a']);
});

// A browser that suspends a tab does not end it: it keeps its locks.
test('where another tab keeps the turn, refreshing goes on without after a while', async (context) => {
  await signIn(1000);
  const patience = [];
  let end;
  context.mock.method(AbortSignal, 'timeout', (ms) => {
    patience.push(ms);
    end = new AbortController();
    return end.signal;
  });
  const before = Object.getOwnPropertyDescriptor(globalThis, 'navigator') ?? { configurable: true, value: undefined };
  context.after(() => Object.defineProperty(globalThis, 'navigator', before));
  Object.defineProperty(globalThis, 'navigator', { configurable: true, value: { locks: {
    request: (_, { signal }) => new Promise((__, reject) => { signal.addEventListener('abort', () => reject(signal.reason)); }),
  } } });
  answers['POST /sessions/refresh'] = () => session();
  const answer = me.request('/a');
  await new Promise(setImmediate);
  assert.deepEqual(asked.slice(1), []);
  assert.deepEqual(patience, [20_000]);
  end.abort(new DOMException('late', 'TimeoutError'));
  await answer;
  assert.deepEqual(asked.slice(1), ['POST /sessions/refresh', 'GET /a']);
});

// The feed takes no part in this: it may not be there yet.
test('what the next visit begins with goes with the account that it was told to, and a guest\'s stays', async (context) => {
  const deleted = [];
  globalThis.caches = { delete: async (name) => deleted.push(name) };
  context.after(() => delete globalThis.caches);
  const heard = [];
  me.onChanged((isOther, isOver, hasLeft) => heard.push(hasLeft));
  kept.set('clipfeed.feed', '{}');
  await signIn();
  me.renew({ ...ADA, name: 'Ada L.' });
  assert.ok(kept.has('clipfeed.feed'));
  assert.ok(!me.hasAnyoneLeft());
  await me.leave();
  assert.ok(!kept.has('clipfeed.feed'));
  assert.ok(me.hasAnyoneLeft());
  assert.deepEqual(deleted, ['clipfeed-ahead-1']);
  assert.deepEqual(heard, [false, false, true]);
});

// What one person wrote is not said in another's name.
test('what waits for a token is not sent by whoever signs in meanwhile', async () => {
  await signIn(1000);
  const answer = me.request('/clips/1/comments', { method: 'POST', body: {} });
  kept.set(KEY, JSON.stringify({ id: 'eve', until: Date.now() + 600_000 }));
  await assert.rejects(answer, { code: 'session_ended', isOver: true });
  assert.deepEqual(asked.slice(1), []);
  await me.request('/a');
  assert.deepEqual(asked.slice(1), ['GET /a']);
});

test('what goes by other means waits for a token, and for no more than that', async () => {
  await signIn(1000);
  answers['POST /sessions/refresh'] = () => problem(503, 'unavailable');
  await me.freshen();
  assert.deepEqual(asked.slice(1), ['POST /sessions/refresh']);
  answers['POST /sessions/refresh'] = () => session();
  await me.freshen();
  await me.freshen();
  assert.equal(asked.length, 3);
});

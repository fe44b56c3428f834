import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import test from 'node:test';
import { ACTIVITY, Activity, COMMANDS } from '../app/activity/activity.js';
import { COMMANDS as SIGN_IN_COMMANDS } from '../app/api/api.js';
import { begin, forget, onChanged } from '../app/auth/auth.js';
import { decode } from '../app/core/core.js';
import { loadDoors as load, openDoors } from './doors.mjs';
import { linesOf } from './trace.mjs';

const root = new URL('../../', import.meta.url);
const module = new WebAssembly.Module(readFileSync(new URL('web/activity.wasm', root)));
await openDoors();
const settled = () => new Promise((resolve) => { setImmediate(resolve); });

test('activity.wasm imports nothing', () => { assert.deepEqual(WebAssembly.Module.imports(module), []); });

const replay = (core, handle, table, golden) => golden.filter((line) => line.startsWith('event ')).flatMap((line) => {
  const [now, ...words] = line.split(' ').slice(1).map(BigInt);
  const address = core.activity_reserve(words.length);
  new BigInt64Array(core.memory.buffer, address, words.length).set(words);
  const count = handle(words.length, now);
  if (count < 0) return [line, 'malformed'];
  const rows = new BigInt64Array(core.memory.buffer, core.activity_commands(), count);
  for (const command of decode(rows, table)) assert.ok(Object.values(command).every((field) => field !== undefined));
  const commands = [];
  for (let at = 0; at < count; at += 2 + Number(rows[at + 1])) {
    commands.push(`command ${rows.slice(at, at + 2 + Number(rows[at + 1])).join(' ')}`);
  }
  return [line, ...commands];
});

for (const [folder, door, table] of [['activity', 'activity_handle', COMMANDS], ['sign-in', 'sign_in_handle', SIGN_IN_COMMANDS]]) {
  const traces = new URL(`fixtures/${folder}/`, root);
  for (const name of readdirSync(traces)) {
    test(`${folder}/${name} gives the same commands as native Swift`, () => {
      const golden = linesOf(readFileSync(new URL(name, traces), 'utf8'));
      const core = load();
      assert.deepEqual(replay(core, core[door], table, golden), golden);
    });
  }
}

test('the two machines of one module do not hear of each other', () => {
  const core = load();
  const golden = (path) => linesOf(readFileSync(new URL(`fixtures/${path}.trace`, root), 'utf8'));
  const [toggles, guest] = [golden('activity/toggles'), golden('sign-in/guest')];
  assert.deepEqual(replay(core, core.activity_handle, COMMANDS, toggles), toggles);
  assert.deepEqual(replay(core, core.sign_in_handle, SIGN_IN_COMMANDS, guest), guest);
});

test('a refused buffer leaves it as it was', () => {
  const core = load();
  assert.equal(core.activity_reserve(-1), 0);
  assert.equal(core.activity_reserve(17), 0);
  assert.equal(core.activity_handle(5, 0n), -1);
  assert.equal(core.sign_in_handle(5, 0n), -1);
});

/** An activity of a page that shows one clip, at 1 s of its clock, and a server that answers as `answer` says. */
function bench(t, answer = () => Response.json({ accepted: 1 })) {
  const sent = [];
  const beacons = [];
  t.mock.method(globalThis, 'fetch', async (url, { method, body }) => {
    sent.push({ url, method, body: body && JSON.parse(body) });
    return answer(sent.length);
  });
  globalThis.navigator ??= {};
  navigator.sendBeacon = (url, body) => beacons.push({ url, body: JSON.parse(body) });
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let now = 1000;
  t.mock.method(performance, 'now', () => now);
  const activity = new Activity(load());
  activity.describeWith((item) => ({ clip_id: `clip ${item}`, source: 'feed' }));
  const wait = async (ms) => {
    now += ms;
    t.mock.timers.tick(ms);
    await settled();
  };
  return { activity, sent, beacons, wait };
}

test('what was watched goes as the server takes it, and again under its ids until it is answered', async (t) => {
  const { activity, sent, wait } = bench(t, (count) => new Response(null, { status: count === 1 ? 503 : 204 }));
  activity.report(ACTIVITY.clipShown, 3, 5000, -1);
  await wait(80.4);
  activity.report(ACTIVITY.playing);
  await wait(10_000);
  activity.report(ACTIVITY.clipShown, 4, 5000, -1);
  await wait(30_000);
  const [first, second] = sent.map(({ url, method, body }) => {
    assert.deepEqual([url, method], ['/api/v1/events', 'POST']);
    assert.ok(Math.abs(body.sent_at_ms - Date.now()) < 60_000);
    return body.events;
  });
  assert.deepEqual(first.map(({ id, ...event }) => event), [
    { kind: 'impression', at_ms: Math.round(performance.timeOrigin + 1000), position: 0, clip_id: 'clip 3', source: 'feed' },
    { kind: 'first_frame', at_ms: Math.round(performance.timeOrigin + 1080), position: 0, clip_id: 'clip 3', source: 'feed',
      took_ms: 80 }]);
  assert.deepEqual(second.slice(0, 2), first);
  assert.deepEqual(second.slice(2).map(({ kind, position, watched_ms: watched }) => [kind, position, watched]),
    [['skip', 0, 0], ['impression', 1, undefined]]);
  assert.ok(second.every(({ id }) => /^[0-9a-f]{32}$/.test(id)) && new Set(second.map(({ id }) => id)).size === 4);
  await wait(400_000);
  assert.equal(sent.length, 2);
});

test('what the server will never take is not sent for ever', async (t) => {
  const { activity, sent, beacons, wait } = bench(t, () => Response.json({ code: 'validation_failed' }, { status: 400 }));
  activity.report(ACTIVITY.clipShown, 3, 5000, -1);
  await wait(10_000);
  await wait(400_000);
  assert.equal(sent.length, 1);
  activity.report(ACTIVITY.pageHidden);
  assert.equal(beacons.length, 0);
});

test('a page that goes sends what it has', async (t) => {
  const { activity, beacons } = bench(t);
  activity.report(ACTIVITY.pageHidden);
  activity.report(ACTIVITY.clipShown, 3, 5000, 200);
  activity.report(ACTIVITY.pageHidden);
  assert.deepEqual(beacons.map(({ url, body }) => [url, body.events.map(({ kind }) => kind)]), [['/api/v1/events', ['impression']]]);
});

/** Somebody signs in, or (without a name) out. */
const become = (name) => (name
  ? begin({ id: `session of ${name}`, account: { id: name, handle: name, name }, expires_at: new Date(Date.now() + 600_000).toISOString() },
    new Response())
  : forget());
let watching = null;
onChanged((isOther, isOver, hasLeft) => watching?.changeViewer(hasLeft));

for (const [before, after, isSent] of [['ada', null, false], ['ada', 'bob', false], [null, 'ada', true]]) {
  test(`what ${before ?? 'a guest'} watched is ${isSent ? '' : 'not '}sent as ${after ?? 'a guest'}`, async (t) => {
    t.after(() => {
      watching = null;
      become(null);
    });
    become(before);
    const { activity, sent, beacons, wait } = bench(t, () => new Response(null, { status: 503 }));
    watching = activity;
    activity.report(ACTIVITY.clipShown, 3, 5000, -1);
    await wait(10_000);
    const idsOf = (body) => body.events.map(({ id }) => id);
    const first = idsOf(sent[0].body);
    become(after);
    activity.report(ACTIVITY.pageHidden);
    assert.deepEqual(beacons.map(({ body }) => idsOf(body)), isSent ? [first] : []);
    await wait(30_000);
    assert.deepEqual(sent.slice(1).map(({ body }) => idsOf(body)), isSent ? [first] : []);
    // What they watch themselves is sent.
    activity.report(ACTIVITY.clipShown, 4, 5000, -1);
    await wait(60_000);
    assert.deepEqual(sent.at(-1).body.events.map(({ kind }) => kind), [...(isSent ? ['impression'] : []), 'skip', 'impression']);
  });
}

/** Toggles over a server that answers when a test says so. */
function toggles() {
  const activity = new Activity(load());
  const [requests, outcomes] = [[], []];
  const handlers = {
    send: (on) => new Promise((resolve, reject) => { requests.push({ on, resolve, reject }); }),
    confirm: (on, answer) => outcomes.push(['confirm', on, answer]),
    revert: (on, error) => outcomes.push(['revert', on, error.status]),
  };
  return {
    activity, outcomes,
    turn: (on, known, name = 'like a') => activity.toggle(name, on, known, handlers),
    wanted: () => requests.map(({ on }) => on),
    answer: async (answer) => { requests.shift().resolve(answer); await settled(); },
    fail: async (status) => { requests.shift().reject(Object.assign(new Error('no'), { status })); await settled(); },
  };
}

test('quick taps show at once, send one request at a time, and take the counts of the last', async () => {
  const { activity, turn, wanted, answer, outcomes } = toggles();
  assert.equal(activity.isOn('like a'), undefined);
  for (const on of [true, false, true, false]) {
    turn(on, !on);
    assert.equal(activity.isOn('like a'), on);
  }
  assert.deepEqual(wanted(), [true]);
  await answer({ likes: 1 });
  assert.deepEqual(wanted(), [false]);
  await answer({ likes: 0 });
  assert.deepEqual([wanted(), outcomes], [[], [['confirm', false, { likes: 0 }]]]);
});

test('what fails is taken back and said, with what came of it', async () => {
  const { activity, turn, fail, outcomes } = toggles();
  turn(true, false);
  turn(true, false, 'follow b');
  await fail(404);
  assert.deepEqual([activity.isOn('like a'), activity.isOn('follow b')], [false, true]);
  await fail(undefined);
  assert.deepEqual(outcomes, [['revert', false, 404], ['revert', false, undefined]]);
});

test('once somebody else is signed in, old answers are not heard', async () => {
  const { activity, turn, answer, fail, outcomes, wanted } = toggles();
  turn(true, false);
  activity.changeViewer(true);
  assert.equal(activity.isOn('like a'), undefined);
  turn(true, false);
  assert.deepEqual(wanted(), [true, true]);
  await fail(500);
  await answer({ likes: 5 });
  assert.deepEqual([outcomes, activity.isOn('like a')], [[['confirm', true, { likes: 5 }]], true]);
});

test('what waits from an earlier visit shows as it was turned, and can be turned back', async () => {
  const { activity, turn, wanted, answer, outcomes } = toggles();
  activity.recall('like a', true);
  assert.deepEqual([activity.isOn('like a'), wanted()], [true, []]);
  turn(false, activity.isOn('like a'));
  // What was turned since is newer.
  activity.recall('like a', true);
  assert.equal(activity.isOn('like a'), false);
  await answer({ likes: 0 });
  assert.deepEqual(outcomes, [['confirm', false, { likes: 0 }]]);
});

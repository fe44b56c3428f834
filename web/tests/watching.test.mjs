import assert from 'node:assert/strict';
import test from 'node:test';
import { Outbox } from '../app/watching/outbox.js';
import { Visit } from '../app/watching/visit.js';

/** A visit of a clip of that length, and what it told: `[kind, at, took or watched]`. */
function bench({ duration = 5000, watched = null } = {}) {
  const told = [];
  const visit = new Visit({ duration, began: 100, watched,
    tell: (kind, at, { took_ms: took, watched_ms: watched }) => told.push([kind, at, took ?? watched]) });
  /** Plays on for so long, in steps as a browser reports them. */
  let [place, now] = [0, 100];
  const play = (ms) => {
    for (let gone = 0; gone < ms; gone += 250) {
      visit.moved(place += 250, now += 250);
    }
  };
  visit.moved(0, 100);
  return { told, visit, play, at: () => now };
}

test('a clip that somebody leaves at once was come upon and skipped', () => {
  const { told, visit } = bench();
  visit.started(180);
  visit.ended(700);
  assert.deepEqual(told, [['impression', 100, undefined], ['first_frame', 180, 80], ['skip', 700, 0]]);
});

test('what moved before anybody looked counts as well', () => {
  const { told, play } = bench({ watched: 1500 });
  play(500);
  assert.deepEqual(told.slice(1), [['progress', 600, 2000]]);
});

test('two seconds are told as soon as they are over, and after that now and then', () => {
  const { told, play } = bench({ duration: 60_000, watched: 0 });
  play(1750);
  assert.equal(told.length, 1);
  play(20_250);
  assert.deepEqual(told.slice(1).map(([kind, , watched]) => [kind, watched]), [['progress', 2000], ['progress', 12_000], ['progress', 22_000]]);
});

test('the end is told once, each new beginning too, and who stays to the end has not skipped', () => {
  const { told, visit, play, at } = bench({ watched: 0 });
  play(10_250);
  visit.ended(at());
  assert.deepEqual(told.slice(1).map(([kind, , watched]) => [kind, watched]),
    [['progress', 2000], ['completion', 5000], ['loop', 5000], ['loop', 10_000]]);
});

test('what was jumped over was not watched', () => {
  const { told, visit } = bench({ watched: 0 });
  visit.moved(4000, 200);
  visit.moved(1000, 300);
  visit.ended(400);
  assert.deepEqual(told.at(-1), ['skip', 400, 0]);
});

test('a picture that stands is a stall, unless somebody paused it or nothing was shown yet', () => {
  const { told, visit } = bench();
  visit.stalled(150);
  visit.started(300);
  visit.stalled(1000);
  visit.stalled(1200);
  visit.started(1600);
  visit.stalled(2000);
  visit.paused();
  visit.started(9000);
  assert.deepEqual(told.slice(1), [['first_frame', 300, 200], ['stall', 1600, 600]]);
});

test('a device that slept did not stall', () => {
  const { told, visit } = bench({ watched: 0 });
  visit.stalled(1000);
  visit.started(400_000);
  assert.equal(told.length, 1);
});

const settled = () => new Promise((resolve) => { setImmediate(resolve); });

test('events go in one batch, and again under their ids until they are answered for', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const sent = [];
  let fails = true;
  const outbox = new Outbox({ clock: () => 7, beacon() {}, async send(body) {
    sent.push(body);
    if (fails) throw Object.assign(new Error('no'), { status: 503 });
  } });
  outbox.add({ id: 'one' });
  outbox.add({ id: 'two' });
  context.mock.timers.tick(10_000);
  await settled();
  fails = false;
  outbox.add({ id: 'three' });
  context.mock.timers.tick(20_000);
  await settled();
  assert.deepEqual(sent.map(({ sent_at_ms: at, events }) => [at, events.map(({ id }) => id)]), [
    [7, ['one', 'two']], [7, ['one', 'two', 'three']]]);
  assert.equal(outbox.size, 0);
  context.mock.timers.tick(400_000);
  assert.equal(sent.length, 2);
});

test('what the server will never take is not sent for ever', async () => {
  const outbox = new Outbox({ beacon() {}, async send() { throw Object.assign(new Error('no'), { status: 400 }); } });
  outbox.add({ id: 'one' });
  await outbox.flush();
  assert.equal(outbox.size, 0);
});

test('a page that goes sends what it has, and a page that comes back sends it again', async () => {
  const [beacons, sent] = [[], []];
  const outbox = new Outbox({ beacon: (body) => beacons.push(body), async send(body) { sent.push(body); } });
  outbox.leave();
  outbox.add({ id: 'one' });
  outbox.leave();
  await outbox.flush();
  assert.equal(beacons.length, 1);
  assert.deepEqual([beacons, sent].map(([{ events }]) => events), [[{ id: 'one' }], [{ id: 'one' }]]);
});

test('of a long time without a network the oldest are dropped', async () => {
  const sent = [];
  const outbox = new Outbox({ beacon() {}, async send({ events }) { sent.push(...events); } });
  for (let id = 0; id < 500; id += 1) outbox.add({ id });
  while (outbox.size) await outbox.flush();
  assert.deepEqual([sent[0].id, sent.length], [100, 400]);
});

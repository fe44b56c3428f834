import assert from 'node:assert/strict';
import test from 'node:test';
import { deviceOf } from '../app/access/words.js';
import { sentenceOf } from '../app/live/live.js';
import { Wishes } from '../app/social/wishes.js';

/** Wishes over a server that answers when it is told to; `state` is what the server holds. */
function bench() {
  const bench = { state: {}, requests: [], answers: [], failures: [] };
  bench.wishes = new Wishes({
    send: (name, on) => new Promise((resolve, reject) => {
      bench.requests.push({
        name, on,
        answer: () => { bench.state[name] = on; resolve({ on }); },
        lose: () => { bench.state[name] = on; reject(Object.assign(new Error('lost'), { mayHaveArrived: true })); },
        refuse: () => reject(Object.assign(new Error('refused'), { mayHaveArrived: false })),
      });
    }),
    answered: (name, on) => bench.answers.push([name, on]),
    failed: (name, on) => bench.failures.push([name, on]),
  });
  bench.next = (act) => { bench.requests.shift()[act](); };
  return bench;
}

const settled = () => new Promise((resolve) => { setImmediate(resolve); });

test('quick taps send one request at a time and settle on the last wish', async () => {
  const { wishes, requests, state, answers, next } = bench();
  const done = wishes.wish('like a', true, false);
  for (const on of [false, true, false, true, false]) wishes.wish('like a', on, false);
  assert.deepEqual(requests.map(({ on }) => on), [true]);
  next('answer');
  await settled();
  assert.deepEqual(requests.map(({ on }) => on), [false]);
  next('answer');
  await done;
  assert.equal(state['like a'], false);
  assert.equal(wishes.get('like a'), false);
  // What was counted on the way there was over when it came.
  assert.deepEqual(answers, [['like a', false]]);
});

test('taps that come back to where they began ask for nothing more', async () => {
  const { wishes, requests, next } = bench();
  const done = wishes.wish('like a', true, false);
  wishes.wish('like a', false, false);
  wishes.wish('like a', true, false);
  next('answer');
  await done;
  assert.equal(requests.length, 0);
});

test('different things do not wait for each other', () => {
  const { wishes, requests } = bench();
  wishes.wish('like a', true, false);
  wishes.wish('bookmark a', true, false);
  assert.equal(requests.length, 2);
});

test('what is refused is taken back and told once', async () => {
  const { wishes, failures, next } = bench();
  const done = wishes.wish('like a', true, false);
  next('refuse');
  await done;
  assert.equal(wishes.get('like a'), false);
  assert.deepEqual(failures, [['like a', false]]);
});

test('a wish that fails after it was taken back is nobody\'s trouble', async () => {
  const { wishes, requests, failures, next } = bench();
  const done = wishes.wish('like a', true, false);
  wishes.wish('like a', false, false);
  next('refuse');
  await done;
  assert.equal(requests.length, 0);
  assert.deepEqual(failures, []);
});

test('where an answer got lost, taking the wish back is sent all the same', async () => {
  const { wishes, state, requests, next } = bench();
  let done = wishes.wish('like a', true, false);
  next('lose');
  await done;
  assert.equal(wishes.get('like a'), false);
  done = wishes.wish('like a', true, false);
  next('lose');
  await done;
  assert.equal(state['like a'], true);
  done = wishes.wish('like a', false, false);
  assert.deepEqual(requests.map(({ on }) => on), [false]);
  next('answer');
  await done;
  assert.equal(state['like a'], false);
});

test('a wish that was answered before can be taken back later', async () => {
  const { wishes, state, next } = bench();
  let done = wishes.wish('like a', true, false);
  next('answer');
  await done;
  done = wishes.wish('like a', false, true);
  next('answer');
  await done;
  assert.equal(state['like a'], false);
});

test('once somebody else wishes, old answers are not heard', async () => {
  const { wishes, answers, failures, next } = bench();
  const done = wishes.wish('like a', true, false);
  wishes.clear();
  next('answer');
  await done;
  const other = wishes.wish('like b', true, false);
  wishes.clear();
  next('refuse');
  await other;
  assert.deepEqual([answers, failures], [[], []]);
});

for (const [client, device] of [
  ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0 Safari/537.36', 'Chrome on Linux'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0 Safari/537.36 Edg/120.0', 'Edge on Windows'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1 Version/17.0 Mobile/15E148 Safari/604.1', 'Safari on iPhone'],
  ['Mozilla/5.0 (Android 14; Mobile; rv:120.0) Gecko/120.0 Firefox/120.0', 'Firefox on Android'],
  ['clipfeed-ios/1.0', 'clipfeed-ios/1.0'],
  ['  ', 'Unknown device'],
]) {
  test(`a session is called ${device}`, () => { assert.equal(deviceOf(client), device); });
}

for (const [events, sentence] of [
  [[['like', 'Ada']], 'Ada likes your clip.'],
  [[['like', 'Ada'], ['like', 'Bob']], 'Ada and Bob like your clips.'],
  [[['like', 'Ada'], ['like', 'Ada'], ['like', 'Bob']], 'Ada and 2 more like your clips.'],
  [[['like'], ['follow', 'Ada']], 'Somebody likes your clip. Ada follows you.'],
  [[['dance', 'Ada']], ''],
]) {
  test(`a moment's events are one notice: ${sentence}`, () => {
    assert.equal(sentenceOf(events.map(([kind, name]) => ({ kind, ...(name && { actor: { name } }) }))), sentence);
  });
}

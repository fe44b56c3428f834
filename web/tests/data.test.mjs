import assert from 'node:assert/strict';
import test from 'node:test';
import { isUnderWay, sentenceOf, sizeOf } from '../app/data/words.js';

test('a size has one digit behind the point as long as that says something', () => {
  assert.equal(sizeOf(0), '0 bytes');
  assert.equal(sizeOf(999), '999 bytes');
  assert.equal(sizeOf(1000), '1.0 kB');
  assert.equal(sizeOf(1_440_000), '1.4 MB');
  assert.equal(sizeOf(123_456_789), '123 MB');
  assert.equal(sizeOf(5e15), '5000 TB');
});

test('how far an archive is, is said with what is left where that is known', () => {
  assert.match(sentenceOf({ state: 'waiting', permille: 0 }), /^Waiting/);
  assert.equal(sentenceOf({ state: 'working', permille: 428 }), '42% is put together. You can leave this page.');
  assert.equal(sentenceOf({ state: 'working', permille: 428, remaining_ms: 11_200 }), '42% is put together, 12 s left. You can leave this page.');
  assert.equal(sentenceOf({ state: 'working', permille: 428, remaining_ms: 61_000 }), '42% is put together, 2 min left. You can leave this page.');
});

test('what is ready is told by its size and what is in it', () => {
  const ready = { state: 'ready', permille: 1000, size_bytes: 2_500_000, records: 1200, files: 1, expires_at: '2026-12-04T12:00:00Z' };
  assert.equal(sentenceOf(ready), '2.5 MB with 1,200 entries and 1 file. It can be downloaded until Dec 4, 2026.');
});

test('what went wrong is said in our words, whatever the code is', () => {
  assert.match(sentenceOf({ state: 'failed', problem: 'storage_full' }), /no room/);
  for (const problem of [undefined, 'export_failed', 'constructor']) assert.match(sentenceOf({ state: 'failed', problem }), /^It could not/);
});

test('only what is waiting or worked on is under way', () => {
  assert.deepEqual(['waiting', 'working', 'ready', 'failed'].map((state) => isUnderWay({ state })), [true, true, false, false]);
});

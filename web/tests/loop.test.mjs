import assert from 'node:assert/strict';
import test from 'node:test';
import {
  bufferedAhead, positionAt, rangeAt, segmentAt, segmentStarts, timelineTime, turnAt,
} from '../app/playback/source-buffer.js';

const ranges = (...pairs) => ({
  length: pairs.length, start: (i) => pairs[i][0], end: (i) => pairs[i][1],
});

test('a place on the timeline is a turn and a place in the clip', () => {
  assert.equal(turnAt(0, 8000), 0);
  assert.equal(turnAt(7.9, 8000), 0);
  assert.equal(turnAt(16.25, 8000), 2);
  assert.equal(positionAt(16.25, 8000), 250);
  assert.equal(positionAt(8, 8000), 0);
});

test('a rounding error in front of the seam is the seam', () => {
  const duration = 8333;
  for (let turn = 1; turn < 500; turn += 1) {
    const seam = (turn * duration) / 1000;
    assert.equal(turnAt(seam, duration), turn);
    assert.equal(positionAt(seam, duration), 0);
    assert.equal(positionAt(seam - 0.0005, duration), 0);
  }
});

test('a seek stays within its turn', () => {
  assert.equal(timelineTime(3, 500, 8000), 24.5);
  assert.equal(timelineTime(3, 8000, 8000), 31.95);
  assert.equal(timelineTime(3, -20, 8000), 24);
  assert.equal(turnAt(timelineTime(3, 99999, 8000), 8000), 3);
});

test('each position lies in one segment', () => {
  const starts = segmentStarts([{ duration_ms: 1000 }, { duration_ms: 2000 }, { duration_ms: 700 }]);
  assert.deepEqual(starts, [0, 1000, 3000, 3700]);
  assert.deepEqual([0, 999, 1000, 2999, 3000, 3699, 5000].map((p) => segmentAt(starts, p)), [0, 0, 1, 1, 2, 2, 2]);
});

test('buffered time counts from the playhead to the end of its range', () => {
  const buffered = ranges([0.02, 3], [5, 9]);
  assert.equal(bufferedAhead(buffered, 0), 2.98);
  assert.equal(bufferedAhead(buffered, 6), 3);
  assert.equal(bufferedAhead(buffered, 3.5), 0);
  assert.deepEqual(rangeAt(buffered, 4.8, 0.25), [5, 9]);
  assert.equal(rangeAt(buffered, 4.8), null);
});

// Hosts out of their minds, through core.wasm: no trap, bounded answers, the invariants hold, memory
// does not grow. The same natively: core/Tests/SessionTests/FuzzTests.swift.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVENT } from '../app/core/core.js';
import { Door, Watch } from './host.mjs';

const SEQUENCES = 10_000;
const EVENTS = 30;
const MOST_BYTES = 1 << 20;
const ENDS = [2n ** 63n - 1n, -(2n ** 63n), 0n, -1n];

/** mulberry32 (Tommy Ettinger, public domain): random numbers that a seed repeats. */
function generator(seed) {
  let state = seed >>> 0;
  return (bound) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let word = Math.imul(state ^ (state >>> 15), state | 1);
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61);
    return ((word ^ (word >>> 14)) >>> 0) % bound;
  };
}

const hostile = (random, magnitude) => (random(5) === 0
  ? ENDS[random(ENDS.length)] : BigInt(random(magnitude * 2 + 1) - magnitude));

const clamp = (time) => (time > ENDS[0] ? ENDS[0] : time < ENDS[1] ? ENDS[1] : time);

function nextTime(time, random) {
  const kind = random(12);
  if (kind < 2) return ENDS[kind];
  if (kind === 2) return BigInt(random(100_000));
  if (kind < 5) return time;
  if (kind === 5) return clamp(time - BigInt(random(10_000_000)));
  return clamp(time + BigInt(random(3_000)));
}

/** Sound clips, and such with zero sizes, gaps, overlaps, one rendition, a thousand segments. */
function clipRow(random) {
  const kind = [2, 2, 2, 6, 7][random(5)];
  const segments = random(200) === 0 ? 1_000 + random(1_100) : random(5);
  const renditions = random(4);
  const row = kind === 6 ? [kind, random(8)] : [kind];
  row.push(random(12), 200 * Math.max(1, segments), renditions);
  for (let rendition = 0; rendition < renditions; rendition += 1) {
    row.push(360 + 180 * rendition, 600_000, 500_000 * (rendition + 1), 0, 800, segments);
    let offset = 800;
    for (let segment = 0; segment < segments; segment += 1) {
      const size = random(20) === 0 ? 0 : 1 + random(90_000);
      row.push(offset, size, 200);
      offset += size + (random(10 * segments) === 0 ? random(900) - 300 : 0);
    }
  }
  const words = BigInt64Array.from(row, BigInt);
  if (random(6) === 0) words[random(words.length)] = hostile(random, 100);
  return words;
}

function randomRow(random) {
  const kind = random(8);
  if (kind < 2) return clipRow(random);
  if (kind === 2) {
    const rows = [[1, 3, 0, 1, 0, 0, 0], [15, 1], [15, -1], [50], [3, 1]];
    return BigInt64Array.from(rows[random(rows.length)], BigInt);
  }
  if (kind < 5) {
    const row = [20 + random(8), random(3), random(6)].map(BigInt);
    return BigInt64Array.from(random(4) === 0 ? [...row, hostile(random, 5_000)] : row);
  }
  const words = [BigInt(random(Math.max(...Object.values(EVENT)) + 4))];
  for (let left = random(6); left > 0; left -= 1) {
    words.push(random(3) === 0 ? hostile(random, 2_000) : BigInt(random(8)));
  }
  return BigInt64Array.from(words);
}

test(`${SEQUENCES} sequences of random words neither trap the core nor make it grow`, () => {
  const door = new Door();
  for (let seed = 1; seed <= SEQUENCES; seed += 1) {
    const random = generator(seed);
    const watch = new Watch();
    let time = 0n;
    door.core.session_reset();
    for (let event = 0; event < EVENTS; event += 1) {
      time = nextTime(time, random);
      const row = randomRow(random);
      const commands = door.handle(time, row);
      if (!commands) continue;
      if (row[0] === 31n || row[0] === 32n) watch.requests.delete(row[1]);
      watch.note(commands, time);
    }
    assert.deepEqual(watch.broken, [], `seed ${seed}`);
  }
  // Four bytes lost at each event would be more.
  assert.ok(door.bytes <= MOST_BYTES, `${door.bytes} bytes of memory`);
});

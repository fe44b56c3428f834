// The machines of studio.wasm: the same traces as through native Swift (core/Tests/StudioWireTests)
// give the same commands, tables and refusals, and no row of words harms them.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { numbersOf } from '../app/core/core.js';
import { COMMANDS, RECORDING } from '../app/studio/wire.js';
import { linesOf } from './trace.mjs';

const root = new URL('../../', import.meta.url);
const traces = new URL('fixtures/studio/', root);
const module = new WebAssembly.Module(readFileSync(new URL('web/studio.wasm', root)));
const description = readFileSync(new URL('docs/design/studio.md', root), 'utf8');
const load = () => new WebAssembly.Instance(module, {}).exports;

const EDGE = 33;
const ENTRIES = EDGE ** 3;
const golden = (name) => linesOf(readFileSync(new URL(name, traces), 'utf8'));

/** Sends a row through a door: its command rows as arrays of words, or null if it is malformed. */
function call(studio, door, now, words) {
  const address = studio.studio_reserve(words.length);
  assert.notEqual(address, 0);
  new BigInt64Array(studio.memory.buffer, address, words.length).set(words);
  const count = studio[`${door}_handle`](words.length, now);
  if (count < 0) return null;
  const answer = new BigInt64Array(studio.memory.buffer, studio.studio_commands(), count).slice();
  const rows = [];
  for (let at = 0; at < answer.length;) {
    const end = at + 2 + Number(answer[at + 1]);
    assert.ok(end <= answer.length, 'a command is longer than its words');
    rows.push(answer.slice(at, end));
    at = end;
  }
  return rows;
}

/** The rows of the table under a heading: `{kind, name, fields}`. */
function table(heading) {
  const section = description.split(/^## /m).find((part) => part.startsWith(heading));
  return [...section.matchAll(/^\| (\d+) \| `(\w+)` \| ([^|]*) \|/gm)]
    .map(([, kind, name, fields]) => ({ kind: BigInt(kind), name, fields: fields.trim() }));
}

const fieldCount = (fields) => (/^(–|)$/.test(fields) ? 0
  : fields.replace(/\([^)]*\)/g, '').split(',').length);

test('studio.wasm imports nothing', () => {
  assert.deepEqual(WebAssembly.Module.imports(module), []);
});

test('the exports are those of the interface description', () => {
  const named = [...description.matchAll(/^\| `(\w+)(?:\(.*?)?` \| /gm)].map(([, name]) => name);
  const present = WebAssembly.Module.exports(module).map(({ name }) => name);
  assert.deepEqual([...named].sort(), [...present].sort());
});

for (const name of readdirSync(traces).filter((file) => file !== 'looks.trace')) {
  test(`${name} gives the same commands as native Swift`, () => {
    const studio = load();
    const door = name.split('-')[0];
    const lines = golden(name);
    const replayed = lines.filter((line) => line.startsWith('event ')).flatMap((line) => {
      const [now, ...words] = line.split(' ').slice(1).map(BigInt);
      const rows = call(studio, door, now, words);
      return [line, ...(rows ? rows.map((row) => `command ${row.join(' ')}`) : ['malformed'])];
    });
    assert.deepEqual(replayed, lines);
  });
}

test('the looks give the same tables as native Swift', () => {
  const studio = load();
  for (const line of golden('looks.trace')) {
    const [, look, strength, wordHash, byteHash] = line.split(' ');
    const words = studio.look_words(Number(look), Number(strength));
    assert.equal(hash(new Uint16Array(studio.memory.buffer, words, ENTRIES * 4)), wordHash, line);
    const bytes = studio.look_bytes(Number(look), Number(strength));
    assert.equal(hash(new Uint8Array(studio.memory.buffer, bytes, ENTRIES * 4)), byteHash, line);
  }
  assert.equal(studio.look_words(-1, 100), 0);
  assert.equal(studio.look_bytes(18, 100), 0);
});

/** FNV-1a of 64 bits over numbers, as two halves of 32 bits: big integers would take a minute. */
function hash(numbers) {
  let high = 0xcbf29ce4;
  let low = 0x84222325;
  for (const number of numbers) {
    low = (low ^ number) >>> 0;
    // Times 2^40 + 0x1b3.
    const product = low * 0x1b3;
    high = (Math.imul(high, 0x1b3) + Math.floor(product / 2 ** 32) + (low << 8)) >>> 0;
    low = product >>> 0;
  }
  return ((BigInt(high) << 32n) | BigInt(low)).toString(16);
}

test('plain is the identity, red fastest', () => {
  const studio = load();
  const address = studio.look_words(0, 100);
  const words = new Uint16Array(studio.memory.buffer, address, ENTRIES * 4);
  for (const [r, g, b] of [[0, 0, 0], [32, 0, 0], [0, 32, 0], [0, 0, 32], [5, 17, 30]]) {
    const at = 4 * (r + EDGE * (g + EDGE * b));
    assert.deepEqual([...words.slice(at, at + 4)], [r * 2040, g * 2040, b * 2040, 65280]);
  }
});

for (const door of ['composer', 'recording']) {
  const heading = door[0].toUpperCase() + door.slice(1);

  test(`${door}: an event has the fields that the interface description says`, () => {
    for (const { kind, name, fields } of table(`${heading} events`)) {
      const count = name === 'restored' ? 2 : fieldCount(fields);
      // 1 is a handle, a flag, a reason, an amount; a list of one clip would need more behind it.
      const row = [kind, ...Array(count).fill(name === 'restored' ? 0n : 1n)];
      assert.ok(call(load(), door, 0n, row), `${name} with ${count} fields`);
      assert.equal(call(load(), door, 0n, [...row, 1n]), null, `${name} with one more`);
      if (count) assert.equal(call(load(), door, 0n, row.slice(0, -1)), null, `${name} with one less`);
    }
  });

  test(`${door}: the commands in the traces have the fields that the description says`, () => {
    const known = new Map(table(`${heading} commands`).map((row) => [Number(row.kind), row]));
    known.set(34, { name: 'wake', fields: 'instant ms' });
    for (const file of readdirSync(traces).filter((name) => name.startsWith(door))) {
      for (const line of golden(file).filter((line) => line.startsWith('command '))) {
        const [kind, count] = line.split(' ').slice(1).map(Number);
        assert.ok(known.has(kind), line);
        const { name, fields } = known.get(kind);
        if (name !== 'storeList' && name !== 'assemble') assert.equal(count, fieldCount(fields), line);
      }
    }
  });
}

test('the record screen calls events and commands by the numbers of the description', () => {
  const numbers = (kind) => Object.fromEntries(table(`Recording ${kind}`).map((row) => [row.name, Number(row.kind)]));
  assert.deepEqual({ ...RECORDING }, numbers('events'));
  assert.deepEqual({ ...numbersOf(COMMANDS) }, { wake: 34, ...numbers('commands') });
});

// xorshift32: the same rows on every run.
function* numbers(seed) {
  for (let state = seed; ; yield state >>> 0) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
  }
}

test('no row of words traps or makes the memory grow without end', () => {
  const studio = load();
  const random = numbers(2463534242);
  const below = (bound) => random.next().value % bound;
  const odd = [0n, -1n, 1n, 2n ** 63n - 1n, -(2n ** 63n), 2n ** 31n, -(2n ** 31n) - 1n, 60000n];
  let now = 0n;
  let settled = 0;
  for (let round = 0; round < 60000; round += 1) {
    const length = below(40) === 0 ? 1 + below(1024) : 1 + below(9);
    const words = BigInt64Array.from({ length }, () =>
      (below(3) ? BigInt(below(5)) : BigInt.asIntN(64, odd[below(odd.length)])));
    words[0] = BigInt(below(112));
    now = below(50) ? now + BigInt(below(4000)) : odd[below(odd.length)];
    call(studio, below(2) ? 'composer' : 'recording', now, words);
    if (below(2000) === 0) studio.look_words(below(40) - 5, below(300) - 100);
    if (round === 20000) settled = studio.memory.buffer.byteLength;
  }
  assert.ok(studio.memory.buffer.byteLength <= settled + 65536, `${studio.memory.buffer.byteLength} bytes`);
  assert.ok(studio.memory.buffer.byteLength < 4 << 20, `${studio.memory.buffer.byteLength} bytes`);
});

test('a refused buffer leaves the machines as they were', () => {
  const studio = load();
  assert.equal(studio.studio_reserve(-1), 0);
  assert.equal(studio.studio_reserve(1025), 0);
  assert.equal(studio.composer_handle(5, 0n), -1);
  assert.equal(studio.recording_handle(-5, 0n), -1);
  studio.studio_reset();
  assert.ok(call(studio, 'recording', 0n, [80n]));
});

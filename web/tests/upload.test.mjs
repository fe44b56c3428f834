// The machine of upload.wasm: the same traces as through native Swift (core/Tests/UploadWireTests) give the
// same commands and refusals, and no row of words harms it.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { linesOf } from './trace.mjs';

const root = new URL('../../', import.meta.url);
const traces = new URL('fixtures/upload/', root);
const module = new WebAssembly.Module(readFileSync(new URL('web/upload.wasm', root)));
const description = readFileSync(new URL('docs/design/upload.md', root), 'utf8');
const load = () => new WebAssembly.Instance(module, {}).exports;
const golden = (name) => linesOf(readFileSync(new URL(name, traces), 'utf8'));

/** Sends a row: its command rows as arrays of words, or null if it is malformed. */
function call(upload, now, words) {
  const address = upload.upload_reserve(words.length);
  assert.notEqual(address, 0);
  new BigInt64Array(upload.memory.buffer, address, words.length).set(words);
  const count = upload.upload_handle(words.length, now);
  if (count < 0) return null;
  const answer = new BigInt64Array(upload.memory.buffer, upload.upload_commands(), count).slice();
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

/** "hash (4 words)" is four; other brackets only explain. */
function fieldCount(fields) {
  if (/^(–|)$/.test(fields)) return 0;
  return fields.replace(/(\w+ )?\(?(\d+) words\)?/g, (_, name, count) => Array(Number(count)).fill('word').join(','))
    .replace(/\([^)]*\)/g, '').split(',').length;
}

test('upload.wasm imports nothing', () => {
  assert.deepEqual(WebAssembly.Module.imports(module), []);
});

test('the exports are those of the interface description', () => {
  const [exported] = description.split(/^## Phases/m);
  const named = [...exported.matchAll(/^\| `(\w+)(?:\(.*?)?` \| /gm)].map(([, name]) => name);
  const present = WebAssembly.Module.exports(module).map(({ name }) => name);
  assert.deepEqual([...named].sort(), [...present].sort());
});

for (const name of readdirSync(traces)) {
  test(`${name} gives the same commands as native Swift`, () => {
    const upload = load();
    const lines = golden(name);
    const replayed = lines.filter((line) => line.startsWith('event ')).flatMap((line) => {
      const [now, ...words] = line.split(' ').slice(1).map(BigInt);
      const rows = call(upload, now, words);
      return [line, ...(rows ? rows.map((row) => `command ${row.join(' ')}`) : ['malformed'])];
    });
    assert.deepEqual(replayed, lines);
  });
}

// As many fields as the description says, for rows whose number of fields is not in a field or another row.
const LENGTHS = { fileChosen: 4, prepared: 5, restored: 14 };

test('an event has the fields that the interface description says', () => {
  for (const { kind, name, fields } of table('Events')) {
    // A list of no parts has five; 1 is a handle, a flag, a reason, an amount.
    const count = name === 'receivingParts' ? 4 : LENGTHS[name] ?? fieldCount(fields);
    const row = [kind, ...Array(count).fill(1n)];
    if (name === 'receivingParts') row[4] = 0n;
    // Version, seed, epoch, flags, size, duration, kind, hash, recreations, mismatches.
    if (name === 'restored') row.splice(5, 1, 0n);
    assert.ok(call(load(), 0n, row), `${name} with ${count} fields`);
    assert.equal(call(load(), 0n, [...row, 1n]), null, `${name} with one more`);
    if (count) assert.equal(call(load(), 0n, row.slice(0, -1)), null, `${name} with one less`);
  }
});

test('the commands in the traces have the fields that the description says', () => {
  const known = new Map(table('Commands').map((row) => [Number(row.kind), row]));
  known.set(34, { name: 'wake', fields: 'instant ms' });
  const seen = new Set();
  for (const file of readdirSync(traces)) {
    for (const line of golden(file).filter((line) => line.startsWith('command '))) {
      const [kind, count] = line.split(' ').slice(1).map(Number);
      assert.ok(known.has(kind), line);
      assert.equal(count, fieldCount(known.get(kind).fields), `${known.get(kind).name}: ${line}`);
      seen.add(kind);
    }
  }
  assert.deepEqual([...known.keys()].filter((kind) => !seen.has(kind)), []);
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
  const upload = load();
  const random = numbers(2463534242);
  const below = (bound) => random.next().value % bound;
  const odd = [0n, -1n, 1n, 2n ** 63n - 1n, -(2n ** 63n), 2n ** 31n, -(2n ** 31n) - 1n, 60000n, 3n << 20n];
  let now = 0n;
  let settled = 0;
  for (let round = 0; round < 60000; round += 1) {
    const length = below(40) === 0 ? 1 + below(2048) : 1 + below(9);
    const words = BigInt64Array.from({ length }, () =>
      (below(3) ? BigInt(below(5)) : BigInt.asIntN(64, odd[below(odd.length)])));
    words[0] = BigInt(118 + below(28));
    now = below(50) ? now + BigInt(below(4000)) : odd[below(odd.length)];
    call(upload, now, words);
    if (below(60) === 0) {
      upload.upload_reset();
      call(upload, now, [120n, 1n, 2n, 1n, 1n]);
      call(upload, now, [122n, 1n, 3n << 20n, 900n, 1n]);
      call(upload, now, [133n, 1n, 1n, 2n, 3n, 4n]);
    }
    if (round === 20000) settled = upload.memory.buffer.byteLength;
  }
  assert.ok(upload.memory.buffer.byteLength <= settled + 65536, `${upload.memory.buffer.byteLength} bytes`);
  assert.ok(upload.memory.buffer.byteLength < 4 << 20, `${upload.memory.buffer.byteLength} bytes`);
});

test('a refused buffer leaves the machine as it was', () => {
  const upload = load();
  assert.equal(upload.upload_reserve(-1), 0);
  assert.equal(upload.upload_reserve(2049), 0);
  assert.equal(upload.upload_handle(5, 0n), -1);
  assert.ok(call(upload, 0n, [120n, 1n, 2n, 0n, 0n]));
});

// The same recorded sessions through core.wasm as through native Swift (core/Tests/SessionTests):
// the same commands, word for word.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { COMMAND, EVENT } from '../app/core.js';

const root = new URL('../../', import.meta.url);
const traces = new URL('fixtures/traces/', root);
const module = new WebAssembly.Module(readFileSync(new URL('web/core.wasm', root)));

function session() {
  const core = new WebAssembly.Instance(module, {}).exports;
  return (now, words) => {
    const address = core.session_reserve(words.length);
    new BigInt64Array(core.memory.buffer, address, words.length).set(words);
    const count = core.session_handle(words.length, now);
    if (count < 0) return ['malformed'];
    return lines(new BigInt64Array(core.memory.buffer, core.session_commands(), count));
  };
}

function lines(words) {
  const commands = [];
  for (let at = 0; at < words.length; ) {
    const fields = Number(words[at + 1]);
    commands.push(`command ${words.slice(at, at + 2 + fields).join(' ')}`);
    at += 2 + fields;
  }
  return commands;
}

test('core.wasm imports nothing', () => {
  assert.deepEqual(WebAssembly.Module.imports(module), []);
});

for (const name of readdirSync(traces).filter((file) => file.endsWith('.trace'))) {
  test(`${name} gives the same commands as native Swift`, () => {
    const golden = readFileSync(new URL(name, traces), 'utf8').trimEnd().split('\n');
    const handle = session();
    const replayed = golden.filter((line) => line.startsWith('event ')).flatMap((line) => {
      const [now, ...words] = line.split(' ').slice(1).map(BigInt);
      return [line, ...handle(now, words)];
    });
    assert.deepEqual(replayed, golden);
  });
}

test('a refused buffer leaves the session as it was', () => {
  const core = new WebAssembly.Instance(module, {}).exports;
  assert.equal(core.session_reserve(-1), 0);
  assert.equal(core.session_reserve(1 << 21), 0);
  assert.equal(core.session_handle(5, 0n), -1);
});

test('the numbers here are those of the interface description', () => {
  const read = (name) => readFileSync(new URL(`docs/design/${name}.md`, root), 'utf8');
  const [, events, commands] = read('session').split(/^## (?:Events|Commands).*$/m);
  const [, barEvents, barCommands] = read('studio').split(/^## (?:Composer (?:events|commands)|What the host of a r).*$/m);
  const kinds = (part) => Object.fromEntries(
    [...part.matchAll(/^\| (\d+) \| `(\w+)`/gm)].map(([, kind, name]) => [name, Number(kind)]));
  // What the session says and hears of the bar by itself.
  const { currentChanged, ...barSays } = kinds(barEvents);
  const { lockFeed, holdClip, ...barHears } = kinds(barCommands);
  assert.deepEqual([currentChanged, lockFeed, holdClip], [60, 40, 41]);
  assert.deepEqual({ ...kinds(events), ...barSays }, { ...EVENT });
  assert.deepEqual({ ...kinds(commands), ...barHears }, { ...COMMAND });
});

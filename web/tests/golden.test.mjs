// The same recorded sessions through core.wasm as through native Swift (core/Tests/SessionTests):
// the same commands, word for word.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { COMMANDS as ACTIVITY_COMMANDS } from '../app/activity/activity.js';
import { COMMANDS as SIGN_IN_COMMANDS } from '../app/api/api.js';
import { COMMANDS, EVENT, numbersOf } from '../app/core/core.js';
import { BAR_COMMANDS, BAR_EVENT } from '../app/messages/bar.js';
import { COMMANDS as STUDIO_COMMANDS } from '../app/studio/wire.js';
import { COMMANDS as UPLOAD_COMMANDS } from '../app/upload/wire.js';
import { linesOf } from './trace.mjs';

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
    const golden = linesOf(readFileSync(new URL(name, traces), 'utf8'));
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
  assert.deepEqual({ ...kinds(events), ...barSays }, { ...EVENT, ...BAR_EVENT });
  assert.deepEqual({ ...kinds(commands), ...barHears }, { ...numbersOf(COMMANDS), ...numbersOf(BAR_COMMANDS) });
});

test('whoever carries commands out takes fields that they have', () => {
  for (const [path, table, head, indent, others] of [
    ['main.js', COMMANDS, 'const commands = {', 2, []],
    ['messages/messages.js', BAR_COMMANDS, 'get commands() {', 6, []],
    ['studio/host.js', STUDIO_COMMANDS, '#commands = {', 4, []],
    ['activity/activity.js', ACTIVITY_COMMANDS, '#commands = {', 4, []],
    ['api/api.js', SIGN_IN_COMMANDS, '#commands = {', 4, []],
    // It takes what is shown as it is.
    ['upload/host.js', UPLOAD_COMMANDS, '#commands = {', 4, ['show']],
  ]) {
    const [, text] = readFileSync(new URL(`web/app/${path}`, root), 'utf8').split(head);
    const handlers = new Map([...text.split(/^ {0,2}};?$/m)[0]
      .matchAll(new RegExp(`^ {${indent}}(\\w+): \\(?(?:\\{ ([^}]*) \\})?`, 'gm'))]
      .map(([, name, fields]) => [name, fields?.split(', ') ?? []]));
    const names = [...table.values()].map(({ name }) => name);
    assert.deepEqual([...handlers.keys(), ...others].sort(), names.sort(), path);
    for (const { name, fields } of table.values()) {
      const known = fields.map((field) => field.replace('…', ''));
      for (const field of handlers.get(name) ?? []) assert.ok(known.includes(field), `${path}: ${name} has no field ${field}`);
    }
  }
});

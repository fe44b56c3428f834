// How long core.wasm takes to answer: the recorded sessions (fixtures/traces) played to it again and again.
// See README.md.
import { readFileSync, readdirSync } from 'node:fs';
import { linesOf } from '../web/tests/trace.mjs';

const rounds = process.argv.includes('--quick') ? 2 : 40;
const FETCH = 20n;
const root = new URL('../', import.meta.url);
const traces = new URL('fixtures/traces/', root);
const module = new WebAssembly.Module(readFileSync(new URL('web/core.wasm', root)));

const sessions = readdirSync(traces)
  .filter((file) => file.endsWith('.trace'))
  .map((file) => linesOf(readFileSync(new URL(file, traces), 'utf8'))
    .filter((line) => line.startsWith('event '))
    .map((line) => line.split(' ').slice(1).map(BigInt)));

function asksForDownload(words) {
  for (let at = 0; at < words.length; at += 2 + Number(words[at + 1])) {
    if (words[at] === FETCH) return true;
  }
  return false;
}

/** Plays a session; calls `note(milliseconds, fetches)` for each event. */
function play(events, note) {
  const core = new WebAssembly.Instance(module, {}).exports;
  for (const [now, ...words] of events) {
    const address = core.session_reserve(words.length);
    new BigInt64Array(core.memory.buffer, address, words.length).set(words);
    const began = performance.now();
    const count = core.session_handle(words.length, now);
    const took = performance.now() - began;
    // Traces hold malformed events as well, which no session answers.
    if (count < 0) continue;
    note(took, asksForDownload(new BigInt64Array(core.memory.buffer, core.session_commands(), count)));
  }
}

const all = [];
const downloads = [];
// The first round lets the engine compile.
for (const events of sessions) play(events, () => {});
for (let round = 0; round < rounds; round += 1) {
  for (const events of sessions) {
    play(events, (took, fetches) => {
      all.push(took);
      if (fetches) downloads.push(took);
    });
  }
}

function row(name, times) {
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))].toFixed(2);
  return `| ${name} | ${times.length} | ${at(0.5)} | ${at(0.99)} | ${at(0.999)} |`;
}

console.log('| answers | number | p50 ms | p99 | p99.9 |\n| --- | ---: | ---: | ---: | ---: |');
console.log(row('all', all));
console.log(row('that ask for a download', downloads));

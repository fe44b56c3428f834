// A host for tests of core.wasm: hands it rows of words and follows its commands as any host would,
// noting what no host could carry out (the same as core/Tests/SessionTests/SessionWatch.swift).

import { readFileSync } from 'node:fs';
import { COMMAND } from '../app/core.js';

const root = new URL('../../', import.meta.url);
export const module = new WebAssembly.Module(readFileSync(new URL('web/core.wasm', root)));

const FIELDS = { fetch: 8, mount: 2, settle: 2, hold: 2, setCurrent: 2, load: 2, seek: 2,
  requestPage: 0, trim: 2, restore: 3, persist: 2, evict: 2, 'bar 42': 12, 'bar 43': 0, 'bar 47': 2, 'bar 49': 3, 'bar 50': 0, 'bar 52': 2 };
const names = new Map(Object.entries(COMMAND).map(([name, kind]) => [BigInt(kind), name]));
// The message bar's.
for (let kind = 42n; kind <= 51n; kind += 1n) names.set(kind, `bar ${kind}`);
const LARGEST_ANSWER = 120;

/** One instance of the core. */
export class Door {
  constructor() {
    this.core = new WebAssembly.Instance(module, {}).exports;
  }

  /** The commands as `[name, ...fields]`; null if the event is malformed. */
  handle(now, words) {
    const { core } = this;
    const address = core.session_reserve(words.length);
    new BigInt64Array(core.memory.buffer, address, words.length).set(words);
    const count = core.session_handle(words.length, now);
    if (count < 0) return null;
    const rows = new BigInt64Array(core.memory.buffer, core.session_commands(), count);
    const commands = [];
    for (let at = 0; at < count;) {
      const end = at + 2 + Number(rows[at + 1]);
      commands.push([names.get(rows[at]) ?? `unknown ${rows[at]}`, ...rows.subarray(at + 2, end)]);
      at = end;
    }
    return commands;
  }

  get bytes() { return this.core.memory.buffer.byteLength; }
}

/** Holds commands against what a host can do; `broken` says what was wrong. */
export class Watch {
  broken = [];
  pages = new Set();
  players = new Map();
  requests = new Set();
  playing = null;
  current = null;
  latest = 0n;
  signs = new Map();

  note(commands, now) {
    this.#require(commands.length <= LARGEST_ANSWER, `${commands.length} commands at once`);
    for (const [name, ...fields] of commands) {
      this.#require(fields.length === (FIELDS[name] ?? 1), `${name} has ${fields.length} fields`);
      this.#follow(name, fields, now);
    }
    this.#require(this.pages.size <= 5, `${this.pages.size} pages`);
    this.#require(this.players.size <= 5, `${this.players.size} players`);
    this.#require(this.requests.size <= 16, `${this.requests.size} requests`);
    if (this.playing !== null) {
      this.#require(this.players.get(this.playing) === this.current, 'plays what is not shown');
    }
  }

  #require(holds, what) { if (!holds) this.broken.push(what); }

  #follow(name, [one, two, ...rest], now) {
    if (name.startsWith('unknown')) this.broken.push(name);
    if (name === 'mount') this.pages.add(one);
    if (name === 'unmount') this.#require(this.pages.delete(one), 'unmounts what is not there');
    if (name === 'setCurrent') this.current = one;
    if (name === 'wake') this.#require(one > now || now === 2n ** 63n - 1n, 'a wake in the past');
    if (name.startsWith('show')) {
      this.#require((this.signs.get(name) ?? 0n) !== one, `${name} is said twice`);
      this.signs.set(name, one);
    }
    this.#followPlayer(name, one, two);
    this.#followRequest(name, one, rest);
  }

  #followPlayer(name, player, item) {
    if (name === 'load') {
      const held = this.players.has(player) || [...this.players.values()].includes(item);
      this.#require(!held, 'a load into a held player');
      this.players.set(player, item);
    }
    if (name === 'release') {
      this.#require(this.players.delete(player), 'a release of nothing');
      if (this.playing === player) this.playing = null;
    }
    if (name === 'play') {
      this.#require(this.playing === null || this.playing === player, 'two players play');
      this.playing = player;
    }
    if (name === 'pause' && this.playing === player) this.playing = null;
  }

  #followRequest(name, request, rest) {
    if (name === 'fetch') {
      this.#require(request > this.latest, 'a request number again');
      this.#require(rest.at(-2) >= 0n && rest.at(-1) > 0n, 'an empty request');
      this.requests.add(request);
      this.latest = request;
    }
    if (name === 'cancel') this.#require(this.requests.delete(request), 'cancels what does not run');
  }
}

// A host for tests of core.wasm: hands it rows of words and follows its commands as any host would,
// noting what no host could carry out (the same as core/Tests/SessionTests/SessionWatch.swift).

import { readFileSync } from 'node:fs';
import { COMMANDS, decode } from '../app/core/core.js';
import { BAR_COMMANDS } from '../app/messages/bar.js';

const root = new URL('../../', import.meta.url);
export const module = new WebAssembly.Module(readFileSync(new URL('web/core.wasm', root)));

/** All that the core may say to a host of the feed. */
export const TABLE = new Map([...COMMANDS, ...BAR_COMMANDS]);
const LARGEST_ANSWER = 120;

/** One instance of the core. */
export class Door {
  constructor() {
    this.core = new WebAssembly.Instance(module, {}).exports;
  }

  /** The commands with their fields by name, as `BigInt`; null if the event is malformed. */
  handle(now, words) {
    const { core } = this;
    const address = core.session_reserve(words.length);
    new BigInt64Array(core.memory.buffer, address, words.length).set(words);
    const count = core.session_handle(words.length, now);
    if (count < 0) return null;
    const rows = new BigInt64Array(core.memory.buffer, core.session_commands(), count);
    for (let at = 0; at < count; at += 2 + Number(rows[at + 1])) {
      const { name, fields } = TABLE.get(Number(rows[at])) ?? {};
      if (fields?.length !== Number(rows[at + 1])) throw new Error(`command ${rows[at]} ${name}: ${rows[at + 1]} fields`);
    }
    return decode(rows, TABLE, (word) => word);
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
    for (const command of commands) this.#follow(command, now);
    this.#require(this.pages.size <= 5, `${this.pages.size} pages`);
    this.#require(this.players.size <= 5, `${this.players.size} players`);
    this.#require(this.requests.size <= 16, `${this.requests.size} requests`);
    if (this.playing !== null) {
      this.#require(this.players.get(this.playing) === this.current, 'plays what is not shown');
    }
  }

  #require(holds, what) { if (!holds) this.broken.push(what); }

  #follow(command, now) {
    const { name, item, on, instant } = command;
    if (name === 'mount') this.pages.add(item);
    if (name === 'unmount') this.#require(this.pages.delete(item), 'unmounts what is not there');
    if (name === 'setCurrent') this.current = item;
    if (name === 'wake') this.#require(instant > now || instant === 2n ** 63n - 1n, 'a wake in the past');
    if (name.startsWith('show') && on !== undefined) {
      this.#require((this.signs.get(name) ?? 0n) !== on, `${name} is said twice`);
      this.signs.set(name, on);
    }
    this.#followPlayer(command);
    this.#followRequest(command);
  }

  #followPlayer({ name, player, item }) {
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

  #followRequest({ name, request, offset, size }) {
    if (name === 'fetch') {
      this.#require(request > this.latest, 'a request number again');
      this.#require(offset >= 0n && size > 0n, 'an empty request');
      this.requests.add(request);
      this.latest = request;
    }
    if (name === 'cancel') this.#require(this.requests.delete(request), 'cancels what does not run');
  }
}

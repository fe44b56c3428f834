// Runs the core (core.wasm): hands it one event at a time and passes its commands on, in order.
// It refuses to know what events and commands mean, and never calls the core from inside itself.

import { decode, encode } from './wire.js';

/** Whole milliseconds of the clock that never goes back. */
export const now = () => Math.round(performance.now());

/** Loads the module and answers its exports. */
export async function loadCore(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`core.wasm: ${response.status}`);
  const { instance } = response.headers.get('Content-Type')?.startsWith('application/wasm')
    ? await WebAssembly.instantiateStreaming(response, {})
    : await WebAssembly.instantiate(await response.arrayBuffer(), {});
  instance.exports._initialize?.();
  return instance.exports;
}

export class Core {
  #exports;
  #execute;
  #waiting = [];
  #draining = false;

  /** `execute(name, fields)` carries out one command. */
  constructor(exports, execute) {
    this.#exports = exports;
    this.#execute = execute;
  }

  /** Reports an event. One that arises while commands run waits until they all have run. */
  report(kind, ...fields) {
    this.#waiting.push(encode(kind, fields));
    if (this.#draining) return;
    this.#draining = true;
    try {
      while (this.#waiting.length) this.#handle(this.#waiting.shift());
    } finally {
      this.#draining = false;
    }
  }

  #handle(event) {
    for (const { name, fields } of decode(this.#call(event))) {
      try {
        this.#execute(name, fields);
      } catch (error) {
        console.error(`command ${name}(${fields})`, error);
      }
    }
  }

  #call(event) {
    const core = this.#exports;
    const address = core.session_reserve(event.length);
    if (!address) throw new RangeError('the core refused an event of this length');
    // NB: a view is good for one call only; the memory may have grown.
    new BigInt64Array(core.memory.buffer, address, event.length).set(event);
    const count = core.session_handle(event.length, BigInt(now()));
    if (count < 0) {
      console.error('the core found this event malformed', event);
      return new BigInt64Array(0);
    }
    return new BigInt64Array(core.memory.buffer, core.session_commands(), count).slice();
  }
}

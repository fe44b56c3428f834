// By which key a decision is sent: the same one until an answer has come, so that what is sent again is decided once. Another
// decision has another key.

const KEY = 'clipfeed.decisions';

export class Attempts {
  #storage;
  #random;
  // Where a browser keeps nothing.
  #inMemory = {};

  /** `storage` as `sessionStorage`, or null; `random()` answers a new key. */
  constructor(storage, random) {
    this.#storage = storage;
    this.#random = random;
  }

  /** For what is sent about a case. */
  keyFor(place, body) {
    const attempts = this.#read();
    const text = JSON.stringify(body);
    const last = Object.hasOwn(attempts, place) ? attempts[place] : null;
    const key = last?.text === text && typeof last.key === 'string' ? last.key : this.#random();
    this.#write({ ...attempts, [place]: { text, key } });
    return key;
  }

  /** An answer has come, whichever. */
  settle(place) {
    const { [place]: _, ...others } = this.#read();
    this.#write(others);
  }

  #read() {
    try { return JSON.parse(this.#storage.getItem(KEY)) ?? {}; } catch { return this.#inMemory; }
  }

  #write(attempts) {
    this.#inMemory = attempts;
    try { this.#storage.setItem(KEY, JSON.stringify(attempts)); } catch { /* storage may be off or full */ }
  }
}

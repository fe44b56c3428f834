// Events on their way to the server: in batches, and again until one is answered, since an id counts once.
// It refuses to know what the events say.

// As many as the server takes at once, and as many as wait at most: of a long time without a network the oldest go.
const BATCH = 100;
const LIMIT = 400;
const WAIT_MS = 10_000;
const LONGEST_WAIT_MS = 300_000;

export class Outbox {
  #send;
  #beacon;
  #clock;
  #waiting = [];
  #timer = 0;
  #isSending = false;
  #wait = WAIT_MS;

  /** `send(body)` carries a batch and throws an error with `status`; `beacon(body)` does on a page that goes; `clock()` is
   *  ms since 1970. */
  constructor({ send, beacon, clock = Date.now }) {
    this.#send = send;
    this.#beacon = beacon;
    this.#clock = clock;
  }

  add(event) {
    this.#waiting.push(event);
    if (this.#waiting.length > LIMIT) this.#waiting.shift();
    this.#timer ||= setTimeout(() => this.flush(), this.#wait);
  }

  get size() {
    return this.#waiting.length;
  }

  async flush() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    if (this.#isSending || !this.#waiting.length) return;
    this.#isSending = true;
    const batch = this.#waiting.slice(0, BATCH);
    try {
      await this.#send(this.#body(batch));
      this.#wait = WAIT_MS;
      this.#drop(batch);
    } catch (error) {
      this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT_MS);
      // The server will never take these.
      if (error.status >= 400 && error.status < 500 && error.status !== 429 && error.status !== 401) this.#drop(batch);
    }
    this.#isSending = false;
    if (this.#waiting.length) this.#timer ||= setTimeout(() => this.flush(), this.#wait);
  }

  /** The page is hidden and may not come back. If it does, what is not answered for goes again. */
  leave() {
    const batch = this.#waiting.slice(0, BATCH);
    if (batch.length) this.#beacon(this.#body(batch));
  }

  #body(events) {
    return { sent_at_ms: this.#clock(), events };
  }

  #drop(batch) {
    const gone = new Set(batch);
    this.#waiting = this.#waiting.filter((event) => !gone.has(event));
  }
}

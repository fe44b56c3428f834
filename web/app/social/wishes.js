// What a person turns on and off, and what the server knows of it: the last wish counts, whatever was wished on the way
// there, and one request at a time goes out for each thing. Each is asked for as it should be, so asking twice is once.
// It refuses to know what the things are.

export class Wishes {
  #send;
  #answered;
  #failed;
  // By name: `{wanted, known, isDoubtful, isRunning}`.
  #rows = new Map();

  /** `send(name, on)` carries one out, `answered(name, on, answer)` is told what came of the last wish, and
   *  `failed(name, on, error)` what holds instead. */
  constructor({ send, answered, failed }) {
    this.#send = send;
    this.#answered = answered;
    this.#failed = failed;
  }

  /** How a thing stands; undefined if nothing was wished so far. */
  get(name) {
    return this.#rows.get(name)?.wanted;
  }

  /** `known`: how it stood on the server, if nothing was wished before. Resolved when nothing is left to do. */
  async wish(name, on, known) {
    const row = this.#rows.get(name) ?? { wanted: known, known, isDoubtful: false, isRunning: false };
    this.#rows.set(name, row);
    row.wanted = on;
    if (row.isRunning) return;
    row.isRunning = true;
    // NB: an error that nobody expects must not stop the next wish.
    try { await this.#carryOut(name, row); } finally { row.isRunning = false; }
  }

  /** Somebody else wishes from now on; what is still asked for is nobody's business any more. */
  clear() {
    this.#rows.clear();
  }

  async #carryOut(name, row) {
    const isOurs = () => this.#rows.get(name) === row;
    while (isOurs() && (row.wanted !== row.known || row.isDoubtful)) {
      const on = row.wanted;
      try {
        const answer = await this.#send(name, on);
        Object.assign(row, { known: on, isDoubtful: false });
        // What was counted before the next wish is over already.
        if (isOurs() && row.wanted === on) this.#answered(name, on, answer);
      } catch (error) {
        row.isDoubtful = error.mayHaveArrived ?? true;
        if (row.wanted !== on) continue;
        if (on !== row.known && isOurs()) {
          row.wanted = row.known;
          this.#failed(name, row.known, error);
        }
        return;
      }
    }
  }
}

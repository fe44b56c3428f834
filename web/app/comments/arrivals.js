// When to look for what is new while somebody reads: soon while others write, ever later while nobody does, never while
// nobody looks. It refuses to know what is looked for.

const FIRST_MS = 10_000;
const LAST_MS = 60_000;
const GROWTH = 1.5;

/** The pause behind a look, by the one before it. */
export const nextPause = (pause, isSomethingNew) => (isSomethingNew ? FIRST_MS : Math.min(LAST_MS, pause * GROWTH));

export class Arrivals {
  #look;
  #pause = FIRST_MS;
  #timer = 0;
  #isOn = false;
  #isLooking = false;
  // Asked for while it looks: what came since may not be in what it gets.
  #isDue = false;

  /** `look()` answers whether there was anything new; one that fails counts as none. */
  constructor(look) {
    this.#look = look;
    document.addEventListener('visibilitychange', () => {
      if (document.hidden) clearTimeout(this.#timer); else this.now();
    });
  }

  start() {
    this.#isOn = true;
    this.#pause = FIRST_MS;
    this.#wait();
  }

  stop() {
    this.#isOn = false;
    clearTimeout(this.#timer);
  }

  /** Something may be there. */
  async now() {
    this.#isDue = this.#isLooking;
    if (!this.#isOn || this.#isLooking || document.hidden) return;
    clearTimeout(this.#timer);
    this.#isLooking = true;
    const isSomethingNew = await this.#look().catch(() => false);
    this.#isLooking = false;
    this.#pause = nextPause(this.#pause, isSomethingNew);
    if (this.#isDue) this.now(); else if (this.#isOn) this.#wait();
  }

  #wait() {
    clearTimeout(this.#timer);
    if (!document.hidden) this.#timer = setTimeout(() => this.now(), this.#pause);
  }
}

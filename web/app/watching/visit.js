// What becomes of one clip while it is on the screen, as events of the server's (docs/design/watching.md), and for how long
// it was watched. It refuses to know how that is found out and where it goes.

// From which on watching is a view, and how often it is told after that.
const VIEW_MS = 2000;
const PROGRESS_MS = 10_000;
// A step of the picture that is longer was a jump.
const STEP_MS = 1000;
// A wait that is longer was a sleep.
const WAIT_MS = 120_000;

export class Visit {
  #tell;
  #duration;
  #began;
  #hasStarted;
  #watched;
  #told = 0;
  #loops = 0;
  #at = null;
  #stalledAt = null;

  /** `tell(kind, at, fields)`; all instants in ms of one clock. `watched`: for how long it has moved before anybody looked;
   *  null if it has not begun to. */
  constructor({ duration, began, watched = null, tell }) {
    this.#tell = (kind, at, { took_ms: took, watched_ms: watched }) => tell(kind, at, {
      ...(took !== undefined && { took_ms: Math.round(took) }),
      ...(watched !== undefined && { watched_ms: Math.round(watched) }),
    });
    this.#duration = duration;
    this.#began = began;
    this.#hasStarted = watched !== null;
    this.#watched = watched ?? 0;
    this.#tell('impression', began, {});
  }

  /** Its picture moves. */
  started(now) {
    const [kind, since] = this.#hasStarted ? ['stall', this.#stalledAt ?? now] : ['first_frame', this.#began];
    this.#hasStarted = true;
    this.#stalledAt = null;
    const took = now - since;
    if ((kind === 'first_frame' || took > 0) && took <= WAIT_MS) this.#tell(kind, now, { took_ms: took });
  }

  /** Its picture stands and waits for more. */
  stalled(now) {
    if (this.#hasStarted) this.#stalledAt ??= now;
  }

  /** Somebody paused it, or the page is hidden: it does not wait for anything. */
  paused() {
    this.#stalledAt = null;
    this.#at = null;
  }

  /** The picture is at this place, ms, of a clock that only goes on while it plays. */
  moved(at, now) {
    const step = this.#at === null ? 0 : at - this.#at;
    this.#at = at;
    if (step <= 0 || step > STEP_MS) return;
    this.started(now);
    this.#watched += step;
    const loops = Math.floor(this.#watched / this.#duration);
    if (loops > this.#loops) {
      if (this.#loops === 0) this.#tell('completion', now, { watched_ms: this.#watched });
      this.#tell('loop', now, { watched_ms: this.#watched });
      this.#loops = loops;
      this.#told = this.#watched;
    } else if (this.#watched >= (this.#told < VIEW_MS ? VIEW_MS : this.#told + PROGRESS_MS)) {
      this.#tell('progress', now, { watched_ms: this.#watched });
      this.#told = this.#watched;
    }
  }

  /** The person went on. */
  ended(now) {
    if (this.#loops === 0) this.#tell('skip', now, { watched_ms: this.#watched });
  }
}

// How an upload goes on that was told to sign in. It refuses to know whose it is, and what it does.

import { request } from '../../api/api.js';
import { onChanged, signedIn } from '../../auth/auth.js';

// From question to question whether there is a session.
const PAUSE_MS = 30_000;

export class Session {
  #isOwners;
  #signal;
  #found;
  #isLacking = false;
  #asked = -PAUSE_MS;
  #timer = 0;

  /** `found()` runs when somebody is signed in of whom `isOwners()` is true; until `signal`. */
  constructor({ isOwners, signal, found }) {
    this.#isOwners = () => Boolean(signedIn()) && isOwners() && !signal.aborted;
    this.#signal = signal;
    this.#found = found;
    addEventListener('online', () => { if (this.#isLacking) this.seek(0); }, { signal });
    onChanged(() => this.#find());
  }

  /** A token that is over is renewed by any request to the API; a session that is over is forgotten by it, and then whoever signs in is
   *  heard of. NB: with a pause, or a server that takes no upload of somebody who is signed in would be asked without end. */
  seek(wait = Math.max(0, this.#asked + PAUSE_MS - performance.now())) {
    this.#isLacking = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#ask(), wait);
  }

  async #ask() {
    if (!this.#isLacking || !this.#isOwners()) return;
    this.#asked = performance.now();
    try {
      await request('/account', { signal: this.#signal });
      this.#find();
    } catch (error) {
      if (!error.isOver) this.seek();
    }
  }

  #find() {
    if (!this.#isOwners()) return;
    this.#isLacking = false;
    this.#found();
  }
}

// Requests in somebody's name (docs/design/sign-in.md): commands of the sign-in session, a machine in activity.wasm,
// carried out, and what became of them reported. It decides nothing, and refuses to know what is asked for.

import { begin, forget, signedIn } from '../auth/auth.js';
import { Core, alarm, loadCore, numbersOf, tableOf } from '../core/core.js';
import { once } from '../screens/screens.js';
import { t } from '../words/words.js';
import { ApiError, exchange, timed } from './exchange.js';

export * from './exchange.js';

// Both are made of core/Sources/SignInWire/SignInProtocol.swift by scripts/wire-protocol.sh.
export const SIGN_IN = numbersOf(tableOf(`50 woke 170 accountFound guestFound requestWanted requestAnswered
  requestFailed turnCame refreshAnswered refreshFailed`));
export const COMMANDS = tableOf(`34 wake:instant 170 send:request fail:request,reason awaitTurn refresh endTurn
  forgetSession`);

const DOOR = { reserve: 'activity_reserve', handle: 'sign_in_handle', commands: 'activity_commands', table: COMMANDS };
const KIND = Object.freeze({ reads: 0, writes: 1, sentElsewhere: 2 });
const REASON = Object.freeze({ ended: 1, signedOut: 2, refreshFailed: 3 });
// As the core counts them; all others are the first.
const PROBLEMS = ['', 'access_token_expired', 'access_token_invalid', 'session_ended', 'sign_in_needed', 'refresh_token_invalid',
  'refresh_token_reused'];
const LOCK = 'clipfeed-session';
const LOAD_PATIENCE_MS = 15_000;
const TURN_PATIENCE_MS = 20_000;

const signedOut = () => new ApiError({ status: 401, code: 'session_ended', detail: t('You are signed out. Sign in again.') });
const overOf = (error) => Object.assign(error, { isOver: true });

class Requests {
  #core;
  // By number: `{path, options, resolve, reject, error}`, the error that of the last try; no path for what is sent elsewhere.
  #rows = new Map();
  #lastRequest = 0;
  // What the core was told of last, and its numbers.
  #kept = null;
  #account = 0;
  #token = 0;
  #refreshError = null;
  #endTurn = () => {};
  #wake = alarm(() => this.#report(SIGN_IN.woke));
  #commands = {
    wake: ({ instant }) => this.#wake(instant),
    send: ({ request }) => { this.#send(request); },
    fail: ({ request, reason }) => this.#fail(request, reason),
    awaitTurn: () => { this.#awaitTurn(); },
    refresh: () => { this.#refresh(); },
    endTurn: () => this.#endTurn(),
    forgetSession: () => forget(true),
  };

  /** `exports` are those of activity.wasm. */
  constructor(exports) {
    this.#core = new Core(exports, (command) => this.#commands[command.name](command), DOOR);
  }

  /** The answer; without a `path`, nothing, once a token counts or nothing can be done for that. */
  ask(kind, path, options) {
    return new Promise((resolve, reject) => {
      this.#lastRequest += 1;
      this.#rows.set(this.#lastRequest, { path, options, resolve, reject });
      this.#report(SIGN_IN.requestWanted, this.#lastRequest, kind, (signedIn()?.until ?? 0) - Date.now());
    });
  }

  /** Who is signed in comes before what happens: another tab may have changed it. */
  #report(...event) {
    const before = this.#kept;
    const now = signedIn();
    this.#kept = now;
    if (before && !now) this.#core.report(SIGN_IN.guestFound);
    if (now && (now.id !== before?.id || now.until !== before.until)) {
      this.#token += 1;
      if (now.id !== before?.id) this.#account += 1;
      this.#core.report(SIGN_IN.accountFound, this.#account, this.#token);
    }
    this.#core.report(...event);
  }

  #take(request) {
    const row = this.#rows.get(request);
    this.#rows.delete(request);
    return row;
  }

  async #send(request) {
    const row = this.#rows.get(request);
    if (!row.path) return this.#take(request).resolve();
    let answer;
    try {
      ({ answer } = await exchange(row.path, row.options));
    } catch (error) {
      row.error = error;
      return this.#report(SIGN_IN.requestFailed, request, error.status, Math.max(0, PROBLEMS.indexOf(error.code)));
    }
    this.#take(request).resolve(answer);
    return this.#report(SIGN_IN.requestAnswered, request);
  }

  #fail(request, reason) {
    const { reject, error } = this.#take(request);
    if (reason === REASON.ended) reject(overOf(error));
    else if (reason === REASON.signedOut) reject(overOf(signedOut()));
    else reject(reason === REASON.refreshFailed ? this.#refreshError : error);
  }

  /** A token is good for one refresh. Without locks, or where a suspended tab has the turn, the server's patience has to do. */
  async #awaitTurn() {
    const take = () => new Promise((free) => {
      this.#endTurn = free;
      this.#report(SIGN_IN.turnCame);
    });
    try {
      await (globalThis.navigator?.locks ? navigator.locks.request(LOCK, { signal: AbortSignal.timeout(TURN_PATIENCE_MS) }, take) : take());
    } catch {
      take();
    }
  }

  async #refresh() {
    try {
      const { answer, response } = await exchange('/sessions/refresh', { method: 'POST', body: {} });
      begin(answer, response);
    } catch (error) {
      this.#refreshError = error;
      return this.#report(SIGN_IN.refreshFailed, error.status ?? 0);
    }
    return this.#report(SIGN_IN.refreshAnswered);
  }
}

let requests = null;

/** The exports of activity.wasm, in which both machines of what people do are. */
export const loadDoors = () => once('activity.wasm', () => loadCore('/activity.wasm'));

const load = () => once('requests', async () => { requests = new Requests(await loadDoors()); });

/** As soon as it is there. NB: once it is, a request leaves without a pause, so that a page that goes can still send it. */
async function ask(...wish) {
  if (!requests) await loadInTime();
  return requests.ask(...wish);
}

async function loadInTime() {
  const time = timed(null, LOAD_PATIENCE_MS);
  const late = new Promise((_, reject) => { time.signal.addEventListener('abort', () => reject(time.signal.reason)); });
  try {
    await Promise.race([load(), late]);
  } catch (error) {
    throw new ApiError({}, error);
  } finally {
    time.free();
  }
}

/** Asks as whoever is signed in and answers what came, decoded, or null. Throws an `ApiError`. Options: see `exchange`. */
export const request = (path, options = {}) =>
  ask(!options.method || options.method === 'GET' ? KIND.reads : KIND.writes, path, options);

/** For what is asked for next without `request`. */
export const freshen = () => ask(KIND.sentElsewhere).catch(() => {});

// Before the first request, which would wait for it.
if (globalThis.document) load().catch(() => {});

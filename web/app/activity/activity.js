// What this person watches and turns on or off (docs/design/activity.md): commands of activity.wasm carried out, and what
// became of them reported. It decides nothing, and refuses to know what is watched and where toggles are shown.

import { beacon, loadDoors, randomKey, request } from '../api/api.js';
import { Core, alarm, numbersOf, tableOf } from '../core/core.js';
import { once } from '../screens/screens.js';

// Both are made of core/Sources/ActivityWire/ActivityProtocol.swift by scripts/wire-protocol.sh.
export const ACTIVITY = numbersOf(tableOf(`50 woke 150 clipShown playing advanced waiting paused pageHidden
  batchAnswered batchFailed toggleRequested toggleAnswered toggleFailed togglesForgotten`));
export const COMMANDS = tableOf(`34 wake:instant 150 record:number,item,kind,instant,position,took,watched
  sendBatch:first,count sendBeacon:first,count dropRecords:first,count sendToggle:toggle,on showToggle:toggle,on
  confirmToggle:toggle,on revertToggle:toggle,on`);

const DOOR = {
  reserve: 'activity_reserve', handle: 'activity_handle', commands: 'activity_commands', table: COMMANDS,
};
const EVENTS = '/events';
// What the server calls the kinds of records, in their order.
const KINDS = ['impression', 'first_frame', 'progress', 'completion', 'loop', 'skip', 'stall'];

/** The one of this page; loaded once, anew if that failed. */
export const loadActivity = () => once('activity', async () => new Activity(await loadDoors()));

export class Activity {
  #core;
  #describe = () => ({});
  // By number, as the server takes them.
  #records = new Map();
  #wake = alarm(() => this.report(ACTIVITY.woke));
  // By name: `{number, isOn, send, confirm, revert}`; and by number.
  #toggles = new Map();
  #numbered = new Map();
  #lastToggle = 0;
  // What came of the request of which the core is being told.
  #outcome = null;
  #commands = {
    wake: ({ instant }) => this.#wake(instant),
    record: (record) => this.#keep(record),
    sendBatch: ({ first, count }) => { this.#send(first, count); },
    sendBeacon: ({ first, count }) => {
      const body = this.#bodyOf(first, count);
      if (body.events.length) beacon(EVENTS, body);
    },
    dropRecords: ({ first, count }) => {
      for (let number = first; number < first + count; number += 1) this.#records.delete(number);
    },
    sendToggle: ({ toggle, on }) => { this.#ask(toggle, Boolean(on)); },
    showToggle: ({ toggle, on }) => { this.#numbered.get(toggle).isOn = Boolean(on); },
    confirmToggle: ({ toggle, on }) => this.#numbered.get(toggle).confirm(Boolean(on), this.#outcome),
    revertToggle: ({ toggle, on }) => {
      const row = this.#numbered.get(toggle);
      row.isOn = Boolean(on);
      row.revert(row.isOn, this.#outcome);
    },
  };

  /** `exports` are those of activity.wasm. */
  constructor(exports) {
    this.#core = new Core(exports, (command) => this.#commands[command.name](command), DOOR);
  }

  /** Reports an event about the clip on the screen. */
  report(kind, ...fields) {
    this.#core.report(kind, ...fields);
  }

  /** `describe(item)`: what the server is told of a clip, beside what happened to it. */
  describeWith(describe) {
    this.#describe = describe;
  }

  /** Turns a thing on or off. `known`: how it stood so far. `send(on)` asks the server for it; `confirm(on, answer)` is called
   *  with what came of the last wish, `revert(on, error)` with what holds instead. */
  toggle(name, on, known, { send, confirm, revert }) {
    let row = this.#toggles.get(name);
    if (!row) {
      this.#lastToggle += 1;
      row = { number: this.#lastToggle };
      this.#toggles.set(name, row);
      this.#numbered.set(row.number, row);
    }
    Object.assign(row, { send, confirm, revert });
    this.report(ACTIVITY.toggleRequested, row.number, on, known);
  }

  /** So it was turned in an earlier visit, and waits to be sent. */
  recall(name, isOn) {
    if (this.#toggles.has(name)) return;
    this.#lastToggle += 1;
    const row = { number: this.#lastToggle, isOn };
    this.#toggles.set(name, row);
    this.#numbered.set(row.number, row);
  }

  /** How a thing stands; undefined if nobody has turned it so far. */
  isOn(name) {
    return this.#toggles.get(name)?.isOn;
  }

  /** It stands as whoever is asked next says. */
  forget(name) {
    this.#toggles.delete(name);
  }

  /** Somebody else watches and turns things from now on. `hasLeft`: an account, whose records are never sent as the next one's; a
   *  guest's go along into their account. */
  changeViewer(hasLeft) {
    if (hasLeft) this.#records.clear();
    this.#toggles.clear();
    this.#numbered.clear();
    this.report(ACTIVITY.togglesForgotten);
  }

  #keep({ number, item, kind, instant, position, took, watched }) {
    this.#records.set(number, {
      id: randomKey(), kind: KINDS[kind], at_ms: Math.round(performance.timeOrigin + instant), position, ...this.#describe(item),
      ...(took >= 0 && { took_ms: took }), ...(watched >= 0 && { watched_ms: watched }),
    });
  }

  #bodyOf(first, count) {
    const events = Array.from({ length: count }, (_, place) => this.#records.get(first + place));
    // Whoever watched it may have left.
    return { sent_at_ms: Date.now(), events: events.filter(Boolean) };
  }

  async #send(first, count) {
    try {
      const body = this.#bodyOf(first, count);
      if (body.events.length) await request(EVENTS, { method: 'POST', body });
      this.report(ACTIVITY.batchAnswered);
    } catch (error) {
      this.report(ACTIVITY.batchFailed, error.status ?? 0);
    }
  }

  async #ask(toggle, on) {
    try {
      const answer = await this.#numbered.get(toggle).send(on);
      this.#tell(answer, ACTIVITY.toggleAnswered, toggle);
    } catch (error) {
      this.#tell(error, ACTIVITY.toggleFailed, toggle, error.status ?? 0);
    }
  }

  /** What is reported is about this outcome. */
  #tell(outcome, ...event) {
    this.#outcome = outcome;
    this.report(...event);
    this.#outcome = null;
  }
}

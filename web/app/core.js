// The session interface (docs/design/session.md): its numbers, the shape of its rows, and the core (core.wasm, or with
// another `door` studio.wasm or upload.wasm), which is handed one event at a time. Of its commands come first those that a
// person waits for (`arrange`).
// It refuses to know what events and commands mean, and never calls the core from inside itself.
//
// NB: few files on purpose: over HTTP/1.1 each six more cost a round trip before the first clip.

export const EVENT = Object.freeze({
  started: 1, itemAppended: 2, pageLoaded: 3, pageFailed: 4, itemRemoved: 5,
  itemInserted: 6, itemDescribed: 7, retentionKnown: 8,
  viewportResized: 10, dragBegan: 11, dragMoved: 12, dragEnded: 13, dragCancelled: 14,
  stepped: 15, jumped: 16, wheelMoved: 17, settleFinished: 18, jumpedToItem: 19,
  firstFrameReady: 20, playbackAdvanced: 21, playbackStalled: 22, positionChanged: 23,
  looped: 24, playerFailed: 25, autoplayRefused: 26, playbackEnded: 27,
  pictureInPictureBegan: 28, pictureInPictureEnded: 29,
  segmentStored: 30, fetchFinished: 31, fetchFailed: 32, networkChanged: 33,
  tapped: 40, soundSet: 41, scrubBegan: 42, scrubMoved: 43, scrubEnded: 44,
  retryRequested: 45, backgrounded: 46, foregrounded: 47, memoryWarned: 48,
  feedLocked: 49, woke: 50, cameraOpened: 51, cameraClosed: 52,
  conditionsChanged: 53,
  diskFound: 54, diskHolds: 55, restoreFailed: 56, persistFailed: 57, savedForOffline: 58,
  clearRequested: 59,
  touched: 80, firstFrameRequired: 81, pictureInPicturePlayed: 82,
  // The message bar's.
  lengthLimited: 61, signedInChanged: 62, messagesChanged: 63, fieldFocused: 64, fieldBlurred: 65,
  fieldDismissed: 66, textChanged: 67, draftRestored: 68, textMeasured: 69, keyboardMoved: 70,
  sendTapped: 71, reactionTapped: 72, messageSent: 73, messageFailed: 74,
});

export const COMMAND = Object.freeze({
  mount: 1, unmount: 2, scroll: 3, settle: 4, hold: 5, setCurrent: 6, requestPage: 7, showEnd: 8,
  fade: 9,
  load: 10, play: 11, pause: 12, seek: 13, release: 14, setMuted: 15, hearOnly: 16,
  fetch: 20, cancel: 21, discard: 22, describe: 23, forget: 24,
  trim: 25, restore: 26, persist: 27, evict: 28, evictUnknown: 29,
  showBuffering: 30, showPaused: 31, showNetworkTrouble: 32, noticeSkipped: 33,
  wake: 34, setRefreshRate: 35, like: 36, showWaiting: 37,
  showBar: 42, leaveField: 43, showText: 44, storeText: 45, dropText: 46, sendMessage: 47,
  cancelMessage: 48, sendReaction: 49, askSignIn: 50, noticeUnsent: 51, returnText: 52,
  noticeReturned: 53,
});

/** Why a fetch failed, as the core counts it. */
export const REASON = Object.freeze({ network: 1, gone: 2, server: 3 });

// Commands whose effect nobody sees at once, and which cost the browser a lot.
const PATIENT = new Set(['mount', 'unmount', 'release', 'load']);
// Commands of which the first field is a player.
const PLAYERS = new Set(['load', 'release', 'seek', 'pause', 'play']);
// As long as a picture needs to move, and shorter than a page needs to settle.
const PATIENCE_MS = 100;

/** The names of commands by their numbers. */
export const namesOf = (table) => new Map(Object.entries(table).map(([name, kind]) => [kind, name]));

/** What the exports of core.wasm are called; studio.wasm has a door of its own. */
const SESSION = {
  reserve: 'session_reserve', handle: 'session_handle', commands: 'session_commands', names: namesOf(COMMAND),
};
// The longest that a timer can be set for; beyond, it would ring at once.
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The fields of `itemAppended`. */
export function itemFields(clip) {
  const fields = [clip.item, clip.duration, clip.renditions.length];
  for (const r of clip.renditions) {
    fields.push(Math.min(r.width, r.height), r.peak_bps, r.average_bps,
      r.init.offset, r.init.size, r.segments.length);
    for (const s of r.segments) fields.push(s.offset, s.size, s.duration_ms);
  }
  return fields;
}

/** An event as `Int64` words. Fractions are rounded; booleans become 0 or 1. */
export function encode(kind, fields) {
  const words = new BigInt64Array(fields.length + 1);
  words[0] = BigInt(kind);
  fields.forEach((field, i) => {
    words[i + 1] = typeof field === 'bigint' ? field : BigInt(Math.round(Number(field)) || 0);
  });
  return words;
}

/** Rows of [kind, count, fields…] as `{name, fields}`, each field through `read`; kinds from a newer core are
 *  skipped. */
export function decode(words, names = SESSION.names, read = Number) {
  const commands = [];
  for (let at = 0; at + 1 < words.length;) {
    const name = names.get(Number(words[at]));
    const end = at + 2 + Number(words[at + 1]);
    if (end > words.length) throw new RangeError('a command is longer than its words');
    if (name) commands.push({ name, fields: Array.from(words.subarray(at + 2, end), (word) => read(word)) });
    at = end;
  }
  return commands;
}

/** What a person waits for comes first. Where a clip starts to play, that is `play`; where its page
 *  glides in, new pages and players are out of sight for long enough to come `later`. What concerns
 *  one player stays in its order. */
export function arrange(commands) {
  const start = commands.findIndex(({ name }) => name === 'play');
  const player = commands[start]?.fields[0];
  const bound = commands.slice(0, Math.max(0, start)).some(({ name, fields }) =>
    PLAYERS.has(name) && fields[0] === player);
  if (start < 0 || bound) return { first: commands, later: [] };
  const rest = commands.filter((_, index) => index !== start);
  const shown = commands.find(({ name }) => name === 'setCurrent')?.fields[0];
  const glides = commands.some(({ name, fields }) => name === 'settle' && fields[1] > 0)
    && !commands.some(({ name }) => name === 'scroll');
  const busy = new Set();
  const waits = ({ name, fields: [subject] }) => {
    if (!glides || (name === 'mount' && subject === shown)) return false;
    if (name === 'load' || name === 'release') busy.add(subject);
    return PATIENT.has(name) || (PLAYERS.has(name) && busy.has(subject));
  };
  const later = rest.filter(waits);
  return { first: [commands[start], ...rest.filter((command) => !later.includes(command))], later };
}

/** Whole milliseconds of the clock that never goes back. */
export const now = () => Math.round(performance.now());

/** Answers what sets the instant at which `ring` is called, once; a later instant replaces an earlier one. */
export function alarm(ring) {
  let timer = 0;
  return function set(instant) {
    clearTimeout(timer);
    const left = Math.min(Math.max(0, instant - now()), LONGEST_TIMER_MS);
    timer = setTimeout(() => { if (now() < instant) set(instant); else ring(); }, left);
  };
}

/** Loads a module and answers its exports. */
export async function loadCore(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  const { instance } = response.headers.get('Content-Type')?.startsWith('application/wasm')
    ? await WebAssembly.instantiateStreaming(response, {})
    : await WebAssembly.instantiate(await response.arrayBuffer(), {});
  instance.exports._initialize?.();
  return instance.exports;
}

export class Core {
  #exports;
  #execute;
  #door;
  #waiting = [];
  #draining = false;
  #later = [];
  #timer = 0;

  /** `execute(name, fields)` carries out one command. */
  constructor(exports, execute, door = SESSION) {
    this.#exports = exports;
    this.#execute = execute;
    this.#door = door;
  }

  /** Reports an event. One that arises while commands run waits until they all have run. */
  report(kind, ...fields) {
    this.#waiting.push(encode(kind, fields));
    this.#drain(() => {});
  }

  #drain(act) {
    if (this.#draining) return;
    this.#draining = true;
    try {
      act();
      while (this.#waiting.length) this.#handle(this.#waiting.shift());
    } finally {
      this.#draining = false;
    }
  }

  #handle(event) {
    const commands = decode(this.#call(event), this.#door.names, this.#door.read);
    if (!commands.length) return;
    this.#catchUp();
    const { first, later } = arrange(commands);
    this.#run(first);
    if (!later.length) return;
    this.#later = later;
    this.#timer = setTimeout(() => this.#drain(() => this.#catchUp()), PATIENCE_MS);
  }

  /** Nothing overtakes what was put off, except what it was put off for. */
  #catchUp() {
    clearTimeout(this.#timer);
    this.#run(this.#later.splice(0));
  }

  #run(commands) {
    for (const { name, fields } of commands) {
      try {
        this.#execute(name, fields);
      } catch (error) {
        console.error(`command ${name}(${fields})`, error);
      }
    }
  }

  #call(event) {
    const core = this.#exports;
    const door = this.#door;
    const address = core[door.reserve](event.length);
    if (!address) throw new RangeError('the core refused an event of this length');
    // NB: a view is good for one call only; the memory may have grown.
    new BigInt64Array(core.memory.buffer, address, event.length).set(event);
    const count = core[door.handle](event.length, BigInt(now()));
    if (count < 0) {
      console.error('the core found this event malformed', event);
      return new BigInt64Array(0);
    }
    return new BigInt64Array(core.memory.buffer, core[door.commands](), count).slice();
  }
}

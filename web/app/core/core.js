// The session interface (docs/design/session.md): its numbers, the shape of its rows, and the core (core.wasm, or with
// another `door` studio.wasm or upload.wasm), which is handed one event at a time.
// It never calls the core from inside itself, and knows of what commands mean only which a person waits for
// (`arrange`).
//
// NB: few files on purpose: over HTTP/1.1 each six more cost a round trip before the first clip.

/** A table of names and fields by their numbers; its words are one row each. A number is that of the row behind it, and from
 *  there they count on. */
export function tableOf(words) {
  let kind = 0;
  const table = new Map();
  for (const word of words.match(/\S+/g)) {
    const [name, ...fields] = word.split(/[:,]/);
    if (+word) kind = +word; else table.set(kind++, { name, fields });
  }
  return table;
}

/** The numbers of a table by their names. */
export const numbersOf = (table) => Object.freeze(Object.fromEntries([...table].map(([kind, { name }]) => [name, kind])));

// Both are made of core/Sources/*/*Protocol.swift by scripts/wire-protocol.sh.
export const EVENT = numbersOf(tableOf(`1 started itemAppended pageLoaded pageFailed itemRemoved itemInserted
  itemDescribed retentionKnown 10 viewportResized dragBegan dragMoved dragEnded dragCancelled stepped jumped
  wheelMoved settleFinished jumpedToItem firstFrameReady playbackAdvanced playbackStalled positionChanged looped
  playerFailed autoplayRefused playbackEnded pictureInPictureBegan pictureInPictureEnded segmentStored
  fetchFinished fetchFailed networkChanged 40 tapped soundSet scrubBegan scrubMoved scrubEnded retryRequested
  backgrounded foregrounded memoryWarned feedLocked woke cameraOpened cameraClosed conditionsChanged diskFound
  diskHolds restoreFailed persistFailed savedForOffline clearRequested 80 touched firstFrameRequired
  pictureInPicturePlayed framesShown`));
export const COMMANDS = tableOf(`1 mount:item,page unmount:item scroll:position settle:page,duration
  hold:position,duration setCurrent:item,page requestPage showEnd:on fade:duration load:player,item play:player
  pause:player seek:player,position release:player setMuted:on hearOnly:player
  20 fetch:request,item,rendition,first,count,init,offset,size cancel:request discard:item describe:item
  forget:item trim:item,segments restore:item,first,count persist:item,segments evict:item,segments
  evictUnknown:bytes showBuffering:on showPaused:on showNetworkTrouble:on noticeSkipped:item wake:instant
  setRefreshRate:rate like:x,y showWaiting:on`);

/** Why a fetch failed, as the core counts it. */
export const REASON = Object.freeze({ network: 1, gone: 2, server: 3 });

// Commands whose effect nobody sees at once, and which cost the browser a lot.
const PATIENT = new Set(['mount', 'unmount', 'release', 'load']);
// Commands of one player.
const PLAYERS = new Set(['load', 'release', 'seek', 'pause', 'play']);
// As long as a picture needs to move, and shorter than a page needs to settle.
const PATIENCE_MS = 100;

/** What the exports of core.wasm are called; studio.wasm has a door of its own. */
const SESSION = {
  reserve: 'session_reserve', handle: 'session_handle', commands: 'session_commands', table: COMMANDS,
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

/** Rows of [kind, count, fields…] as objects with a `name` and the fields by theirs, each through `read`; a field "…x" takes
 *  all that are left. Kinds from a newer core are skipped. */
export function decode(words, table = COMMANDS, read = Number) {
  const commands = [];
  for (let at = 0; at + 1 < words.length;) {
    const { name, fields } = table.get(Number(words[at])) ?? {};
    const end = at + 2 + Number(words[at + 1]);
    if (end > words.length) throw new RangeError('a command is longer than its words');
    if (name) commands.push(named(name, fields, Array.from(words.subarray(at + 2, end), (word) => read(word))));
    at = end;
  }
  return commands;
}

function named(name, fields, values) {
  const command = { name };
  fields.forEach((field, i) => {
    if (field[0] === '…') command[field.slice(1)] = values.slice(i); else command[field] = values[i];
  });
  return command;
}

/** What a person waits for comes first. Where a clip starts to play, that is `play`; where its page
 *  glides in, new pages and players are out of sight for long enough to come `later`. What concerns
 *  one player stays in its order. */
export function arrange(commands) {
  const start = commands.findIndex(({ name }) => name === 'play');
  const starts = commands[start]?.player;
  const bound = commands.slice(0, Math.max(0, start)).some(({ name, player }) =>
    PLAYERS.has(name) && player === starts);
  if (start < 0 || bound) return { first: commands, later: [] };
  const rest = commands.filter((_, index) => index !== start);
  const shown = commands.find(({ name }) => name === 'setCurrent')?.item;
  const glides = commands.some(({ name, duration }) => name === 'settle' && duration > 0)
    && !commands.some(({ name }) => name === 'scroll');
  const busy = new Set();
  const waits = ({ name, item, player }) => {
    if (!glides || (name === 'mount' && item === shown)) return false;
    if (name === 'load' || name === 'release') busy.add(player);
    return PATIENT.has(name) || (PLAYERS.has(name) && busy.has(player));
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

  /** `execute(command)` carries out one command. */
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
    const commands = decode(this.#call(event), this.#door.table, this.#door.read);
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
    for (const command of commands) {
      try {
        this.#execute(command);
      } catch (error) {
        console.error('a command failed', command, error);
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

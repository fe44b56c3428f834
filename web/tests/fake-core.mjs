// A core that is just clever enough to try the host on: it speaks the session's interface (same
// exports, same words), shows clips in order, keeps the neighbours loaded and downloads the lowest
// rendition. Tests only; the product runs core.wasm.

import { COMMANDS, EVENT, numbersOf } from '../app/core/core.js';

const PLAYERS = 3;
const COMMAND = numbersOf(COMMANDS);

export function fakeExports() {
  const memory = new WebAssembly.Memory({ initial: 4 });
  const core = new FakeCore();
  const EVENT_AT = 8;
  const COMMANDS_AT = 65536;
  return {
    memory,
    session_reserve: (words) => (words > 4096 ? 0 : EVENT_AT),
    session_handle(count) {
      const words = Array.from(new BigInt64Array(memory.buffer, EVENT_AT, count), Number);
      if (!Object.values(EVENT).includes(words[0])) return -1;
      const rows = core.handle(words[0], words.slice(1));
      const out = rows.flatMap(([kind, ...fields]) => [kind, fields.length, ...fields]);
      new BigInt64Array(memory.buffer, COMMANDS_AT, out.length).set(out.map((w) => BigInt(Math.round(w))));
      return out.length;
    },
    session_commands: () => COMMANDS_AT,
    session_reset() {},
  };
}

export class FakeCore {
  clips = [];
  page = 0;
  height = 800;
  held = new Map();
  requests = 0;
  paused = false;

  handle(kind, fields) {
    this.out = [];
    const name = Object.keys(EVENT).find((key) => EVENT[key] === kind);
    this[name]?.(...fields);
    return this.out;
  }

  say(name, ...fields) {
    this.out.push([COMMAND[name], ...fields]);
  }

  started() { this.say('requestPage'); }
  soundSet(on) { this.say('setMuted', on ? 0 : 1); }
  viewportResized(height) { this.height = height; }

  itemAppended(item, duration, renditions, ...rest) {
    const [, , , initOffset, initSize, count, ...segments] = rest;
    const last = segments.slice(count * 3 - 3, count * 3);
    this.clips.push({ item, count, offset: initOffset, size: last[0] + last[1] - initOffset });
    this.say('mount', item, item);
  }

  pageLoaded(more) {
    if (more) this.say('requestPage'); else this.say('showEnd', 1);
    this.go(this.page, 0);
  }

  dragMoved(px) { this.say('scroll', (this.page - px / this.height) * 1e6); }
  dragEnded(px, velocity) { this.go(this.page + (px + velocity / 5 < -100 ? 1 : px + velocity / 5 > 100 ? -1 : 0), 260); }
  dragCancelled() { this.go(this.page, 200); }
  stepped(by) { this.go(this.page + by, 260); }
  jumped(page) { this.go(page, 0); }
  wheelMoved(px) { this.go(this.page + Math.sign(px), 260); }

  tapped() {
    this.paused = !this.paused;
    this.say(this.paused ? 'pause' : 'play', this.page % PLAYERS);
    this.say('showPaused', this.paused ? 1 : 0);
  }

  scrubEnded(ms) { this.say('seek', this.page % PLAYERS, ms); }
  playbackStalled() { this.say('showBuffering', 1); }
  playbackAdvanced() { this.say('showBuffering', 0); }

  go(page, duration) {
    const to = Math.max(0, Math.min(this.clips.length - 1, page));
    if (to !== this.page) this.say('pause', this.page % PLAYERS);
    this.page = to;
    for (const item of [to, to + 1, to - 1]) this.hold(item);
    this.say('setCurrent', to, to);
    this.say('settle', to, duration);
    this.paused = false;
    this.say('showPaused', 0);
    this.say('play', to % PLAYERS);
  }

  hold(item) {
    const clip = this.clips[item];
    if (!clip || this.held.get(item % PLAYERS) === item) return;
    this.held.set(item % PLAYERS, item);
    this.say('load', item % PLAYERS, item);
    if (clip.asked) return;
    clip.asked = true;
    this.requests += 1;
    this.say('fetch', this.requests, item, 0, 0, clip.count, 1, clip.offset, clip.size);
  }
}

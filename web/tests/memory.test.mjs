// A thousand swipes: the core's memory is flat from the hundredth on, with the longest clips that the
// pipeline makes and with the largest ones that a hostile server may send.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVENT } from '../app/core/core.js';
import { Door, Watch } from './host.mjs';

const SWIPES = 1_000;
const FEED = 1_200;
const PAGE = 20;
const MEMORY_PAGE = 65_536;

/** A clip of a minute in four renditions. At most 16 pages of memory, not one more later. */
const LONG = { name: 'the longest', renditions: 4, segments: 31, size: 150_000, duration: 1_935,
  limit: 16 * MEMORY_PAGE, slack: 0 };
/** All that `PlaybackDescriptor` allows; 49 of them are 10 MB. Among blocks of that size the
 *  allocator may waste a page. */
const HOSTILE = { name: 'the largest', renditions: 8, segments: 2_048, size: 9_000, duration: 292,
  limit: 256 * MEMORY_PAGE, slack: MEMORY_PAGE };

function clipRow({ renditions, segments, size, duration }) {
  const row = [EVENT.itemAppended, 0, segments * duration, renditions];
  for (let rendition = 0; rendition < renditions; rendition += 1) {
    row.push(240 + 120 * rendition, 900_000, 400_000 * (rendition + 1), 0, 900, segments);
    for (let segment = 0; segment < segments; segment += 1) {
      row.push(900 + segment * size, size, duration);
    }
  }
  return BigInt64Array.from(row, BigInt);
}

/** Requests that are answered between two swipes; the rest are answered after the next one. A swipe takes
 *  little more than a second, and each answer is a decision of a millisecond or two. */
const ANSWERS = 6;

/** Does what it is told, at once. */
class Host {
  door = new Door();
  watch = new Watch();
  now = 0n;
  next = 0;
  described = 0;
  #clip;
  #waiting = [];
  #late = [];
  #answers = ANSWERS;

  constructor(kind) { this.#clip = clipRow(kind); }

  send(...row) {
    this.#waiting.push(row);
    while (this.#waiting.length) this.#handle(this.#waiting.shift());
  }

  #handle([kind, ...fields]) {
    const isClip = kind === EVENT.itemAppended || kind === EVENT.itemDescribed;
    if (isClip) [this.#clip[0], this.#clip[1]] = [BigInt(kind), BigInt(fields[0])];
    const row = isClip ? this.#clip : BigInt64Array.from([kind, ...fields], BigInt);
    if (kind === EVENT.fetchFinished) this.watch.requests.delete(BigInt(fields[0]));
    const commands = this.door.handle(this.now, row);
    assert.ok(commands, `event ${kind} is malformed`);
    this.watch.note(commands, this.now);
    for (const { name, ...fields } of commands) {
      this[name]?.(Object.fromEntries(Object.entries(fields).map(([field, word]) => [field, Number(word)])));
    }
  }

  requestPage() {
    const last = Math.min(FEED, this.next + PAGE);
    for (; this.next < last; this.next += 1) this.#waiting.push([EVENT.itemAppended, this.next]);
    this.#waiting.push([EVENT.pageLoaded, this.next < FEED ? 1 : 0]);
  }

  describe({ item }) {
    this.described += 1;
    this.#waiting.push([EVENT.itemDescribed, item]);
  }

  load({ player, item }) { this.#waiting.push([EVENT.firstFrameReady, player, item]); }
  settle({ page }) { this.#waiting.push([EVENT.settleFinished, page]); }

  fetch(download) {
    if (this.#answers > 0) this.#answer(download);
    else this.#late.push(download);
  }

  /** Answers what the last swipe left open, but for what has been cancelled. */
  catchUp() {
    this.#answers = ANSWERS;
    for (const download of this.#late.splice(0)) {
      if (this.watch.requests.has(BigInt(download.request))) this.#answer(download);
    }
  }

  #answer({ request, item, rendition, first, count, init, size }) {
    this.#answers -= 1;
    if (init) this.#waiting.push([EVENT.segmentStored, request, item, rendition, -1]);
    for (let segment = first; segment < first + count; segment += 1) {
      this.#waiting.push([EVENT.segmentStored, request, item, rendition, segment]);
    }
    this.#waiting.push([EVENT.fetchFinished, request, size, 90, 40]);
  }
}

for (const kind of [LONG, HOSTILE]) {
  test(`${SWIPES} swipes through ${kind.name} clips take no more memory than the first hundred`, () => {
    const host = new Host(kind);
    host.send(EVENT.started, 5, 0, 1, 0, 0, 0);
    host.send(EVENT.viewportResized, 800, 1_080);
    const bytes = Array.from({ length: SWIPES }, (_, swipe) => swipeOn(host, swipe));
    assert.deepEqual(host.watch.broken, []);
    assert.ok(host.described > 100, `${host.described} descriptors asked for again`);
    assert.ok(bytes.at(-1) - bytes[99] <= kind.slack, `${bytes[99]} bytes, then ${bytes.at(-1)}`);
    assert.ok(bytes.at(-1) <= kind.limit, `${bytes.at(-1)} bytes`);
  });
}

/** To the next clip, which plays a moment; now and then far back, where descriptors are asked for
 *  again. Answers the bytes of memory. */
function swipeOn(host, swipe) {
  host.now += 700n;
  host.catchUp();
  if (swipe % 100 === 60) host.send(EVENT.jumped, Math.max(0, swipe - 60));
  else if (swipe % 100 === 61) host.send(EVENT.jumped, swipe);
  else host.send(EVENT.stepped, 1);
  host.now += 600n;
  host.send(EVENT.woke);
  const [[player, item]] = host.watch.players;
  host.send(EVENT.positionChanged, Number(player), Number(item), 500);
  return host.door.bytes;
}

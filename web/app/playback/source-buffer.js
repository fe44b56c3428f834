// Places in time, the boxes of fragmented MP4, and the source buffer with all that it has to be told.

// Times on the timeline are seconds, as media elements count; in the clip milliseconds.

/** Which turn of the clip is at `seconds`; a hair before the seam counts as the seam. */
export function turnAt(seconds, duration) {
  return Math.max(0, Math.floor((seconds * 1000 + 1) / duration));
}

/** Milliseconds into the clip at `seconds` of the timeline. */
export function positionAt(seconds, duration) {
  return Math.max(0, Math.round(seconds * 1000 - turnAt(seconds, duration) * duration));
}

/** Seconds of a place in the clip, within one turn. The last 50 ms are out of reach, so that a scrub to the
 *  very end does not show the start of the next turn. */
export function timelineTime(turn, position, duration) {
  const within = Math.max(0, Math.min(position, duration - 50));
  return (turn * duration + within) / 1000;
}

/** Start of each segment in the clip, ms, with the end of the last one behind them. */
export function segmentStarts(segments) {
  const starts = [0];
  for (const s of segments) starts.push(starts.at(-1) + s.duration_ms);
  return starts;
}

/** The segment that holds `position`. */
export function segmentAt(starts, position) {
  let index = 0;
  while (index < starts.length - 2 && starts[index + 1] <= position) index += 1;
  return index;
}

/** The buffered range [start, end] that holds `seconds` (with `slack` before its start), or null. */
export function rangeAt(ranges, seconds, slack = 0) {
  for (let i = 0; i < ranges.length; i += 1) {
    if (ranges.start(i) - slack <= seconds && seconds < ranges.end(i)) {
      return [ranges.start(i), ranges.end(i)];
    }
  }
  return null;
}

/** How far a range reaches on from `seconds`; 0 when nothing is there. */
export function bufferedAhead(ranges, seconds) {
  const range = rangeAt(ranges, seconds, 0.1);
  return range ? range[1] - Math.max(seconds, range[0]) : 0;
}

/** What lies on a timeline, as far as the browser has kept it: turn, segment, rendition, start and end. */
export class AppendedSegments {
  #list = [];

  add(piece) {
    this.#list = this.#list.filter((p) => p.turn !== piece.turn || p.segment !== piece.segment);
    this.#list.push(piece);
  }

  dropUntil(seconds) {
    this.#list = this.#list.filter(({ end }) => end > seconds);
  }

  dropFrom(seconds) {
    this.#list = this.#list.filter(({ end }) => end <= seconds);
  }

  /** One that starts at `from` or later and of which there is a better rendition by now; `best(segment)`. */
  better(from, best) {
    const improves = ({ start, segment, rendition }) => start >= from && best(segment) > rendition;
    const piece = this.#list.find(improves);
    return piece ? { ...piece, rendition: best(piece.segment) } : null;
  }

  bytes(renditions) {
    return this.#list.reduce((sum, { segment, rendition }) =>
      sum + renditions[rendition].segments[segment].size, 0);
  }
}

/** Where the samples begin in the first bytes of a media segment; 0 if these bytes do not tell yet. */
export function mediaStart(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at + HEADER <= bytes.length;) {
    if (view.getUint32(at + 4) === 0x6d646174) return at + HEADER;
    const size = view.getUint32(at);
    if (size < HEADER) return 0;
    at += size;
  }
  return 0;
}

// Sound is taken out of fragmented MP4 without moving a byte: boxes of audio tracks are renamed to
// `free`, which every parser skips.

const HEADER = 8;
const CONTAINERS = new Set(['moov', 'mvex', 'moof', 'mdia']);

export const mime = (codecs) => `video/mp4; codecs="${codecs}"`;

/** Codecs of the picture alone; empty if there is none. */
export const pictureCodecs = (codecs) =>
  codecs.split(',').map((codec) => codec.trim())
    .filter((codec) => /^(avc|hvc|hev|av01|vp)/.test(codec)).join(',');

/** Whether a clip has sound, and a picture that can do without. */
export const canSilence = (clip) => clip.renditions.every(({ codecs }) => {
  const picture = pictureCodecs(codecs);
  return picture && picture !== codecs;
});

/** Calls `visit(type, start, end)` for the boxes in [from, to), those in `CONTAINERS` opened. */
function walk(view, from, to, visit) {
  for (let at = from; at + HEADER <= to;) {
    const size = view.getUint32(at);
    const end = at + size;
    if (size < HEADER || end > to) return;
    const type = String.fromCharCode(...new Uint8Array(view.buffer, view.byteOffset + at + 4, 4));
    visit(type, at, end);
    if (CONTAINERS.has(type)) walk(view, at + HEADER, end, visit);
    at = end;
  }
}

/** The fields of a box within [from, to): the place behind its header, or −1. */
function find(view, name, from, to) {
  let place = -1;
  walk(view, from, to, (type, start) => { if (type === name && place < 0) place = start + HEADER; });
  return place;
}

const free = (bytes, at) => bytes.set([0x66, 0x72, 0x65, 0x65], at + 4);

/** An init segment without its audio tracks, and their numbers. */
export function silenceInit(bytes) {
  const copy = bytes.slice();
  const view = new DataView(copy.buffer);
  const silenced = new Set();
  walk(view, 0, copy.length, (type, start, end) => {
    if (type !== 'trak') return;
    const handler = find(view, 'hdlr', start + HEADER, end);
    const header = find(view, 'tkhd', start + HEADER, end);
    if (handler < 0 || header < 0 || view.getUint32(handler + 8) !== 0x736f756e) return;
    silenced.add(view.getUint32(header + (view.getUint8(header) === 1 ? 20 : 12)));
    free(copy, start);
  });
  walk(view, 0, copy.length, (type, start) => {
    if (type === 'trex' && silenced.has(view.getUint32(start + HEADER + 4))) free(copy, start);
  });
  return { bytes: copy, silenced };
}

/** A media segment without the fragments of those tracks. */
export function silenceSegment(bytes, silenced) {
  const copy = bytes.slice();
  const view = new DataView(copy.buffer);
  walk(view, 0, copy.length, (type, start, end) => {
    if (type !== 'traf') return;
    const header = find(view, 'tfhd', start + HEADER, end);
    if (header >= 0 && silenced.has(view.getUint32(header + 4))) free(copy, start);
  });
  return copy;
}

// The window of a turn is a little wider than the turn: a duration rounded to milliseconds must
// not cost its first key frame or its last frame.
const WINDOW_SLACK = 0.01;

/** One source buffer, and what it was told last: codecs, init, turn. Sound may be left out. */
export class SourceBufferWriter {
  #buffer;
  #isSilent;
  #silenced = new Set();
  #codecs;
  #rendition = -1;
  #turn = -1;

  /** `ended()` runs after each thing that was done. */
  constructor(source, codecs, isSilent, ended) {
    this.#isSilent = isSilent;
    this.#codecs = codecs;
    this.#buffer = source.addSourceBuffer(this.#typeOf(codecs));
    this.#buffer.addEventListener('updateend', ended);
  }

  get isBusy() {
    return this.#buffer.updating;
  }

  get buffered() {
    return this.#buffer.buffered;
  }

  /** Whether segments of this rendition may follow. If not, its init was given, and they may next. */
  use(rendition, codecs, init) {
    if (rendition === this.#rendition) return true;
    if (codecs !== this.#codecs) this.#buffer.changeType?.(this.#typeOf(codecs));
    this.#codecs = codecs;
    let bytes = init;
    if (this.#isSilent) ({ bytes, silenced: this.#silenced } = silenceInit(init));
    this.#buffer.appendBuffer(bytes);
    this.#rendition = rendition;
    return false;
  }

  /** Moves the clip's own time to its turn. The window cuts audio that hangs over the seam. */
  turnTo(turn, duration) {
    if (turn === this.#turn) return;
    const start = (turn * duration) / 1000;
    this.#buffer.appendWindowStart = 0;
    this.#buffer.appendWindowEnd = start + duration / 1000 + WINDOW_SLACK;
    this.#buffer.appendWindowStart = Math.max(0, start - WINDOW_SLACK);
    this.#buffer.timestampOffset = start;
    this.#turn = turn;
  }

  /** A segment, or so much of its beginning that its samples have begun. */
  begin(bytes) {
    this.#buffer.appendBuffer(this.#isSilent ? silenceSegment(bytes, this.#silenced) : bytes);
  }

  goOn(bytes) {
    this.#buffer.appendBuffer(bytes);
  }

  /** The rest of what was begun does not come. Resets the window as well. */
  breakOff() {
    this.#buffer.abort();
    this.#turn = -1;
  }

  /** The init is given anew. */
  doubtInit() {
    this.#rendition = -1;
  }

  remove(until) {
    this.#buffer.remove(0, until);
  }

  #typeOf(codecs) {
    return mime(this.#isSilent ? pictureCodecs(codecs) : codecs);
  }
}

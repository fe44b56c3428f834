// Feeds one <video> from the store through Media Source Extensions: the clip's segments, then the
// same clip again behind itself, and so on, so that the loop has neither gap nor flash.
// It refuses to know when to play and what to download: it lays down what is there.

import { pictureCodecs, silenceInit, silenceSegment } from './boxes.js';
import { INIT } from './downloads.js';

const Source = globalThis.MediaSource ?? globalThis.ManagedMediaSource;

/** Whether this browser can be fed with segments at all. */
export const hasMediaSource = Boolean(Source);
export const canPlay = (codecs) => !Source || Source.isTypeSupported(mime(codecs));

// Seconds. Ahead of the playhead within a turn; less over the seam, so that better segments that
// arrive during this turn make it into the next one; and behind it, for short scrubs back.
const AHEAD = 8;
const SEAM_AHEAD = 4;
const BEHIND = 10;
const BEHIND_SLACK = 5;
// A hole as wide as this between two segments (audio that ends early) is jumped.
const GAP = 0.25;
// The window of a turn is a little wider than the turn: a duration rounded to milliseconds must
// not cost its first key frame or its last frame.
const WINDOW_SLACK = 0.01;
const FRUITLESS_LIMIT = 3;
// A tape without an end would be a live stream, and those clamp seeks to what is buffered.
const TAPE_END = 360_000;

const mime = (codecs) => `video/mp4; codecs="${codecs}"`;

// A muted clip is laid down without its sound: the picture then starts with the element's clock
// instead of some 40 ms later with that of an audio output nobody hears, and nothing decodes sound.
// A browser that does not take it once is not asked again.
let maySilence = true;
const canSilence = (clip) => maySilence && clip.renditions.every(({ codecs }) => {
  const picture = pictureCodecs(codecs);
  return picture && picture !== codecs;
});

export class Tape {
  #video;
  #store;
  #failed;
  #clip = null;
  #source = null;
  #buffer = null;
  #starts = [];
  #turn = 0;
  #segment = 0;
  #windowTurn = -1;
  #rendition = -1;
  #codecs = '';
  #silent = false;
  #silenced = null;
  #flush = false;
  #laid = false;
  #fruitless = 0;

  /** `failed()` runs when the browser refuses what it is fed. */
  constructor(video, store, failed) {
    this.#video = video;
    this.#store = store;
    this.#failed = failed;
    if (!globalThis.MediaSource) video.disableRemotePlayback = true;
  }

  /** `at`: where on the tape to begin, seconds. */
  attach(clip, at = 0) {
    this.detach();
    this.#clip = clip;
    this.#silent = this.#video.muted && canSilence(clip);
    this.#starts = segmentStarts(clip.renditions[0].segments);
    this.#goTo(at);
    const source = this.#source = new Source();
    const url = URL.createObjectURL(source);
    source.addEventListener('sourceopen', () => {
      URL.revokeObjectURL(url);
      if (this.#source === source) this.#open(source);
    }, { once: true });
    this.#video.src = url;
    if (at) this.#video.currentTime = at;
  }

  detach() {
    this.#clip = this.#source = this.#buffer = null;
    this.#turn = this.#segment = 0;
    this.#windowTurn = this.#rendition = -1;
    this.#flush = this.#laid = false;
    this.#fruitless = 0;
  }

  /** Whether what is laid down lacks the sound that is wanted now. */
  get lacksSound() {
    return this.#silent && !this.#video.muted;
  }

  /** Which turn of the clip is on, from 0. */
  get turn() {
    return turnAt(this.#video.currentTime, this.#clip.duration);
  }

  /** Milliseconds into the clip. */
  get position() {
    return positionAt(this.#video.currentTime, this.#clip.duration);
  }

  /** Seconds that can be played on from here. */
  get ahead() {
    return bufferedAhead(this.#video.buffered, this.#video.currentTime);
  }

  seek(position) {
    const target = tapeTime(this.turn, position, this.#clip.duration);
    if (!this.#buffer || !rangeAt(this.#buffer.buffered, target)) {
      this.#goTo(target);
      this.#flush = true;
    }
    this.#video.currentTime = target;
    this.fill();
  }

  /** Lays down the next segment if it is there and its time has come. Call it at any time. */
  fill() {
    const buffer = this.#buffer;
    if (!buffer || buffer.updating || this.#source.readyState !== 'open') return;
    if (this.#fruitless >= FRUITLESS_LIMIT) return;
    try {
      this.#step(buffer);
    } catch (error) {
      if (error.name === 'QuotaExceededError') this.#makeRoom(buffer);
      else this.#fail(error);
    }
  }

  /** Leaps over a small hole in front of the playhead. */
  leapGap() {
    const { buffered, currentTime } = this.#video;
    if (rangeAt(buffered, currentTime)) return;
    const range = rangeAt(buffered, currentTime, GAP);
    if (range) this.#video.currentTime = range[0] + 0.001;
  }

  #open(source) {
    try {
      source.duration = TAPE_END;
      this.#codecs = this.#clip.renditions[0].codecs;
      const buffer = this.#buffer = source.addSourceBuffer(this.#typeOf(this.#codecs));
      buffer.addEventListener('updateend', () => {
        if (this.#buffer !== buffer) return;
        this.#noteAppended(buffer);
        this.fill();
      });
      this.fill();
    } catch (error) {
      this.#fail(error);
    }
  }

  #noteAppended(buffer) {
    if (this.#flush) return;
    if (this.#laid) this.#noteLaid(buffer.buffered.length > 0);
    this.leapGap();
  }

  /** Bytes that are no media at all raise no error; they only never become pictures. Once may be
   *  the browser's doing: then init and segment are laid down anew. */
  #noteLaid(fruitful) {
    this.#laid = false;
    this.#fruitless = fruitful ? 0 : this.#fruitless + 1;
    if (fruitful) return;
    this.#rendition = -1;
    if (this.#fruitless === FRUITLESS_LIMIT) this.#fail(new Error('segments without media'));
  }

  #step(buffer) {
    const at = this.#video.currentTime;
    if (this.#flush) {
      this.#flush = this.#laid = false;
      buffer.remove(0, TAPE_END);
    } else if (buffer.buffered.length && buffer.buffered.start(0) < at - BEHIND - BEHIND_SLACK) {
      buffer.remove(0, at - BEHIND);
    } else {
      this.#append(buffer, at);
    }
  }

  #append(buffer, at) {
    this.#catchUp(buffer, at);
    const start = (this.#turn * this.#clip.duration + this.#starts[this.#segment]) / 1000;
    const limit = this.#turn > 0 && this.#segment === 0 ? SEAM_AHEAD : AHEAD;
    if (start - at >= limit) return;
    const { item } = this.#clip;
    const rendition = this.#store.best(item, this.#segment);
    if (rendition < 0) return;
    if (rendition !== this.#rendition) {
      this.#useCodecs(buffer, this.#clip.renditions[rendition].codecs);
      buffer.appendBuffer(this.#init(this.#store.get(item, rendition, INIT)));
      this.#rendition = rendition;
      return;
    }
    this.#useTurn(buffer);
    buffer.appendBuffer(this.#media(this.#store.get(item, rendition, this.#segment)));
    this.#laid = true;
    this.#segment += 1;
    if (this.#segment === this.#starts.length - 1) {
      this.#segment = 0;
      this.#turn += 1;
    }
  }

  /** A browser may drop what it was given (managed sources do): then lay it down again from the
   *  playhead on, instead of behind a hole that nothing would fill. */
  #catchUp(buffer, at) {
    const start = (this.#turn * this.#clip.duration + this.#starts[this.#segment]) / 1000;
    if (start <= at + GAP || rangeAt(buffer.buffered, at, GAP)) return;
    this.#goTo(at);
  }

  /** The segment at this place of the tape is laid down next. */
  #goTo(at) {
    this.#turn = turnAt(at, this.#clip.duration);
    this.#segment = segmentAt(this.#starts, positionAt(at, this.#clip.duration));
  }

  #typeOf(codecs) {
    return mime(this.#silent ? pictureCodecs(codecs) : codecs);
  }

  #useCodecs(buffer, codecs) {
    if (codecs === this.#codecs) return;
    buffer.changeType?.(this.#typeOf(codecs));
    this.#codecs = codecs;
  }

  #init(bytes) {
    if (!this.#silent) return bytes;
    const init = silenceInit(bytes);
    this.#silenced = init.silenced;
    return init.bytes;
  }

  #media(bytes) {
    return this.#silent ? silenceSegment(bytes, this.#silenced) : bytes;
  }

  #fail(error) {
    if (this.#silent) maySilence = false;
    this.#failed(error);
  }

  /** Moves the clip's own time to its turn. The window cuts audio that hangs over the seam. */
  #useTurn(buffer) {
    if (this.#windowTurn === this.#turn) return;
    const start = (this.#turn * this.#clip.duration) / 1000;
    buffer.appendWindowStart = 0;
    buffer.appendWindowEnd = start + this.#clip.duration / 1000 + WINDOW_SLACK;
    buffer.appendWindowStart = Math.max(0, start - WINDOW_SLACK);
    buffer.timestampOffset = start;
    this.#windowTurn = this.#turn;
  }

  /** The browser's own limit is reached: give back what was played, and go on as time passes. */
  #makeRoom(buffer) {
    const until = this.#video.currentTime - 1;
    if (buffer.buffered.length && buffer.buffered.start(0) < until) buffer.remove(0, until);
  }
}

// Arithmetic: times on the tape are seconds, as media elements count; in the clip milliseconds.

/** Which turn of the clip is at `seconds`; a hair before the seam counts as the seam. */
export function turnAt(seconds, duration) {
  return Math.max(0, Math.floor((seconds * 1000 + 1) / duration));
}

/** Milliseconds into the clip at `seconds` of the tape. */
export function positionAt(seconds, duration) {
  return Math.max(0, Math.round(seconds * 1000 - turnAt(seconds, duration) * duration));
}

/** Tape seconds of a place in the clip, within one turn. The last 50 ms are out of reach, so that
 *  a scrub to the very end does not show the start of the next turn. */
export function tapeTime(turn, position, duration) {
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

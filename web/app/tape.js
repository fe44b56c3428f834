// Feeds one <video> from the store through Media Source Extensions: the clip's segments, then the
// same clip again behind itself, and so on, so that the loop has neither gap nor flash.
// It refuses to know when to play and what to download: it lays down what is there.

import { INIT } from './downloads.js';
import {
  Sound, bufferedAhead, canSilence, mime, positionAt, rangeAt, segmentAt, segmentStarts, tapeTime, turnAt,
} from './media.js';

const Source = globalThis.MediaSource ?? globalThis.ManagedMediaSource;

/** Whether this browser can be fed with segments at all. */
export const hasMediaSource = Boolean(Source);
export const canPlay = (codecs) => !Source || Source.isTypeSupported(mime(codecs));

// Seconds. Ahead of the playhead within a turn; less over the seam, where better segments may still
// arrive during this turn; and behind it, for short scrubs back.
const AHEAD = 8;
const SEAM_AHEAD = 4;
const BEHIND = 10;
const BEHIND_SLACK = 5;
// A piece that is nearer than this is not replaced any more: the decoder may have read it.
const REPLACE_AHEAD = 1;
// A hole as wide as this between two segments (audio that ends early) is jumped.
const GAP = 0.25;
// The window of a turn is a little wider than the turn: a duration rounded to milliseconds must
// not cost its first key frame or its last frame.
const WINDOW_SLACK = 0.01;
const FRUITLESS_LIMIT = 3;
// A tape without an end would be a live stream, and those clamp seeks to what is buffered.
const TAPE_END = 360_000;

// A muted clip is laid down without its sound: the picture then starts with the element's clock
// instead of some 40 ms later with that of an audio output nobody hears, and nothing decodes sound.
// A browser that does not take it once is not asked again.
let maySilence = true;

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
  #sound = null;
  // What lies on the tape, as far as the browser has kept it: turn, segment, rendition, start and end.
  #pieces = [];
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
    this.#sound = new Sound(this.#video.muted && maySilence && canSilence(clip));
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
    this.#pieces = [];
  }

  /** Bytes of the segments that the browser holds of this clip. */
  get bytes() {
    return this.#pieces.reduce((sum, { segment, rendition }) =>
      sum + this.#clip.renditions[rendition].segments[segment].size, 0);
  }

  /** Whether what is laid down lacks the sound that is wanted now. */
  get lacksSound() {
    return this.#sound.isSilent && !this.#video.muted;
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
      const buffer = this.#buffer = source.addSourceBuffer(this.#sound.typeOf(this.#codecs));
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
      this.#remove(buffer, TAPE_END);
    } else if (buffer.buffered.length && buffer.buffered.start(0) < at - BEHIND - BEHIND_SLACK) {
      this.#remove(buffer, at - BEHIND);
    } else {
      this.#catchUp(buffer, at);
      const piece = this.#due(at) ?? this.#better(at);
      if (piece) this.#lay(buffer, piece);
    }
  }

  #remove(buffer, until) {
    this.#pieces = this.#pieces.filter(({ end }) => end > until);
    buffer.remove(0, until);
  }

  /** What continues the tape, if it is stored and its time has come. */
  #due(at) {
    const turn = this.#turn;
    const segment = this.#segment;
    const start = this.#startOf(turn, segment);
    if (start - at >= (turn > 0 && segment === 0 ? SEAM_AHEAD : AHEAD)) return null;
    const rendition = this.#store.best(this.#clip.item, segment);
    return rendition < 0 ? null : { turn, segment, rendition, start };
  }

  /** What lies ahead on the tape in a lower rendition than it is stored in by now. */
  #better(at) {
    for (const piece of this.#pieces) {
      if (piece.start < at + REPLACE_AHEAD) continue;
      const rendition = this.#store.best(this.#clip.item, piece.segment);
      if (rendition > piece.rendition) return { ...piece, rendition };
    }
    return null;
  }

  /** Segments begin with a key frame at the same instants in every rendition, so that a better one
   *  takes the place of another without a trace. */
  #lay(buffer, piece) {
    const { item, renditions } = this.#clip;
    const { turn, segment, rendition } = piece;
    if (rendition !== this.#rendition) {
      this.#useCodecs(buffer, renditions[rendition].codecs);
      buffer.appendBuffer(this.#sound.init(this.#store.get(item, rendition, INIT)));
      this.#rendition = rendition;
      return;
    }
    this.#useTurn(buffer, turn);
    buffer.appendBuffer(this.#sound.segment(this.#store.get(item, rendition, segment)));
    this.#laid = true;
    piece.end = this.#startOf(turn, segment + 1);
    this.#pieces = this.#pieces.filter((p) => p.turn !== turn || p.segment !== segment);
    this.#pieces.push(piece);
    if (turn === this.#turn && segment === this.#segment) this.#advance();
  }

  #advance() {
    this.#segment += 1;
    if (this.#segment < this.#starts.length - 1) return;
    this.#segment = 0;
    this.#turn += 1;
  }

  #startOf(turn, segment) {
    return (turn * this.#clip.duration + this.#starts[segment]) / 1000;
  }

  /** A browser may drop what it was given (managed sources do): then lay it down again from the
   *  playhead on, instead of behind a hole that nothing would fill. */
  #catchUp(buffer, at) {
    if (this.#startOf(this.#turn, this.#segment) <= at + GAP || rangeAt(buffer.buffered, at, GAP)) return;
    this.#pieces = this.#pieces.filter(({ end }) => end <= at);
    this.#goTo(at);
  }

  /** The segment at this place of the tape is laid down next. */
  #goTo(at) {
    this.#turn = turnAt(at, this.#clip.duration);
    this.#segment = segmentAt(this.#starts, positionAt(at, this.#clip.duration));
  }

  #useCodecs(buffer, codecs) {
    if (codecs === this.#codecs) return;
    buffer.changeType?.(this.#sound.typeOf(codecs));
    this.#codecs = codecs;
  }

  #fail(error) {
    if (this.#sound.isSilent) maySilence = false;
    this.#failed(error);
  }

  /** Moves the clip's own time to its turn. The window cuts audio that hangs over the seam. */
  #useTurn(buffer, turn) {
    if (this.#windowTurn === turn) return;
    const start = (turn * this.#clip.duration) / 1000;
    buffer.appendWindowStart = 0;
    buffer.appendWindowEnd = start + this.#clip.duration / 1000 + WINDOW_SLACK;
    buffer.appendWindowStart = Math.max(0, start - WINDOW_SLACK);
    buffer.timestampOffset = start;
    this.#windowTurn = turn;
  }

  /** The browser's own limit is reached: give back what was played, and go on as time passes. */
  #makeRoom(buffer) {
    const until = this.#video.currentTime - 1;
    if (buffer.buffered.length && buffer.buffered.start(0) < until) this.#remove(buffer, until);
  }
}

// Feeds one <video> from the store through Media Source Extensions: the clip's segments, then the
// same clip again behind itself, and so on, so that the loop has neither gap nor flash.
// It refuses to know when to play and what to download: it lays down what is there.

import { INIT } from './downloads.js';
import {
  AppendedSegments, SourceBufferWriter, bufferedAhead, canSilence, mediaStart, mime, positionAt, rangeAt, segmentAt, segmentStarts,
  timelineTime, turnAt,
} from './source-buffer.js';

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
// With less to play, the beginning of a segment is laid down while the rest still comes.
const STARVED = 0.5;
const FRUITLESS_LIMIT = 3;
// A timeline without an end would be a live stream, and those clamp seeks to what is buffered.
const TIMELINE_END = 360_000;

// A muted clip is laid down without its sound: the picture then starts with the element's clock
// instead of some 40 ms later with that of an audio output nobody hears, and nothing decodes sound.
// A browser that does not take it once is not asked again.
let maySilence = true;

export class LoopingMediaSource {
  #video;
  #store;
  #failed;
  #clip = null;
  #source = null;
  #writer = null;
  #starts = [];
  #turn = 0;
  #segment = 0;
  #pieces = new AppendedSegments();
  // The piece of which only the beginning is laid down, and how many bytes of it.
  #begun = null;
  #isSilent = false;
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

  /** `at`: where on the timeline to begin, seconds. */
  attach(clip, at = 0) {
    this.detach();
    this.#clip = clip;
    this.#isSilent = this.#video.muted && maySilence && canSilence(clip);
    this.#starts = segmentStarts(clip.renditions[0].segments);
    this.#goTo(at);
    const source = this.#source = new Source();
    const url = URL.createObjectURL(source);
    source.addEventListener('sourceopen', () => {
      URL.revokeObjectURL(url);
      if (this.#source === source) this.#openBuffer(source);
    }, { once: true });
    this.#video.src = url;
    if (at) this.#video.currentTime = at;
  }

  detach() {
    this.#clip = this.#source = this.#writer = null;
    this.#turn = this.#segment = 0;
    this.#flush = this.#laid = false;
    this.#fruitless = 0;
    this.#pieces = new AppendedSegments();
    this.#begun = null;
  }

  /** Bytes of the segments that the browser holds of this clip. */
  get bytes() {
    return this.#pieces.bytes(this.#clip.renditions);
  }

  /** Whether what is laid down lacks the sound that is wanted now. */
  get lacksSound() {
    return this.#isSilent && !this.#video.muted;
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
    const target = timelineTime(this.turn, position, this.#clip.duration);
    if (!this.#writer || !rangeAt(this.#writer.buffered, target)) {
      this.#goTo(target);
      this.#flush = true;
    }
    this.#video.currentTime = target;
    this.fill();
  }

  /** Lays down the next segment if it is there and its time has come. Call it at any time. */
  fill() {
    const writer = this.#writer;
    if (!writer || writer.isBusy || this.#source.readyState !== 'open') return;
    if (this.#fruitless >= FRUITLESS_LIMIT) return;
    try {
      this.#step(writer);
    } catch (error) {
      if (error.name === 'QuotaExceededError') this.#makeRoom(writer);
      else this.#fail(error);
    }
  }

  /** Leaps over a small hole in front of the playhead. */
  skipGap() {
    const { buffered, currentTime } = this.#video;
    if (rangeAt(buffered, currentTime)) return;
    const range = rangeAt(buffered, currentTime, GAP);
    if (range) this.#video.currentTime = range[0] + 0.001;
  }

  #openBuffer(source) {
    try {
      source.duration = TIMELINE_END;
      const writer = this.#writer = new SourceBufferWriter(source, this.#clip.renditions[0].codecs, this.#isSilent, () => {
        if (this.#writer !== writer) return;
        this.#noteAppended(writer);
        this.fill();
      });
      this.fill();
    } catch (error) {
      this.#fail(error);
    }
  }

  #noteAppended(writer) {
    if (this.#flush) return;
    if (this.#laid) this.#noteLaid(writer.buffered.length > 0);
    this.skipGap();
  }

  /** Bytes that are no media at all raise no error; they only never become pictures. Once may be
   *  the browser's doing: then init and segment are laid down anew. */
  #noteLaid(fruitful) {
    this.#laid = false;
    this.#fruitless = fruitful ? 0 : this.#fruitless + 1;
    if (fruitful) return;
    this.#writer.doubtInit();
    if (this.#fruitless === FRUITLESS_LIMIT) this.#fail(new Error('segments without media'));
  }

  #step(writer) {
    const at = this.#video.currentTime;
    if (this.#flush) {
      this.#flush = this.#laid = false;
      if (this.#begun) this.#giveUp(writer);
      this.#remove(writer, TIMELINE_END);
    } else if (this.#begun) {
      this.#appendMore(writer);
    } else if (writer.buffered.length && writer.buffered.start(0) < at - BEHIND - BEHIND_SLACK) {
      this.#remove(writer, at - BEHIND);
    } else {
      this.#catchUp(writer, at);
      const best = (segment) => this.#best(segment);
      const piece = this.#due(at) ?? this.#pieces.better(at + REPLACE_AHEAD, best);
      if (piece) this.#append(writer, piece);
    }
  }

  #remove(writer, until) {
    this.#pieces.dropUntil(until);
    writer.remove(until);
  }

  /** What continues the timeline, if it is stored and its time has come. */
  #due(at) {
    const turn = this.#turn;
    const segment = this.#segment;
    const start = this.#startOf(turn, segment);
    if (start - at >= (turn > 0 && segment === 0 ? SEAM_AHEAD : AHEAD)) return null;
    const rendition = this.#best(segment);
    if (rendition >= 0) return { turn, segment, rendition, start };
    if (this.ahead > STARVED) return null;
    const growing = this.#store.growing(this.#clip.item, segment);
    const begun = growing && this.#store.get(this.#clip.item, growing.rendition, INIT);
    return begun && mediaStart(growing.bytes.subarray(0, growing.have)) > 0
      ? { turn, segment, rendition: growing.rendition, start } : null;
  }

  #best(segment) {
    return this.#store.best(this.#clip.item, segment);
  }

  /** Segments begin with a key frame at the same instants in every rendition, so that a better one
   *  takes the place of another without a trace. */
  #append(writer, piece) {
    const { item, renditions, duration } = this.#clip;
    const { turn, rendition } = piece;
    const init = this.#store.get(item, rendition, INIT);
    if (!writer.use(rendition, renditions[rendition].codecs, init)) return;
    writer.turnTo(turn, duration);
    this.#begun = { piece, sent: 0 };
    this.#appendMore(writer);
  }

  /** What there is of the open piece: all of it, or with nothing left to play, its beginning. */
  #appendMore(writer) {
    const { piece, sent } = this.#begun;
    const whole = this.#store.get(this.#clip.item, piece.rendition, piece.segment);
    const growing = this.#store.growing(this.#clip.item, piece.segment);
    if (!whole && growing?.rendition !== piece.rendition) {
      this.#giveUp(writer);
      this.#step(writer);
      return;
    }
    const bytes = whole ?? growing.bytes.subarray(0, growing.have);
    if (bytes.length > sent) {
      if (sent) writer.goOn(bytes.subarray(sent)); else writer.begin(bytes);
      this.#begun.sent = bytes.length;
    }
    if (whole) this.#close(piece);
  }

  #close(piece) {
    this.#begun = null;
    this.#laid = true;
    this.#pieces.add({ ...piece, end: this.#startOf(piece.turn, piece.segment + 1) });
    if (piece.turn === this.#turn && piece.segment === this.#segment) this.#advance();
  }

  /** The rest of the open piece does not come. */
  #giveUp(writer) {
    this.#begun = null;
    // Or the bytes that follow would count as its rest.
    writer.breakOff();
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
  #catchUp(writer, at) {
    if (this.#startOf(this.#turn, this.#segment) <= at + GAP || rangeAt(writer.buffered, at, GAP)) return;
    this.#pieces.dropFrom(at);
    this.#goTo(at);
  }

  /** The segment at this place of the timeline is laid down next. */
  #goTo(at) {
    this.#turn = turnAt(at, this.#clip.duration);
    this.#segment = segmentAt(this.#starts, positionAt(at, this.#clip.duration));
  }

  #fail(error) {
    if (this.#isSilent) maySilence = false;
    this.#failed(error);
  }

  /** The browser's own limit is reached: give back what was played, and go on as time passes. */
  #makeRoom(writer) {
    const until = this.#video.currentTime - 1;
    if (writer.buffered.length && writer.buffered.start(0) < until) this.#remove(writer, until);
  }
}

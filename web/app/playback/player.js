// One <video> of the pool: carries out `load`, `play`, `pause`, `seek` and `release` on it and
// reports what really happens. It shows the element only while it has a frame of its clip, so
// that there is never black and never another clip's picture.
// It refuses to know which clip is current and where the bytes come from (its source does).

import { EVENT } from '../core/core.js';

// Where frames cannot be watched, or an element off the screen reports none: a picture that is
// decoded (readyState ≥ 2) is on its element well within this time.
const FRAME_PATIENCE_MS = 150;
const STARVED_S = 0.1;
// A picture that froze for longer than this while the sound is fetched in is no cover any more.
const COVER_LIMIT_MS = 1000;
// When a start that brought no movement is asked for again: after so long, then after twice as long, and so on to the last.
const INSIST_MS = 100;
const INSIST_LAST_MS = 1600;

export class Player {
  #number;
  #video;
  #source;
  #report;
  #clip = null;
  #attach = 0;
  #wanted = false;
  #ready = false;
  #turn = 0;
  #position = -1;
  #advanceFrom = null;
  #watching = -1;
  #insisting = 0;

  /** `makeSource(video, failed)` answers a LoopingMediaSource or a NativeSource. */
  constructor(number, video, makeSource, report) {
    this.#number = number;
    this.#video = video;
    this.#report = report;
    this.#source = makeSource(video, (error) => this.#fail(error));
    this.#listen();
  }

  get clip() {
    return this.#clip;
  }

  get isPlayRequested() {
    return this.#wanted;
  }

  get position() {
    return this.#clip ? this.#source.position : 0;
  }

  /** Bytes that the browser holds for it. */
  get bytes() {
    return this.#clip ? this.#source.bytes : 0;
  }

  load(clip) {
    this.#reset();
    this.#clip = clip;
    this.#video.dataset.clip = clip.id;
    this.#source.attach(clip);
  }

  release() {
    this.#reset();
    delete this.#video.dataset.clip;
    this.#source.detach();
    this.#video.removeAttribute('src');
    this.#video.load();
  }

  play() {
    if (!this.#clip) return;
    const attach = this.#attach;
    this.#wanted = true;
    const from = this.#video.currentTime;
    this.#video.play()?.catch((error) => {
      if (attach !== this.#attach || error.name !== 'NotAllowedError') return;
      this.#wanted = false;
      this.#say(EVENT.autoplayRefused);
    });
    this.#expectAdvance(from);
    this.#insist(INSIST_MS);
  }

  pause() {
    const moved = this.#wanted;
    this.#wanted = false;
    this.#advanceFrom = null;
    clearTimeout(this.#insisting);
    this.#video.pause();
    if (moved) this.#noteTime();
  }

  seek(position) {
    if (!this.#clip) return;
    this.#source.seek(position);
    if (this.#wanted) this.#expectAdvance();
  }

  /** The sound is on now. What was laid down without it is laid down anew from where it stands,
   *  behind the last picture, so that nothing flashes. */
  soundOn() {
    if (!this.#clip || !this.#source.lacksSound) return;
    const uncover = this.#ready ? cover(this.#video) : () => {};
    this.#attach += 1;
    this.#source.attach(this.#clip, this.#video.currentTime);
    // What was about to be shown was of the attach before.
    if (this.#ready) this.#showSoon();
    // A frame may still come from what was attached before, and one may come in the middle of the seek.
    const lift = () => {
      if (this.#video.readyState >= 2 && !this.#video.seeking) uncover();
      else this.#video.requestVideoFrameCallback?.(lift);
    };
    this.#video.requestVideoFrameCallback?.(lift);
    // A clip that stands still shows no other frame after that one.
    this.#video.addEventListener('seeked', () => setTimeout(lift, FRAME_PATIENCE_MS), { once: true });
    setTimeout(uncover, COVER_LIMIT_MS);
    if (this.#wanted) this.play();
  }

  /** More of this clip is stored. */
  fill() {
    if (this.#clip) this.#source.fill();
  }

  #reset() {
    this.#attach += 1;
    this.#clip = null;
    this.#wanted = this.#ready = false;
    this.#turn = 0;
    this.#position = -1;
    this.#advanceFrom = null;
    clearTimeout(this.#insisting);
    delete this.#video.dataset.shown;
    this.#video.pause();
  }

  /** WebKit forgets the start of an element that was ready out of sight for some ten seconds: it says that it plays, with
   *  all the data it needs, and stands still. Asked once more it goes. */
  #insist(delay) {
    clearTimeout(this.#insisting);
    this.#insisting = setTimeout(() => {
      if (!this.#wanted || this.#advanceFrom === null) return;
      if (this.#video.readyState >= 3 && !this.#video.seeking) this.#video.play()?.catch(() => {});
      if (delay < INSIST_LAST_MS) this.#insist(2 * delay);
    }, delay);
  }

  #say(kind, ...fields) {
    if (this.#clip) this.#report(kind, this.#number, this.#clip.item, ...fields);
  }

  #listen() {
    const on = (types, act) => types.split(' ').forEach((type) => {
      this.#video.addEventListener(type, () => { if (this.#clip) act(); });
    });
    on('loadeddata canplay', () => this.#noteFrame());
    on('waiting', () => this.#noteWaiting());
    on('timeupdate', () => this.#noteTime());
    on('seeked', () => {
      if (this.#advanceFrom !== null) this.#advanceFrom = this.#video.currentTime;
      this.#noteTime();
    });
    // NB: `error` may still come from an earlier attach; only an error that stands counts.
    on('error', () => { if (this.#video.error) this.#fail(this.#video.error); });
  }

  #noteFrame() {
    // An event of an earlier attach finds readyState 0: setting `src` puts it there at once.
    if (this.#ready || this.#video.readyState < 2) return;
    this.#ready = true;
    this.#showSoon();
    this.#say(EVENT.firstFrameReady);
  }

  #showSoon() {
    const attach = this.#attach;
    const show = () => { if (attach === this.#attach) this.#video.dataset.shown = ''; };
    this.#video.requestVideoFrameCallback?.(show);
    const look = () => {
      if (attach !== this.#attach) return;
      if (this.#video.readyState >= 2) show();
      else setTimeout(look, FRAME_PATIENCE_MS);
    };
    setTimeout(look, FRAME_PATIENCE_MS);
  }

  #noteWaiting() {
    if (!this.#wanted || this.#video.readyState >= 3) return;
    this.#source.skipGap();
    this.#source.fill();
    this.#expectAdvance();
    // With data in front of it the element only decodes; that is no stall.
    if (this.#source.ahead < STARVED_S) this.#say(EVENT.playbackStalled);
  }

  #noteTime() {
    this.#source.fill();
    this.#checkAdvance();
    const { turn, position } = this.#source;
    if (turn > this.#turn) this.#say(EVENT.looped);
    this.#turn = turn;
    if (position === this.#position) return;
    this.#position = position;
    this.#say(EVENT.positionChanged, position);
  }

  /** From now on, the next movement of the picture is news. */
  #expectAdvance(from = this.#video.currentTime) {
    this.#advanceFrom = from;
    this.#watchFrames(this.#attach);
  }

  #watchFrames(attach) {
    if (this.#watching === attach) return;
    this.#watching = attach;
    this.#video.requestVideoFrameCallback?.(() => {
      if (this.#watching === attach) this.#watching = -1;
      if (attach !== this.#attach || this.#advanceFrom === null) return;
      this.#checkAdvance();
      if (this.#advanceFrom !== null) this.#watchFrames(attach);
    });
  }

  #checkAdvance() {
    if (this.#advanceFrom === null || !this.#wanted || this.#video.seeking) return;
    if (this.#video.currentTime - this.#advanceFrom < 0.01) return;
    this.#advanceFrom = null;
    this.#say(EVENT.playbackAdvanced);
  }

  #fail(error) {
    console.warn('player', this.#number, this.#clip?.id, error?.message ?? error);
    this.#say(EVENT.playerFailed);
  }
}

/** The picture that a video shows now, as an element that fits where the video does. */
export function stillOf(video) {
  const canvas = document.createElement('canvas');
  canvas.className = 'still';
  canvas.dataset.fit = video.dataset.fit;
  canvas.width = video.videoWidth;
  canvas.height = video.videoHeight;
  canvas.getContext('2d').drawImage(video, 0, 0);
  return canvas;
}

/** Lays a video's picture over it; answers what takes it away. */
function cover(video) {
  const still = stillOf(video);
  still.style.top = video.style.top;
  video.after(still);
  return () => still.remove();
}

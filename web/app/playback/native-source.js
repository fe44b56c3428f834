// Feeds one <video> where only the browser itself can play HLS: it gets the clip's address and
// loops by itself. Same surface as LoopingMediaSource; it refuses to know segments.

export class NativeSource {
  #video;
  #turn = 0;
  #last = 0;

  constructor(video) {
    this.#video = video;
    video.loop = true;
  }

  attach(clip) {
    this.detach();
    this.#video.src = clip.hls;
  }

  detach() {
    this.#turn = this.#last = 0;
  }

  /** Counted up whenever the position has fallen back by itself. */
  get turn() {
    const at = this.#video.currentTime;
    if (at < this.#last - 0.5 && !this.#video.seeking) this.#turn += 1;
    this.#last = at;
    return this.#turn;
  }

  get lacksSound() {
    return false;
  }

  /** The browser does not tell. */
  get bytes() {
    return 0;
  }

  get position() {
    return Math.round(this.#video.currentTime * 1000);
  }

  get ahead() {
    const { buffered, currentTime } = this.#video;
    return buffered.length ? Math.max(0, buffered.end(buffered.length - 1) - currentTime) : 0;
  }

  seek(position) {
    this.#last = position / 1000;
    this.#video.currentTime = position / 1000;
  }

  fill() {}

  skipGap() {}
}

// One file of what plays: videos are played onto a canvas, and canvas and sound are recorded as they pass, which takes
// as long as they last. Nothing of it is heard. It refuses to know what is drawn, and why.

import { lengthOf, onPictures } from '../screens/clip-video.js';
import { isWebm } from './format.js';
import { withDuration } from './webm.js';

// At most; a picture is taken when another one was drawn.
const FRAMES_A_SECOND = 60;
const PIECE_MS = 1000;
// A page that is busy hears late that a video plays. What has gone by then is played once more, so often at most.
const LATE_S = 0.1;
const REWINDS = 3;

export class Film {
  #stream;
  #context;
  #mix;
  #recorder;
  #pieces = [];
  #type;

  /** Rests until something plays. `context` mixes the sound; `options` are a MediaRecorder's. */
  constructor(canvas, context, options) {
    this.#context = context;
    this.#type = options.mimeType;
    this.#mix = context.createMediaStreamDestination();
    this.#stream = canvas.captureStream(FRAMES_A_SECOND);
    this.#mix.stream.getAudioTracks().forEach((track) => this.#stream.addTrack(track));
    this.#recorder = new MediaRecorder(this.#stream, options);
    this.#recorder.addEventListener('dataavailable', ({ data }) => this.#pieces.push(data));
    this.#recorder.start(PIECE_MS);
    this.#recorder.pause();
  }

  /** Plays a video into it up to `end` ms of its time. `drew(ms)` puts each of its pictures on the canvas. */
  async play(video, { end: until, drew, signal }) {
    signal.throwIfAborted();
    const recorder = this.#recorder;
    const sound = this.#context.createMediaElementSource(video);
    sound.connect(this.#mix);
    // A page that nobody sees gets no pictures: the work rests until it is seen again.
    const rest = () => (document.hidden ? video.pause() : video.play().catch(() => {}));
    const from = video.currentTime;
    let rewinds = REWINDS;
    let isRecorded = false;
    const rewind = () => {
      rewinds -= 1;
      video.pause();
      video.currentTime = from;
      rest();
    };
    const record = () => {
      if (!isRecorded && rewinds && video.currentTime > from + LATE_S) return rewind();
      isRecorded = true;
      if (recorder.state === 'paused') recorder.resume();
    };
    const hold = () => (recorder.state === 'recording' && recorder.pause());
    document.addEventListener('visibilitychange', rest);
    video.addEventListener('playing', record);
    video.addEventListener('pause', hold);
    video.addEventListener('waiting', hold);
    let stopDrawing = () => {};
    try {
      await new Promise((resolve, reject) => {
        const end = () => (isRecorded || !rewinds ? resolve() : rewind());
        stopDrawing = onPictures(video, () => {
          const at = video.currentTime * 1000;
          drew(at);
          if (at >= until) end();
        });
        video.addEventListener('ended', end);
        video.addEventListener('error', () => reject(video.error));
        recorder.addEventListener('error', ({ error }) => reject(error));
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        if (!document.hidden) video.play().catch(reject);
      });
    } finally {
      hold();
      stopDrawing();
      document.removeEventListener('visibilitychange', rest);
      video.removeEventListener('playing', record);
      video.pause();
      sound.disconnect();
    }
  }

  /** The file, with its length in it. */
  async end() {
    await new Promise((resolve) => {
      this.#recorder.addEventListener('stop', resolve);
      this.#recorder.stop();
    });
    const file = new Blob(this.#pieces, { type: this.#type });
    return isWebm(this.#type) ? withDuration(file, await lengthOf(file)) : file;
  }

  free() {
    if (this.#recorder.state !== 'inactive') this.#recorder.stop();
    this.#stream.getTracks().forEach((track) => track.stop());
    this.#mix.disconnect();
  }
}

// Makes one video of the clips: plays them one behind the other onto the canvas, through the look, and
// records canvas and sound as they pass. It takes as long as the video lasts.

import { lengthOf, onPictures, openVideo } from '../over/clip-video.js';
import { isWebm } from './format.js';
import { uprightSize } from './geometry.js';
import { SOUND_RATE, videoRate } from './recorder.js';
import { withDuration } from './webm.js';

// At most; a picture is taken when another one was drawn.
const FRAMES_A_SECOND = 60;
const PIECE_MS = 1000;

export class Assembly {
  #stopped = new AbortController();

  /** `files` holds the clips; `canvas` and `picture` are drawn on; `context` mixes the sound; the file is
   *  of this `type`; `progressed(share)` is told from time to time. */
  constructor({ files, canvas, picture, context, type, progressed }) {
    Object.assign(this, { files, canvas, picture, context, type, progressed });
  }

  /** Gives up: `make` ends with an AbortError. */
  cancel() {
    this.#stopped.abort();
  }

  /** Answers the file. */
  async make(clips) {
    const signal = this.#stopped.signal;
    const total = clips.reduce((sum, { played }) => sum + played, 0);
    let next = this.#open(clips[0]);
    let output = null;
    let before = 0;
    try {
      for (const [i, clip] of clips.entries()) {
        const { video, free } = await next;
        next = clips[i + 1] && this.#open(clips[i + 1]);
        // Whoever does not wait for it must not be told of its failure as well.
        next?.catch(() => {});
        try {
          signal.throwIfAborted();
          output ??= await this.#begin(video);
          await this.#play(video, clip, output, (played) => this.progressed((before + played) / total));
        } finally {
          free();
        }
        before += clip.played;
      }
      this.progressed(1);
      const file = await output.end();
      signal.throwIfAborted();
      return isWebm(this.type) ? withDuration(file, await lengthOf(file)) : file;
    } finally {
      next?.then(({ free }) => free(), () => {});
      output?.free();
    }
  }

  async #open(clip) {
    const file = await this.files.file(clip.clip);
    if (!file) throw new Error(`clip ${clip.clip} has no file`);
    const opened = await openVideo(file);
    opened.video.playbackRate = clip.speed / 100;
    return opened;
  }

  /** What is recorded: the canvas and a mix of sounds, resting until a clip plays. */
  async #begin(video) {
    Object.assign(this.canvas, uprightSize({ width: video.videoWidth, height: video.videoHeight }));
    await this.context.resume();
    const mix = this.context.createMediaStreamDestination();
    const stream = this.canvas.captureStream(FRAMES_A_SECOND);
    mix.stream.getAudioTracks().forEach((track) => stream.addTrack(track));
    const recorder = new MediaRecorder(stream, {
      mimeType: this.type, videoBitsPerSecond: videoRate(this.canvas), audioBitsPerSecond: SOUND_RATE,
    });
    const pieces = [];
    recorder.addEventListener('dataavailable', ({ data }) => pieces.push(data));
    recorder.start(PIECE_MS);
    recorder.pause();
    return {
      mix,
      recorder,
      end: () => new Promise((resolve) => {
        recorder.addEventListener('stop', () => resolve(new Blob(pieces, { type: this.type })));
        recorder.stop();
      }),
      free: () => {
        if (recorder.state !== 'inactive') recorder.stop();
        stream.getTracks().forEach((track) => track.stop());
        mix.disconnect();
      },
    };
  }

  /** Plays the first `captured` ms of a clip into the recording. */
  async #play(video, { captured, played, speed }, { mix, recorder }, progressed) {
    const signal = this.#stopped.signal;
    const sound = this.context.createMediaElementSource(video);
    sound.connect(mix);
    // A page that nobody sees gets no pictures: the work rests until it is seen again.
    const rest = () => (document.hidden ? video.pause() : video.play().catch(() => {}));
    const record = () => (recorder.state === 'paused' && recorder.resume());
    const hold = () => (recorder.state === 'recording' && recorder.pause());
    document.addEventListener('visibilitychange', rest);
    video.addEventListener('playing', record);
    video.addEventListener('pause', hold);
    video.addEventListener('waiting', hold);
    let stopDrawing = () => {};
    try {
      await new Promise((resolve, reject) => {
        stopDrawing = onPictures(video, () => {
          this.picture.draw(video);
          const at = video.currentTime * 1000;
          progressed(Math.min(played, (at * 100) / speed));
          if (at >= captured) resolve();
        });
        video.addEventListener('ended', resolve);
        video.addEventListener('error', () => reject(video.error));
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
}

// Makes one video of the clips: plays them one behind the other onto the canvas, through the look, into a film. It takes
// as long as the video lasts.

import { Film } from '../filming/film.js';
import { openVideo } from '../screens/clip-video.js';
import { uprightSize } from './geometry.js';
import { SOUND_RATE, videoRate } from './recorder.js';

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
    let film = null;
    let before = 0;
    try {
      for (const [i, clip] of clips.entries()) {
        const { video, free } = await next;
        next = clips[i + 1] && this.#open(clips[i + 1]);
        // Whoever does not wait for it must not be told of its failure as well.
        next?.catch(() => {});
        try {
          signal.throwIfAborted();
          film ??= await this.#begin(video);
          await this.#play(video, clip, film, (played) => this.progressed((before + played) / total));
        } finally {
          free();
        }
        before += clip.played;
      }
      this.progressed(1);
      const file = await film.end();
      signal.throwIfAborted();
      return file;
    } finally {
      next?.then(({ free }) => free(), () => {});
      film?.free();
    }
  }

  async #open(clip) {
    const file = await this.files.file(clip.clip);
    if (!file) throw new Error(`clip ${clip.clip} has no file`);
    const opened = await openVideo(file);
    opened.video.playbackRate = clip.speed / 100;
    return opened;
  }

  async #begin(video) {
    Object.assign(this.canvas, uprightSize({ width: video.videoWidth, height: video.videoHeight }));
    await this.context.resume();
    return new Film(this.canvas, this.context, {
      mimeType: this.type, videoBitsPerSecond: videoRate(this.canvas), audioBitsPerSecond: SOUND_RATE,
    });
  }

  /** Plays the first `captured` ms of a clip. */
  #play(video, { captured, played, speed }, film, progressed) {
    return film.play(video, {
      end: captured, signal: this.#stopped.signal,
      drew: (at) => {
        this.picture.draw(video);
        progressed(Math.min(played, (at * 100) / speed));
      },
    });
  }
}

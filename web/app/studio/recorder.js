// Records the camera's stream into files, one clip at a time, a piece each second. The picture is recorded
// without its look, which can so be changed until the video is made.

import { now } from '../core/core.js';
import { RECORDING } from './wire.js';

// What a crash costs at most.
const PIECE_MS = 1000;
// bits/s. Enough for 720p in motion; and for what is sharper as much as lets a minute stay below the 50 MB of an upload.
const PLAIN_RATE = 5_000_000;
const SHARP_RATE = 6_200_000;
export const SOUND_RATE = 128_000;

/** Of a picture of this size, px. */
export const videoRate = ({ width, height }) => (Math.min(width, height) > 720 ? SHARP_RATE : PLAIN_RATE);

export class Recorder {
  #files;
  #type;
  #report;
  #storageFailed;
  #lengthOf;
  // Clip → what is being recorded, until its end is reported.
  #takes = new Map();

  /** `storageFailed()`: a piece could not be written. */
  constructor(files, type, report, storageFailed, lengthOf) {
    this.#files = files;
    this.#type = type;
    this.#report = report;
    this.#storageFailed = storageFailed;
    this.#lengthOf = lengthOf;
  }

  /** Begins once `ready` (the list is on the disk) and lasts at most `longest` ms. */
  start(clip, stream, longest, ready) {
    const take = { clip, recorder: null, writes: [], hasEnded: false, isUnwanted: false, isFull: false };
    this.#takes.set(clip, take);
    take.done = this.#take(take, stream, longest, ready);
  }

  stop(clip) {
    const take = this.#takes.get(clip);
    if (!take) return;
    take.hasEnded = true;
    if (take.recorder?.state === 'recording') take.recorder.stop();
  }

  /** Deletes the file; that of a clip being recorded when it has ended. */
  drop(clip) {
    const take = this.#takes.get(clip);
    if (take) take.isUnwanted = true;
    this.#files.drop(clip).catch((error) => console.error('a file stays until the camera is opened again', error));
  }

  /** Resolved when nothing is being written any more. */
  async finished() {
    while (this.#takes.size) await Promise.all(Array.from(this.#takes.values(), (take) => take.done));
  }

  /** Says in the end how long the file became, or that there is none. */
  async #take(take, stream, longest, ready) {
    const { clip } = take;
    let report = () => this.#report(RECORDING.captureFailed, clip);
    try {
      await ready;
      const began = now();
      if (!take.hasEnded) await this.#record(take, stream, longest);
      const lasted = now() - began;
      await Promise.all(take.writes);
      const file = take.isUnwanted ? null : await this.#files.file(clip);
      // NB: a browser that is too busy to tell the length must not cost the clip.
      const length = file ? await this.#lengthOf(file).catch(() => lasted) : 0;
      if (length) report = () => this.#report(RECORDING.captureFinished, clip, length);
    } catch (error) {
      console.error(`clip ${clip}`, error);
    }
    this.#takes.delete(clip);
    if (take.isUnwanted) this.drop(clip);
    report();
  }

  /** Resolved when the recorder has ended and handed over its last piece. */
  #record(take, stream, longest) {
    const recorder = new MediaRecorder(stream, {
      mimeType: this.#type, videoBitsPerSecond: videoRate(stream.getVideoTracks()[0].getSettings()), audioBitsPerSecond: SOUND_RATE,
    });
    take.recorder = recorder;
    let timer = 0;
    recorder.addEventListener('start', () => {
      timer = setTimeout(() => this.stop(take.clip), longest);
      this.#report(RECORDING.captureStarted, take.clip);
    });
    recorder.addEventListener('error', ({ error }) => console.error('recording', error));
    recorder.addEventListener('dataavailable', ({ data }) => this.#write(take, data));
    const ended = new Promise((resolve) => { recorder.addEventListener('stop', resolve); });
    recorder.start(PIECE_MS);
    return ended.finally(() => clearTimeout(timer));
  }

  #write(take, data) {
    if (!data.size || take.isUnwanted || take.isFull) return;
    take.writes.push(this.#files.append(take.clip, data).catch((error) => {
      console.error('a piece was not written', error);
      // NB: what comes behind a hole could not be played.
      take.isFull = true;
      this.#storageFailed();
    }));
  }
}

// The device's cameras: one stream at a time, and what keeps it from coming.

import { t } from '../words/words.js';
import { OBSTACLE, RECORDING } from './wire.js';

const FRONT = 1;
// As the sensor lies; a phone that is held upright turns it by itself. A camera that has less gives what it has.
const SHARP = { width: 1920, height: 1080, frameRate: 60 };
const PLAIN = { width: 1280, height: 720, frameRate: 30 };
const HARDWARE = { codec: 'avc1.64002A', width: SHARP.width, height: SHARP.height, framerate: SHARP.frameRate,
  bitrate: 6_200_000, hardwareAcceleration: 'prefer-hardware' };
// With so many processors a picture that sharp is encoded in time without help of the hardware.
const MANY_PROCESSORS = 8;

const refused = () =>
  t('Clipfeed may not use the camera and the microphone. Allow both in the browser’s settings for this page, then try again.');
const outside = () => t('The camera can be used on secure pages only. Open this page by its https address.');
const none = () => t('This device has no camera that can be used. Connect one, then try again.');
const taken = () => t('The camera is in use elsewhere or was unplugged. Close what uses it, then try again.');

/** What stands in the way, from the name of getUserMedia's error: `[obstacle, sentence]`. */
export function obstacleOf(name) {
  if (name === 'NotAllowedError' || name === 'SecurityError') return [OBSTACLE.notPermitted, refused()];
  if (name === 'NotFoundError' || name === 'OverconstrainedError') return [OBSTACLE.noCamera, none()];
  return [OBSTACLE.interruption, taken()];
}

/** The picture to ask the camera for: one that the device cannot encode as it comes would lose most of its frames. */
export async function bestPicture({ VideoEncoder, navigator } = globalThis) {
  if (navigator.hardwareConcurrency >= MANY_PROCESSORS) return SHARP;
  const answer = await VideoEncoder?.isConfigSupported(HARDWARE).catch(() => null);
  return answer?.supported ? SHARP : PLAIN;
}

export class Camera {
  /** What records; null while there is none. */
  stream = null;
  isMirrored = false;
  #video;
  #report;
  #raise;
  // Counts the wishes, so that a stream that comes too late is let go.
  #wish = 0;

  /** `video` shows the stream; `raise(obstacle, sentence)` says what keeps it away. */
  constructor(video, report, raise) {
    this.#video = video;
    this.#report = report;
    this.#raise = raise;
  }

  async use(camera) {
    this.close();
    const wish = this.#wish;
    if (!navigator.mediaDevices) return this.#raise(OBSTACLE.notPermitted, outside());
    let stream;
    try {
      stream = await ask(camera);
      if (wish !== this.#wish) return stop(stream);
      this.#show(stream, camera);
      await this.#video.play();
    } catch (error) {
      if (wish !== this.#wish) return stop(stream);
      this.close();
      return this.#raise(...obstacleOf(error.name));
    }
    if (wish === this.#wish) this.#report(RECORDING.cameraReady, camera, hasTorch(stream));
  }

  /** Lets the camera go: its light goes out. */
  close() {
    this.#wish += 1;
    stop(this.stream);
    this.stream = null;
    this.#video.srcObject = null;
  }

  /** Whether there is another to flip to. Before permission a browser names one of each kind only. */
  async hasSeveral() {
    const devices = await navigator.mediaDevices?.enumerateDevices?.().catch(() => []) ?? [];
    return devices.filter(({ kind }) => kind === 'videoinput').length > 1;
  }

  setTorch(on) {
    const [track] = this.stream?.getVideoTracks() ?? [];
    track?.applyConstraints({ advanced: [{ torch: on }] }).catch((error) => console.warn('torch', error));
  }

  #show(stream, camera) {
    this.stream = stream;
    const [track] = stream.getVideoTracks();
    const { facingMode } = track.getSettings();
    // A camera that does not say where it looks is one on a desk, which looks at the person.
    this.isMirrored = facingMode ? facingMode === 'user' : camera === FRONT || !isHandheld();
    track.onended = () => this.#raise(OBSTACLE.interruption, taken());
    this.#video.srcObject = stream;
  }
}

const isHandheld = () => matchMedia('(pointer: coarse)').matches;

function stop(stream) {
  for (const track of stream?.getTracks() ?? []) {
    // NB: Chromium keeps a stream that was asked for as long as the page, and all that listens to it.
    track.onended = null;
    track.stop();
  }
}

const hasTorch = (stream) => stream.getVideoTracks()[0].getCapabilities?.().torch === true;

/** With sound; without it where there is no microphone. */
async function ask(camera) {
  const facingMode = { ideal: camera === FRONT ? 'user' : 'environment' };
  const video = { facingMode };
  for (const [name, ideal] of Object.entries(await bestPicture())) video[name] = { ideal };
  try {
    return await navigator.mediaDevices.getUserMedia({ video, audio: true });
  } catch (error) {
    if (error.name !== 'NotFoundError') throw error;
    return navigator.mediaDevices.getUserMedia({ video });
  }
}

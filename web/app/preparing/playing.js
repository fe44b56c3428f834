// A smaller file of the same video where the browser encodes only what plays: it is played once, unheard and unseen, into
// a recorder. It refuses to know whether that is worth the time.

import { Awake } from '../filming/awake.js';
import { Film } from '../filming/film.js';
import { recordedType } from '../filming/format.js';
import { lengthOf, openVideo } from '../screens/clip-video.js';
import { sizeFor } from './size.js';

// Of the size that is wanted: a recorder misses a rate by more than an encoder does.
const SHARE = 0.88;
const SOUND_RATE = 128_000;
// A page that is looked at and shows nothing new for so long will not; nor does sound come that waits for a tap.
const PATIENCE_MS = 8000;
const LOOK_MS = 500;
// A busy device records less than was played, or stands still in between. What is off by more has not made the same video.
const OFF_MS = 400;

/** `target` in bytes; `progressed` is told a share of 1. Rejects where this device cannot. */
export async function playSmaller(source, target, signal, progressed) {
  const type = recordedType();
  if (!type) throw new Error('nothing is recorded here');
  const stopped = new AbortController();
  signal.addEventListener('abort', () => stopped.abort(signal.reason));
  if (signal.aborted) stopped.abort(signal.reason);
  const watch = patienceOf(stopped);
  const awake = new Awake();
  const context = new AudioContext();
  let [film, opened] = [null, null];
  try {
    opened = await openVideo(source);
    const { video } = opened;
    const { duration, videoWidth: width, videoHeight: height } = video;
    const bitrate = Math.floor((target * SHARE * 8) / duration) - SOUND_RATE;
    // NB: a length that is not known is no length.
    if (!(bitrate > 100_000 && width)) throw new Error('it cannot be made so small');
    const canvas = Object.assign(document.createElement('canvas'), sizeFor({ width, height }, bitrate));
    const picture = canvas.getContext('2d', { alpha: false });
    awake.stay(true);
    await Promise.race([context.resume(), aborted(stopped.signal)]);
    film = new Film(canvas, context, { mimeType: type, videoBitsPerSecond: bitrate, audioBitsPerSecond: SOUND_RATE });
    await film.play(video, {
      end: Infinity, signal: stopped.signal,
      drew: (at) => {
        watch.calm();
        picture.drawImage(video, 0, 0, canvas.width, canvas.height);
        progressed(Math.min(1, at / (duration * 1000)));
      },
    });
    const made = await film.end();
    const off = Math.round(await lengthOf(made) - duration * 1000);
    if (Math.abs(off) > OFF_MS) throw new Error(`its length is off by ${off} ms`);
    return made;
  } finally {
    watch.end();
    film?.free();
    opened?.free();
    awake.stay(false);
    context.close();
  }
}

const aborted = (signal) => new Promise((resolve, reject) => {
  if (signal.aborted) reject(signal.reason);
  signal.addEventListener('abort', () => reject(signal.reason));
});

/** Gives up once nothing calms it any more. */
function patienceOf(stopped) {
  let since = performance.now();
  const calm = () => { since = performance.now(); };
  const timer = setInterval(() => {
    if (document.hidden) calm();
    else if (performance.now() - since > PATIENCE_MS) stopped.abort(new Error('it does not play on'));
  }, LOOK_MS);
  return { calm, end: () => clearInterval(timer) };
}

// A smaller file of the same video: its pictures decoded and encoded again by the device (WebCodecs), its sound as it
// is. It refuses to know whether that is worth the time.

import { cut, partOf } from './cut.js';
import { decoderConfigOf, h264Entry } from './codecs.js';
import { shownAt } from './movie.js';
import { sizeFor } from './size.js';

// Profiles of H.264, the best first; the level holds 1080p at 60 pictures a second.
const PROFILES = ['avc1.64002a', 'avc1.4d002a', 'avc1.42e02a'];
const SCALE = 90_000;
const MICRO = 1e6;
// Of the size that is wanted, for the pictures: the rest is for what an encoder misses it by.
const SHARE = 0.92;
// More than this many pictures a second are halved below so many bits a second.
const FAST = 45;
const BITS_FOR_FAST = 6_000_000;
const KEY_EVERY_S = 2;
// Pictures on their way at once; each is memory of the device.
const QUEUE = 6;
// Samples that are read from the file at once.
const READ_BYTES = 4 << 20;
// Of the pictures; what loses more has not made the same video.
const LOSS = 0.02;
// A codec that says nothing for so long has died.
const PATIENCE_MS = 20_000;

/** This device does not encode, or not what this is: nothing was begun. */
export class NoCodec extends Error {}

/** `target` in bytes; `progressed` is told a share of 1. Rejects where this device cannot. */
export async function compress(movie, target, signal, progressed) {
  const part = partOf(movie, movie.start, movie.end);
  const plan = await planOf(movie, part, target);
  const pictures = await encode(movie, part, plan, signal, progressed);
  return cut({ ...movie, video: trackOf(movie.video, plan, pictures) }, { ...part, video: [0, pictures.length] });
}

/** What is decoded and what is encoded: `{decoder, encoder, step}`, every `step`th picture. */
async function planOf({ video, audio }, part, target) {
  if (!globalThis.VideoEncoder || !globalThis.VideoDecoder) throw new NoCodec('no codecs');
  const seconds = part.to - part.from;
  const sound = part.audio ? audio.sums[part.audio[1]] - audio.sums[part.audio[0]] : 0;
  const bitrate = Math.floor(((target * SHARE - sound) * 8) / seconds);
  if (!(bitrate > 100_000)) throw new Error('its sound alone is too large');
  const decoder = decoderConfigOf(video);
  const rate = video.count / (seconds || 1);
  const step = rate > FAST && bitrate < BITS_FOR_FAST ? 2 : 1;
  const size = sizeFor({ width: decoder.codedWidth, height: decoder.codedHeight }, bitrate);
  const supported = await Promise.all([VideoDecoder.isConfigSupported(decoder), ...PROFILES.map((codec) =>
    VideoEncoder.isConfigSupported({
      codec, ...size, bitrate, framerate: rate / step, avc: { format: 'avc' },
    }))]);
  const encoder = supported.slice(1).find((one) => one.supported)?.config;
  if (!supported[0].supported || !encoder) throw new NoCodec(`${decoder.codec} cannot be encoded again here`);
  return { decoder, encoder, step };
}

/** `[{data, at, isKey}]`, in seconds, and beside them the encoder's `record`. */
async function encode({ file, video }, part, { decoder: decoding, encoder: encoding, step }, signal, progressed) {
  const pictures = [];
  const [first, end] = part.video;
  // Before the first that is seen there is what it was made from.
  const isSeen = (at) => at >= part.from - 1 / SCALE && at < part.to;
  let failed = null;
  let [seen, lastKey, heardAt] = [0, -Infinity, performance.now()];
  const fail = (error) => { failed ??= error; };
  const canvas = new OffscreenCanvas(encoding.width, encoding.height);
  const context = canvas.getContext('2d', { alpha: false });
  const encoder = new VideoEncoder({
    output: (chunk, { decoderConfig } = {}) => {
      heardAt = performance.now();
      const data = new Uint8Array(chunk.byteLength);
      chunk.copyTo(data);
      pictures.push({ data, at: chunk.timestamp / MICRO, isKey: chunk.type === 'key' });
      if (decoderConfig?.description) pictures.record ??= new Uint8Array(decoderConfig.description.slice?.(0) ?? decoderConfig.description);
    },
    error: fail,
  });
  const decoder = new VideoDecoder({
    output: (frame) => {
      heardAt = performance.now();
      try {
        take(frame);
      } catch (error) {
        fail(error);
      } finally {
        frame.close();
      }
    },
    error: fail,
  });
  const take = (frame) => {
    const at = frame.timestamp / MICRO;
    if (!isSeen(at) || failed) return;
    seen += 1;
    progressed(Math.min(1, (at - part.from) / (part.to - part.from)));
    if ((seen - 1) % step) return;
    const isKey = at - lastKey >= KEY_EVERY_S;
    if (isKey) lastKey = at;
    const isScaled = frame.codedWidth !== encoding.width || frame.codedHeight !== encoding.height;
    if (isScaled) context.drawImage(frame, 0, 0, encoding.width, encoding.height);
    const picture = isScaled ? new VideoFrame(canvas, { timestamp: frame.timestamp }) : frame;
    encoder.encode(picture, { keyFrame: isKey });
    if (isScaled) picture.close();
  };
  const calm = async (isCalm) => {
    while (!isCalm()) {
      signal.throwIfAborted();
      if (failed) throw failed;
      if (performance.now() - heardAt > PATIENCE_MS) throw new Error('the codec has died');
      await new Promise((resolve) => { setTimeout(resolve, 4); });
    }
  };
  try {
    decoder.configure(decoding);
    encoder.configure(encoding);
    for await (const [i, data] of samplesOf(file, video, first, end)) {
      await calm(() => decoder.decodeQueueSize < QUEUE && encoder.encodeQueueSize < QUEUE);
      decoder.decode(new EncodedVideoChunk({
        type: video.isKey[i] ? 'key' : 'delta', timestamp: Math.round(shownAt(video, i) * MICRO), data,
      }));
    }
    let expected = 0;
    for (let i = first; i < end; i += 1) if (isSeen(shownAt(video, i))) expected += 1;
    let isDone = false;
    decoder.flush().then(() => encoder.flush()).then(() => { isDone = true; }, fail);
    await calm(() => isDone);
    if (failed) throw failed;
    if (!pictures.length || !pictures.record) throw new Error('nothing came out of the encoder');
    if (seen < expected * (1 - LOSS)) throw new Error(`${expected - seen} of ${expected} pictures were lost`);
    if (pictures.length < Math.ceil(seen / step) * (1 - LOSS)) throw new Error('the encoder left pictures out');
    return pictures;
  } finally {
    for (const codec of [decoder, encoder]) if (codec.state !== 'closed') codec.close();
  }
}

/** The samples of a track with their bytes, read some at a time. */
async function* samplesOf(file, { places, sizes }, first, end) {
  let [from, bytes] = [0, new Uint8Array()];
  for (let i = first; i < end; i += 1) {
    if (places[i] < from || places[i] + sizes[i] > from + bytes.length) {
      from = places[i];
      bytes = new Uint8Array(await file.slice(from, from + Math.max(READ_BYTES, sizes[i])).arrayBuffer());
      if (bytes.length < sizes[i]) throw new Error('the file is cut off');
    }
    yield [i, bytes.subarray(places[i] - from, places[i] - from + sizes[i])];
  }
}

/** The new pictures as a track like the old one; its samples are in a file of its own. */
function trackOf(old, { encoder: { width, height } }, pictures) {
  const count = pictures.length;
  const sizes = Uint32Array.from(pictures, ({ data }) => data.length);
  const shown = pictures.map(({ at }) => Math.round(at * SCALE));
  // Decoded in the order in which they came; where that is not the order in which they are shown, somewhat earlier.
  const decoded = [...shown].sort((a, b) => a - b);
  const late = shown.reduce((most, time, i) => Math.max(most, decoded[i] - time), 0);
  const lengths = Int32Array.from(decoded, (time, i) => (i + 1 < count ? decoded[i + 1] - time : 0));
  if (count > 1) lengths[count - 1] = lengths[count - 2];
  const sums = new Float64Array(count + 1);
  for (let i = 0; i < count; i += 1) sums[i + 1] = sums[i] + sizes[i];
  return {
    count, sizes, lengths, sums, scale: SCALE, delay: 0, mediaStart: late, file: new Blob(pictures.map(({ data }) => data)),
    times: Float64Array.from(decoded), places: sums.slice(0, count), offsets: Int32Array.from(shown, (time, i) => time - decoded[i] + late),
    isKey: Uint8Array.from(pictures, ({ isKey }) => (isKey ? 1 : 0)),
    boxes: { ...old.boxes, mdhd: rescaled(old.boxes.mdhd), tkhd: resized(old.boxes.tkhd, width, height), stsd: h264Entry(width, height, pictures.record) },
  };
}

function rescaled(mdhd) {
  const copy = mdhd.slice();
  new DataView(copy.buffer).setUint32(copy[8] === 1 ? 28 : 20, SCALE);
  return copy;
}

/** Width and height, 16.16, are the last of a track's head. */
function resized(tkhd, width, height) {
  const copy = tkhd.slice();
  const view = new DataView(copy.buffer);
  view.setUint32(copy.length - 8, width * 0x10000);
  view.setUint32(copy.length - 4, height * 0x10000);
  return copy;
}

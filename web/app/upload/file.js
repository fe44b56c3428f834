// What a file is, before a byte of it moves: its container, told by its first bytes as the server tells it, and
// its length, as far as this browser can read it. Names and types are what somebody typed.

import { lengthOf } from '../screens/clip-video.js';
import { KIND, UNKNOWN_MS } from './wire.js';

// As much as the longest signature needs (MPEG-TS: three packets of 192 bytes).
const HEAD_BYTES = 1024;
const MEDIA_TYPES = {
  [KIND.mp4]: 'video/mp4', [KIND.webm]: 'video/webm', [KIND.mpegTS]: 'video/mp2t', [KIND.threeGP]: 'video/3gpp',
};
const BOXES = new Set(['ftyp', 'moov', 'mdat', 'wide', 'free', 'skip', 'styp', 'moof']);
// Pictures in the container of videos.
const IMAGE_BRANDS = new Set([
  'heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1', 'avif', 'avis', 'crx ', 'jxl ',
]);

const isTransportStream = (bytes, packet, first) =>
  [0, 1, 2].every((index) => bytes[first + index * packet] === 0x47);

const text = (bytes, from, to) => String.fromCharCode(...bytes.subarray(from, to));

/** The container that begins with these bytes. */
export function kindOf(bytes) {
  if ([0x1a, 0x45, 0xdf, 0xa3].every((byte, i) => bytes[i] === byte)) return KIND.webm;
  if (isTransportStream(bytes, 188, 0) || isTransportStream(bytes, 192, 4)) return KIND.mpegTS;
  if (bytes.length < 12 || !BOXES.has(text(bytes, 4, 8))) return KIND.unknown;
  if (text(bytes, 4, 8) !== 'ftyp') return KIND.mp4;
  const brand = text(bytes, 8, 12);
  if (IMAGE_BRANDS.has(brand)) return KIND.unknown;
  return brand.startsWith('3g') ? KIND.threeGP : KIND.mp4;
}

/** What the server is told that the file is. */
export const mediaType = (kind) => MEDIA_TYPES[kind];

/** `{size, duration, kind}`. A file that cannot be read passes for one of a kind that can: hashing says the truth. */
export async function factsOf(file) {
  let kind = KIND.mp4;
  try {
    kind = kindOf(new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer()));
  } catch { /* see above */ }
  return { size: file.size, duration: kind === KIND.unknown ? UNKNOWN_MS : await durationOf(file), kind };
}

/** Null, and a browser that only is slow or knows no such codec, say nothing about the file. */
async function durationOf(file) {
  try {
    return await lengthOf(file) || UNKNOWN_MS;
  } catch {
    return UNKNOWN_MS;
  }
}

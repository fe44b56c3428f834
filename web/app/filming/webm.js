// A browser writes WebM as a live stream, without its length, and many players then neither show nor
// find a position in it. The length is known in the end and put in here.

const SEGMENT = 0x18538067;
const INFO = 0x1549a966;
const TIME_SCALE = 0x2ad7b1;
const DURATION = 0x4489;
const EBML = 0x1a45dfa3;
// The heads of such a file are some hundred bytes; beyond so many there are only pictures.
const HEAD_BYTES = 4096;
const NS_PER_MS = 1e6;
const DEFAULT_SCALE_NS = 1e6;

/** A number that says its own length by its leading zeros; `keep`: with the bit that says so, as in names. */
function numberAt(bytes, at, keep) {
  const length = Math.clz32(bytes[at] ?? 0) - 23;
  if (length > 8 || at + length > bytes.length) return null;
  let value = keep ? bytes[at] : bytes[at] & (0xff >> length);
  for (let i = 1; i < length; i += 1) value = value * 256 + bytes[at + i];
  return { value, end: at + length };
}

function elementAt(bytes, at) {
  const name = numberAt(bytes, at, true);
  const size = name && numberAt(bytes, name.end, false);
  if (!size) return null;
  return { name: name.value, size: size.value, sizeAt: name.end, start: size.end, end: size.end + size.value };
}

/** The element of that name between two places; null if it is not (wholly) there. */
function find(bytes, name, from, to) {
  for (let at = from; at < to;) {
    const element = elementAt(bytes, at);
    if (!element) return null;
    if (element.name === name) return element;
    at = element.end;
  }
  return null;
}

/** All bits of the size are 1: up to the end of the stream, wherever that will be. */
const isEndless = ({ size, sizeAt, start }) => size >= 2 ** (7 * (start - sizeAt)) - 1;

/** The size of an element in eight bytes. */
function sizeBytes(size) {
  const bytes = new DataView(new ArrayBuffer(8));
  bytes.setBigUint64(0, (1n << 56n) | BigInt(size));
  return new Uint8Array(bytes.buffer);
}

function durationElement(length) {
  const bytes = new DataView(new ArrayBuffer(11));
  bytes.setUint16(0, DURATION);
  bytes.setUint8(2, 0x88);
  bytes.setFloat64(3, length);
  return new Uint8Array(bytes.buffer);
}

function scaleOf(bytes, info) {
  const scale = find(bytes, TIME_SCALE, info.start, info.end);
  if (!scale) return DEFAULT_SCALE_NS;
  return bytes.subarray(scale.start, scale.end).reduce((value, byte) => value * 256 + byte, 0);
}

/** The file with its length in it; as it was where it has one, or is not such a stream. */
export async function withDuration(file, ms) {
  const bytes = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  const head = elementAt(bytes, 0);
  const segment = head?.name === EBML ? find(bytes, SEGMENT, head.end, head.end + 1) : null;
  const info = segment && find(bytes, INFO, segment.start, bytes.length);
  if (!info || info.end > bytes.length || find(bytes, DURATION, info.start, info.end)) return file;
  // NB: in a segment of known size, everything behind would have to be counted anew.
  if (!isEndless(segment)) return file;
  const duration = durationElement((ms * NS_PER_MS) / scaleOf(bytes, info));
  const inside = bytes.subarray(info.start, info.end);
  return new Blob([
    bytes.subarray(0, info.sizeAt), sizeBytes(inside.length + duration.length), inside, duration,
    file.slice(info.end),
  ], { type: file.type });
}

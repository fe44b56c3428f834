// Boxes of MP4 and QuickTime (ISO/IEC 14496-12, 4.2), as they are read and as they are written.

const HEADER = 8;
const LONG_HEADER = 16;
const WORD = 2 ** 32;

export const uint64 = (view, at) => view.getUint32(at) * WORD + view.getUint32(at + 4);

/** The box that begins there, `{type, start, body, end}`, of at most `room` bytes. Throws if it cannot be one. */
export function headerOf(view, at, room) {
  if (room < HEADER) throw new Error('a box is cut off');
  const short = view.getUint32(at);
  const type = String.fromCharCode(...[4, 5, 6, 7].map((i) => view.getUint8(at + i)));
  const isLong = short === 1;
  if (isLong && room < LONG_HEADER) throw new Error(`${type} is cut off`);
  // 0: up to the end.
  const size = isLong ? uint64(view, at + HEADER) : short || room;
  const header = isLong ? LONG_HEADER : HEADER;
  if (size < header || size > room) throw new Error(`${type} has a size that cannot be`);
  return { type, start: at, body: at + header, end: at + size };
}

/** The boxes within [from, to). Apple closes some lists by four bytes of zeros. */
export function boxesIn(view, from, to) {
  const found = [];
  for (let at = from; to - at >= HEADER;) {
    const box = headerOf(view, at, to - at);
    found.push(box);
    at = box.end;
  }
  return found;
}

/** The first of this type; throws if there is none. */
export function only(boxes, type) {
  const box = boxes.find((one) => one.type === type);
  if (!box) throw new Error(`${type} is missing`);
  return box;
}

export const bytesOf = (view, { start, end }) => new Uint8Array(view.buffer, view.byteOffset + start, end - start).slice();

/** A box of parts, each bytes. */
export function box(type, ...parts) {
  const size = parts.reduce((sum, part) => sum + part.length, HEADER);
  const bytes = new Uint8Array(size);
  new DataView(bytes.buffer).setUint32(0, size);
  bytes.set([...type].map((letter) => letter.charCodeAt(0)), 4);
  let at = HEADER;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Numbers as 32 bits each, negative ones too. */
export function words(...numbers) {
  const bytes = new Uint8Array(numbers.length * 4);
  const view = new DataView(bytes.buffer);
  numbers.forEach((number, i) => view.setUint32(i * 4, number));
  return bytes;
}

/** The same of a long list: a call takes only so many arguments. */
export function listOf(numbers) {
  const bytes = new Uint8Array(numbers.length * 4);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < numbers.length; i += 1) view.setUint32(i * 4, numbers[i]);
  return bytes;
}

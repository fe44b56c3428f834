// What an MP4 says of how its pictures are encoded, in the words of WebCodecs, and the same said of new ones. Throws for
// what would lose more than bytes if it were encoded again: pictures of a high dynamic range, pixels that are not square.

import { box, boxesIn, bytesOf, headerOf, only, words } from './boxes.js';

// Of the entry of a picture's codec, before its own boxes.
const ENTRY_BYTES = 78;
// Transfer functions of a high dynamic range (ITU-T H.273): PQ and HLG.
const HIGH_RANGE = new Set([16, 18]);

const hex = (number) => number.toString(16).padStart(2, '0');
const text = (view, at) => String.fromCharCode(...[0, 1, 2, 3].map((i) => view.getUint8(at + i)));

/** `{codec, codedWidth, codedHeight, description}` of a track's only `stsd` entry. */
export function decoderConfigOf(video) {
  refuseHighRange(video);
  const { view, entry, inner } = entryOf(video);
  for (const { type, body } of inner) {
    if (type === 'pasp' && view.getUint32(body) !== view.getUint32(body + 4)) throw new Error('its pixels are not square');
  }
  const { codec, config } = codecOf(view, entry.type, inner);
  const description = config && bytesOf(view, { start: config.body, end: config.end });
  return {
    codec, codedWidth: view.getUint16(entry.body + 24), codedHeight: view.getUint16(entry.body + 26),
    ...(description && { description }),
  };
}

/** What is encoded again here has the range of every screen. */
export function refuseHighRange(video) {
  const { view, inner } = entryOf(video);
  for (const { type, body } of inner) {
    const hasTransfer = type === 'colr' && ['nclx', 'nclc'].includes(text(view, body));
    if (type === 'dvcC' || type === 'dvvC' || (hasTransfer && HIGH_RANGE.has(view.getUint16(body + 6)))) {
      throw new Error('its range would be lost');
    }
  }
}

function entryOf({ boxes: { stsd } }) {
  const view = new DataView(stsd.buffer);
  const table = headerOf(view, 0, stsd.length);
  const entries = boxesIn(view, table.body + 8, table.end);
  if (entries.length !== 1) throw new Error('its pictures are encoded in more than one way');
  const [entry] = entries;
  return { view, entry, inner: boxesIn(view, entry.body + ENTRY_BYTES, entry.end) };
}

function codecOf(view, entry, inner) {
  const byte = (config, i) => view.getUint8(config.body + i);
  switch (entry) {
    case 'avc1': case 'avc3': {
      const config = only(inner, 'avcC');
      return { codec: `${entry}.${[1, 2, 3].map((i) => hex(byte(config, i))).join('')}`, config };
    }
    case 'hvc1': case 'hev1': {
      const config = only(inner, 'hvcC');
      return { codec: `${entry}.${hevcProfile((i) => byte(config, i))}`, config };
    }
    case 'vp09': {
      const config = only(inner, 'vpcC');
      const decimal = (number) => String(number).padStart(2, '0');
      return { codec: `vp09.${decimal(byte(config, 4))}.${decimal(byte(config, 5))}.${decimal(byte(config, 6) >> 4)}` };
    }
    case 'av01': {
      const config = only(inner, 'av1C');
      const [second, third] = [byte(config, 1), byte(config, 2)];
      const depth = third & 0x40 ? (third & 0x20 ? 12 : 10) : 8;
      const level = String(second & 31).padStart(2, '0');
      return { codec: `av01.${second >> 5}.${level}${third & 0x80 ? 'H' : 'M'}.${String(depth).padStart(2, '0')}`, config };
    }
    default: throw new Error(`${entry} is no codec that is known here`);
  }
}

/** ISO/IEC 14496-15, annex E.3. */
function hevcProfile(byte) {
  const first = byte(1);
  let flags = 0;
  for (let bit = 0; bit < 32; bit += 1) {
    if ((byte(2 + (bit >> 3)) >> (7 - (bit & 7))) & 1) flags += 2 ** bit;
  }
  const constraints = [6, 7, 8, 9, 10, 11].map(byte);
  while (constraints.length && !constraints.at(-1)) constraints.pop();
  return [
    `${['', 'A', 'B', 'C'][first >> 6]}${first & 31}`, flags.toString(16).toUpperCase(),
    `${first & 32 ? 'H' : 'L'}${byte(12)}`, ...constraints.map((number) => number.toString(16).toUpperCase()),
  ].join('.');
}

/** An `stsd` of H.264, from the record that the encoder gives. */
export function h264Entry(width, height, record) {
  const entry = new Uint8Array(ENTRY_BYTES);
  const view = new DataView(entry.buffer);
  view.setUint16(6, 1);
  view.setUint16(24, width);
  view.setUint16(26, height);
  // 72 dots per inch, one picture per sample, 24 bits, no colour table.
  view.setUint32(28, 0x480000);
  view.setUint32(32, 0x480000);
  view.setUint16(40, 1);
  view.setUint16(74, 24);
  view.setInt16(76, -1);
  return box('stsd', words(0, 1), box('avc1', entry, box('avcC', record)));
}

// Takes the sound out of fragmented MP4 without moving a byte: boxes of audio tracks are renamed to
// `free`, which every parser skips. It refuses to know when that is wanted.

const HEADER = 8;
const CONTAINERS = new Set(['moov', 'mvex', 'moof', 'mdia']);

/** Codecs of the picture alone; empty if there is none. */
export const pictureCodecs = (codecs) =>
  codecs.split(',').map((codec) => codec.trim())
    .filter((codec) => /^(avc|hvc|hev|av01|vp)/.test(codec)).join(',');

/** Calls `visit(type, start, end)` for the boxes in [from, to), those in `CONTAINERS` opened. */
function walk(view, from, to, visit) {
  for (let at = from; at + HEADER <= to;) {
    const size = view.getUint32(at);
    const end = at + size;
    if (size < HEADER || end > to) return;
    const type = String.fromCharCode(...new Uint8Array(view.buffer, view.byteOffset + at + 4, 4));
    visit(type, at, end);
    if (CONTAINERS.has(type)) walk(view, at + HEADER, end, visit);
    at = end;
  }
}

/** The fields of a box within [from, to): the place behind its header, or −1. */
function find(view, name, from, to) {
  let place = -1;
  walk(view, from, to, (type, start) => { if (type === name && place < 0) place = start + HEADER; });
  return place;
}

const free = (bytes, at) => bytes.set([0x66, 0x72, 0x65, 0x65], at + 4);

/** An init segment without its audio tracks, and their numbers. */
export function silenceInit(bytes) {
  const copy = bytes.slice();
  const view = new DataView(copy.buffer);
  const silenced = new Set();
  walk(view, 0, copy.length, (type, start, end) => {
    if (type !== 'trak') return;
    const handler = find(view, 'hdlr', start + HEADER, end);
    const header = find(view, 'tkhd', start + HEADER, end);
    if (handler < 0 || header < 0 || view.getUint32(handler + 8) !== 0x736f756e) return;
    silenced.add(view.getUint32(header + (view.getUint8(header) === 1 ? 20 : 12)));
    free(copy, start);
  });
  walk(view, 0, copy.length, (type, start) => {
    if (type === 'trex' && silenced.has(view.getUint32(start + HEADER + 4))) free(copy, start);
  });
  return { bytes: copy, silenced };
}

/** A media segment without the fragments of those tracks. */
export function silenceSegment(bytes, silenced) {
  const copy = bytes.slice();
  const view = new DataView(copy.buffer);
  walk(view, 0, copy.length, (type, start, end) => {
    if (type !== 'traf') return;
    const header = find(view, 'tfhd', start + HEADER, end);
    if (header >= 0 && silenced.has(view.getUint32(header + 4))) free(copy, start);
  });
  return copy;
}

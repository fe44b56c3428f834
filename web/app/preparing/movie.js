// What an MP4 or MOV file holds, read from its index alone: of one video and one audio track each sample's place, time
// and size. Throws for what it cannot cut: fragments, several edits, more samples than a phone records in hours.

import { boxesIn, bytesOf, headerOf, only, uint64 } from './boxes.js';

// A header with a size of 64 bits.
const HEAD_BYTES = 16;
const MOST_BOXES = 1000;
const LARGEST_INDEX = 64 * 1024 * 1024;
const MOST_SAMPLES = 4_000_000;
const LONG = 8;
const SHORT = 4;

async function viewOf(file, from, to) {
  return new DataView(await file.slice(from, to).arrayBuffer());
}

/** The boxes that hold one another: `{ftyp, moov}` as bytes. */
async function indexOf(file) {
  const found = {};
  let at = 0;
  for (let count = 0; at < file.size && count < MOST_BOXES && !found.moov; count += 1) {
    const head = headerOf(await viewOf(file, at, at + HEAD_BYTES), 0, file.size - at);
    if (head.type === 'ftyp' || head.type === 'moov') {
      if (head.end > LARGEST_INDEX) throw new Error(`${head.type} is too large`);
      found[head.type] = await viewOf(file, at, at + head.end);
    }
    at += head.end;
  }
  if (!found.moov) throw new Error('there is no index');
  return found;
}

/**
 * `{file, ftyp, moov, mvhd, video, audio, start, end}`: times in seconds as a player counts them, from where the first
 * picture is to where the last one ends; `audio` may be null.
 */
export async function readMovie(file) {
  const { ftyp, moov } = await indexOf(file);
  const boxes = boxesIn(moov, headerOf(moov, 0, moov.byteLength).body, moov.byteLength);
  if (boxes.some(({ type }) => type === 'mvex')) throw new Error('it consists of fragments');
  const mvhd = only(boxes, 'mvhd');
  const scale = timesOf(moov, mvhd).scale;
  const traks = boxes.filter(({ type }) => type === 'trak').map((trak) => boxesIn(moov, trak.body, trak.end));
  const first = (handler) => traks.find((trak) => handlerOf(moov, trak) === handler);
  const [picture, sound] = [first('vide'), first('soun')];
  if (!picture) throw new Error('there is no video in it');
  const video = trackOf(moov, picture, scale);
  const audio = sound ? trackOf(moov, sound, scale) : null;
  if (!video.count) throw new Error('there is no picture in it');
  let [start, end] = [Infinity, 0];
  for (let i = 0; i < video.count; i += 1) {
    start = Math.min(start, shownAt(video, i));
    end = Math.max(end, shownAt(video, i) + video.lengths[i] / video.scale);
  }
  // What lies before the edit's own start is never shown.
  return {
    file, ftyp: ftyp ? new Uint8Array(ftyp.buffer) : new Uint8Array(), moov, mvhd: bytesOf(moov, mvhd), video,
    audio: audio?.count ? audio : null, start: Math.max(start, video.delay), end,
  };
}

/** When a player shows or plays a sample, in seconds. */
export const shownAt = ({ times, offsets, mediaStart, scale, delay }, i) => (times[i] + offsets[i] - mediaStart) / scale + delay;

/** Where `mvhd` and `mdhd` have their scale and length: `{scale, at, size}`. */
export function timesOf(view, { body, end }) {
  const isLong = view.getUint8(body) === 1;
  const at = body + SHORT + 2 * (isLong ? LONG : SHORT);
  const size = isLong ? LONG : SHORT;
  if (at + SHORT + size > end) throw new Error('a header is cut off');
  const scale = view.getUint32(at);
  if (!scale) throw new Error('time stands still');
  return { scale, at: at + SHORT, size };
}

function handlerOf(moov, trak) {
  const mdia = trak.find(({ type }) => type === 'mdia');
  const hdlr = mdia && boxesIn(moov, mdia.body, mdia.end).find(({ type }) => type === 'hdlr');
  return hdlr && String.fromCharCode(...[8, 9, 10, 11].map((i) => moov.getUint8(hdlr.body + i)));
}

function trackOf(moov, trak, movieScale) {
  const mdia = boxesIn(moov, only(trak, 'mdia').body, only(trak, 'mdia').end);
  const minf = boxesIn(moov, only(mdia, 'minf').body, only(mdia, 'minf').end);
  const stbl = boxesIn(moov, only(minf, 'stbl').body, only(minf, 'stbl').end);
  const { scale } = timesOf(moov, only(mdia, 'mdhd'));
  const samples = samplesOf(moov, stbl);
  const edit = editOf(moov, trak.find(({ type }) => type === 'edts'));
  // Offsets may be negative; written again, none is.
  const lowest = samples.offsets.reduce((least, offset) => Math.min(least, offset), 0);
  for (let i = 0; lowest < 0 && i < samples.count; i += 1) samples.offsets[i] -= lowest;
  return {
    ...samples, scale, delay: edit.empty / movieScale, mediaStart: edit.mediaStart - lowest,
    boxes: {
      tkhd: bytesOf(moov, only(trak, 'tkhd')), mdhd: bytesOf(moov, only(mdia, 'mdhd')), hdlr: bytesOf(moov, only(mdia, 'hdlr')),
      stsd: bytesOf(moov, only(stbl, 'stsd')),
      minf: minf.filter(({ type }) => type !== 'stbl').map((one) => bytesOf(moov, one)),
    },
  };
}

/** How a track is laid on the movie's time: so much of nothing first, then its media from there on. */
function editOf(moov, edts) {
  const elst = edts && boxesIn(moov, edts.body, edts.end).find(({ type }) => type === 'elst');
  const edit = { empty: 0, mediaStart: 0 };
  if (!elst) return edit;
  const isLong = moov.getUint8(elst.body) === 1;
  const size = isLong ? 20 : 12;
  const count = within(moov, elst, 4, size);
  let normal = 0;
  for (let i = 0; i < count; i += 1) {
    const at = elst.body + 8 + i * size;
    const length = isLong ? uint64(moov, at) : moov.getUint32(at);
    const start = isLong ? Number(moov.getBigInt64(at + LONG)) : moov.getInt32(at + SHORT);
    if (moov.getInt16(at + size - SHORT) !== 1) throw new Error('it plays at a speed of its own');
    if (start >= 0) {
      normal += 1;
      edit.mediaStart = start;
    } else if (normal) throw new Error('there is a gap in it');
    else edit.empty += length;
  }
  if (normal !== 1) throw new Error('it is put together of several parts');
  return edit;
}

/** The number of entries of a table, which must all be there. `at` is where the number stands. */
function within(view, { body, end, type }, at, size) {
  const count = end - body >= at + 4 ? view.getUint32(body + at) : Infinity;
  if (count * size > end - body - at - 4) throw new Error(`${type} is cut off`);
  return count;
}

/** `{count, times, lengths, offsets, isKey, sizes, places, sums}`: decode times and lengths in the track's scale. */
function samplesOf(moov, stbl) {
  const optional = (type) => stbl.find((one) => one.type === type);
  const stsz = only(stbl, 'stsz');
  const same = moov.getUint32(stsz.body + 4);
  const count = within(moov, stsz, 8, same ? 0 : 4);
  if (count > MOST_SAMPLES) throw new Error('there are too many samples in it');
  const sizes = new Uint32Array(count);
  for (let i = 0; i < count; i += 1) sizes[i] = same || moov.getUint32(stsz.body + 12 + i * 4);
  const lengths = spread(moov, only(stbl, 'stts'), count);
  const times = new Float64Array(count);
  const sums = new Float64Array(count + 1);
  for (let i = 0; i < count; i += 1) {
    if (i + 1 < count) times[i + 1] = times[i] + lengths[i];
    sums[i + 1] = sums[i] + sizes[i];
  }
  const ctts = optional('ctts');
  return {
    count, sizes, lengths, times, sums,
    offsets: ctts ? spread(moov, ctts, count) : new Int32Array(count),
    isKey: keysOf(moov, optional('stss'), count),
    places: placesOf(moov, only(stbl, 'stsc'), optional('stco'), optional('co64'), sizes),
  };
}

/** Of runs, `(how many, value)` each, every single value. */
function spread(moov, table, count) {
  const values = new Int32Array(count);
  const runs = within(moov, table, 4, 8);
  let next = 0;
  for (let run = 0; run < runs && next < count; run += 1) {
    const at = table.body + 8 + run * 8;
    const end = Math.min(count, next + moov.getUint32(at));
    values.fill(moov.getInt32(at + 4), next, end);
    next = end;
  }
  if (next < count) throw new Error(`${table.type} ends too early`);
  return values;
}

/** Without a table every sample is one. */
function keysOf(moov, stss, count) {
  const isKey = new Uint8Array(count).fill(stss ? 0 : 1);
  for (let i = stss ? within(moov, stss, 4, 4) : 0; i > 0; i -= 1) {
    const number = moov.getUint32(stss.body + 4 + i * 4);
    if (number >= 1 && number <= count) isKey[number - 1] = 1;
  }
  return isKey;
}

/** Where in the file each sample begins. */
function placesOf(moov, stsc, stco, co64, sizes) {
  const table = stco ?? co64;
  if (!table) throw new Error('it does not say where its samples are');
  const chunks = within(moov, table, 4, stco ? 4 : LONG);
  const runs = within(moov, stsc, 4, 12);
  const places = new Float64Array(sizes.length);
  let next = 0;
  for (let run = 0; run < runs; run += 1) {
    const at = stsc.body + 8 + run * 12;
    const end = run + 1 < runs ? moov.getUint32(at + 12) - 1 : chunks;
    for (let chunk = moov.getUint32(at) - 1; chunk < Math.min(end, chunks) && next < sizes.length; chunk += 1) {
      const inChunk = moov.getUint32(at + 4);
      if (chunk < 0 || !inChunk) throw new Error('stsc names what cannot be');
      let place = stco ? moov.getUint32(stco.body + 8 + chunk * 4) : uint64(moov, co64.body + 8 + chunk * LONG);
      for (let left = inChunk; left > 0 && next < sizes.length; left -= 1) {
        places[next] = place;
        place += sizes[next];
        next += 1;
      }
    }
  }
  if (next < sizes.length) throw new Error('stsc ends too early');
  return places;
}

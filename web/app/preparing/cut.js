// A part of a movie as a file of its own. No sample is changed and none is copied: the new file is a new index before
// slices of the old one. It begins at the key frame that the first picture needs, and an edit list hides what lies
// before that picture (ISO/IEC 14496-12, 8.6.6). What else the old file says, where it was recorded too, is left behind.

import { box, listOf, words } from './boxes.js';
import { shownAt, timesOf } from './movie.js';

// Of the new movie's own clock.
const SCALE = 90_000;
// What decoders of sound want to hear before what is heard.
const PREROLL_S = 0.1;
const HEADER = 8;
// Of the index for each sample, no more than this.
const INDEX_BYTES = 28;
const INDEX_ROOM = 8192;

/** The part [from, to) of a movie, moved to where its pictures begin and end: `{from, to, video, audio}`, samples by number. */
export function partOf({ video, audio, start, end }, from, to) {
  let [first, shown, last, until] = [-1, -1, -1, 0];
  const wanted = Math.min(Math.max(from, start), end);
  for (let i = 0; i < video.count; i += 1) {
    const at = shownAt(video, i);
    if (at <= wanted + 1 / video.scale && (shown < 0 || at > shownAt(video, shown))) shown = i;
  }
  const begin = shown < 0 ? start : Math.max(start, shownAt(video, shown));
  for (let i = 0; i < video.count; i += 1) {
    const at = shownAt(video, i);
    if (video.isKey[i] && at <= begin && (shown < 0 || i <= shown)) first = i;
    if (at < to || last < 0) {
      last = i;
      until = Math.max(until, at + video.lengths[i] / video.scale);
    }
  }
  first = Math.max(first, 0);
  last = Math.max(last, shown);
  return { from: begin, to: Math.min(Math.max(to, begin), until, end), video: [first, last + 1], audio: audio && heard(audio, begin, to) };
}

function heard(audio, from, to) {
  let [first, end] = [0, 0];
  for (let i = 0; i < audio.count; i += 1) {
    const at = shownAt(audio, i);
    if (at <= from - PREROLL_S) first = i;
    if (at < to) end = i + 1;
  }
  return first < end && shownAt(audio, end - 1) + audio.lengths[end - 1] / audio.scale > from ? [first, end] : null;
}

/** What a part takes as a file, in bytes, at most. */
export function sizeOf({ video, audio }, part) {
  const size = (track, range) => (range ? track.sums[range[1]] - track.sums[range[0]] + (range[1] - range[0]) * INDEX_BYTES : 0);
  return size(video, part.video) + size(audio, part.audio) + INDEX_ROOM;
}

/** The longest part that begins at `from` within the limits: seconds, and bytes. */
export function longestFrom(movie, from, longest, largest) {
  let [fits, tooLong] = [from, Math.min(movie.end, partOf(movie, from, from).from + longest)];
  if (sizeOf(movie, partOf(movie, from, tooLong)) <= largest) return tooLong;
  while (tooLong - fits > 0.05) {
    const middle = (fits + tooLong) / 2;
    if (sizeOf(movie, partOf(movie, from, middle)) <= largest) fits = middle; else tooLong = middle;
  }
  return fits;
}

/** The part as a file that can be played. */
export function cut(movie, part) {
  const tracks = [[movie.video, part.video], [movie.audio, part.audio]].filter(([, range]) => range)
    .map(([track, range]) => ({ track, range, chunks: chunksOf(track, range, movie.file) }));
  // Picture and sound of the same second lie side by side.
  const chunks = tracks.flatMap((one) => one.chunks).sort((a, b) => a.second - b.second);
  const ftyp = movie.ftyp.length ? movie.ftyp : box('ftyp', words(0x71742020, 0, 0x71742020));
  const index = (start) => {
    let at = start;
    for (const chunk of chunks) {
      chunk.at = at;
      at += chunk.to - chunk.from;
    }
    return box('moov', headOf(movie.mvhd, part), ...tracks.map((one) => trakOf(one, part)));
  };
  // Places do not change how long the index is.
  const before = ftyp.length + index(0).length + HEADER;
  const moov = index(before);
  const size = chunks.reduce((sum, { from, to }) => sum + to - from, HEADER);
  const mdat = new Uint8Array([...words(size), ...[...'mdat'].map((letter) => letter.charCodeAt(0))]);
  return new Blob([ftyp, moov, mdat, ...slices(chunks)], { type: 'video/mp4' });
}

/** Samples of about a second that lie one behind the other, in the movie's file or in one of the track's own. */
function chunksOf(track, [first, end], movieFile) {
  const { places, sizes, file = movieFile } = track;
  const chunks = [];
  for (let i = first; i < end; i += 1) {
    const chunk = chunks.at(-1);
    const second = Math.floor(shownAt(track, i));
    if (chunk?.to === places[i] && second <= chunk.second) {
      chunk.to += sizes[i];
      chunk.count += 1;
    } else chunks.push({ file, from: places[i], to: places[i] + sizes[i], count: 1, second: Math.max(second, chunk?.second ?? -Infinity) });
  }
  return chunks;
}

function slices(chunks) {
  const runs = [];
  for (const { file, from, to } of chunks) {
    const run = runs.at(-1);
    if (run?.file === file && run.to === from) run.to = to; else runs.push({ file, from, to });
  }
  return runs.map(({ file, from, to }) => file.slice(from, to));
}

/** A header with another length; `scale` where that is another, too. */
function retimed(bytes, length, scale) {
  const copy = bytes.slice();
  const view = new DataView(copy.buffer);
  const { at, size } = timesOf(view, { body: HEADER, end: copy.length });
  if (scale) view.setUint32(at - 4, scale);
  if (size === 8) view.setBigUint64(at, BigInt(length)); else view.setUint32(at, length);
  return copy;
}

const ticks = (seconds) => Math.round(seconds * SCALE);
const headOf = (mvhd, { from, to }) => retimed(mvhd, ticks(to - from), SCALE);

function trakOf({ track, range: [first, end], chunks }, { from, to }) {
  const { boxes, scale, times, lengths } = track;
  // A track that begins later is waited for.
  const late = Math.max(0, shownAt(track, first) - from);
  const mediaStart = Math.max(0, Math.round((from + late - track.delay) * scale) + track.mediaStart - times[first]);
  const length = to - from - late;
  const edits = [...(late > 1 / SCALE ? [ticks(late), -1, 0x10000] : []), ticks(length), mediaStart, 0x10000];
  const media = times[end - 1] + lengths[end - 1] - times[first];
  return box('trak', trackHead(boxes.tkhd, ticks(to - from)),
    box('edts', box('elst', words(0, edits.length / 3, ...edits))),
    box('mdia', retimed(boxes.mdhd, media), boxes.hdlr,
      box('minf', ...boxes.minf, box('stbl', boxes.stsd, ...tables(track, first, end), ...places(chunks)))));
}

function trackHead(tkhd, length) {
  const copy = tkhd.slice();
  const view = new DataView(copy.buffer);
  if (view.getUint8(HEADER) === 1) view.setBigUint64(HEADER + 28, BigInt(length)); else view.setUint32(HEADER + 20, length);
  return copy;
}

function tables({ lengths, offsets, isKey, sizes }, first, end) {
  const keys = [];
  for (let i = first; i < end; i += 1) if (isKey[i]) keys.push(i - first + 1);
  const [count, stts, ctts] = [end - first, runsOf(lengths, first, end), runsOf(offsets, first, end)];
  return [
    box('stts', words(0, stts.length / 2), listOf(stts)),
    ...(ctts.length > 2 || ctts[1] ? [box('ctts', words(0, ctts.length / 2), listOf(ctts))] : []),
    ...(keys.length < count ? [box('stss', words(0, keys.length), listOf(keys))] : []),
    box('stsz', words(0, 0, count), listOf(sizes.subarray(first, end))),
  ];
}

/** `(how many, value)` again and again. */
function runsOf(values, first, end) {
  const runs = [];
  for (let i = first; i < end; i += 1) {
    if (runs.length && runs.at(-1) === values[i]) runs[runs.length - 2] += 1; else runs.push(1, values[i]);
  }
  return runs;
}

function places(chunks) {
  const counts = [];
  chunks.forEach(({ count }, i) => {
    if (counts.at(-2) !== count) counts.push(i + 1, count, 1);
  });
  return [
    box('stsc', words(0, counts.length / 3), listOf(counts)),
    box('stco', words(0, chunks.length), listOf(chunks.map(({ at }) => at))),
  ];
}

// A stream's playlists (RFC 8216) as the renditions that the core knows. Written by strangers: what is not understood is left
// out, and numbers are bounded.
// It refuses to know what lies in more than one file: the core asks one file of each rendition for ranges of bytes.

const LONGEST_MS = 3_600_000;
const MOST_SEGMENTS = 2000;
const MOST_BYTES = 2 ** 40;
const MOST_RATE = 1e9;

/** `NAME=value,NAME="value, with commas"` by name. */
export function attributesOf(text) {
  const found = {};
  for (const [, name, quoted, bare] of text.matchAll(/([A-Z0-9-]+)=(?:"([^"]*)"|([^,"]*))(?:,|$)/g)) {
    found[name] = quoted ?? bare;
  }
  return found;
}

function* linesOf(text) {
  for (const line of text.split(/[\r\n]+/)) {
    const [tag, ...value] = line.trim().split(':');
    if (line.startsWith('#')) yield { tag, value: value.join(':') };
    else if (line.trim()) yield { uri: line.trim() };
  }
}

export const isPlaylist = (text) => /^\ufeff?#EXTM3U/.test(text);

/** `{uri, codecs, width, height, peak, average}` of each rate that says all that the core needs to know. */
export function variantsOf(text) {
  const variants = [];
  let stream = null;
  for (const { tag, value, uri } of linesOf(text)) {
    if (tag === '#EXT-X-STREAM-INF') stream = attributesOf(value);
    if (!uri || !stream) continue;
    const [width, height] = (stream.RESOLUTION ?? '').split('x').map(Number);
    const peak = Number(stream.BANDWIDTH);
    const average = Number(stream['AVERAGE-BANDWIDTH'] ?? stream.BANDWIDTH);
    const isKnown = [width, height, peak, average].every((number) => number > 0 && number <= MOST_RATE);
    if (isKnown && stream.CODECS) variants.push({ uri, codecs: stream.CODECS, width, height, peak, average });
    stream = null;
  }
  return variants;
}

/** "SIZE@OFFSET", or "SIZE" behind `end`. Null for anything else. */
function rangeOf(text, end) {
  const [, size, offset] = /^(\d{1,13})(?:@(\d{1,13}))?$/.exec(text ?? '') ?? [];
  const range = { offset: Number(offset ?? end), size: Number(size) };
  return range.size > 0 && range.offset + range.size <= MOST_BYTES ? range : null;
}

/** `{uri, init, segments}` of a stream that lies in one file of fragmented MP4 and has an end. Throws what it is instead. */
export function fileOf(text) {
  let uri = null;
  let init = null;
  let next = null;
  let range = null;
  let hasEnd = false;
  const segments = [];
  for (const { tag, value, uri: file } of linesOf(text)) {
    if (tag === '#EXT-X-MAP') {
      const map = attributesOf(value);
      if (init) throw new Error('changes its format');
      [uri, init] = [map.URI, rangeOf(map.BYTERANGE, 0)];
    }
    if (tag === '#EXT-X-KEY' && attributesOf(value).METHOD !== 'NONE') throw new Error('is encrypted');
    if (tag === '#EXT-X-ENDLIST') hasEnd = true;
    if (tag === '#EXTINF') next = Math.round(Number.parseFloat(value) * 1000);
    if (tag === '#EXT-X-BYTERANGE') range = rangeOf(value, segments.at(-1)?.end);
    if (!file) continue;
    if (!init || !range || file !== uri) throw new Error('does not lie in one file of fragmented MP4');
    if (!(next > 0 && next <= LONGEST_MS) || segments.length === MOST_SEGMENTS) throw new Error('is too long');
    segments.push({ ...range, end: range.offset + range.size, duration_ms: next });
    [next, range] = [null, null];
  }
  if (!hasEnd) throw new Error('has no end');
  if (!segments.length) throw new Error('has nothing in it');
  return { uri, init, segments: segments.map(({ offset, size, duration_ms }) => ({ offset, size, duration_ms })) };
}

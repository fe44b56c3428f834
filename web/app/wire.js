// The numbers of the session interface (docs/design/session.md) and the shape of its rows.
// It turns a clip into words and words into commands. It refuses to know what any of them means.

export const EVENT = Object.freeze({
  started: 1, itemAppended: 2, pageLoaded: 3, pageFailed: 4, itemRemoved: 5,
  viewportResized: 10, dragBegan: 11, dragMoved: 12, dragEnded: 13, dragCancelled: 14,
  stepped: 15, jumped: 16, wheelMoved: 17, settleFinished: 18,
  firstFrameReady: 20, playbackAdvanced: 21, playbackStalled: 22, positionChanged: 23,
  looped: 24, playerFailed: 25, autoplayRefused: 26,
  segmentStored: 30, fetchFinished: 31, fetchFailed: 32, networkChanged: 33,
  tapped: 40, soundSet: 41, scrubBegan: 42, scrubMoved: 43, scrubEnded: 44,
  retryRequested: 45, backgrounded: 46, foregrounded: 47, memoryWarned: 48,
  woke: 50,
});

export const COMMAND = Object.freeze({
  mount: 1, unmount: 2, scroll: 3, settle: 4, hold: 5, setCurrent: 6, requestPage: 7, showEnd: 8,
  load: 10, play: 11, pause: 12, seek: 13, release: 14, setMuted: 15,
  fetch: 20, cancel: 21, discard: 22,
  showBuffering: 30, showPaused: 31, showNetworkTrouble: 32, noticeSkipped: 33,
  wake: 34,
});

/** Why a fetch failed, as the core counts it. */
export const REASON = Object.freeze({ network: 1, gone: 2, server: 3 });

const names = new Map(Object.entries(COMMAND).map(([name, kind]) => [kind, name]));

/** The fields of `itemAppended`. */
export function itemFields(clip) {
  const fields = [clip.item, clip.duration, clip.renditions.length];
  for (const r of clip.renditions) {
    fields.push(Math.min(r.width, r.height), r.peak_bps, r.average_bps,
      r.init.offset, r.init.size, r.segments.length);
    for (const s of r.segments) fields.push(s.offset, s.size, s.duration_ms);
  }
  return fields;
}

/** An event as `Int64` words. Fractions are rounded; booleans become 0 or 1. */
export function encode(kind, fields) {
  const words = new BigInt64Array(fields.length + 1);
  words[0] = BigInt(kind);
  fields.forEach((field, i) => { words[i + 1] = BigInt(Math.round(Number(field)) || 0); });
  return words;
}

/** Rows of [kind, count, fields…] as `{name, fields}`; kinds from a newer core are skipped. */
export function decode(words) {
  const commands = [];
  for (let at = 0; at + 1 < words.length;) {
    const name = names.get(Number(words[at]));
    const end = at + 2 + Number(words[at + 1]);
    if (end > words.length) throw new RangeError('a command is longer than its words');
    if (name) commands.push({ name, fields: Array.from(words.subarray(at + 2, end), Number) });
    at = end;
  }
  return commands;
}

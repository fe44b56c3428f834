// Arithmetic of the endless tape: a clip laid behind itself for ever on one timeline.
// Times on the tape are seconds (as media elements count), times in the clip milliseconds.
// It refuses to know any element, buffer or byte.

/** Which turn of the clip is at `seconds`; a hair before the seam counts as the seam. */
export function turnAt(seconds, duration) {
  return Math.max(0, Math.floor((seconds * 1000 + 1) / duration));
}

/** Milliseconds into the clip at `seconds` of the tape. */
export function positionAt(seconds, duration) {
  return Math.max(0, Math.round(seconds * 1000 - turnAt(seconds, duration) * duration));
}

/** Tape seconds of a place in the clip, within one turn. The last 50 ms are out of reach, so that
 *  a scrub to the very end does not show the start of the next turn. */
export function tapeTime(turn, position, duration) {
  const within = Math.max(0, Math.min(position, duration - 50));
  return (turn * duration + within) / 1000;
}

/** Start of each segment in the clip, ms, with the end of the last one behind them. */
export function segmentStarts(segments) {
  const starts = [0];
  for (const s of segments) starts.push(starts.at(-1) + s.duration_ms);
  return starts;
}

/** The segment that holds `position`. */
export function segmentAt(starts, position) {
  let index = 0;
  while (index < starts.length - 2 && starts[index + 1] <= position) index += 1;
  return index;
}

/** The buffered range [start, end] that holds `seconds` (with `slack` before its start), or null. */
export function rangeAt(ranges, seconds, slack = 0) {
  for (let i = 0; i < ranges.length; i += 1) {
    if (ranges.start(i) - slack <= seconds && seconds < ranges.end(i)) {
      return [ranges.start(i), ranges.end(i)];
    }
  }
  return null;
}

/** How far a range reaches on from `seconds`; 0 when nothing is there. */
export function bufferedAhead(ranges, seconds) {
  const range = rangeAt(ranges, seconds, 0.1);
  return range ? range[1] - Math.max(seconds, range[0]) : 0;
}

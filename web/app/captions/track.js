// A track of captions as the server writes them (docs/design/captions.md): WebVTT in one form, of which only text and
// emphasis are left. What is not in that form is skipped.

const TIMING = /^(\d{2,}):(\d{2}):(\d{2})\.(\d{3}) --> (\d{2,}):(\d{2}):(\d{2})\.(\d{3})$/;
const TOKEN = /<(\/?)([biuv])(?: [^>]*)?>|[^<]+/g;
const ENTITIES = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

const ms = (hours, minutes, seconds, thousandths) =>
  ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(thousandths);

/** `{start, end, markup}` in ms, in the order of their starts. */
export function cuesIn(file) {
  const cues = [];
  for (const block of file.split('\n\n').slice(1)) {
    const [timing, ...lines] = block.trimEnd().split('\n');
    const [, ...parts] = TIMING.exec(timing) ?? [];
    if (parts.length) cues.push({ start: ms(...parts.slice(0, 4)), end: ms(...parts.slice(4)), markup: lines.join('\n') });
  }
  return cues;
}

/** Those that are due, the one that came first on top. */
export const cuesAt = (cues, position) => cues.filter(({ start, end }) => start <= position && position < end);

/** When something else is due: at the edge of a cue, or where the clip starts again. */
export function nextChange(cues, position, duration) {
  let next = duration;
  for (const { start, end } of cues) {
    if (start > position) next = Math.min(next, start);
    if (end > position) next = Math.min(next, end);
  }
  return next;
}

/** `{text, tags}` per piece; speakers are not named, as browsers do not name them. */
export function piecesOf(markup) {
  const pieces = [];
  const open = [];
  for (const [token, slash, tag] of markup.matchAll(TOKEN)) {
    if (!tag) {
      pieces.push({ text: token.replace(/&(?:amp|lt|gt);/g, (name) => ENTITIES[name]), tags: [...open] });
    } else if (tag !== 'v') {
      const at = open.lastIndexOf(tag);
      if (!slash) open.push(tag); else if (at >= 0) open.splice(at, 1);
    }
  }
  return pieces;
}

const primary = (language) => language.toLowerCase().split('-')[0];

/** The track for somebody who reads these languages, the best first, and whether they read it. Where several are as
 *  good, a person's comes before a program's. */
export function trackFor(tracks, languages) {
  const sorted = [...tracks].sort((one, other) => one.automatic - other.automatic);
  for (const wanted of languages) {
    const track = sorted.find(({ language }) => language.toLowerCase() === wanted.toLowerCase())
      ?? sorted.find(({ language }) => primary(language) === primary(wanted));
    if (track) return { track, isRead: true };
  }
  return { track: sorted[0] ?? null, isRead: false };
}

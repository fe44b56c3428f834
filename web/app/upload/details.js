// What a person says about a clip, as the form holds it and as the server takes it. The server checks it again.

// The contract's limits.
export const CAPTION_LENGTH = 300;
const TAGS = 30;
const TAG_LENGTH = 50;

const segmenter = globalThis.Intl?.Segmenter && new Intl.Segmenter();

/** Characters as a person counts them. Without a segmenter code points, never fewer than those. */
export function charactersIn(text) {
  return segmenter ? [...segmenter.segment(text)].length : [...text].length;
}

/** "#Dawn, pier" → ["dawn", "pier"]: the words of a line, each once, as the server spells them. */
export function tagsIn(line) {
  const words = line.toLowerCase().split(/[\s,;#]+/u).map((word) => word.replace(/[^\p{L}\p{M}\p{N}_]/gu, ''));
  return [...new Set(words.filter((word) => word && charactersIn(word) <= TAG_LENGTH))].slice(0, TAGS);
}

const VISIBILITIES = ['public', 'unlisted', 'private'];

export const BLANK = Object.freeze({ caption: '', tags: '', visibility: 'public', cover: null, adults: false });

/** What the server is told, of what the form holds. */
export function wireDetails({ caption, tags, visibility, cover, adults }) {
  return {
    caption: caption.trim(), tags: tagsIn(tags), visibility: VISIBILITIES.includes(visibility) ? visibility : 'public',
    // Said once somebody has chosen one.
    ...(cover != null && { cover_ms: cover }),
    ...(adults !== undefined && { for_adults: adults }),
  };
}

/** The fields that differ from what the server knows, as a merge patch; null if none does. */
export function patchOf(known, wanted) {
  const changed = Object.entries(wanted).filter(([name, value]) =>
    JSON.stringify(known?.[name] ?? null) !== JSON.stringify(value));
  return changed.length ? Object.fromEntries(changed) : null;
}

export const captionFits = ({ caption }) => charactersIn(caption.trim()) <= CAPTION_LENGTH;

// Versions of a clip from words: which belong together, and what one says otherwise than the one before.

// Longer texts are shown without it: comparing them takes as long as both together, squared.
const MOST_WORDS = 400;

/** All that were refined from the same first one, the oldest first; that of `id` is among them if it is in `items`. */
export function familyOf(id, items) {
  const byId = new Map(items.map((item) => [item.id, item]));
  const rootOf = (item) => {
    const seen = new Set();
    let at = item;
    while (byId.has(at.refines_id) && !seen.has(at.id)) {
      seen.add(at.id);
      at = byId.get(at.refines_id);
    }
    // One whose first was discarded still has the same name for it.
    return at.refines_id ?? at.id;
  };
  if (!byId.has(id)) return [];
  const root = rootOf(byId.get(id));
  return items.filter((item) => rootOf(item) === root).sort((a, b) => (a.created_at < b.created_at ? -1 : a.created_at > b.created_at ? 1 : a.id < b.id ? -1 : 1));
}

/** A prompt in pieces, `{text, isNew}`: new is what the one before does not have. Together they are the prompt. */
export function changesIn(prompt, before) {
  const [words, old] = [prompt, before].map((text) => text.match(/\s*\S+\s*$|\s*\S+/gu) ?? []);
  if (before === prompt || words.length > MOST_WORDS || old.length > MOST_WORDS) return [{ text: prompt, isNew: false }];
  // `same[i][j]`: how many words both have in the same order from there on.
  const same = Array.from({ length: words.length + 1 }, () => new Uint16Array(old.length + 1));
  const isSame = (i, j) => words[i].trim() === old[j].trim();
  for (let i = words.length - 1; i >= 0; i -= 1) {
    for (let j = old.length - 1; j >= 0; j -= 1) same[i][j] = isSame(i, j) ? same[i + 1][j + 1] + 1 : Math.max(same[i + 1][j], same[i][j + 1]);
  }
  const pieces = [];
  const add = (text, isNew) => {
    if (pieces.at(-1)?.isNew === isNew) pieces.at(-1).text += text; else pieces.push({ text, isNew });
  };
  let j = 0;
  for (let i = 0; i < words.length; i += 1) {
    while (j < old.length && !isSame(i, j) && same[i][j + 1] >= same[i + 1][j]) j += 1;
    const isKept = j < old.length && isSame(i, j);
    if (isKept) j += 1;
    add(words[i], !isKept);
  }
  return pieces;
}

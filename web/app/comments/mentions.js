// Where a text names somebody by their handle. It refuses to know whether there is somebody of that name.

// As the server finds them (`Mention` of the contract): what belongs to a longer word is none; an address of mail has an @ too.
const MENTION = /(^|[^\p{L}\p{M}\p{N}_.\-@/])@([A-Za-z0-9._]+)(?![\p{L}\p{M}\p{N}@._])/gu;
const TYPED = /(?:^|[^\p{L}\p{M}\p{N}_.\-@/])@([A-Za-z0-9._]{1,30})$/u;
const [SHORTEST, LONGEST] = [2, 30];

/** A text in pieces, `{text}` or `{text, handle}`: together they are the text. */
export function piecesOf(text) {
  const pieces = [];
  let end = 0;
  for (const { 1: before, 2: run, index } of text.matchAll(MENTION)) {
    // Full stops and lines at the end belong to the sentence.
    const name = run.replace(/[._]+$/, '');
    if (name.length < SHORTEST || name.length > LONGEST || /^[._]|\.\./.test(name)) continue;
    const start = index + before.length;
    if (start > end) pieces.push({ text: text.slice(end, start) });
    end = start + 1 + name.length;
    pieces.push({ text: text.slice(start, end), handle: name.toLowerCase() });
  }
  if (end < text.length) pieces.push({ text: text.slice(end) });
  return pieces;
}

/** The beginning of a handle that somebody is typing, right before the caret, without its @; null if there is none. */
export const typedAt = (text, caret) => TYPED.exec(text.slice(0, caret))?.[1] ?? null;

/** The text with that beginning in full, and where the caret is then. */
export function completed(text, caret, handle) {
  const start = caret - typedAt(text, caret).length;
  const rest = text.slice(caret);
  const name = rest.startsWith(' ') ? handle : `${handle} `;
  return { text: text.slice(0, start) + name + rest, caret: start + handle.length + 1 };
}

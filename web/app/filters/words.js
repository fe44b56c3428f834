// What is said of comments that wait, and what a field of lines holds.

/** Of a text of lines: each that says something. */
export const wordsIn = (text) => text.split('\n').map((line) => line.trim()).filter(Boolean);

/** Why one waits; nothing of a reason that a newer server has. */
export function whyOf({ reason, word }) {
  switch (reason) {
    case 'word': return `It has “${word ?? ''}” in it.`;
    case 'link': return 'It has a link in it.';
    case 'site': return 'This site has it looked at.';
    default: return '';
  }
}

/** As many as `most` are as many and more. */
export function countOf(held, most = 100) {
  if (!held) return 'No comments wait';
  return held === 1 ? 'One comment waits' : `${held >= most ? `${most} or more` : held} comments wait`;
}

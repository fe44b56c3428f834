// What is said of comments that wait, and what a field of lines holds.

import { plural, t } from '../words/words.js';

/** Of a text of lines: each that says something. */
export const wordsIn = (text) => text.split('\n').map((line) => line.trim()).filter(Boolean);

/** Why one waits; nothing of a reason that a newer server has. */
export function whyOf({ reason, word }) {
  switch (reason) {
    case 'word': return t('It has “{word}” in it.', { word: word ?? '' });
    case 'link': return t('It has a link in it.');
    case 'site': return t('This site has it looked at.');
    default: return '';
  }
}

/** As many as `most` are as many and more. */
export function countOf(held, most = 100) {
  if (!held) return t('No comments wait');
  return held >= most ? t('{most} or more comments wait', { most }) : plural(held, 'One comment waits', '{count} comments wait');
}

// The sound that a clip shares with others: its name, its sign, and the way to the page of all clips that have it.
// It refuses to know which clips sound alike: the server says so.

import { icon } from '../screens/screens.js';
import { t } from '../words/words.js';

export const addressOf = (id) => `/s/${encodeURIComponent(id)}`;

/** `author`: whoever made the first clip that has it; none where all of them are gone. */
export const nameOf = (author) => (author ? t('Sound by {name}', { name: `@${author.handle}` }) : t('A sound that is gone'));

/** A note of lines, 24 by 24. */
export const note = () => icon('M11 17V4c1 3.5 6.5 4 6.5 9M11 17a3.7 3.1 0 1 1-7.4 0 3.7 3.1 0 0 1 7.4 0z');

export function linkTo(id) {
  const link = Object.assign(document.createElement('a'), { className: 'sound', href: addressOf(id) });
  link.append(note(), t('Sound::clip'));
  // It begins with what is shown, by which people who speak to the page call it.
  link.setAttribute('aria-label', t('Sound: clips that have it'));
  return link;
}

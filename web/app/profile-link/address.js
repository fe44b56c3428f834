// Where somebody's profile is, and names that lead there.

import { goTo } from '../screens/screens.js';

/** `list`: `followers` or `following`. */
export const addressOf = (handle, list = '') => `#profile/${encodeURIComponent(handle)}${list && `/${list}`}`;

/** All guests share one author, who has no profile. */
export const hasProfile = (author) => Boolean(author?.handle) && author.handle !== 'guest';

/** A name that leads to a profile. `before()` makes room first, and may answer when there is some. */
export function linkTo(author, before, ...children) {
  const link = document.createElement('a');
  link.href = addressOf(author.handle);
  link.className = 'to-profile';
  link.append(...children);
  link.addEventListener('click', async (event) => {
    // A tab of its own, where that is wanted.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    await before?.();
    goTo(addressOf(author.handle));
  });
  return link;
}

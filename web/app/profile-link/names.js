// The names of authors in the feed as links to their profiles, and their pictures. Comes after the first clip moves.

import { loadStyles } from '../screens/screens.js';
import { hasProfile, linkTo } from './address.js';
import { showFace } from './face.js';

/** @param {App} app */
export function watch({ stage, feed, pages, current }) {
  loadStyles('/app/profile-link/names.css').catch(console.warn);
  const show = (item) => {
    // A clip without a page is not there to be asked for: it may rest as text.
    if (pages.placeOf(item) === undefined) return;
    const clip = feed.clip(item);
    const row = clip && hasProfile(clip.author) && stage.querySelector(`.page[data-clip="${CSS.escape(clip.id)}"] .author`);
    if (!row || row.querySelector('.to-profile')) return;
    const face = row.querySelector('.avatar');
    showFace(face, clip.author);
    const link = linkTo(clip.author, null, face, row.querySelector('.name').parentNode);
    // As the buttons of a page: the Tab key finds those of the clip on the screen.
    link.tabIndex = item === current()?.item ? 0 : -1;
    row.prepend(link);
  };
  pages.onMoved(show);
  for (let item = 0; item < feed.size; item += 1) show(item);
}

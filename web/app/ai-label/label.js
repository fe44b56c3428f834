// Says of a clip that it was made by AI, wherever it is in the feed: a line above its author, which is a part of the clip's name for
// whoever listens. Comes after the first clip moves. It refuses to know how it is known: the server says so, for ever.

import { loadStyles } from '../screens/screens.js';
import { t } from '../words/words.js';

export const words = () => t('Made with AI');

/** @param {App} app */
export function watch({ stage, feed, pages }) {
  loadStyles('/app/ai-label/label.css').catch(console.warn);
  const show = (item) => {
    // A clip without a page is not there to be asked for: it may rest as text.
    if (pages.placeOf(item) === undefined) return;
    const clip = feed.clip(item);
    const page = clip?.aiGenerated === true && stage.querySelector(`.page[data-clip="${CSS.escape(clip.id)}"]`);
    if (!page || page.querySelector('.ai-label')) return;
    const label = Object.assign(document.createElement('p'), { className: 'ai-label', id: `ai-${item}`, textContent: words() });
    // Above what stands there, which stays where it is.
    page.querySelector('.texts').prepend(label);
    page.setAttribute('aria-labelledby', `${page.getAttribute('aria-labelledby')} ${label.id}`);
  };
  pages.onMoved(show);
  for (let item = 0; item < feed.size; item += 1) show(item);
}

// What the page itself says beside the clip: the names of its counts and where in the clip it is, for whoever hears them, and in
// another language than English its own labels. Comes after the first clip moves, or beside it where there are words to fetch.
// It refuses to know what the labels are of.

import { language, loadWords, onWords, plural, t } from '../words/words.js';

const ATTRIBUTES = ['aria-label', 'title', 'data-on', 'data-off'];
// What people write, and what is said by others.
const OTHERS = '.author, .caption, #now, #notice, #time, canvas';

let isWatched = false;

/** @param {App} app */
export async function watch({ stage, feed, pages }) {
  if (isWatched) return;
  isWatched = true;
  watchScrubber(stage);
  pages.label = label;
  const show = () => {
    if (language() !== 'en') translateAll(stage);
    for (let item = 0; item < feed.size; item += 1) if (pages.placeOf(item) !== undefined) pages.recount(feed.clip(item));
  };
  onWords((part) => { if (part === 'feed') show(); });
  show();
  await loadWords('feed');
}

function translateAll(stage) {
  const { content } = document.getElementById('page');
  translate(stage);
  translate(content);
  // A word of ours where a person has no name.
  content.querySelector('.name').textContent = t('Someone');
  const sound = document.getElementById('sound');
  if (sound.title) sound.title = sound.getAttribute('aria-pressed') === 'true' ? sound.dataset.on : sound.dataset.off;
}

/** The labels of the document as it was sent are keys of the catalogue, as scripts/check-words.sh reads them there. */
function translate(root) {
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { currentNode: node } = texts;
    const text = node.data.trim();
    if (text && !node.parentElement.closest(OTHERS)) node.data = node.data.replace(text, () => t(text));
  }
  for (const name of ATTRIBUTES) {
    for (const element of root.querySelectorAll(`[${name}]`)) {
      if (!element.closest(OTHERS)) element.setAttribute(name, t(element.getAttribute(name)));
    }
  }
}

function label(page, counts) {
  const name = (kind, text) => { page.querySelector(`.${kind} span`).textContent = text; };
  // The number itself stands before it.
  name('likes', plural(counts.likes ?? 0, 'like::count', 'likes::count'));
  name('comments', plural(counts.comments ?? 0, 'comment::count', 'comments::count'));
  name('shares', plural(counts.shares ?? 0, 'share::count', 'shares::count'));
}

/** Where in the clip it is, in words. */
function watchScrubber(stage) {
  const scrubber = document.getElementById('scrubber');
  const secondsOf = (value) => plural(Math.round(value / 1000), '{count} second', '{count} seconds');
  const say = () => scrubber.setAttribute('aria-valuetext',
    t('{position} of {duration}', { position: secondsOf(scrubber.value), duration: secondsOf(scrubber.max) }));
  scrubber.addEventListener('input', say);
  // Behind whoever moves the scrubber by it; events of media do not bubble.
  stage.addEventListener('timeupdate', () => setTimeout(say), { capture: true });
}

// The tags of a clip as links to their pages: those in its caption where they stand, the others below it, behind its sound.
// It refuses to know how tags are spelled: the server takes every spelling of one.

import { loadStyles } from '../screens/screens.js';
import { linkTo as linkToSound } from '../sounds/sounds.js';

// As the server finds them in a caption: letters of every script, digits and `_`, and what belongs to the letter before.
const TAG = /#([\p{L}\p{N}_\p{Mn}\p{Mc}\u200c\u200d]+)/gu;

/** A caption in pieces, `{text}` or `{text, tag}`: together they are the caption. */
export function piecesOf(caption) {
  const pieces = [];
  let end = 0;
  for (const { 0: text, 1: tag, index } of caption.matchAll(TAG)) {
    if (index > end) pieces.push({ text: caption.slice(end, index) });
    pieces.push({ text, tag });
    end = index + text.length;
  }
  if (end < caption.length) pieces.push({ text: caption.slice(end) });
  return pieces;
}

const isTag = (tag) => typeof tag === 'string' && piecesOf(`#${tag}`)[0].tag === tag;

/** The tags that the caption does not have. */
export function besides(caption, tags) {
  const spelled = (tag) => tag.normalize('NFC').toLowerCase();
  const known = new Set(piecesOf(caption).flatMap(({ tag }) => (tag ? [spelled(tag)] : [])));
  return (Array.isArray(tags) ? tags : []).filter((tag) => isTag(tag) && !known.has(spelled(tag)));
}

export const addressOf = (tag) => `/t/${encodeURIComponent(tag)}`;

/** @param {App} app */
export function watch({ stage, feed, pages, current }) {
  loadStyles('/app/tags/tags.css').catch(console.warn);

  const link = (text, tag) => Object.assign(document.createElement('a'), { href: addressOf(tag), textContent: text, dir: 'auto' });

  const show = (item) => {
    // A clip without a page is not there to be asked for: it may rest as text.
    if (pages.placeOf(item) === undefined) return;
    const clip = feed.clip(item);
    const caption = clip && stage.querySelector(`.page[data-clip="${CSS.escape(clip.id)}"] .caption`);
    if (!caption || 'tagged' in caption.dataset) return;
    caption.dataset.tagged = '';
    const pieces = piecesOf(clip.caption);
    if (pieces.some(({ tag }) => tag)) {
      caption.replaceChildren(...pieces.map(({ text, tag }) => (tag ? link(text, tag) : text)));
    }
    const others = besides(clip.caption, clip.tags).map((tag) => link(`#${tag}`, tag));
    if (clip.soundId) others.unshift(linkToSound(clip.soundId));
    const line = Object.assign(document.createElement('p'), { className: 'tags' });
    line.append(...others.flatMap((one) => [one, ' ']));
    // Behind the button that opens the caption, which may come later.
    if (others.length) caption.parentNode.append(line);
    // As the buttons of a page: the Tab key finds those of the clip on the screen.
    for (const one of [...caption.children, ...line.children]) one.tabIndex = item === current()?.item ? 0 : -1;
  };

  pages.onMoved(show);
  for (let item = 0; item < feed.size; item += 1) show(item);
}

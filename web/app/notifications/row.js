// One row of the list: who did what, when, to which clip. A tap anywhere leads to where it happened; names lead to their people.

import { el } from '../account/form.js';
import { initialOf } from '../account/lists.js';
import { ago } from '../comments/ago.js';
import { paintThumbHash } from '../feed/thumbhash.js';
import { hasProfile, linkTo } from '../profile-link/address.js';
import { sentenceOf, textOf } from './words.js';

const ICONS = { published: '✓', failed: '!' };

/** `on`: `before()` makes room for what a name leads to; `clip(id, comment)`, `people(entry)` and `own()` go there. An empty text for a
 *  kind that is of a newer version. */
export function rowOf(entry, on) {
  const parts = sentenceOf(entry);
  if (!parts) return '';
  const { id, kind, people, clip, comment, is_new: isNew, created_at: at } = entry;
  const time = ago(new Date(at), Date.now());
  const label = [isNew && 'New', textOf(parts), comment?.text, clip?.caption, time].filter(Boolean).join(', ');
  const go = () => {
    if (kind === 'follow') on.people(entry);
    else if (kind === 'failed') on.own();
    else on.clip(clip.id, comment?.id);
  };
  const named = (part) => (hasProfile(part) ? linkTo(part, on.before, nameOf(part)) : part.name ? nameOf(part) : part);
  return el('li', { 'data-entry': id, 'data-kind': kind, 'data-new': isNew },
    el('button', { type: 'button', class: 'open', 'aria-label': label, click: go }),
    faces(people, kind),
    el('div', { class: 'words' }, el('p', {}, ...parts.map(named)),
      comment ? el('p', { class: 'quote', dir: 'auto' }, comment.text) : null,
      el('time', { datetime: at }, time)),
    picture(clip));
}

const nameOf = ({ name }) => el('strong', { dir: 'auto' }, name);

function faces(people, kind) {
  const shown = people.slice(0, 2).map(({ name }) => el('span', { class: 'avatar' }, initialOf(name)));
  if (!shown.length) shown.push(el('span', { class: 'avatar mark' }, ICONS[kind] ?? '?'));
  return el('div', { class: 'faces', 'aria-hidden': 'true' }, ...shown.reverse());
}

function picture(clip) {
  if (!clip?.picture) return null;
  const canvas = el('canvas', { 'aria-hidden': 'true' });
  paintThumbHash(canvas, clip.picture.placeholder);
  const image = el('img', { src: clip.picture.url, alt: '', loading: 'lazy', decoding: 'async', draggable: 'false' });
  // The placeholder stays where a picture does not come.
  image.addEventListener('error', () => image.remove());
  return el('span', { class: 'picture', 'aria-hidden': 'true' }, canvas, image);
}

// One row of the list: who did what, when, to which clip. A tap leads to where it happened; a face leads to its person.

import { el } from '../account/form.js';
import { pictureOf } from '../account/lists.js';
import { ago } from '../comments/ago.js';
import { hasProfile, linkTo } from '../profile-link/address.js';
import { faceOf } from '../profile-link/face.js';
import { t } from '../words/words.js';
import { sentenceOf, textOf } from './words.js';

const ICONS = { published: '✓', failed: '!', decision: '§', generated: '✓', generation_failed: '!', webhook_off: '!' };

/** `on`: `before()` makes room for what a face leads to; `clip(id, comment)`, `people(entry)`, `own()`, `decisions()`, `webhooks()` and `generation(id)` go there. An empty text for a
 *  kind that is of a newer version. */
export function rowOf(entry, on) {
  const parts = sentenceOf(entry);
  if (!parts) return '';
  const { id, kind, people, clip, comment, is_new: isNew, created_at: at } = entry;
  const time = ago(new Date(at), Date.now());
  const label = [isNew && t('New::notification'), textOf(parts), comment?.text, clip?.caption, time].filter(Boolean).join(', ');
  const go = () => {
    if (kind === 'follow') on.people(entry);
    else if (kind === 'decision') on.decisions();
    else if (kind === 'webhook_off') on.webhooks();
    else if (entry.generation_id) on.generation(entry.generation_id);
    // What failed is one's own alone.
    else if (!clip || kind === 'failed') on.own();
    else on.clip(clip.id, comment?.id);
  };
  const named = (part) => (part.name ? el('strong', { dir: 'auto' }, part.name) : part);
  return el('li', { 'data-entry': id, 'data-kind': kind, 'data-new': isNew },
    faces(people, kind, on),
    el('button', { type: 'button', class: 'open', 'aria-label': label, click: go },
      el('span', { class: 'words' }, el('span', {}, ...parts.map(named)),
        comment ? el('span', { class: 'quote', dir: 'auto' }, comment.text) : null,
        el('time', { datetime: at }, time)),
      clip?.picture ? el('span', { class: 'picture', 'aria-hidden': 'true' }, ...pictureOf(clip.picture)) : null));
}

/** Those of the newest; the first leads to its profile. */
function faces(people, kind, on) {
  const shown = people.slice(0, 2).map((person) => faceOf(person));
  if (!shown.length) shown.push(el('span', { class: 'avatar mark' }, ICONS[kind] ?? '?'));
  const place = el('span', { class: 'faces', 'aria-hidden': 'true' }, ...shown.reverse());
  const [first] = people;
  if (!hasProfile(first)) return place;
  const link = linkTo(first, on.before, place);
  link.setAttribute('aria-label', first.name);
  return link;
}

// The preview of what was made: its picture on the page, and the clip itself in the feed's own player, where it loops as it will for everybody,
// with its other versions above and below.

import { el } from '../account/form.js';
import { pictureOf } from '../account/lists.js';
import { loadClip, remember } from '../clip-link/clip.js';
import { t } from '../words/words.js';

// By clip, as the server told it in this visit: a version's picture does not change.
const pictures = new Map();

/** The clip of one that is ready; null if it is gone or could not be asked for. */
export async function clipOf({ clip_id: id, upload_id: upload }) {
  if (!id) return null;
  if (upload) remember(id, upload);
  return loadClip(id).catch(() => null);
}

/** Fills `place` with the picture of a version, once that is known. */
export async function paint(place, generation) {
  const { clip_id: id } = generation;
  if (!pictures.has(id)) {
    const clip = await clipOf(generation);
    if (!clip) return;
    pictures.set(id, clip.cover ?? clip.poster);
  }
  place.prepend(...pictureOf(pictures.get(id)));
}

/** A large button that plays it. */
export function picture(generation, played) {
  const button = el('button', { type: 'button', class: 'preview', 'aria-label': t('Watch it'), click: async () => {
    if (button.ariaBusy === 'true') return;
    button.ariaBusy = 'true';
    await played();
    button.ariaBusy = null;
  } }, el('span', { 'aria-hidden': 'true' }, t('Watch it')));
  button.dataset.aspect = generation.aspect;
  paint(button, generation).catch(console.warn);
  return button;
}

/** Plays it, with all versions of it that are there as the feed, until the person goes back to this page. Answers whether it can be. */
export async function watch(generation, family, on) {
  const ready = family.filter(({ state, clip_id: id }) => state === 'ready' && id);
  const all = ready.some(({ id }) => id === generation.id) ? ready : [generation];
  const clips = (await Promise.all(all.map(clipOf))).filter(Boolean);
  const clip = clips.find(({ id }) => id === generation.clip_id);
  if (!clip) return false;
  on.watch(clips.length > 1 ? t('Your versions') : t('Your clip'), clips, clip);
  return true;
}

// What is reported, as it is: a clip that can be watched here, or words. Nothing of it is anything but picture, sound and text.

import { el } from '../account/form.js';
import { t } from '../words/words.js';

const WITHOUT = {
  clip: () => t('A clip without words'), comment: () => t('Its words are gone'), message: () => t('Its words are gone'), person: () => t('Somebody'),
};
const THINGS = { clip: () => t('The clip'), comment: () => t('The comment'), message: () => t('The message'), person: () => t('The person') };
const GONE = {
  clip: () => t('This clip is gone already.'), comment: () => t('This comment is gone already.'), message: () => t('This message is gone already.'),
  person: () => t('This person is gone already.'),
};
// Enough to judge by, and not more bytes than that.
const EDGE = 720;

/** In one line. */
export const wordsOf = ({ kind, text, person }) => (kind === 'person' && person?.name) || text || WITHOUT[kind]?.() || t('Something');

/** `summary` of a case file; `again()` loads it anew. */
export function thingOf({ kind, text, clip, is_gone: isGone }, again) {
  const isClip = kind === 'clip';
  return el('section', { class: 'thing', 'aria-label': THINGS[kind]?.() ?? t('Something') },
    isGone ? el('p', { class: 'note' }, GONE[kind]?.() ?? t('It is gone already.')) : null,
    isClip && clip ? videoOf(clip, again) : null,
    isClip && !clip ? el('p', { class: 'hint' }, t('There is nothing to watch any more.')) : null,
    text || !isClip ? el('blockquote', { dir: 'auto' }, text || WITHOUT[kind]?.()) : null,
    clip && !isClip ? el('details', {}, el('summary', {}, t('Clip under which it stands')),
      el('p', { dir: 'auto', class: 'said' }, clip.caption), videoOf(clip, again)) : null);
}

function videoOf({ poster, cover, playback }, again) {
  const video = el('video', { controls: true, playsinline: true, loop: true, preload: 'none', poster: (cover ?? poster).url,
    'aria-label': t('The clip') });
  const all = playback.renditions.filter(({ codecs }) => video.canPlayType(`video/mp4; codecs="${codecs}"`));
  const fine = all.filter((one) => Math.min(one.width, one.height) <= EDGE);
  video.src = (fine.at(-1) ?? all[0] ?? playback.renditions[0])?.url ?? '';
  for (const { url, label, language } of playback.captions ?? []) {
    video.append(el('track', { kind: 'captions', src: url, label, srclang: language }));
  }
  const failure = el('p', { class: 'none', role: 'alert', hidden: true }, `${t('The clip could not be played.')} `,
    el('button', { type: 'button', click: again }, t('Load it again')));
  // NB: an address of what is not public is over after an hour or two.
  video.addEventListener('error', () => { failure.hidden = false; });
  return el('div', { class: 'watch' }, video, failure);
}

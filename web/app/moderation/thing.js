// What is reported, as it is: a clip that can be watched here, or words. Nothing of it is anything but picture, sound and text.

import { el } from '../account/form.js';
import { KINDS } from '../report/words.js';

const WITHOUT = { clip: 'A clip without words', comment: 'Its words are gone', message: 'Its words are gone', person: 'Somebody' };
// Enough to judge by, and not more bytes than that.
const EDGE = 720;

/** In one line. */
export const wordsOf = ({ kind, text, person }) => (kind === 'person' && person?.name) || text || WITHOUT[kind] || 'Something';

/** `summary` of a case file; `again()` loads it anew. */
export function thingOf({ kind, text, clip, is_gone: isGone }, again) {
  const isClip = kind === 'clip';
  return el('section', { class: 'thing', 'aria-label': `The ${kind}` },
    isGone ? el('p', { class: 'note' }, `This ${kind} is gone already.`) : null,
    isClip && clip ? videoOf(clip, again) : null,
    isClip && !clip ? el('p', { class: 'hint' }, 'There is nothing to watch any more.') : null,
    text || !isClip ? el('blockquote', { dir: 'auto' }, text || WITHOUT[kind]) : null,
    clip && !isClip ? el('details', {}, el('summary', {}, `${KINDS.clip} under which it stands`),
      el('p', { dir: 'auto', class: 'said' }, clip.caption), videoOf(clip, again)) : null);
}

function videoOf({ poster, cover, playback }, again) {
  const video = el('video', { controls: true, playsinline: true, loop: true, preload: 'none', poster: (cover ?? poster).url,
    'aria-label': 'The clip' });
  const all = playback.renditions.filter(({ codecs }) => video.canPlayType(`video/mp4; codecs="${codecs}"`));
  const fine = all.filter((one) => Math.min(one.width, one.height) <= EDGE);
  video.src = (fine.at(-1) ?? all[0] ?? playback.renditions[0])?.url ?? '';
  for (const { url, label, language } of playback.captions ?? []) {
    video.append(el('track', { kind: 'captions', src: url, label, srclang: language }));
  }
  const failure = el('p', { class: 'none', role: 'alert', hidden: true }, 'The clip could not be played. ',
    el('button', { type: 'button', click: again }, 'Load it again'));
  // NB: an address of what is not public is over after an hour or two.
  video.addEventListener('error', () => { failure.hidden = false; });
  return el('div', { class: 'watch' }, video, failure);
}

// Why the clip on the screen is shown, and what can be done about it: a sheet.

import { el, openSheet } from '../menu/sheet.js';
import { goTo } from '../screens/screens.js';
import { t } from '../words/words.js';
import { wantLess } from './less.js';
import { sentenceFor } from './reason.js';

// More tags than anybody reads.
const MOST_TAGS = 5;

export const notInterested = (app, clip) =>
  wantLess(app, { kind: 'clip', subject: clip.id }, t('For you shows less like this.'));

/** @param {App} app */
export function show(app, clip) {
  const { author, id } = clip;
  const sentence = el('p', { className: 'why' }, ...sentenceFor(clip, app.feed.list.tab).map((piece) => (typeof piece === 'string' ? piece
    : el('a', { href: `/c/${encodeURIComponent(piece.clip)}` }, piece.words))));
  const less = (kind, subject, words, notice) => [words, () => wantLess(app, { kind, subject }, notice)];
  const lessFrom = (name) => less('author', author.id, t('Less from {name}', { name }), t('For you shows less from {name}.', { name }));
  const lessOf = (tag) => less('tag', tag, t('Less of {tag}', { tag: `#${tag}` }), t('For you shows less of {name}.', { name: `#${tag}` }));
  const choices = [
    [t('Not interested'), () => notInterested(app, clip)],
    // All guests are of one author, whom nobody can want less of.
    ...(author.id && author.handle !== 'guest' ? [lessFrom(`@${author.handle}`)] : []),
    ...(clip.tags ?? []).slice(0, MOST_TAGS).map(lessOf),
    ...(clip.soundId ? [less('sound', clip.soundId, t('Less of this sound'), t('For you shows less of this sound.'))] : []),
    [t('More like this'), () => goTo(`#similar/${encodeURIComponent(id)}`)],
    [t('Your feed'), () => goTo('#account/feed')],
  ];
  return openSheet(app, t('Why this clip?'), (item) => [
    el('h2', {}, t('Why this clip?')), sentence, ...choices.map(([words, act]) => item(words, act)),
  ]);
}

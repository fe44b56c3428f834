// Why a clip is shown, in words. What the server says is a fact that whoever watches can check; nothing is added to it.

import { plural, t } from '../words/words.js';

const without = (tab, name) => ({
  following: t('You follow {name}. Following shows the clips of people you follow, the newest first.', { name }),
  latest: t('Latest shows all clips, the newest first.'),
  '': t('It is in the list that you opened.'),
}[tab] ?? t('No reason is noted for this clip.'));

const nameOf = (author) => (author?.handle ? `@${author.handle}` : author?.name || t('somebody'));
// Stands for the link until the sentence is cut there: no text has one.
const LINK = '\0';

function likedClip(id, author) {
  const [before, after = ''] = t('People who liked {clip} that you liked, liked this too.', { clip: LINK }).split(LINK);
  return [before, { clip: id, words: t('a clip by {name}', { name: nameOf(author) }) }, after];
}

const KINDS = {
  followed_author: (_, author) => [t('You follow {name}.', { name: nameOf(author) })],
  liked_clip: ({ clip_id: id, author }) => id && likedClip(id, author),
  liked_author: ({ count }, author) => count > 0 && [plural(count, 'You liked a clip by {name}, or watched it to the end.',
    'You liked {count} clips by {name}, or watched them to the end.', { name: nameOf(author) })],
  liked_tag: ({ tag }) => tag && [t('You liked clips with {tag}, or watched them to the end.', { tag: `#${tag}` })],
  resembling: () => [t('It resembles clips that you liked.')],
  new: () => [t('It is new, and shown to a few people first.')],
  trending: () => [t('Many people like it these days.')],
  latest: () => [t('It is recent. Not enough is known of what you like.')],
  drawn: () => [t('Drawn by lot. A few clips are, so that we can judge the rest.')],
};

/** The sentence for a clip of a tab, in pieces: text, or `{clip, words}`, a link to that clip. A kind that is not known is no
 *  reason. */
export function sentenceFor({ reason, author }, tab) {
  const known = tab === 'for_you' && reason && Object.hasOwn(KINDS, reason.kind) && KINDS[reason.kind](reason, author);
  return known || [without(tab, nameOf(author))];
}

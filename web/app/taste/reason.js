// Why a clip is shown, in words. What the server says is a fact that whoever watches can check; nothing is added to it.

const WITHOUT = {
  for_you: 'No reason is noted for this clip.',
  following: 'You follow %. Following shows the clips of people you follow, the newest first.',
  latest: 'Latest shows all clips, the newest first.',
  '': 'It is in the list that you opened.',
};

const nameOf = (author) => (author?.handle ? `@${author.handle}` : author?.name || 'somebody');

const KINDS = {
  followed_author: (_, author) => [`You follow ${nameOf(author)}.`],
  liked_clip: ({ clip_id: id, author }) => id && ['People who liked ', { clip: id, words: `a clip by ${nameOf(author)}` },
    ' that you liked, liked this too.'],
  liked_author: ({ count }, author) => count > 0 && [count === 1 ? `You liked a clip by ${nameOf(author)}, or watched it to the end.`
    : `You liked ${count} clips by ${nameOf(author)}, or watched them to the end.`],
  liked_tag: ({ tag }) => tag && [`You liked clips with #${tag}, or watched them to the end.`],
  resembling: () => ['It resembles clips that you liked.'],
  new: () => ['It is new, and shown to a few people first.'],
  trending: () => ['Many people like it these days.'],
  latest: () => ['It is recent. Not enough is known of what you like.'],
  drawn: () => ['Drawn by lot. A few clips are, so that we can judge the rest.'],
};

/** The sentence for a clip of a tab, in pieces: text, or `{clip, words}`, a link to that clip. A kind that is not known is no
 *  reason. */
export function sentenceFor({ reason, author }, tab) {
  const known = tab === 'for_you' && reason && Object.hasOwn(KINDS, reason.kind) && KINDS[reason.kind](reason, author);
  return known || [(WITHOUT[tab] ?? WITHOUT.for_you).replace('%', () => nameOf(author))];
}

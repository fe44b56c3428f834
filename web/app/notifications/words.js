// What a row of the list says, in one place: a sentence, and whose names stand in it.

// From here on it is as many and more (the contract's `Limits`).
const MANY = 100;

/** `Ann`, `Ann and Ben`, `Ann, Ben and 3 others`, as parts: people, and the words between them. `count` did it, of whom these
 *  come first. */
export function whoOf(people, count) {
  if (!people.length) return ['A guest'];
  const shown = people.slice(0, count > 2 && people.length > 2 ? 2 : people.length);
  const rest = count - shown.length;
  const parts = [];
  shown.forEach((person, place) => {
    if (place > 0) parts.push(rest > 0 || place < shown.length - 1 ? ', ' : ' and ');
    parts.push(person);
  });
  if (rest > 0) parts.push(` and ${count >= MANY ? `${rest}+` : rest} ${rest === 1 ? 'other' : 'others'}`);
  return parts;
}

const DONE = {
  like: ' liked your clip',
  comment_like: ' liked your comment',
  comment: ' commented on your clip',
  reply: ' replied to you',
  mention: ' mentioned you',
  follow: ' followed you',
};

/** The parts of a row's sentence, people among them; null for a kind that is of a newer version. */
export function sentenceOf({ kind, people, count, decision }) {
  if (kind === 'published') return ['Your clip is published'];
  if (kind === 'failed') return ['Your clip could not be published'];
  if (kind === 'decision') {
    if (decision?.outcome) return [decision.outcome === 'reversed' ? 'A moderator took a decision back' : 'A moderator answered your appeal'];
    return [decision?.kind === 'person' ? 'A moderator decided something about you' : `A moderator decided something about your ${decision?.kind ?? 'things'}`];
  }
  if (kind === 'generated') return ['Your clip is made: have a look'];
  if (kind === 'generation_failed') return ['Your clip could not be made'];
  if (kind === 'webhook_off') return ['A webhook of yours was switched off'];
  const done = Object.hasOwn(DONE, kind) ? DONE[kind] : null;
  return done && [...whoOf(people, count), done];
}

export const textOf = (parts) => parts.map((part) => part.name ?? part).join('');

/** What can be switched, in the order of the page; `kinds` go together. */
export const SETTINGS = [
  { kinds: ['like'], label: 'Likes of your clips' },
  { kinds: ['comment_like'], label: 'Likes of your comments' },
  { kinds: ['comment'], label: 'Comments on your clips' },
  { kinds: ['reply'], label: 'Replies to you' },
  { kinds: ['mention'], label: 'Mentions of you' },
  { kinds: ['follow'], label: 'New followers' },
  { kinds: ['published', 'failed'], label: 'Your clips, once they are published' },
  { kinds: ['decision'], label: 'Decisions of moderators' },
  { kinds: ['generated', 'generation_failed'], label: 'Clips made from your words' },
  { kinds: ['webhook_off'], label: 'Webhooks that were switched off' },
  { kinds: ['message'], label: 'Messages' },
  { kinds: ['reaction'], label: 'Reactions to your clips' },
];

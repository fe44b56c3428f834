// What a row of the list says, in one place: a sentence, and whose names stand in it.

import { plural, t } from '../words/words.js';

// From here on it is as many and more (the contract's `Limits`).
const MANY = 100;

/** A sentence in parts: what stands for a placeholder is a part of its own, or several. */
const partsOf = (text, values) => text.split(/(\{\w+\})/).flatMap((part) => values[part.slice(1, -1)] ?? part).filter((part) => part !== '');

/** `Ann`, `Ann and Ben`, `Ann, Ben and 3 others`, as parts: people, and the words between them. `count` did it, of whom these
 *  come first. */
export function whoOf(people, count) {
  if (!people.length) return [t('A guest')];
  const [name, other] = people.slice(0, count > 2 && people.length > 2 ? 2 : people.length);
  const rest = count - (other ? 2 : 1);
  if (rest <= 0) return other ? partsOf(t('{name} and {other}'), { name, other }) : [name];
  const more = count >= MANY ? { count: `${rest}+` } : {};
  return other ? partsOf(plural(rest, '{name}, {other} and {count} other', '{name}, {other} and {count} others', more), { name, other })
    : partsOf(plural(rest, '{name} and {count} other', '{name} and {count} others', more), { name });
}

const DONE = {
  like: () => t('{people} liked your clip'),
  comment_like: () => t('{people} liked your comment'),
  comment: () => t('{people} commented on your clip'),
  reply: () => t('{people} replied to you'),
  mention: () => t('{people} mentioned you'),
  follow: () => t('{people} followed you'),
};

const DECIDED = {
  person: () => t('A moderator decided something about you'),
  clip: () => t('A moderator decided something about your clip'),
  comment: () => t('A moderator decided something about your comment'),
  message: () => t('A moderator decided something about your message'),
};

/** The parts of a row's sentence, people among them; null for a kind that is of a newer version. */
export function sentenceOf({ kind, people, count, decision }) {
  if (kind === 'published') return [t('Your clip is published')];
  if (kind === 'failed') return [t('Your clip could not be published')];
  if (kind === 'decision') {
    if (decision?.outcome) return [decision.outcome === 'reversed' ? t('A moderator took a decision back') : t('A moderator answered your appeal')];
    return [Object.hasOwn(DECIDED, decision?.kind) ? DECIDED[decision.kind]() : t('A moderator decided something about your things')];
  }
  if (kind === 'generated') return [t('Your clip is made: have a look')];
  if (kind === 'generation_failed') return [t('Your clip could not be made')];
  if (kind === 'webhook_off') return [t('A webhook of yours was switched off')];
  if (kind === 'new_clip') {
    const shown = count >= 10 ? '10+' : String(count);
    return partsOf(plural(count, '{people} published a clip', '{people} published {shown} clips', { shown }), { people: people.slice(0, 1) });
  }
  return Object.hasOwn(DONE, kind) ? partsOf(DONE[kind](), { people: whoOf(people, count) }) : null;
}

export const textOf = (parts) => parts.map((part) => part.name ?? part).join('');

/** What can be switched, in the order of the page; `kinds` go together. */
export const SETTINGS = [
  { kinds: ['like'], label: () => t('Likes of your clips') },
  { kinds: ['comment_like'], label: () => t('Likes of your comments') },
  { kinds: ['comment'], label: () => t('Comments on your clips') },
  { kinds: ['reply'], label: () => t('Replies to you') },
  { kinds: ['mention'], label: () => t('Mentions of you') },
  { kinds: ['follow'], label: () => t('New followers') },
  { kinds: ['published', 'failed'], label: () => t('Your clips, once they are published') },
  { kinds: ['new_clip'], label: () => t('Clips of people whom you follow') },
  { kinds: ['decision'], label: () => t('Decisions of moderators') },
  { kinds: ['generated', 'generation_failed'], label: () => t('Clips made from your words') },
  { kinds: ['webhook_off'], label: () => t('Webhooks that were switched off') },
  { kinds: ['message'], label: () => t('Messages') },
  { kinds: ['reaction'], label: () => t('Reactions to your clips') },
];

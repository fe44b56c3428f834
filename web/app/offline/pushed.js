// Leaves the page's worker the sentences of notifications in the language in use (docs/design/push.md): a worker takes no modules
// and has no localStorage, so they lie in Cache Storage. It refuses to know when one is shown.

import { language, loadWords, t } from '../words/words.js';

// By web/push.js.
const CACHE = 'clipfeed-words-1';
const PLACE = '/words/pushed';
// `%1$@` is what stands first in a sentence's `arguments`, `%2$d` a number that stands second.
const WHO = { name: '%1$@' };
const MANY = { name: '%1$@', count: '%2$d' };
const WITH_TEXT = { name: '%1$@', text: '%2$@' };

/** By the English sentence as the server sends it: `PushSentence` of the contract, and what is shown of a push that cannot be read. */
export const sentences = () => ({
  'Something happened.': t('Something happened.'),
  Guest: t('Guest'),
  '%@ likes your clip': t('{name} likes your clip', WHO),
  '%1$@ and %2$@ others like your clips': t('{name} and {count} others like your clips', MANY),
  '%@ and somebody else like your clips': t('{name} and somebody else like your clips', WHO),
  '%1$@ reacted to your clip with %2$@': t('{name} reacted to your clip with {text}', WITH_TEXT),
  '%@ and others reacted to your clips': t('{name} and others reacted to your clips', WHO),
  '%@ follows you': t('{name} follows you', WHO),
  '%1$@ and %2$@ others follow you': t('{name} and {count} others follow you', MANY),
  '%@ and somebody else follow you': t('{name} and somebody else follow you', WHO),
  'Your clip is published': t('Your clip is published'),
  'Your clip could not be published': t('Your clip could not be published'),
  'Your clip is made: have a look': t('Your clip is made: have a look'),
  'Your clip could not be made': t('Your clip could not be made'),
  'A webhook of yours was switched off': t('A webhook of yours was switched off'),
  '%@ published a clip': t('{name} published a clip', WHO),
  '%1$@ commented: %2$@': t('{name} commented: {text}', WITH_TEXT),
  '%1$@ replied: %2$@': t('{name} replied: {text}', WITH_TEXT),
  '%1$@ mentioned you: %2$@': t('{name} mentioned you: {text}', WITH_TEXT),
  '%@ likes your comment': t('{name} likes your comment', WHO),
  '%1$@ and %2$@ others like your comments': t('{name} and {count} others like your comments', MANY),
  '%@ and somebody else like your comments': t('{name} and somebody else like your comments', WHO),
});

/** With each visit: another language may have been chosen since the last. */
export async function keepSentences() {
  await loadWords('screens');
  await (await caches.open(CACHE)).put(PLACE, Response.json({ language: language(), sentences: sentences() }));
}

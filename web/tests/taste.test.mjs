import assert from 'node:assert/strict';
import test from 'node:test';
import { concerns } from '../app/taste/less.js';
import { sentenceFor } from '../app/taste/reason.js';
import { tabBy } from '../app/tabs/swipes.js';
import { useWords } from '../app/words/words.js';

const author = { id: 'a', handle: 'ann', name: 'Ann' };
const said = (reason, tab = 'for_you') => sentenceFor({ reason, author }, tab).map((piece) => piece.words ?? piece).join('');

test('each reason is a sentence that can be checked', () => {
  assert.equal(said({ kind: 'followed_author' }), 'You follow @ann.');
  assert.equal(said({ kind: 'liked_author', count: 1 }), 'You liked a clip by @ann, or watched it to the end.');
  assert.equal(said({ kind: 'liked_author', count: 3 }), 'You liked 3 clips by @ann, or watched them to the end.');
  assert.equal(said({ kind: 'liked_tag', tag: 'pier' }), 'You liked clips with #pier, or watched them to the end.');
  assert.equal(said({ kind: 'new' }), 'It is new, and shown to a few people first.');
  assert.deepEqual(sentenceFor({ author, reason: { kind: 'liked_clip', clip_id: 'c', author: { handle: 'bob' } } }, 'for_you'), [
    'People who liked ', { clip: 'c', words: 'a clip by @bob' }, ' that you liked, liked this too.']);
  for (const kind of ['resembling', 'trending', 'latest', 'drawn']) assert.match(said({ kind }), /^[A-Z].*\.$/);
});

test('what is not known is no reason, and other tabs have their own', () => {
  const none = 'No reason is noted for this clip.';
  for (const reason of [undefined, null, {}, { kind: 'later' }, { kind: 'constructor' }, { kind: 'liked_author' },
    { kind: 'liked_clip' }, { kind: 'liked_tag' }]) assert.equal(said(reason), none);
  assert.equal(said({ kind: 'new' }, 'latest'), 'Latest shows all clips, the newest first.');
  assert.match(said({ kind: 'new' }, 'following'), /^You follow @ann\./);
  assert.equal(said(undefined, ''), 'It is in the list that you opened.');
  assert.equal(sentenceFor({ author: {}, reason: { kind: 'followed_author' } }, 'for_you')[0], 'You follow somebody.');
});

test('in another language the link stands where its sentence has it', (context) => {
  context.after(() => useWords(null, {}));
  useWords('de', JSON.parse('{"People who liked {clip} that you liked, liked this too.":"{clip} gefiel auch dir.","a clip by {name}":"Ein Clip von {name}"}'));
  const reason = { kind: 'liked_clip', clip_id: 'c', author: { handle: 'bob' } };
  assert.deepEqual(sentenceFor({ author, reason }, 'for_you'), ['', { clip: 'c', words: 'Ein Clip von @bob' }, ' gefiel auch dir.']);
});

test('a wish is about a clip, about all of an author or a sound, or about all with a tag however it is spelled', () => {
  const clip = { id: 'c', author, tags: ['Café', 'pier'], soundId: 's' };
  assert.ok(concerns({ kind: 'clip', subject: 'c' }, clip));
  assert.ok(!concerns({ kind: 'clip', subject: 'a' }, clip));
  assert.ok(concerns({ kind: 'author', subject: 'a' }, clip));
  assert.ok(concerns({ kind: 'tag', subject: 'cafe\u0301' }, clip));
  assert.ok(!concerns({ kind: 'tag', subject: 'pie' }, clip));
  assert.ok(!concerns({ kind: 'tag', subject: 'pier' }, { id: 'd', author }));
  assert.ok(concerns({ kind: 'sound', subject: 's' }, clip));
  assert.ok(!concerns({ kind: 'sound', subject: 's' }, { id: 'd', author }));
});

test('a movement to the side is one to a tab if it is far enough and flat', () => {
  assert.equal(tabBy(-90, 20, false), 1);
  assert.equal(tabBy(90, 20, false), -1);
  assert.equal(tabBy(-90, 20, true), -1);
  assert.equal(tabBy(-40, 0, false), 0);
  assert.equal(tabBy(-90, 70, false), 0);
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { nextPause } from '../app/comments/arrivals.js';
import { completed, piecesOf, typedAt } from '../app/comments/mentions.js';
import { wordsFor } from '../app/comments/replies.js';
import { sentenceOf } from '../app/live/live.js';

for (const { text, handles } of JSON.parse(readFileSync(new URL('../../fixtures/mentions.json', import.meta.url), 'utf8'))) {
  test(`the page reads names as the server does: ${JSON.stringify(text)}`, () => {
    const pieces = piecesOf(text);
    assert.deepEqual(pieces.flatMap(({ handle }) => handle ?? []), handles);
    assert.equal(pieces.map((piece) => piece.text).join(''), text);
  });
}

test('only what is typed right before the caret is suggested for', () => {
  assert.equal(typedAt('hello @ma', 9), 'ma');
  assert.equal(typedAt('hello @ma and', 9), 'ma');
  assert.equal(typedAt('hello @ma ', 10), null);
  assert.equal(typedAt('mail me@ma', 10), null);
  assert.equal(typedAt('@', 1), null);
});

test('a name that is chosen stands in full, with room behind it', () => {
  assert.deepEqual(completed('hi @ma', 6, 'mara.lind'), { text: 'hi @mara.lind ', caret: 14 });
  assert.deepEqual(completed('hi @ma there', 6, 'mara'), { text: 'hi @mara there', caret: 9 });
});

test('the page asks ever later while nobody writes, and soon again once somebody does', () => {
  const pauses = [10_000];
  while (pauses.length < 7) pauses.push(nextPause(pauses.at(-1), false));
  assert.deepEqual(pauses, [10_000, 15_000, 22_500, 33_750, 50_625, 60_000, 60_000]);
  assert.equal(nextPause(60_000, true), 10_000);
});

test('a button says how many replies it shows', () => {
  assert.equal(wordsFor(1, false), 'View 1 reply');
  assert.equal(wordsFor(1234, true), 'View 1,234 more replies');
});

test('what others write is one sentence for each kind', () => {
  const by = (kind, ...names) => names.map((name) => ({ kind, actor: { name } }));
  assert.equal(sentenceOf([...by('reply', 'Ada'), ...by('comment', 'Ada', 'Bob'), ...by('mention', 'Eve')]),
    'Ada and Bob commented on your clips. Ada replied to your comment. Eve mentioned you.');
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';

import { countOf, whyOf, wordsIn } from '../app/filters/words.js';

const contract = (name) => readFileSync(new URL(`../../contract/Sources/Contract/${name}.swift`, import.meta.url), 'utf8');

test('each line that says something is a word', () => {
  assert.deepEqual(wordsIn('spam\n\n  free money \r\n\t\n'), ['spam', 'free money']);
  assert.deepEqual(wordsIn(''), []);
});

test('why a comment waits is said, of every reason of the contract and of no other', () => {
  const [, body] = /enum HeldReason[^{]*\{([^}]*)\}/.exec(contract('CommentFilters'));
  const reasons = [...body.matchAll(/case (\w+)/g)].map(([, reason]) => reason);
  assert.deepEqual(reasons.sort(), ['link', 'site', 'word']);
  for (const reason of reasons) assert.notEqual(whyOf({ reason }), '');
  assert.equal(whyOf({ reason: 'word', word: '<b>' }), 'It has “<b>” in it.');
  assert.equal(whyOf({ reason: 'of tomorrow' }), '');
});

test('how many wait is said up to as many as the server counts', () => {
  const [, most] = /heldComments = (\d+)/.exec(contract('Limits'));
  assert.equal(countOf(0), 'No comments wait');
  assert.equal(countOf(1), 'One comment waits');
  assert.equal(countOf(12), '12 comments wait');
  assert.equal(countOf(Number(most)), `${most} or more comments wait`);
});

import assert from 'node:assert/strict';
import test from 'node:test';

import { addressOf, besides, piecesOf } from '../app/tags/tags.js';

test('hashtags of a caption are pieces of it', () => {
  assert.deepEqual(piecesOf('dawn at the #pier, #Wave'), [
    { text: 'dawn at the ' }, { text: '#pier', tag: 'pier' }, { text: ', ' }, { text: '#Wave', tag: 'Wave' }]);
  assert.deepEqual(piecesOf('#צהריים#ที่นี่ #हिन्दी'), [
    { text: '#צהריים', tag: 'צהריים' }, { text: '#ที่นี่', tag: 'ที่นี่' }, { text: ' ' }, { text: '#हिन्दी', tag: 'हिन्दी' }]);
});

test('what is no tag stays text, and nothing is lost', () => {
  for (const caption of ['', '#', '# a', '##', '#<b>', 'a#', '\u{1F600}#\u{1F600}', '#\u20dd', '\ud800#a', '#a\u202eb']) {
    const pieces = piecesOf(caption);
    assert.equal(pieces.map(({ text }) => text).join(''), caption);
    for (const { tag } of pieces) assert.ok(tag === undefined || /^[\p{L}\p{N}]+$/u.test(tag));
  }
});

test('tags that the caption has are not said twice', () => {
  assert.deepEqual(besides('at the #Pier', ['pier', 'dawn']), ['dawn']);
  assert.deepEqual(besides('#Cafe\u0301', ['caf\u00e9']), []);
  for (const odd of [undefined, null, 'dawn', [3, null, '', {}, '\ud800', 'a b', '<i>']]) assert.deepEqual(besides('', odd), []);
});

test('the address of a tag is one segment of a path', () => {
  assert.equal(addressOf('a/b?c#d'), '/t/a%2Fb%3Fc%23d');
});

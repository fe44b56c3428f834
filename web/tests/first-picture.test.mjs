import assert from 'node:assert/strict';
import test from 'node:test';

import { pictureIn, sidesOf } from '../app/generation/picture.js';

test('what is sent is never larger than it is, and never larger than is needed', () => {
  assert.deepEqual(sidesOf(640, 480), [640, 480]);
  assert.deepEqual(sidesOf(4096, 3072), [2048, 1536]);
  assert.deepEqual(sidesOf(3072, 4096), [1536, 2048]);
  assert.deepEqual(sidesOf(50_000, 1), [2048, 1]);
  assert.deepEqual(sidesOf(1, 1), [1, 1]);
});

test('of what is dropped or pasted the first picture is taken', () => {
  const [text, picture, other] = ['text/html', 'image/png', 'image/jpeg'].map((type) => ({ type }));
  assert.equal(pictureIn({ files: [text, picture, other] }), picture);
  assert.equal(pictureIn({ files: [text] }), null);
  assert.equal(pictureIn({ files: [] }), null);
  assert.equal(pictureIn(null), null);
});

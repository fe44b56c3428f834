import assert from 'node:assert/strict';
import test from 'node:test';
import { decodeThumbHash } from '../app/feed/pages.js';

const bytes = (base64) => Uint8Array.from(Buffer.from(base64, 'base64'));
const mean = (picture, channel) => {
  let sum = 0;
  for (let i = channel; i < picture.pixels.length; i += 4) sum += picture.pixels[i];
  return sum / (picture.pixels.length / 4);
};

test('a published sample keeps its size and its opacity', () => {
  const picture = decodeThumbHash(bytes('1QcSHQRnh493V4dIh4eXh1h4kJUI'));
  assert.deepEqual([picture.width, picture.height], [23, 32]);
  assert.equal(picture.pixels.length, 23 * 32 * 4);
  assert.equal(mean(picture, 3), 255);
});

test('a flat grey is grey everywhere', () => {
  // Brightness 32/63, both colour differences in the middle, all scales 0, a portrait 7 terms high.
  const low = 32 | (32 << 6) | (32 << 12);
  const high = 4;
  const hash = new Uint8Array(24);
  hash.set([low & 255, (low >> 8) & 255, low >> 16, high & 255, high >> 8]);
  const picture = decodeThumbHash(hash);
  assert.deepEqual([picture.width, picture.height], [18, 32]);
  for (let i = 0; i < picture.pixels.length; i += 4) {
    for (let c = 0; c < 3; c += 1) assert.ok(Math.abs(picture.pixels[i + c] - 130) < 8);
  }
});

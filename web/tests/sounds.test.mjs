import assert from 'node:assert/strict';
import test from 'node:test';

import { clipFrom } from '../app/feed/feed.js';
import { itemsFrom } from '../app/feed/last-visit.js';
import { addressOf, nameOf } from '../app/sounds/sounds.js';
import { useWords } from '../app/words/words.js';

test('the address of a sound is one segment of a path', () => {
  assert.equal(addressOf('a/b?c#d'), '/s/a%2Fb%3Fc%23d');
});

test('a sound is called after whoever made the first clip that has it', (context) => {
  context.after(() => useWords(null, {}));
  assert.equal(nameOf({ handle: 'ann', name: 'Ann' }), 'Sound by @ann');
  assert.equal(nameOf(undefined), 'A sound that is gone');
  // The `@` stays before the name.
  useWords('ar', { 'Sound by {name}': 'صوت من {name}' });
  assert.equal(nameOf({ handle: 'ann' }), 'صوت من \u2068@ann\u2069');
});

test('a clip keeps its sound, also into the next visit', () => {
  const item = { id: 'a', sound_id: 's', width: 9, height: 16, author: { name: 'Ada' },
    playback: { duration_ms: 1000, renditions: [{ codecs: 'x', segments: [] }] } };
  const clip = clipFrom(item, 0, () => true);
  assert.equal(clip.soundId, 's');
  const [left] = itemsFrom({ list: { order: [0] }, clip: () => clip }, clip);
  assert.equal(clipFrom(JSON.parse(JSON.stringify(left)), 0, () => true).soundId, 's');
  assert.equal(clipFrom({ ...item, sound_id: undefined }, 0, () => true).soundId, undefined);
});

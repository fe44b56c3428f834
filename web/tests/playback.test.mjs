import assert from 'node:assert/strict';
import test from 'node:test';
import { conditionFields } from '../app/conditions.js';

const calm = { reducedData: false, reducedMotion: false, autoplay: true };

test('what a browser does not tell sets no limit', () => {
  assert.deepEqual(conditionFields(calm), [-1, false, 0, 0, 0, false, false, true]);
});

test('battery, network and wishes are told together', () => {
  const fields = conditionFields({
    battery: { level: 0.07, charging: true }, connection: { type: 'cellular', saveData: false },
    reducedData: false, reducedMotion: true, autoplay: false,
  });
  assert.deepEqual(fields.map(Number).map(Math.round), [7, 1, 0, 0, 1, 0, 1, 0]);
});

test('who asks to save data is heard on any network', () => {
  assert.equal(conditionFields({ ...calm, connection: { type: 'wifi', saveData: true } })[4], 2);
  assert.equal(conditionFields({ ...calm, reducedData: true })[4], 2);
  assert.equal(conditionFields({ ...calm, connection: { type: 'wifi', saveData: false } })[4], 0);
});

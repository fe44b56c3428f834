import assert from 'node:assert/strict';
import test from 'node:test';
import { conditionFields } from '../app/settings/conditions.js';

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

test('a mobile link is metered unless it is 5G or the person says that it has no limit', () => {
  const network = (connection, preferences) => conditionFields({ ...calm, connection, preferences })[4];
  assert.equal(network({ type: 'cellular', downlinkMax: 100 }), 1);
  assert.equal(network({ type: 'cellular', downlinkMax: Infinity }), 1);
  assert.equal(network({ type: 'cellular', downlinkMax: 2000 }), 3);
  const unlimited = { waits: false, saves: false, byHand: false, unlimited: true };
  assert.equal(network({ type: 'cellular' }, unlimited), 3);
  assert.equal(network({ type: 'cellular', saveData: true }, unlimited), 2);
});

test('a processor under pressure is a warm device', () => {
  assert.deepEqual(['nominal', 'fair', 'serious', 'critical', undefined, 'new'].map((pressure) =>
    conditionFields({ ...calm, pressure })[3]), [0, 0, 1, 2, 0, 0]);
});

test('what the person wishes is told with the rest', () => {
  const preferences = { waits: true, saves: true, byHand: true, unlimited: false };
  assert.deepEqual(conditionFields({ ...calm, preferences }).slice(5), [true, false, false]);
});

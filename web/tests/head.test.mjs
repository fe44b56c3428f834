import assert from 'node:assert/strict';
import test from 'node:test';
import { fingerFor, stretchOf } from '../app/profile/head.js';

test('the head follows a finger less and less, and never farther than it goes', () => {
  const steps = [0, 50, 100, 200, 400, 800, 1e6].map(stretchOf);
  assert.equal(steps[0], 0);
  for (let at = 1; at < steps.length; at += 1) assert.ok(steps[at] > steps[at - 1]);
  assert.ok(steps[1] > 20 && steps[1] < 50);
  assert.ok(steps[2] - steps[1] < steps[1]);
  assert.ok(steps.at(-1) < 140);
});

test('a head that is caught on its way back goes on from there', () => {
  for (const finger of [0, 10, 100, 500]) assert.ok(Math.abs(fingerFor(stretchOf(finger)) - finger) < 1e-6);
});

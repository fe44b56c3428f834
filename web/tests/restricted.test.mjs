// What is said of restricted mode, and at the address of a clip that it hides.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { hintOf } from '../app/restricted/page.js';

const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

test('who cannot end it is told why, and who said to be an adult when', () => {
  assert.match(hintOf({ restricted: true }, true), /sign in/);
  assert.equal(hintOf({ restricted: true }, false), 'Only adults can turn it off.');
  assert.equal(hintOf({ restricted: false }, true), '');
  assert.match(hintOf({ restricted: true, confirmed_at: '2026-03-02T12:00:00Z' }, false), /March 2, 2026/);
});

test('the codes that the page goes by are the contract’s', () => {
  const codes = read('contract/Sources/Contract/ErrorCode.swift');
  for (const path of ['web/app/restricted/page.js', 'web/app/restricted/offer.js']) {
    for (const [, code] of read(path).matchAll(/code [!=]== '(\w+)'/g)) assert.ok(codes.includes(`"${code}"`), code);
  }
});

import assert from 'node:assert/strict';
import test from 'node:test';
import { lifetimes, mayDo, scopes, stateOf } from '../app/api-keys/words.js';

const dayOf = (date) => date.slice(0, 10);
const now = Date.parse('2026-11-28T12:00:00Z');

test('what a key may do is said in words, and what nobody knows as it is', () => {
  assert.equal(mayDo(['videos:read', 'videos:write']), 'May look at videos and make videos');
  assert.equal(mayDo(['videos:write']), 'May make videos');
  assert.equal(mayDo(['clips:read', 'constructor']), 'May clips:read and constructor');
  assert.equal(mayDo([]), 'May do nothing');
});

test('when it was used and until when it counts', () => {
  const key = { created_at: '2026-11-01T10:00:00Z' };
  assert.equal(stateOf(key, dayOf, now), 'Since 2026-11-01 · not used yet');
  assert.equal(stateOf({ ...key, used_at: '2026-11-20T10:00:00Z', expires_at: '2026-12-01T10:00:00Z' }, dayOf, now),
    'Since 2026-11-01 · last used on 2026-11-20 · until 2026-12-01');
  assert.equal(stateOf({ ...key, expires_at: '2026-11-28T12:00:00Z' }, dayOf, now), 'Since 2026-11-01 · not used yet · expired on 2026-11-28');
});

test('what can be chosen is what the server takes', () => {
  assert.deepEqual(scopes().map(([scope]) => scope), ['videos:read', 'videos:write']);
  for (const [days] of lifetimes()) assert.ok(days === '' || (Number(days) >= 1 && Number(days) <= 365), days);
});

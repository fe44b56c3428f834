import assert from 'node:assert/strict';
import test from 'node:test';
import { barFrom, stateText } from '../app/messages/bar.js';
import { ago } from '../app/messages/comments.js';
import { Drafts, charactersIn } from '../app/messages/drafts.js';
import { loadComments, sendComment } from '../app/messages/server.js';

function memory(entries = {}) {
  const map = new Map(Object.entries(entries));
  return {
    getItem: (key) => map.get(key) ?? null,
    setItem: (key, value) => map.set(key, value),
    removeItem: (key) => map.delete(key),
    size: () => map.size,
  };
}

test('the same text tried again has the same key, also after a reload', () => {
  const storage = memory();
  const before = new Drafts(storage, 'one');
  before.change(4, 'clip', 'hello');
  assert.deepEqual(before.attempt(4, 1), { clip: 'clip', text: 'hello', key: 'one-1' });
  assert.equal(before.attempt(4, 1).key, 'one-1');
  const after = new Drafts(storage, 'two');
  assert.equal(after.restore(0, 'clip'), 'hello');
  assert.equal(after.attempt(0, 1).key, 'one-1');
});

test('another text has another key, and the old text its old one', () => {
  const drafts = new Drafts(memory(), 'one');
  drafts.change(0, 'clip', 'hello');
  drafts.attempt(0, 1);
  drafts.change(0, 'clip', 'hello!');
  drafts.change(0, 'clip', 'hello');
  assert.equal(drafts.attempt(0, 2).key, 'one-1');
  drafts.change(0, 'clip', 'hello!');
  assert.equal(drafts.attempt(0, 3).key, 'one-3');
});

test('what was sent is forgotten, so the same words can be said again', () => {
  const storage = memory();
  const drafts = new Drafts(storage, 'one');
  drafts.change(0, 'clip', 'hello');
  drafts.attempt(0, 1);
  drafts.drop(0);
  assert.equal(storage.size(), 0);
  drafts.change(0, 'clip', 'hello');
  assert.equal(drafts.attempt(0, 2).key, 'one-2');
});

test('a text that was emptied in this visit does not come back from storage', () => {
  const storage = memory();
  const first = new Drafts(storage, 'one');
  first.change(0, 'clip', 'old');
  first.store(0);
  const drafts = new Drafts(storage, 'two');
  drafts.restore(0, 'clip');
  drafts.change(0, 'clip', '');
  assert.equal(drafts.restore(0, 'clip'), undefined);
  drafts.drop(0);
  assert.equal(new Drafts(storage, 'three').restore(0, 'clip'), undefined);
});

for (const damaged of ['', '{', 'null', '5', '[1]', '[["a"]]', '[["clip",{"text":5}]]', '[null]']) {
  test(`damaged storage counts as empty: ${damaged}`, () => {
    const drafts = new Drafts(memory({ 'clipfeed.drafts': damaged }), 'one');
    assert.equal(drafts.restore(0, 'clip'), undefined);
    drafts.change(0, 'clip', 'new');
    drafts.store(0);
    assert.equal(drafts.text(0), 'new');
  });
}

test('without storage, or with one that is full, a text stays in the field', () => {
  const full = { ...memory(), setItem() { throw new Error('full'); } };
  for (const storage of [null, full]) {
    const drafts = new Drafts(storage, 'one');
    assert.equal(drafts.restore(0, 'clip'), undefined);
    drafts.change(0, 'clip', 'hello');
    drafts.store(0);
    assert.equal(drafts.attempt(0, 1).key, 'one-1');
    assert.equal(drafts.text(0), 'hello');
  }
});

test('of very many drafts the oldest go', () => {
  const storage = memory();
  const drafts = new Drafts(storage, 'one');
  for (let item = 0; item < 300; item += 1) {
    drafts.change(item, `clip ${item}`, 'text');
    drafts.store(item);
  }
  const later = new Drafts(storage, 'two');
  assert.equal(later.restore(0, 'clip 43'), undefined);
  assert.equal(later.restore(1, 'clip 44'), 'text');
});

test('characters are those that a person counts', () => {
  assert.equal(charactersIn('👩‍👩‍👧‍👦é'), 2);
  assert.equal(charactersIn(''), 0);
});

test('the fields of showBar have the names of the core', () => {
  assert.deepEqual(barFrom([0, 1, 1, 3, 0, 2, 1, 2, 40, 1, 300]), {
    access: 'open', focused: true, editable: true, lines: 3, scrolls: false, buttons: 'send', enabled: true,
    delivery: 'failed', left: 40, showsLeft: true, lift: 300,
  });
});

test('a failure says what to do, or what the server says', () => {
  assert.match(stateText({ delivery: 'failed' }, ''), /connection/);
  assert.equal(stateText({ delivery: 'refused' }, 'Too long.'), 'Not sent. Too long.');
  assert.equal(stateText({ delivery: 'idle' }, 'old'), '');
});

test('an age is told in the largest unit that fits', () => {
  const now = Date.parse('2026-05-05T12:00:00Z');
  assert.equal(ago(new Date(now + 60_000), now), 'now');
  assert.equal(ago(new Date(now - 59_000), now), 'now');
  assert.match(ago(new Date(now - 3 * 3_600_000), now), /^3\s?h/);
  assert.equal(ago(new Date(now - 86_400_000), now), 'yesterday');
});

for (const [status, body, reason] of [
  [422, '{"code":"comment_too_long","detail":"Long."}', 2], [403, '{"code":"comments_off"}', 2],
  [429, '{"code":"too_many_requests"}', 3], [503, '<html>', 3], [404, '', 2],
]) {
  test(`a ${status} is told to the core as reason ${reason}`, async (context) => {
    context.mock.method(globalThis, 'fetch', async () => new Response(body, { status }));
    await assert.rejects(sendComment('clip', 'x', 'key'), { reason });
  });
}

test('a network that does not answer, or breaks off in the middle, is reason 1', async (context) => {
  context.mock.method(globalThis, 'fetch', async () => { throw new TypeError('failed'); });
  await assert.rejects(loadComments('clip', null, 20), { reason: 1 });
  globalThis.fetch.mock.mockImplementation(async () => new Response('{"id":', { status: 201 }));
  await assert.rejects(sendComment('clip', 'x', 'key'), { reason: 1 });
});

test('ids and cursors are encoded in addresses', async (context) => {
  const fetched = context.mock.method(globalThis, 'fetch', async () => Response.json({ items: [] }));
  await loadComments('a/b', 'c&d', 20);
  assert.equal(fetched.mock.calls[0].arguments[0], '/api/v1/clips/a%2Fb/comments?limit=20&cursor=c%26d');
});

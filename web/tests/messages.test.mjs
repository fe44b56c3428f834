import assert from 'node:assert/strict';
import test from 'node:test';
import { ago } from '../app/comments/ago.js';
import { loadComments, sendComment } from '../app/comments/server.js';
import { sentenceOf } from '../app/live/live.js';
import { decode } from '../app/core/core.js';
import { BAR_COMMANDS, barFrom, stateText } from '../app/messages/bar.js';
import { Drafts, charactersIn, partsOf } from '../app/messages/drafts.js';
import { REACTIONS } from '../app/messages/reactions.js';
import { sendMessage } from '../app/messages/server.js';
import { openDoors } from './doors.mjs';

await openDoors();

function memory(entries = {}) {
  const map = new Map(Object.entries(entries));
  return {
    getItem: (key) => map.get(key) ?? null,
    setItem: (key, value) => map.set(key, value),
    removeItem: (key) => map.delete(key),
    size: () => map.size,
  };
}

const keys = ({ parts }) => parts.map(({ key }) => key);

test('the field is empty once its text is sent, and what failed is in it again', () => {
  const storage = memory();
  const drafts = new Drafts(storage, 'one');
  drafts.change(4, 'clip', 'hello');
  assert.deepEqual(drafts.send(4, 1), { clip: 'clip', parts: [{ text: 'hello', key: 'one-1', wasTried: false }] });
  assert.equal(drafts.text(4), '');
  drafts.giveBack(4, 1);
  assert.equal(drafts.text(4), 'hello');
  assert.deepEqual(keys(drafts.send(4, 1)), ['one-1']);
  drafts.settle(4, 1);
  assert.equal(storage.size(), 0);
});

test('what was on its way when the page went is in the field of the next visit, under its old key', () => {
  const storage = memory();
  const before = new Drafts(storage, 'one');
  before.change(4, 'clip', 'hello');
  before.send(4, 1);
  before.change(4, 'clip', 'and more');
  before.store(4);
  const after = new Drafts(storage, 'two');
  assert.equal(after.restore(0, 'clip'), 'hello\nand more');
  assert.deepEqual(keys(after.send(0, 1)), ['one-1', 'two-1']);
});

test('what was typed meanwhile stands below what failed, and is a message of its own', () => {
  const drafts = new Drafts(memory(), 'one');
  drafts.change(0, 'clip', 'first');
  drafts.send(0, 1);
  drafts.change(0, 'clip', 'second');
  drafts.giveBack(0, 1);
  assert.equal(drafts.text(0), 'first\nsecond');
  assert.deepEqual(drafts.send(0, 2).parts, [
    { text: 'first', key: 'one-1', wasTried: true }, { text: 'second', key: 'one-2', wasTried: false },
  ]);
});

test('what was typed meanwhile outlives the message that arrived', () => {
  const storage = memory();
  const drafts = new Drafts(storage, 'one');
  drafts.change(0, 'clip', 'first');
  drafts.send(0, 1);
  drafts.change(0, 'clip', 'second');
  drafts.store(0);
  drafts.settle(0, 1);
  assert.equal(drafts.text(0), 'second');
  assert.equal(new Drafts(storage, 'two').restore(0, 'clip'), 'second');
});

test('a text that waited elsewhere comes back in front of what is typed, once, under its key', () => {
  const storage = memory();
  const drafts = new Drafts(storage, 'one');
  drafts.change(4, 'clip', 'typed since');
  for (let turn = 0; turn < 2; turn += 1) assert.equal(drafts.takeBack('clip', { text: 'waited', key: 'its-key' }), 4);
  assert.equal(drafts.text(4), 'waited\ntyped since');
  assert.equal(new Drafts(storage, 'two').restore(0, 'clip'), 'waited\ntyped since');
  assert.deepEqual(keys(drafts.send(4, 1)), ['its-key', 'one-1']);
  assert.equal(drafts.takeBack('another clip', { text: 'waited', key: 'other' }), undefined);
  const full = new Drafts(null, 'three');
  assert.equal(full.takeBack('clip', { text: 'waited', key: 'other' }), false);
  // Then it is in its field, once, and not given up where it waited.
  full.change(0, 'clip', 'typed');
  for (let turn = 0; turn < 2; turn += 1) assert.equal(full.takeBack('clip', { text: 'waited', key: 'other' }), false);
  assert.equal(full.text(0), 'waited\ntyped');
});

test('an answer to another message changes nothing', () => {
  const drafts = new Drafts(memory(), 'one');
  drafts.change(0, 'clip', 'first');
  drafts.send(0, 2);
  drafts.giveBack(0, 1);
  drafts.settle(0, 1);
  drafts.settle(9, 1);
  assert.equal(drafts.text(0), '');
  drafts.giveBack(0, 2);
  assert.equal(drafts.text(0), 'first');
});

test('another text has another key, and the old text its old one', () => {
  const tried = [{ text: 'hello', key: 'old' }];
  const found = (text) => partsOf(text, tried, 'new').map(({ text: words, key }) => [words, key]);
  assert.deepEqual(found('hello'), [['hello', 'old']]);
  assert.deepEqual(found('hello!'), [['hello!', 'new']]);
  assert.deepEqual(found('hello\nmore'), [['hello', 'old'], ['more', 'new']]);
  assert.deepEqual(found('hello\n  '), [['hello', 'old']]);
  assert.deepEqual(found('hell'), [['hell', 'new']]);
  assert.deepEqual(partsOf('a\nb\nc', [{ text: 'a', key: '1' }, { text: 'b\nc', key: '2' }], 'new').map(({ key }) => key), ['1', '2']);
});

test('what was sent is forgotten, so the same words can be said again', () => {
  const storage = memory();
  const drafts = new Drafts(storage, 'one');
  drafts.change(0, 'clip', 'hello');
  drafts.send(0, 1);
  drafts.settle(0, 1);
  drafts.change(0, 'clip', 'hello');
  assert.deepEqual(keys(drafts.send(0, 2)), ['one-2']);
});

test('a text that was dropped does not come back from storage', () => {
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

test('drafts as they were kept before are read', () => {
  const drafts = new Drafts(memory({ 'clipfeed.drafts': '[["clip",{"text":"old","attempt":{"text":"old","key":"k"}}]]' }), 'one', 'clipfeed.drafts');
  assert.equal(drafts.restore(0, 'clip'), 'old');
  assert.deepEqual(keys(drafts.send(0, 1)), ['k']);
});

for (const damaged of ['', '{', 'null', '5', '[1]', '[["a"]]', '[["clip",{"text":5}]]', '[null]', '[["clip",{"text":"","away":[{"text":1}]}]]']) {
  test(`damaged storage counts as empty: ${damaged}`, () => {
    const drafts = new Drafts(memory({ 'clipfeed.messages': damaged }), 'one');
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
    assert.deepEqual(keys(drafts.send(0, 1)), ['one-1']);
    drafts.giveBack(0, 1);
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

test('showBar is said in words', () => {
  const [bar] = decode(BigInt64Array.from([42, 12, 0, 1, 1, 3, 0, 2, 1, 2, 40, 1, 300, 1], BigInt), BAR_COMMANDS);
  assert.deepEqual(barFrom(bar), {
    access: 'open', focused: true, editable: true, lines: 3, scrolls: false, buttons: 'send', enabled: true,
    delivery: 'failed', left: 40, showsLeft: true, lift: 300, showsText: true,
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
  await assert.rejects(loadComments('clip', 'newest', null, 20), { reason: 1 });
  globalThis.fetch.mock.mockImplementation(async () => new Response('{"id":', { status: 201 }));
  await assert.rejects(sendComment('clip', 'x', 'key'), { reason: 1 });
});

test('ids and cursors are encoded in addresses', async (context) => {
  const fetched = context.mock.method(globalThis, 'fetch', async () => Response.json({ items: [] }));
  await loadComments('a/b', 'top', 'c&d', 20);
  assert.equal(fetched.mock.calls[0].arguments[0], '/api/v1/clips/a%2Fb/comments?order=top&limit=20&cursor=c%26d');
});

test('a message goes to its receiver with its clip and its key', async (context) => {
  const fetched = context.mock.method(globalThis, 'fetch', async () => Response.json({ id: 'm' }, { status: 201 }));
  await sendMessage('a/b', 'hello', 'clip', 'a-key-of-a-test');
  const [address, options] = fetched.mock.calls[0].arguments;
  assert.equal(address, '/api/v1/conversations/a%2Fb/messages');
  assert.deepEqual(JSON.parse(options.body), { text: 'hello', clip_id: 'clip' });
  assert.equal(options.headers['Idempotency-Key'], 'a-key-of-a-test');
});

test('none of the reactions is a heart, and each has a picture of its own', () => {
  assert.deepEqual(REACTIONS.map(({ name }) => name), ['laugh', 'wow', 'cry', 'clap', 'fire']);
  assert.equal(new Set(REACTIONS.map(({ picture }) => picture)).size, 5);
  // Drawn, and not left to a font.
  for (const { picture } of REACTIONS) assert.ok(picture.includes('<path') && !/[^\x00-\x7f]/.test(picture));
});

test('messages and reactions are said as likes are', () => {
  const of = (kind, name) => ({ kind, actor: name && { name } });
  assert.equal(sentenceOf([of('message', 'Ann')]), 'Ann sent you a message.');
  assert.equal(sentenceOf([of('reaction', 'Ann'), of('reaction', 'Ben')]), 'Ann and Ben reacted to your clips.');
  assert.equal(sentenceOf([of('unknown', 'Ann')]), '');
});

test('a text whose clip leaves the feed for a while is there when it comes back, also one that failed meanwhile', () => {
  // Where nothing is kept.
  const drafts = new Drafts(null, 'one');
  drafts.change(0, 'clip', 'kept');
  drafts.rest(0);
  assert.equal(drafts.restore(0, 'clip'), 'kept');
  assert.equal(drafts.restore(0, 'clip'), undefined);
  drafts.send(0, 1);
  drafts.rest(0);
  assert.equal(drafts.giveBack(0), true);
  assert.equal(drafts.giveBack(0), false);
  assert.equal(drafts.restore(0, 'clip'), 'kept');
});

test('the answers that were begun under a clip are found again, the latest first', () => {
  const storage = memory();
  const before = new Drafts(storage, 'one');
  for (const place of ['clip', 'clip a', 'clip b', 'clip2 c']) {
    before.change(place, place, 'text');
    before.store(place);
  }
  const after = new Drafts(storage, 'two');
  assert.deepEqual(after.placesBehind('clip '), ['clip b', 'clip a']);
  assert.equal(after.restore('clip b', 'clip b'), 'text');
});

/** As a browser in which that account is signed in. */
function here(id) {
  return { getItem: (key) => (key === 'clipfeed.account' && id ? JSON.stringify({ id, until: 1 }) : null) };
}

function as(id, act) {
  const before = Object.getOwnPropertyDescriptor(globalThis, 'localStorage');
  Object.defineProperty(globalThis, 'localStorage', { value: here(id), configurable: true });
  try { return act(); } finally {
    if (before) Object.defineProperty(globalThis, 'localStorage', before); else delete globalThis.localStorage;
  }
}

test('a text is its writer’s: nobody else has it at hand or finds it, and it is there again for them', () => {
  const storage = memory();
  const drafts = as('ada', () => new Drafts(storage, 'one'));
  as('ada', () => drafts.change(4, 'clip', 'as ada'));
  as(null, () => {
    assert.deepEqual(drafts.turn(), [4]);
    assert.deepEqual(drafts.turn(), []);
    assert.equal(drafts.restore(4, 'clip'), undefined);
    assert.equal(drafts.text(4), '');
    assert.equal(new Drafts(storage, 'two').restore(0, 'clip'), undefined);
  });
  // Whether or not it was told.
  as('bob', () => {
    assert.equal(drafts.restore(4, 'clip'), undefined);
    drafts.change(4, 'clip', 'as bob');
  });
  as('ada', () => {
    assert.equal(drafts.restore(4, 'clip'), 'as ada');
    drafts.drop(4);
  });
  as('bob', () => assert.equal(new Drafts(storage, 'two').restore(0, 'clip'), 'as bob'));
  as('ada', () => assert.equal(new Drafts(storage, 'two').restore(0, 'clip'), undefined));
});

test('what a guest has written goes along into their account, below what waits there', () => {
  const storage = memory();
  as('ada', () => {
    const before = new Drafts(storage, 'one');
    before.change(0, 'clip', 'as ada');
    before.store(0);
  });
  const drafts = new Drafts(storage, 'two');
  as(null, () => {
    drafts.change(0, 'clip', 'as a guest');
    drafts.change(1, 'other', 'more');
  });
  as('ada', () => {
    assert.deepEqual(drafts.turn(), [0, 1]);
    assert.equal(drafts.restore(0, 'clip'), 'as ada\nas a guest');
    assert.equal(drafts.restore(1, 'other'), 'more');
  });
  as('bob', () => assert.equal(new Drafts(storage, 'three').restore(0, 'clip'), undefined));
  as(null, () => assert.equal(new Drafts(storage, 'three').restore(0, 'clip'), undefined));
  assert.equal(storage.size(), 1);
});

test('without a storage a guest keeps their text as they sign in, and an account’s is gone with it', () => {
  const drafts = new Drafts(null, 'one');
  as(null, () => drafts.change(0, 'clip', 'as a guest'));
  as('ada', () => {
    assert.deepEqual(drafts.turn(), [0]);
    assert.equal(drafts.text(0), 'as a guest');
  });
  as(null, () => assert.equal(drafts.text(0), ''));
});

test('what was on its way when its writer went is in their book until it is sent again', () => {
  const storage = memory();
  const drafts = new Drafts(storage, 'one');
  as('ada', () => {
    drafts.change(0, 'clip', 'as ada');
    drafts.send(0, 1);
  });
  as('bob', () => {
    assert.equal(drafts.giveBack(0, 1), false);
    drafts.settle(0, 1);
    assert.equal(drafts.text(0), '');
  });
  as('ada', () => {
    assert.equal(drafts.restore(0, 'clip'), 'as ada');
    assert.deepEqual(keys(drafts.send(0, 2)), ['one-1']);
  });
});

import assert from 'node:assert/strict';
import test from 'node:test';
import { Feed, newList } from '../app/feed/feed.js';
import { velocityOf } from '../app/feed/gestures.js';
import { EVENT } from '../app/core/core.js';

const clip = (id) => ({
  id, width: 9, height: 16,
  playback: {
    duration_ms: 1000,
    renditions: [{ width: 360, height: 640, codecs: 'x', init: { offset: 0, size: 1 }, segments: [] }],
  },
});
const page = (ids, cursor) => ({ items: ids.map(clip), next_cursor: cursor });

function setUp(pages) {
  const asked = [];
  const events = [];
  const feed = new Feed((kind, ...fields) => events.push([kind, fields[0]]), () => true, async (url) => {
    asked.push(url);
    const next = pages.shift();
    if (next instanceof Error) throw next;
    return next;
  });
  return { feed, asked, events };
}

const appended = (item) => [EVENT.itemAppended, item];

test('pages follow the cursor, a short one first', async () => {
  const { feed, asked, events } = setUp([page(['a', 'b'], 'x y'), page(['c'], null)]);
  await feed.requestPage();
  await feed.requestPage();
  assert.deepEqual(asked, ['/api/v1/feed?tab=for_you&limit=5', '/api/v1/feed?tab=for_you&limit=10&cursor=x%20y']);
  assert.deepEqual(events, [
    appended(0), appended(1), [EVENT.pageLoaded, 1], appended(2), [EVENT.pageLoaded, 0],
  ]);
  assert.equal(feed.clip(2).id, 'c');
});

test('behind the last page only clips that are new are passed on', async () => {
  const { feed, events } = setUp([page(['a', 'b'], null), page(['d', 'c', 'a'], 'z'), page(['d', 'c'], 'z')]);
  await feed.requestPage();
  events.length = 0;
  await feed.requestPage();
  assert.deepEqual(events, [appended(2), appended(3), [EVENT.pageLoaded, 0]]);
  events.length = 0;
  await feed.requestPage();
  assert.deepEqual(events, [[EVENT.pageLoaded, 0]]);
});

test('an empty feed is looked at again from the top', async () => {
  const { feed, asked, events } = setUp([page([], null), page(['a'], 'n')]);
  await feed.requestPage();
  await feed.requestPage();
  assert.equal(asked[1], asked[0]);
  assert.deepEqual(events, [[EVENT.pageLoaded, 0], appended(0), [EVENT.pageLoaded, 1]]);
});

test('a page that fails is asked for again; a cursor that is refused starts at the top', async () => {
  const refused = Object.assign(new Error('bad cursor'), { status: 400 });
  const { feed, asked, events } = setUp([page(['a'], 'x'), new Error('net'), refused, page(['a', 'b'], null)]);
  for (let i = 0; i < 4; i += 1) await feed.requestPage();
  assert.equal(asked[1], asked[2]);
  assert.equal(asked[3], asked[0]);
  assert.deepEqual(events.map(([kind]) => kind), [
    EVENT.itemAppended, EVENT.pageLoaded, EVENT.pageFailed, EVENT.pageFailed, EVENT.itemAppended, EVENT.pageLoaded,
  ]);
});

test('a clip with nothing to play is left out', async () => {
  const empty = { ...clip('b'), playback: { duration_ms: 1000, renditions: [] } };
  const { feed, events } = setUp([{ items: [clip('a'), empty, clip('c')], next_cursor: null }]);
  await feed.requestPage();
  assert.deepEqual(events, [appended(0), appended(1), [EVENT.pageLoaded, 0]]);
  assert.equal(feed.clip(1).id, 'c');
});

test('velocity is that of the last moments, so that a finger at rest has none', () => {
  const moved = [{ at: 0, y: 500 }, { at: 50, y: 450 }, { at: 100, y: 350 }, { at: 150, y: 250 }];
  assert.equal(velocityOf(moved, 150), -2000);
  assert.equal(velocityOf([...moved, { at: 400, y: 250 }], 400), 0);
});

test('how many go on watching is told behind the clip, where the server knows', async () => {
  const told = [];
  const known = structuredClone(page(['a', 'b', 'c'], null));
  known.items[0].playback.retention = [1_000_000, 700_000];
  known.items[1].playback.retention = ['many'];
  const feed = new Feed((...event) => told.push(event), () => true, async () => known);
  await feed.requestPage();
  const curves = told.filter(([kind]) => kind === EVENT.retentionKnown);
  assert.deepEqual(curves, [[EVENT.retentionKnown, 0, 2, 1_000_000, 700_000]]);
  told.length = 0;
  feed.tell(EVENT.itemDescribed, 0);
  assert.deepEqual(told.map(([kind]) => kind), [EVENT.itemDescribed, EVENT.retentionKnown]);
});

test('clips that were not used lately are still whole, and those that are forgotten are gone', async () => {
  const ids = Array.from({ length: 100 }, (_, i) => `clip-${i}`);
  const feed = new Feed(() => {}, () => true, async () => page(ids, null));
  await feed.requestPage();
  assert.deepEqual(ids.map((_, item) => feed.clip(item).id), ids);
  assert.equal(feed.clip(3).renditions[0].segments.length, feed.clip(99).renditions[0].segments.length);
  feed.forget(3);
  assert.equal(feed.clip(3), undefined);
  const seen = [];
  feed.onAppended(({ item }) => seen.push(item));
  assert.equal(seen.length, 99);
});

test('a clip that came in between goes on top, the next one above it, and none twice', async () => {
  const told = [];
  const feed = new Feed((...event) => told.push(event), () => true, async () => page(['a', 'b'], null));
  await feed.requestPage();
  told.length = 0;
  assert.equal(feed.insert(clip('new')), 2);
  assert.equal(feed.insert(clip('newer')), 3);
  assert.equal(feed.insert(clip('new')), 2);
  assert.deepEqual(told.map(([kind, before, item]) => [kind, before, item]), [
    [EVENT.itemInserted, 0, 2], [EVENT.itemInserted, 2, 3],
  ]);
  assert.equal(feed.clip(3).id, 'newer');
});

test('a clip with nothing to play is not put on top', () => {
  const { feed, events } = setUp([]);
  assert.equal(feed.insert({ id: 'a', playback: { duration_ms: 1000, renditions: [] } }), undefined);
  assert.deepEqual(events, []);
});

/** A feed with clips of the last visit, whose first page is told by `load`. */
function resumed(left, load, tab = 'latest') {
  const told = [];
  const feed = new Feed((kind, ...fields) => told.push([kind, fields[0], fields[1]]), () => true, load, page(left, null).items);
  feed.list.tab = tab;
  return { feed, told };
}

test('clips of the last visit stand there at once, and what is new comes on top of them', async () => {
  let answer;
  const { feed, told } = resumed(['a', 'b'], () => new Promise((resolve) => { answer = resolve; }));
  const done = feed.requestPage();
  assert.deepEqual(told.map(([kind, item]) => [kind, item]), [[EVENT.itemAppended, 0], [EVENT.itemAppended, 1]]);
  answer(page(['x', 'b', 'y'], 'more'));
  await done;
  // Both before the first of them, in their order.
  assert.deepEqual(told.slice(2), [[EVENT.itemInserted, 0, 2], [EVENT.itemInserted, 0, 3], [EVENT.pageLoaded, 1, undefined]]);
  assert.ok(feed.clip(0).isLeft && !feed.clip(2).isLeft);
  // And what is inserted later comes on top of those.
  told.length = 0;
  feed.insert(page(['z'], null).items[0]);
  assert.deepEqual(told, [[EVENT.itemInserted, 2, 4]]);
});

test('in For you what comes is behind what the last visit left', async () => {
  const { feed, told } = resumed(['a', 'b'], async () => page(['x', 'b'], 'more'), 'for_you');
  await feed.requestPage();
  assert.deepEqual(feed.list.order.map((item) => feed.clip(item).id), ['a', 'b', 'x']);
  assert.deepEqual(told.map(([kind]) => kind), [EVENT.itemAppended, EVENT.itemAppended, EVENT.itemAppended, EVENT.pageLoaded]);
});

test('a page of a clip that is there already tells its reason, and asks for the tab that was left last', async () => {
  globalThis.localStorage = { getItem: () => 'following' };
  const asked = [];
  const feed = new Feed(() => {}, () => true, async (url) => {
    asked.push(url);
    return page(['a'], null);
  });
  Object.assign(globalThis, { localStorage: { getItem: () => 'nonsense' } });
  const other = new Feed(() => {}, () => true, async (url) => {
    asked.push(url);
    return page([], null);
  });
  delete globalThis.localStorage;
  await feed.requestPage();
  await other.requestPage();
  assert.deepEqual(asked, ['/api/v1/feed?tab=following&limit=5', '/api/v1/feed?tab=for_you&limit=5']);
  const list = newList('for_you', async () => ({ items: [{ ...clip('a'), reason: { kind: 'new' } }], next_cursor: null }));
  await feed.requestPage(list);
  assert.deepEqual(list.order, feed.list.order);
  assert.deepEqual(feed.clip(0).reason, { kind: 'new' });
});

test('without a network they are there, and the first page comes on top later', async () => {
  let fails = true;
  const { feed, told } = resumed(['a'], async () => {
    if (fails) throw new Error('no network');
    return page(['x'], null);
  });
  await feed.requestPage();
  assert.deepEqual(told.map(([kind]) => kind), [EVENT.itemAppended, EVENT.pageFailed]);
  fails = false;
  await feed.requestPage();
  assert.deepEqual(told.slice(2).map(([kind]) => kind), [EVENT.itemInserted, EVENT.pageLoaded]);
});

test('what lies there and is no clip is passed over', async () => {
  const { feed, told } = resumed([], async () => page(['x'], null));
  const broken = new Feed(() => {}, () => true, async () => page(['x'], null), [null, 7, { id: 'q' }, { id: 'r', playback: { duration_ms: 5, renditions: [{}] } }]);
  await broken.requestPage();
  assert.ok([...Array(broken.size).keys()].some((item) => broken.clip(item)?.id === 'x'));
  await feed.requestPage();
  assert.equal(told[0][0], EVENT.itemAppended);
});

import assert from 'node:assert/strict';
import test from 'node:test';
import { EVENT, encode } from '../app/core/core.js';
import { Feed, newList } from '../app/feed/feed.js';
import { tabByKey } from '../app/tabs/keys.js';
import { show } from '../app/tabs/lists.js';
import { withDoors } from './doors.mjs';
import { element, fakeDocument } from './fake-document.mjs';
import { Door, Watch } from './host.mjs';
import './pages.mjs';

const clip = (id) => ({
  id, width: 9, height: 16, poster: {},
  playback: { duration_ms: 1000, renditions: [{
    width: 360, height: 640, codecs: 'x', peak_bps: 9000, average_bps: 8000, url: `/media/${id}.mp4`,
    init: { offset: 0, size: 100 }, segments: [{ offset: 100, size: 900, duration_ms: 1000 }],
  }] },
});

/** The real core, and as much of a page as it needs. */
class Host {
  #door = new Door();
  watch = new Watch();
  now = 1000n;
  current = null;
  asked = 0;
  flags = {};
  discarded = [];
  feed = new Feed((kind, ...fields) => this.report(kind, ...fields), () => true, async () => ({ items: this.first.map(clip), next_cursor: null }));
  app = {
    feed: this.feed, report: (...event) => this.report(...event), fade() {}, flag: (changes) => Object.assign(this.flags, changes),
    current: () => this.current,
  };

  constructor(first) {
    this.first = first;
    globalThis.matchMedia = () => ({ matches: true });
    this.report(EVENT.started, 3, 0, 1, 0, 1, 0);
  }

  report(kind, ...fields) {
    this.now += 1n;
    const commands = this.#door.handle(this.now, encode(kind, fields));
    assert.ok(commands, 'the core takes it');
    this.watch.note(commands, this.now);
    for (const { name, item, page } of commands) {
      if (name === 'requestPage') this.asked += 1;
      if (name === 'unmount' && Number(item) === this.current?.item) this.current = null;
      if (name === 'setCurrent') this.current = this.feed.clip(Number(item));
      if (name === 'discard') this.discarded.push(Number(item));
      if (name === 'settle') this.#settled = Number(page);
    }
    if (this.#settled === null) return;
    const page = this.#settled;
    this.#settled = null;
    this.report(EVENT.settleFinished, page);
  }

  #settled = null;

  /** The ids that the core has, in its order; what is on the screen is there again afterwards. */
  walk() {
    const { current } = this;
    const ids = [];
    for (let page = 0; ids.at(-1) !== this.current?.id; page += 1) {
      if (page) ids.push(this.current.id);
      this.#go(page);
    }
    if (current) this.#go(ids.indexOf(current.id));
    return ids;
  }

  #go(page) {
    this.report(EVENT.jumped, page);
    this.now += 600n;
    this.report(EVENT.woke);
  }

  list(...ids) {
    const list = newList('latest');
    Object.assign(list, { isKnown: true });
    // As a page that came while another list was shown.
    list.load = async () => ({ items: ids.map(clip), next_cursor: null });
    return this.feed.requestPage(list).then(() => list);
  }
}

async function setUp(...ids) {
  const host = new Host(ids);
  await host.feed.requestPage();
  return host;
}

test('another list takes the place of the feed, and each keeps its place', async () => {
  const host = await setUp('a', 'b', 'c', 'd', 'e', 'f');
  host.report(EVENT.jumped, 3);
  host.now += 600n;
  host.report(EVENT.woke);
  assert.equal(host.current.id, 'd');
  const [first, kept] = [host.feed.list, host.current.item];
  const other = await host.list('u', 'v', 'w', 'x');
  show(host.app, other);
  assert.equal(host.current.id, 'u');
  assert.deepEqual(host.walk(), ['u', 'v', 'w', 'x']);
  show(host.app, first, kept);
  assert.equal(host.current.id, 'd');
  assert.deepEqual(host.walk(), ['a', 'b', 'c', 'd', 'e', 'f']);
  assert.deepEqual(host.watch.broken, []);
});

test('a clip of both lists stays on the screen, and its bytes where they are', async () => {
  const host = await setUp('a', 'b', 'c');
  const [first] = host.feed.list.order;
  const other = await host.list('x', 'c', 'a', 'y');
  show(host.app, other, first);
  assert.equal(host.current.id, 'a');
  assert.deepEqual(host.walk(), ['x', 'c', 'a', 'y']);
  assert.deepEqual(host.watch.broken, []);
});

test('an empty list leaves nothing on the screen, and what comes into it is shown', async () => {
  const host = await setUp('a', 'b');
  const before = host.feed.list;
  const empty = await host.list();
  show(host.app, empty);
  assert.equal(host.current, null);
  assert.equal(host.flags.empty, true);
  empty.load = async () => ({ items: [clip('n')], next_cursor: null });
  await host.feed.requestPage();
  assert.equal(host.current.id, 'n');
  show(host.app, before);
  assert.deepEqual(host.walk(), ['a', 'b']);
  assert.deepEqual(host.watch.broken, []);
});

test('a page that comes for a list that is not shown waits in it', async () => {
  const host = await setUp('a');
  const shown = host.feed.list;
  let answer;
  shown.cursor = 'more';
  shown.load = () => new Promise((resolve) => { answer = resolve; });
  const asked = host.feed.requestPage();
  show(host.app, await host.list('x', 'y'));
  answer({ items: [clip('b')], next_cursor: null });
  await asked;
  assert.deepEqual(host.walk(), ['x', 'y']);
  show(host.app, shown);
  assert.deepEqual(host.walk(), ['a', 'b']);
});

test('a clip that is gone is gone from all lists', async () => {
  const host = await setUp('a', 'b', 'c');
  const first = host.feed.list;
  show(host.app, await host.list('x', 'b'));
  host.feed.drop(first.order[1]);
  assert.deepEqual(host.walk(), ['x']);
  show(host.app, first, first.order[1]);
  assert.deepEqual(host.walk(), ['a', 'c']);
  // And is there again if it comes back.
  host.feed.insert(clip('b'));
  assert.deepEqual(host.walk(), ['b', 'a', 'c']);
});

test('whatever two lists have in common, the core has the one that is shown', async () => {
  let state = 7;
  const random = (below) => {
    state = (state * 48271) % 2147483647;
    return state % below;
  };
  const some = () => {
    const all = 'abcdefghijkl'.split('');
    return Array.from({ length: random(9) }, () => all.splice(random(all.length), 1)[0]);
  };
  for (let round = 0; round < 60; round += 1) {
    const ids = ['first', ...some()];
    const host = await setUp(...ids);
    const lists = [host.feed.list];
    for (let turn = 0; turn < 4; turn += 1) {
      if (lists.length < 3) lists.push(await host.list(...some()));
      const list = lists[random(lists.length)];
      const item = list.order[random(Math.max(1, list.order.length))];
      show(host.app, list, item);
      assert.equal(host.current?.item, item);
      assert.deepEqual(host.walk(), list.order.map((handle) => host.feed.clip(handle).id));
    }
    assert.deepEqual(host.watch.broken, []);
  }
});

/** A row of three tabs, the second of which has the focus. */
function rowOf(direction) {
  const children = [{}, {}, {}];
  Object.assign(globalThis, { document: { activeElement: children[1] }, getComputedStyle: () => ({ direction }) });
  return { children };
}

for (const [direction, key, place] of [
  ['ltr', 'ArrowRight', 2], ['ltr', 'ArrowLeft', 0], ['rtl', 'ArrowRight', 0], ['rtl', 'ArrowLeft', 2],
  ['ltr', 'Home', 0], ['rtl', 'End', 2], ['ltr', 'Enter', undefined],
]) {
  test(`${key} in a row that reads ${direction} leads to ${place === undefined ? 'no tab' : `tab ${place}`}`, () => {
    assert.equal(tabByKey(rowOf(direction), { key }), place);
  });
}

test('the arrows go round, and lead nowhere while the focus is elsewhere', () => {
  const row = rowOf('ltr');
  document.activeElement = row.children[2];
  assert.equal(tabByKey(row, { key: 'ArrowRight' }), 0);
  document.activeElement = {};
  assert.equal(tabByKey(row, { key: 'ArrowRight' }), undefined);
});

for (const other of ['ctrlKey', 'metaKey', 'altKey']) {
  test(`with ${other} an arrow in a row of tabs is the browser's`, () => {
    for (const key of ['ArrowLeft', 'ArrowRight', 'Home', 'End']) assert.equal(tabByKey(rowOf('ltr'), { key, [other]: true }), undefined);
  });
}

const ADA = { id: 'ada', handle: 'ada', name: 'Ada' };
const UPLOAD = '0123456789abcdef0123456789abcdef';
const GLOBALS = ['document', 'localStorage', 'location', 'history', 'addEventListener'];
let pages = 0;

/** A page of its own over the feed of a host, with Ada signed in unless somebody else is; `served` are ids by tab, as the server tells
 *  them then. */
async function openPage(t, host, served = {}, account = ADA) {
  pages += 1;
  const known = GLOBALS.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]);
  t.after(() => known.forEach(([name, before]) => (before ? Object.defineProperty(globalThis, name, before) : delete globalThis[name])));
  const stored = new Map(account ? [['clipfeed.account', JSON.stringify({ ...account, until: Date.now() + 3_600_000 })]] : []);
  const heard = {};
  const notices = [];
  Object.assign(globalThis, {
    document: fakeDocument(), location: { origin: 'https://clips.example', pathname: '/', search: '', hash: '' },
    history: { state: null, pushState(state) { this.state = state; } }, addEventListener: (event, act) => { heard[event] = act; },
    localStorage: { getItem: (key) => stored.get(key) ?? null, setItem: (key, value) => stored.set(key, value), removeItem: (key) => stored.delete(key) },
  });
  t.mock.method(globalThis, 'fetch', withDoors(async (url) => {
    const [, tab] = /feed\?tab=(\w+)/.exec(url);
    return Response.json({ items: served[tab].map(clip), next_cursor: null });
  }));
  Object.assign(host.app, { stage: element(), notice: (words) => notices.push(words) });
  const [{ attach }, auth, clips, visit] = await Promise.all(['tabs/tabs.js', 'auth/auth.js', 'clip-link/clip.js', 'feed/last-visit.js']
    .map((name) => import(`../app/${name}?page=tabs-${pages}`)));
  const press = (tab) => document.made.find(({ id }) => id === `tab-${tab}`).onclick({ detail: 0 });
  /** Presses a tab and waits until it is there. */
  const go = (tab) => {
    press(tab);
    return until(() => host.feed.list.tab === tab);
  };
  return { attach: () => attach(host.app), auth, clips, visit, stored, notices, heard, press, go };
}

async function until(holds) {
  for (const end = Date.now() + 20_000; !holds();) {
    assert.ok(Date.now() < end, String(holds));
    await new Promise((go) => { setTimeout(go, 2); });
  }
}

for (const isBefore of [false, true]) {
  test(`a tab that was told to an account is asked for anew when it has left${isBefore ? ', also before the tabs came' : ''}`, async (t) => {
    const host = await setUp('a', 'b', 'c');
    const { attach, auth, go } = await openPage(t, host, { for_you: ['x', 'y'], latest: ['l'] });
    if (isBefore) auth.forget();
    await attach();
    if (!isBefore) auth.forget();
    await go('latest');
    await go('for_you');
    assert.deepEqual(host.walk(), ['x', 'y']);
    // And from then on it has its place as ever.
    await go('latest');
    await go('for_you');
    assert.equal(host.current.id, 'x');
    assert.deepEqual(host.watch.broken, []);
  });
}

test('the clips of a grid are not there again when the account has left that it was told to', async (t) => {
  const host = await setUp('a', 'b');
  const { attach, auth, go, heard } = await openPage(t, host, { latest: ['l'] });
  const tabs = await attach();
  assert.ok(await tabs.watch('Bookmarks', [clip('g'), clip('h')], 'g'));
  const { state } = history;
  auth.forget();
  await go('latest');
  history.state = state;
  heard.popstate();
  assert.equal(host.feed.list.tab, 'latest');
  assert.equal(host.current.id, 'l');
});

test('clips that are not for everybody go with the account, and so do the secrets in their links', async (t) => {
  const host = await setUp('p', 'a', 'u', 'b');
  const { attach, auth, clips } = await openPage(t, host);
  Object.assign(host.feed.clip(0), { visibility: 'private' });
  Object.assign(host.feed.clip(2), { visibility: 'unlisted' });
  clips.remember('p', UPLOAD);
  await attach();
  auth.forget();
  assert.equal(host.current.id, 'a');
  assert.deepEqual(host.walk(), ['a', 'b']);
  assert.equal(clips.linkTo('p', true), 'https://clips.example/c/p');
  assert.deepEqual(host.watch.broken, []);
});

test('the clip that the address of the page named stays, with its secret', async (t) => {
  const host = await setUp('p', 'u');
  const { attach, auth, clips } = await openPage(t, host);
  for (const item of [0, 1]) Object.assign(host.feed.clip(item), { visibility: 'private' });
  clips.arriveAt('p');
  for (const id of ['p', 'u']) clips.remember(id, UPLOAD);
  await attach();
  auth.forget();
  assert.deepEqual(host.walk(), ['p']);
  assert.equal(clips.linkTo('p', true), `https://clips.example/c/p#${UPLOAD}`);
  assert.equal(clips.linkTo('u', true), 'https://clips.example/c/u');
});

test('those of a guest go along into their account', async (t) => {
  const host = await setUp('p', 'a');
  const { attach, auth, clips } = await openPage(t, host, {}, null);
  Object.assign(host.feed.clip(0), { visibility: 'private' });
  clips.remember('p', UPLOAD);
  await attach();
  auth.begin({ id: 's', account: ADA, expires_at: new Date(Date.now() + 600_000).toISOString() }, new Response());
  assert.equal(auth.signedIn().id, 'ada');
  assert.deepEqual(host.walk(), ['p', 'a']);
  assert.equal(clips.linkTo('p', true), `https://clips.example/c/p#${UPLOAD}`);
});

test('a tab whose page is on its way already is waited for', async (t) => {
  const host = new Host(['a']);
  const { list } = host.feed;
  let answer;
  // As where the last visit left a clip.
  Object.assign(list, { left: [clip('l')], load: () => new Promise((resolve) => { answer = resolve; }) });
  const coming = host.feed.requestPage();
  const { attach, go, press, notices } = await openPage(t, host, { latest: ['n'] });
  await attach();
  await go('latest');
  press('for_you');
  // As long as somebody takes who does not wait.
  await new Promise((pause) => { setTimeout(pause, 20); });
  assert.deepEqual(notices, []);
  answer({ items: [clip('a')], next_cursor: null });
  await coming;
  await until(() => host.feed.list === list);
  assert.deepEqual(host.walk(), ['l', 'a']);
  assert.deepEqual(notices, []);
});

test('what was told to an account that left before is not left to the next visit', async (t) => {
  const host = await setUp('a', 'b');
  const { auth, visit, stored } = await openPage(t, host);
  const leave = () => {
    document.hidden = true;
    document.heard.visibilitychange();
    return JSON.parse(stored.get('clipfeed.feed') ?? 'null')?.items.map(({ id }) => id);
  };
  auth.forget();
  visit.watch(host.app);
  assert.equal(leave(), undefined);
  const next = await host.list('x');
  next.tab = 'for_you';
  show(host.app, next);
  assert.deepEqual(leave(), ['x']);
});

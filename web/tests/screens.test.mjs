import assert from 'node:assert/strict';
import test from 'node:test';
import { EVENT } from '../app/core/core.js';
import { cover } from '../app/screens/screens.js';

/** A stage with a feed, what the core hears, and who has the focus. */
function setUp(t) {
  const page = { told: [], focused: null };
  page.element = (inert = false) => {
    const element = { inert, focus() { page.focused = element; } };
    return element;
  };
  page.opener = page.element();
  globalThis.document = { getElementById: () => page.opener };
  t.after(() => delete globalThis.document);
  page.feed = page.element();
  page.stage = { children: [page.feed], append(root) { this.children.push(root); } };
  page.open = (root = page.element()) => {
    const uncover = cover(page.stage, root, (kind, ...fields) => page.told.push([kind, ...fields]));
    return { root, close() {
      page.stage.children = page.stage.children.filter((element) => element !== root);
      uncover();
    } };
  };
  return page;
}

const RESTS = [[EVENT.feedLocked, 1], [EVENT.cameraOpened]];
const GOES_ON = [[EVENT.cameraClosed], [EVENT.feedLocked, 0]];

test('a screen over another leaves the feed at rest when it goes', (t) => {
  const page = setUp(t);
  const lower = page.open();
  const upper = page.open();
  assert.deepEqual(page.told, RESTS);
  assert.ok(page.feed.inert && lower.root.inert);
  upper.close();
  assert.deepEqual(page.told, RESTS);
  assert.ok(page.feed.inert && !lower.root.inert);
  assert.equal(page.focused, lower.root);
  lower.close();
  assert.deepEqual(page.told, [...RESTS, ...GOES_ON]);
  assert.ok(!page.feed.inert);
  assert.equal(page.focused, page.opener);
});

test('where the lower one goes first, the upper one goes on covering the feed', (t) => {
  const page = setUp(t);
  const lower = page.open();
  const upper = page.open();
  lower.close();
  assert.deepEqual(page.told, RESTS);
  assert.ok(page.feed.inert);
  assert.equal(page.focused, upper.root);
  upper.close();
  assert.deepEqual(page.told, [...RESTS, ...GOES_ON]);
  assert.ok(!page.feed.inert);
});

test('what rested before rests afterwards, and a screen goes once', (t) => {
  const page = setUp(t);
  const other = page.element(true);
  page.stage.children.push(other);
  const screen = page.open();
  screen.close();
  assert.ok(other.inert);
  const next = page.open();
  screen.close();
  assert.ok(page.feed.inert);
  assert.deepEqual(page.told, [...RESTS, ...GOES_ON, ...RESTS]);
  next.close();
  assert.ok(!page.feed.inert);
});

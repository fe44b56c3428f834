// Which posters a page of the feed asks for: web/app/feed/pages.js.

import assert from 'node:assert/strict';
import test, { mock } from 'node:test';
import { POSTER_WAIT_MS, Pages } from '../app/feed/pages.js';
import './pages.mjs';

/** An element whose parts, by their names, are elements again. */
function part() {
  const parts = new Map();
  const heard = {};
  const attributes = new Map();
  return {
    dataset: {}, heard, children: [], textContent: '', parentNode: null, nextSibling: null,
    style: { setProperty() {} },
    querySelector(name) {
      if (!parts.has(name)) parts.set(name, part());
      return parts.get(name);
    },
    querySelectorAll: () => [],
    setAttribute(name, value) { attributes.set(name, value); },
    removeAttribute(name) { attributes.delete(name); if (name === 'src') delete this.src; },
    toggleAttribute() {}, insertBefore() {}, remove() {},
    addEventListener(event, act) { heard[event] = act; },
  };
}

/** Pages of the clips 0, 1, 2…, of which the beginnings of those in `started` are there. */
function opened(started = []) {
  const made = [];
  const template = { content: { firstElementChild: { cloneNode() {
    made.push(part());
    return made.at(-1);
  } } } };
  globalThis.document ??= { documentElement: { lang: 'en' } };
  const there = new Set(started);
  const pages = new Pages(part(), template, () => {}, (item) => there.has(item));
  const clip = (item) => ({
    item, id: `c${item}`, width: 9, height: 16, caption: '', author: { name: 'Ada' }, counts: {}, poster: { url: `/${item}.jpg`, placeholder: '' },
  });
  const clips = [0, 1, 2].map(clip);
  clips.forEach((one, place) => pages.mount(one, place));
  const image = (item) => made[item].querySelector('.poster');
  return { pages, clips, there, image, asked: () => clips.map(({ item }) => image(item).src ?? null) };
}

test.beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
test.afterEach(() => mock.timers.reset());

test('posters of clips whose beginnings are there are not asked for', () => {
  const { pages, there, asked } = opened([0, 1]);
  pages.setCurrent(0);
  mock.timers.tick(POSTER_WAIT_MS - 1);
  assert.deepEqual(asked(), [null, null, null]);
  mock.timers.tick(1);
  assert.deepEqual(asked(), [null, null, '/2.jpg']);
  there.delete(1);
  mock.timers.tick(60_000);
  assert.deepEqual(asked(), [null, null, '/2.jpg']);
});

test('the first clip has the link for itself, any other page that somebody goes to asks at once', () => {
  const { pages, asked } = opened();
  pages.setCurrent(0);
  assert.deepEqual(asked(), [null, null, null]);
  pages.hold(250_000, 100);
  assert.deepEqual(asked(), [null, '/1.jpg', null]);
  pages.setCurrent(2);
  assert.deepEqual(asked(), [null, '/1.jpg', '/2.jpg']);
  pages.hold(2_000_000, 100);
});

test('whoever needs one gets it, whatever is there', () => {
  const { pages, asked } = opened([0, 1, 2]);
  pages.setCurrent(0);
  pages.setCurrent(1);
  assert.deepEqual(asked(), [null, null, null]);
  pages.showPoster(1, true);
  assert.deepEqual(asked(), [null, '/1.jpg', null]);
});

test('one that failed is asked for again, by the address that its clip has by then', () => {
  const { pages, clips, image, asked } = opened();
  pages.showPoster(1);
  image(1).heard.error();
  assert.deepEqual(asked(), [null, null, null]);
  clips[1].poster = { url: '/sealed/1.jpg', placeholder: '' };
  pages.showPoster(1);
  assert.equal(image(1).src, '/sealed/1.jpg');
});

test('a page that is gone asks for nothing', () => {
  const { pages, asked } = opened();
  pages.unmount(2);
  mock.timers.tick(POSTER_WAIT_MS);
  assert.deepEqual(asked(), ['/0.jpg', '/1.jpg', null]);
});

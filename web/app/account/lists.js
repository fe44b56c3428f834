// What somebody has marked, page by page: clips as a grid that opens them, and the people they follow.

import { request, route } from '../api/api.js';
import { paintThumbHash } from '../feed/thumbhash.js';
import { el } from './form.js';

const PAGE_LIMIT = 24;
// Fetches the next page when so much is left to scroll.
const AHEAD_PX = 600;

/** A list of `path`, asked with `query`, whose rows `row(item)` makes; `none`, words or an element, is said of an empty one.
 *  `signal` ends it. `first` is its first page, where that is known. */
export function listOf({ path, query = {}, name, label, none, row, signal, first }) {
  const rows = el('ul', { class: name, 'aria-label': label });
  const empty = el('div', { class: 'none', hidden: true }, none);
  const loading = el('p', { class: 'turning', role: 'img', 'aria-label': 'Loading', hidden: true });
  const failure = el('div', { class: 'none', role: 'alert', hidden: true }, el('p'),
    el('button', { type: 'button', click: () => more() }, 'Try again'));
  const root = el('div', { class: 'list' }, rows, empty, loading, failure);
  let cursor = null;
  let isBusy = false;
  let isOver = false;

  async function more() {
    if (isBusy || isOver) return;
    isBusy = true;
    loading.hidden = false;
    failure.hidden = true;
    try {
      const page = cursor || !first ? await request(path, { query: { ...query, limit: PAGE_LIMIT, cursor } }) : first;
      if (signal.aborted) return;
      cursor = page.next_cursor;
      isOver = !cursor;
      rows.append(...page.items.map(row));
      empty.hidden = rows.childElementCount > 0 || !isOver;
    } catch (error) {
      failure.querySelector('p').textContent = error.detail ?? 'This list could not be loaded.';
      failure.hidden = false;
    }
    isBusy = false;
    loading.hidden = true;
    if (failure.hidden) fill();
  }

  function fill() {
    const scroller = root.closest('.middle');
    if (signal.aborted || !scroller) return;
    const { scrollTop, clientHeight, scrollHeight } = scroller;
    if (scrollHeight - scrollTop - clientHeight < AHEAD_PX) more();
  }

  addEventListener('scroll', () => { if (failure.hidden) fill(); }, { capture: true, passive: true, signal });
  more();
  return root;
}

/** A clip of a grid. `opened(clip)` is what a tap does. */
export function tileOf(clip, opened) {
  const picture = clip.cover ?? clip.poster;
  const canvas = el('canvas', { 'aria-hidden': 'true' });
  paintThumbHash(canvas, picture.placeholder);
  const image = el('img', { src: picture.url, alt: '', loading: 'lazy', decoding: 'async', draggable: 'false' });
  // The placeholder stays where a picture does not come.
  image.addEventListener('error', () => image.remove());
  const name = clip.caption || 'A clip';
  return el('li', {}, el('button', { type: 'button', class: 'tile', 'aria-label': `${name}, by ${clip.author.name}`,
    click: () => opened(clip) }, canvas, image, el('span', { 'aria-hidden': 'true', dir: 'auto' }, clip.caption)));
}

export const initialOf = (name) => (Array.from(name)[0] ?? '?').toUpperCase();

/** Somebody who is followed, or not, until the button is tapped; `opened(author)`: what a tap on their name does. */
export function personOf(author, said, follows = true, opened = null) {
  const state = (is) => request(route`/authors/${author.id}/follow`, { method: is ? 'PUT' : 'DELETE' });
  let isBusy = false;
  const button = el('button', { type: 'button', 'aria-label': `Follow ${author.name}` });
  const show = () => {
    button.setAttribute('aria-pressed', String(follows));
    button.textContent = follows ? 'Following' : 'Follow';
  };
  show();
  button.addEventListener('click', async () => {
    if (isBusy) return;
    isBusy = true;
    try {
      ({ following: follows } = await state(!follows));
    } catch (error) {
      said(error.detail ?? 'This was not saved. Please try again.');
    }
    isBusy = false;
    show();
  });
  return el('li', {}, el('span', { class: 'avatar', 'aria-hidden': 'true' }, initialOf(author.name)),
    el(opened ? 'button' : 'span', { class: 'who', type: opened && 'button', click: opened && (() => opened(author)) },
      el('strong', { dir: 'auto' }, author.name), el('span', {}, `@${author.handle}`)), button);
}

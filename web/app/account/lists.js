// What somebody has marked, page by page: clips as a grid that opens them, and the people they follow.

import { request } from '../api/api.js';
import { signedIn } from '../auth/auth.js';
import { paintThumbHash } from '../feed/pages.js';
import { faceOf } from '../profile-link/face.js';
import { attach } from '../social/social.js';
import { language, plural, t } from '../words/words.js';
import { el } from './form.js';

const PAGE_LIMIT = 24;
// Fetches the next page when so much is left to scroll.
const AHEAD_PX = 600;

/** A number in few letters: "1.2K". */
export const compact = (count) => new Intl.NumberFormat(language(), { notation: 'compact' }).format(count);

/** The next page of a list. */
export const pageOf = (path, query, cursor) => request(path, { query: { ...query, limit: PAGE_LIMIT, cursor } });

/** A list of `path`, asked with `query`, whose rows `row(item)` makes; `none`, words or an element, is said of an empty one.
 *  `signal` ends it. `first` is its first page, where that is known; `paged(cursor, page)` hears where the next one starts. */
export function listOf({ path, query = {}, name, label, none, row, signal, first, paged = () => {} }) {
  const rows = el('ul', { class: name, 'aria-label': label });
  const empty = el('div', { class: 'none', hidden: true }, none);
  const loading = el('p', { class: 'turning', role: 'img', 'aria-label': t('Loading'), hidden: true });
  const failure = el('div', { class: 'none', role: 'alert', hidden: true }, el('p'),
    el('button', { type: 'button', click: () => more() }, t('Try again')));
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
      const page = cursor || !first ? await pageOf(path, query, cursor) : first;
      if (signal.aborted) return;
      cursor = page.next_cursor;
      paged(cursor, page);
      isOver = !cursor;
      rows.append(...page.items.map(row));
      empty.hidden = rows.childElementCount > 0 || !isOver;
    } catch (error) {
      failure.querySelector('p').textContent = error.detail ?? t('This list could not be loaded.');
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

/** A picture over its placeholder, which stays where the picture does not come. */
export function pictureOf({ placeholder, url }) {
  const canvas = el('canvas', { 'aria-hidden': 'true' });
  paintThumbHash(canvas, placeholder);
  const image = el('img', { src: url, alt: '', loading: 'lazy', decoding: 'async', draggable: 'false' });
  image.addEventListener('error', () => image.remove());
  return [canvas, image];
}

/** A clip of a grid. `opened(clip)` is what a tap does. */
export function tileOf(clip, opened) {
  const name = clip.caption || t('A clip');
  const board = clip.playback?.storyboard;
  const button = el('button', { type: 'button', class: 'tile', 'aria-label': t('{clip}, by {name}', { clip: name, name: clip.author.name }),
    click: () => opened(clip), pointerenter: board ? (event) => movedOver(button, board, event) : null },
  ...pictureOf(clip.cover ?? clip.poster), el('span', { 'aria-hidden': 'true', dir: 'auto' }, clip.caption));
  return el('li', {}, button);
}

function movedOver(button, board, event) {
  const left = new Promise((done) => { button.addEventListener('pointerleave', done, { once: true }); });
  import('../grids/preview.js').then(({ preview }) => preview(button, board, event, left)).catch(console.warn);
}

/** Adds to a clip of a grid how often it was watched. */
export function withViews(tile, { counts }) {
  const views = plural(counts.views, '{shown} view', '{shown} views', { shown: compact(counts.views) });
  tile.querySelector('button').append(el('b', { 'aria-hidden': 'true' }, views));
  tile.querySelector('button').setAttribute('aria-description', views);
  return tile;
}

/** Follows somebody, or does so no more, by the same switch as their clips; `told`: whether they were followed when the server was
 *  asked. `changed(followers)` hears how many they have since. */
export function followButton(author, { app, say }, told, changed = () => {}) {
  const button = el('button', { type: 'button', 'aria-label': t('Follow {name}', { name: author.name }) });
  const show = (follows) => {
    button.setAttribute('aria-pressed', String(follows));
    button.textContent = follows ? t('Following::state') : t('Follow::verb');
  };
  show(told);
  let isTurned = false;
  attach(app).then((social) => { if (!isTurned) show(social.follows(author, told)); }).catch(console.warn);
  button.addEventListener('click', async () => {
    const wanted = button.getAttribute('aria-pressed') !== 'true';
    isTurned = true;
    show(wanted);
    const revert = (follows, words) => {
      show(follows);
      // Whoever is elsewhere by then hears of it there.
      (button.isConnected ? say : app.notice)(words);
    };
    try {
      (await attach(app)).follow(author, wanted, told, { confirm: (_, { followers }) => changed(followers), revert });
    } catch {
      revert(!wanted, t('This was not saved. Please try again.'));
    }
  });
  return button;
}

/** Somebody who is followed, or not, until the button is tapped; `opened(author)`: what a tap on their name does. Nobody follows
 *  themselves. */
export const personOf = (author, on, follows = true, opened = null) => el('li', {},
  faceOf(author),
  el(opened ? 'button' : 'span', { class: 'who', type: opened && 'button', click: opened && (() => opened(author)) },
    el('strong', { dir: 'auto' }, author.name), el('span', {}, `@${author.handle}`)),
  author.id === signedIn()?.id ? null : followButton(author, on, follows));

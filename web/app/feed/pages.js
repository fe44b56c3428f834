// Carries out `mount`, `unmount`, `scroll`, `settle`, `hold` and `setCurrent` on the track, on
// which pages and players lie one below the other, a screen each.
// It refuses to know which clip comes next and where a drag should end.

import { paintThumbHash } from './thumbhash.js';

const POSTER_WAIT_MS = 1500;

let compact;

/** Clips about as narrow as a phone fill the screen; wider ones are shown whole. */
export const fitOf = (clip) => (clip.width / clip.height <= 0.8 ? 'cover' : 'contain');

export class Pages {
  #track;
  #template;
  #settled;
  #pages = new Map();
  #timer = 0;
  #moved = new Set();
  #current = -1;
  #postersWait = true;
  /** `(element, counts)` names the counts for whoever hears them (web/app/feed/labels.js). */
  label = () => {};

  /** `settled(page)` runs when the animation of `settle` has ended. */
  constructor(track, template, settled) {
    this.#track = track;
    this.#template = template;
    this.#settled = settled;
  }

  /** `listener(item, page)` runs when a clip gets its place. */
  onMoved(listener) {
    this.#moved.add(listener);
  }

  /** The place of a clip; undefined when it has none. */
  placeOf(item) {
    return this.#pages.get(item)?.place;
  }

  mount(clip, place) {
    let page = this.#pages.get(clip.item);
    if (this.#postersWait && !this.#pages.size) setTimeout(() => this.showPosters(), POSTER_WAIT_MS);
    if (!page) {
      page = { element: this.#build(clip), place };
      this.#pages.set(clip.item, page);
    }
    page.place = place;
    const { element } = page;
    element.dataset.page = place;
    element.setAttribute('aria-posinset', place + 1);
    element.style.top = `${place * 100}%`;
    this.#insert(element, place);
    this.#mark();
    for (const moved of this.#moved) moved(clip.item, place);
  }

  /** Posters wait until the first clip moves, or its bytes would; if it does not soon, they are what there is to see. */
  showPosters() {
    if (!this.#postersWait) return;
    this.#postersWait = false;
    this.#mark();
  }

  unmount(item) {
    this.#pages.get(item)?.element.remove();
    this.#pages.delete(item);
  }

  /** The clip may get its page only after this. */
  setCurrent(item) {
    this.#current = item;
    this.#mark();
  }

  #mark() {
    for (const [item, { element }] of this.#pages) {
      if (!this.#postersWait) showPoster(element);
      // Or the Tab key would lead to pages that nobody sees.
      for (const button of element.querySelectorAll('a,button')) button.tabIndex = item === this.#current ? 0 : -1;
      if (item === this.#current) element.setAttribute('aria-current', 'true');
      else element.removeAttribute('aria-current');
    }
  }

  /** `position` in millionths of a page. */
  scroll(position) {
    this.#move(position, 0);
  }

  hold(position, duration) {
    this.#move(position, duration);
  }

  settle(place, duration) {
    this.#move(place * 1_000_000, duration);
    // NB: `transitionend` stays out in a hidden page, and when the track is there already.
    this.#timer = setTimeout(() => this.#settled(place), duration);
  }

  #move(position, duration) {
    clearTimeout(this.#timer);
    const { style } = this.#track;
    style.transitionDuration = `${duration}ms`;
    style.transform = `translate3d(0, ${-position / 10_000}%, 0)`;
  }

  /** Pages stand in the document in the order of their places, for screen readers. */
  #insert(element, place) {
    const later = [...this.#pages.values()]
      .filter((page) => page.place > place)
      .sort((a, b) => a.place - b.place)[0];
    const before = later?.element ?? null;
    if (element.parentNode && element.nextSibling === before) return;
    this.#track.insertBefore(element, before);
  }

  #build(clip) {
    const element = this.#template.content.firstElementChild.cloneNode(true);
    const part = (name) => element.querySelector(`.${name}`);
    element.dataset.clip = clip.id;
    element.dataset.fit = fitOf(clip);
    element.setAttribute('aria-setsize', '-1');
    paintThumbHash(part('placeholder'), clip.poster.placeholder);
    preparePoster(part('poster'), clip.poster);
    const name = clip.author.name || clip.author.handle || part('name').textContent;
    part('name').textContent = name;
    part('handle').textContent = clip.author.handle ? `@${clip.author.handle}` : '';
    part('avatar').textContent = Array.from(name)[0].toUpperCase();
    part('caption').textContent = clip.caption;
    part('name').id = `name-${clip.item}`;
    part('caption').id = `caption-${clip.item}`;
    element.setAttribute('aria-labelledby', `name-${clip.item} caption-${clip.item}`);
    this.#showCounts(element, clip.counts);
    return element;
  }

  /** The counts of a clip have changed. */
  recount(clip) {
    const page = this.#pages.get(clip.item);
    if (page) this.#showCounts(page.element, clip.counts);
  }

  #showCounts(element, counts) {
    for (const kind of ['likes', 'comments', 'shares']) showCount(element.querySelector(`.${kind} b`), counts[kind] ?? 0);
    this.label(element, counts);
  }
}

function preparePoster(image, poster) {
  image.fetchPriority = 'low';
  // A poster that does not come leaves the placeholder, not the sign of a broken picture.
  image.addEventListener('load', () => { image.dataset.shown = ''; });
  if (poster.url) image.dataset.url = poster.url;
}

function showPoster(element) {
  const image = element.querySelector('.poster');
  if (image.dataset.url && !image.src) image.src = image.dataset.url;
}

function showCount(number, count) {
  compact ??= new Intl.NumberFormat(document.documentElement.lang, { notation: 'compact', maximumFractionDigits: 1 });
  number.textContent = compact.format(count);
  // Nothing is no number to look at; whoever hears it is told.
  number.toggleAttribute('data-none', count === 0);
}

// Carries out `mount`, `unmount`, `scroll`, `settle`, `hold` and `setCurrent` on the track, on
// which pages and players lie one below the other, a screen each.
// It refuses to know which clip comes next and where a drag should end.

import { paintThumbHash } from './thumbhash.js';

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

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
    // The clock tells the end, not `transitionend`: that one stays out in a hidden page, and
    // when the track is there already.
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
    showPoster(part('poster'), clip.poster);
    const name = clip.author.name || clip.author.handle || 'Someone';
    part('name').textContent = name;
    part('handle').textContent = clip.author.handle ? `@${clip.author.handle}` : '';
    part('avatar').textContent = Array.from(name)[0].toUpperCase();
    part('caption').textContent = clip.caption;
    part('name').id = `name-${clip.item}`;
    part('caption').id = `caption-${clip.item}`;
    element.setAttribute('aria-labelledby', `name-${clip.item} caption-${clip.item}`);
    for (const kind of ['likes', 'comments', 'shares']) showCount(part(kind), kind, clip.counts[kind] ?? 0);
    return element;
  }
}

function showPoster(image, poster) {
  // A poster that does not come leaves the placeholder, not the sign of a broken picture.
  image.addEventListener('load', () => { image.dataset.shown = ''; });
  if (poster.url) image.src = poster.url;
}

function showCount(element, kind, count) {
  element.querySelector('b').textContent = compact.format(count);
  element.querySelector('span').textContent = count === 1 ? kind.slice(0, -1) : kind;
}

// Carries out `mount`, `unmount`, `scroll`, `settle`, `hold` and `setCurrent` on the track, on
// which pages and players lie one below the other, a screen each.
// It refuses to know which clip comes next and where a drag should end.

export const POSTER_WAIT_MS = 1500;

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
  /** `(element, counts)` names the counts for whoever hears them (web/app/feed/labels.js). */
  label = () => {};

  #hasStart;

  /** `settled(page)` runs when the animation of `settle` has ended; `hasStart(item)`: a clip's first bytes are there. */
  constructor(track, template, settled, hasStart) {
    this.#track = track;
    this.#template = template;
    this.#settled = settled;
    this.#hasStart = hasStart;
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
      page = { clip, element: this.#build(clip), place };
      this.#pages.set(clip.item, page);
      setTimeout(() => this.showPoster(clip.item), POSTER_WAIT_MS);
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

  /** A poster may be more bytes than the beginning of its clip, and would make that wait: it is fetched only for who is about
   *  to see the page, or where that beginning takes long. */
  showPoster(item, isNeeded = !this.#hasStart(item)) {
    const { clip, element } = this.#pages.get(item) ?? {};
    const image = element?.querySelector('.poster');
    if (isNeeded && clip?.poster.url && !image.src) image.src = clip.poster.url;
  }

  unmount(item) {
    this.#pages.get(item)?.element.remove();
    this.#pages.delete(item);
  }

  /** The clip may get its page only after this. */
  setCurrent(item) {
    if (this.#current >= 0) this.showPoster(item);
    this.#current = item;
    this.#mark();
  }

  #mark() {
    for (const [item, { element }] of this.#pages) {
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

  /** Somebody wants to go there, and waits for its clip. */
  hold(position, duration) {
    const way = Math.sign(position / 1_000_000 - this.placeOf(this.#current));
    for (const [item, { place }] of this.#pages) if (way && place === this.placeOf(this.#current) + way) this.showPoster(item);
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
    element.style.setProperty('--ratio', clip.width / clip.height);
    element.setAttribute('aria-setsize', '-1');
    paintThumbHash(part('placeholder'), clip.poster.placeholder);
    preparePoster(part('poster'));
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

function preparePoster(image) {
  image.fetchPriority = 'low';
  // A poster that does not come leaves the placeholder, not the sign of a broken picture, and may come later.
  image.addEventListener('load', () => { image.dataset.shown = ''; });
  image.addEventListener('error', () => image.removeAttribute('src'));
}

function showCount(number, count) {
  compact ??= new Intl.NumberFormat(document.documentElement.lang, { notation: 'compact', maximumFractionDigits: 1 });
  number.textContent = compact.format(count);
  // Nothing is no number to look at; whoever hears it is told.
  number.toggleAttribute('data-none', count === 0);
}

// ThumbHash: a picture in some 25 bytes, a few cosine terms of brightness and two colour differences.
// NB: here, since one more file would be a third turn of six connections (imports.test.mjs).

const bits = (value, from, count) => (value >> from) & ((1 << count) - 1);

/** `{width, height, pixels}` with RGBA pixels, at most 32 on the long edge. Frames of a video have
 *  no transparent parts, so the format's alpha plane is left out. */
export function decodeThumbHash(hash) {
  const low = hash[0] | (hash[1] << 8) | (hash[2] << 16);
  const high = hash[3] | (hash[4] << 8);
  const landscape = bits(high, 15, 1) === 1;
  const columns = landscape ? 7 : Math.max(3, bits(high, 0, 3));
  const rows = landscape ? Math.max(3, bits(high, 0, 3)) : 7;
  const next = nibbles(hash, 5);
  const luma = plane(columns, rows, bits(low, 0, 6) / 63, bits(low, 18, 5) / 31, next);
  const warm = plane(3, 3, bits(low, 6, 6) / 31.5 - 1, (bits(high, 3, 6) / 63) * 1.25, next);
  const red = plane(3, 3, bits(low, 12, 6) / 31.5 - 1, (bits(high, 9, 6) / 63) * 1.25, next);
  return paintPixels(aspect(columns, rows), luma, warm, red);
}

/** Paints a base64 ThumbHash on a canvas; a broken one leaves it as it is. */
export function paintThumbHash(canvas, base64) {
  try {
    const hash = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    const { width, height, pixels } = decodeThumbHash(hash);
    canvas.width = width;
    canvas.height = height;
    canvas.getContext('2d').putImageData(new ImageData(pixels, width, height), 0, 0);
  } catch { /* a clip without a placeholder is still a clip */ }
}

function aspect(columns, rows) {
  const ratio = columns / rows;
  return {
    width: Math.round(ratio > 1 ? 32 : 32 * ratio),
    height: Math.round(ratio > 1 ? 32 / ratio : 32),
  };
}

/** Reads half bytes, the low half first. */
function nibbles(hash, start) {
  let at = start * 2;
  return () => bits(hash[at >> 1], (at++ & 1) << 2, 4);
}

/** One plane: its mean and the terms of a triangle of frequencies, without the one for (0, 0). */
function plane(columns, rows, mean, scale, next) {
  const terms = [];
  for (let y = 0; y < rows; y += 1) {
    for (let x = y ? 0 : 1; x * rows < columns * (rows - y); x += 1) {
      terms.push({ x, y, weight: (next() / 7.5 - 1) * scale * 2 });
    }
  }
  return { mean, terms };
}

function cosines(size) {
  return Array.from({ length: size }, (_, at) => Array.from({ length: 8 },
    (_, frequency) => Math.cos((Math.PI / size) * (at + 0.5) * frequency)));
}

function paintPixels({ width, height }, luma, warm, red) {
  const pixels = new Uint8ClampedArray(width * height * 4);
  const across = cosines(width);
  const down = cosines(height);
  const value = ({ mean, terms }, x, y) =>
    terms.reduce((sum, t) => sum + t.weight * across[x][t.x] * down[y][t.y], mean);
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, at += 4) {
      const l = value(luma, x, y);
      const p = value(warm, x, y);
      const q = value(red, x, y);
      const b = l - (2 / 3) * p;
      const r = (3 * l - b + q) / 2;
      pixels[at] = 255 * r;
      pixels[at + 1] = 255 * (r - q);
      pixels[at + 2] = 255 * b;
      pixels[at + 3] = 255;
    }
  }
  return { width, height, pixels };
}

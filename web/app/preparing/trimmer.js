// Where a person chooses the part of a long video that becomes their clip: its pictures as a strip, a handle at each
// end of the part, and the part itself to be seen again and again. The part never grows beyond what a clip may have:
// the other handle follows. It refuses to know when the person is content, and what becomes of the part.

import { picturesOfFile } from '../cover/pictures.js';
import { lasting, sized } from '../upload/strings.js';
import { plural, t } from '../words/words.js';
import { longestFrom, partOf, sizeOf } from './cut.js';

// A part is at least so long, and a key moves so far: to the right is later in every language.
const SHORTEST_S = 1;
const STEP_S = 0.1;
const STEPS = { ArrowLeft: -STEP_S, ArrowDown: -STEP_S, ArrowRight: STEP_S, ArrowUp: STEP_S, PageDown: -1, PageUp: 1 };
const markup = () => `
  <h3>${t('Choose a part')}</h3>
  <p class="hint"></p>
  <video playsinline tabindex="-1" aria-label="${t('The part')}"></video>
  <div class="strip">
    <span class="tiles"></span><span class="part"></span>
    <button type="button" role="slider" class="begin" aria-label="${t('Begin')}"></button>
    <button type="button" role="slider" class="end" aria-label="${t('End')}"></button>
  </div>
  <p class="facts" role="status"></p>`;

/** Seconds → "0:07.3". */
export const time = (seconds) => {
  const tenths = Math.round(seconds * 10);
  const rest = tenths % 600;
  return `${Math.floor(tenths / 600)}:${String(Math.floor(rest / 10)).padStart(2, '0')}.${rest % 10}`;
};

export class Trimmer {
  root = Object.assign(document.createElement('section'), { className: 'trim', innerHTML: markup() });
  #movie;
  #longest;
  #largest;
  #video = this.root.querySelector('video');
  #address;
  #pictures = null;
  #width = 0;
  #isHeld = false;
  #from;
  #to;
  #sizes = new ResizeObserver(() => this.#layOut());
  #leaving = new AbortController();

  /** `movie` as `readMovie` gives it; `longest` in ms and `largest` in bytes. */
  constructor({ movie, longest, largest }) {
    this.#movie = movie;
    this.#longest = longest / 1000;
    this.#largest = largest;
    this.#from = movie.start;
    this.#to = longestFrom(movie, movie.start, this.#longest, largest);
    const { root } = this;
    const length = movie.end - movie.start;
    root.setAttribute('aria-label', t('Choose a part'));
    root.querySelector('.hint').textContent = length > this.#longest
      ? plural(Math.round(this.#longest), 'This video lasts {length}. A clip lasts {count} second at most.',
        'This video lasts {length}. A clip lasts {count} seconds at most.', { length: lasting(length * 1000) })
      : t('This video has {size}. A clip’s file has {most} at most.', { size: sized(movie.file.size), most: sized(largest) });
    this.#watchStrip();
    this.#watchVideo();
    this.#sizes.observe(root);
    this.#loadPictures().catch((error) => console.warn('no pictures of the file', error));
    this.#show();
  }

  get part() {
    return partOf(this.#movie, this.#from, this.#to);
  }

  free() {
    this.#leaving.abort();
    this.#sizes.disconnect();
    this.#pictures?.free();
    this.#video.removeAttribute('src');
    this.#video.load();
    URL.revokeObjectURL(this.#address);
    this.root.remove();
  }

  // MARK: choosing

  /** Each of the three is moved by a finger, and the handles by keys. */
  #watchStrip() {
    const { start, end } = this.#movie;
    const strip = this.root.querySelector('.strip');
    const begin = () => {
      const from = this.#from;
      return (way) => {
        this.#begin(from + way);
        this.#look(this.#from);
      };
    };
    const stop = () => {
      const to = this.#to;
      return (way) => {
        this.#end(to + way);
        this.#look(this.#to);
      };
    };
    const whole = () => {
      const [from, length] = [this.#from, this.#to - this.#from];
      return (way) => {
        this.#from = Math.min(Math.max(start, from + way), end - length);
        this.#to = Math.min(this.#from + length, longestFrom(this.#movie, this.#from, this.#longest, this.#largest));
        this.#look(this.#from);
      };
    };
    for (const [name, grip] of [['.begin', begin], ['.end', stop], ['.part', whole]]) {
      const element = strip.querySelector(name);
      element.addEventListener('pointerdown', (down) => {
        const move = grip();
        element.setPointerCapture(down.pointerId);
        const moved = ({ clientX }) => {
          this.#hold();
          move(((clientX - down.clientX) / strip.clientWidth) * (end - start));
        };
        const ended = () => {
          element.removeEventListener('pointermove', moved);
          this.#letGo();
        };
        element.addEventListener('pointermove', moved);
        element.addEventListener('lostpointercapture', ended, { once: true });
      });
      element.addEventListener('keydown', (event) => {
        const step = STEPS[event.key] ?? { Home: start - end, End: end - start }[event.key];
        if (!step) return;
        event.preventDefault();
        grip()(step);
        this.#letGo(name === '.end' ? this.#to - 1 : this.#from);
      });
    }
  }

  #begin(at) {
    const { start, end } = this.#movie;
    this.#from = Math.min(Math.max(start, at), Math.max(start, end - SHORTEST_S));
    const furthest = longestFrom(this.#movie, this.#from, this.#longest, this.#largest);
    this.#to = Math.min(Math.max(this.#to, this.#from + SHORTEST_S), furthest);
  }

  #end(at) {
    const { start, end } = this.#movie;
    this.#to = Math.min(Math.max(Math.min(start + SHORTEST_S, end), at), end);
    this.#from = Math.max(start, Math.min(this.#from, this.#to - SHORTEST_S), this.#to - this.#longest);
    // As much as fits; how much of it there is hangs on where it begins.
    for (let step = 0; step < 64; step += 1) {
      const furthest = longestFrom(this.#movie, this.#from, this.#longest, this.#largest);
      if (furthest >= this.#to - STEP_S / 2) return;
      this.#from += this.#to - furthest;
    }
  }

  // MARK: what is seen

  #watchVideo() {
    const video = this.#video;
    const { signal } = this.#leaving;
    this.#address = URL.createObjectURL(this.#movie.file);
    video.addEventListener('timeupdate', () => {
      if (!this.#isHeld && (video.currentTime >= this.#to || video.currentTime < this.#from - 1)) this.#goBack();
    }, { signal });
    video.addEventListener('ended', () => this.#goBack(), { signal });
    video.addEventListener('error', () => this.#cannotShow(), { signal });
    video.addEventListener('click', () => (video.paused ? this.#play() : video.pause()), { signal });
    video.src = this.#address;
    this.#goBack();
  }

  #goBack() {
    this.#video.currentTime = this.#from;
    this.#play();
  }

  /** With its sound where that is allowed. */
  #play() {
    const video = this.#video;
    video.play().catch(() => {
      if (this.#leaving.signal.aborted || this.#isHeld) return;
      video.muted = true;
      video.play().catch(() => {});
    });
  }

  #hold() {
    if (!this.#isHeld) this.#video.pause();
    this.#isHeld = true;
  }

  #letGo(at = this.#from) {
    this.#isHeld = false;
    this.#video.currentTime = Math.max(this.#from, at);
    this.#play();
  }

  #look(at) {
    this.#video.currentTime = at;
    this.#show();
  }

  #cannotShow() {
    this.#video.hidden = true;
    this.root.querySelector('.hint').textContent += ` ${t('This browser cannot show it; choose by its times.')}`;
  }

  #show() {
    const { start, end } = this.#movie;
    for (const [name, at] of [['.begin', this.#from], ['.end', this.#to]]) {
      const handle = this.root.querySelector(name);
      for (const [key, value] of [['min', start], ['max', end], ['now', at]]) handle.setAttribute(`aria-value${key}`, value.toFixed(1));
      handle.setAttribute('aria-valuetext', time(at));
    }
    const strip = this.root.querySelector('.strip');
    strip.style.setProperty('--from', (this.#from - start) / (end - start));
    strip.style.setProperty('--to', (this.#to - start) / (end - start));
    const { part } = this;
    this.root.querySelector('.facts').textContent =
      [t('{from} to {to}', { from: time(this.#from), to: time(this.#to) }), lasting((part.to - part.from) * 1000), sized(sizeOf(this.#movie, part))].join(' · ');
  }

  async #loadPictures() {
    const pictures = await picturesOfFile(this.#movie.file);
    if (this.#leaving.signal.aborted) return pictures.free();
    this.#pictures = pictures;
    return this.#layOut();
  }

  async #layOut() {
    const strip = this.root.querySelector('.strip');
    const { clientWidth: width, clientHeight: height } = strip;
    const pictures = this.#pictures;
    if (!pictures || !width || width === this.#width) return;
    this.#width = width;
    const count = Math.min(20, Math.max(4, Math.floor(width / Math.max(height / 2, height * pictures.aspect))));
    const tiles = Array.from({ length: count }, () => Object.assign(document.createElement('canvas'), {
      width: Math.round((width / count) * devicePixelRatio), height: Math.round(height * devicePixelRatio),
    }));
    strip.querySelector('.tiles').replaceChildren(...tiles);
    for (const [i, tile] of tiles.entries()) {
      if (this.#leaving.signal.aborted || !tile.isConnected) return;
      await pictures.draw(tile, (pictures.last * (i + 0.5)) / count).catch(() => {});
    }
  }
}

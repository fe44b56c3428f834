// The strip by which a person chooses the picture that stands for their clip. Before it is published the pictures are
// those of the file, where the browser can play it; else, and for a clip that is there already, the server's. It
// refuses to know what becomes of the choice.

import { loadClip } from '../clip-link/clip.js';
import { language, t } from '../words/words.js';
import { picturesOfFile, picturesOfStoryboard } from './pictures.js';

// From question to question after the storyboard, which is made last of all: some minutes in all.
const WAITS_MS = [1000, 2000, 4000, ...Array(40).fill(8000)];
// A device that is busy does not answer every question for a picture in time.
const TRIES = 3;
const markup = () => `
  <span><b id="cover-name">${t('Cover')}</b> <i aria-hidden="true"></i></span>
  <span class="strip"><span class="tiles"></span><canvas></canvas><input type="range" min="0" value="0" aria-labelledby="cover-name"></span>`;

/** Whether it came. */
const isDrawn = (pictures, canvas, ms) => pictures.draw(canvas, ms).then(() => true, () => false);

const tenths = (number) => new Intl.NumberFormat(language(), { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(number);
const textOf = (ms) => (ms ? t('{seconds} s', { seconds: tenths(ms / 1000) }) : t('first picture'));

export class CoverChoice {
  root = Object.assign(document.createElement('div'), { className: 'field cover', innerHTML: markup(), hidden: true });
  #file = null;
  #clip = null;
  #pictures = null;
  #width = 0;
  #wanted = 0;
  #isDrawing = false;
  // Ends the loading of what is not wanted any more.
  #loading = new AbortController();
  #sizes = new ResizeObserver(() => this.#layOut());

  /** `chosen(ms)` is told of each movement, `settled()` when it has come to rest. */
  constructor({ chosen, settled }) {
    const { input } = this;
    input.addEventListener('input', (event) => {
      event.stopPropagation();
      this.#show(input.valueAsNumber);
      chosen(input.valueAsNumber);
    });
    input.addEventListener('change', (event) => {
      event.stopPropagation();
      settled();
    });
    this.#sizes.observe(this.root);
  }

  get input() { return this.root.querySelector('input'); }

  /** `file` and `clip`: what there is to choose from; `ms`: what was chosen before. */
  show({ file, clip, ms }) {
    const isOther = file !== this.#file || (clip !== this.#clip && !this.#pictures);
    if (!isOther) return;
    this.#file = file;
    this.#clip = clip;
    this.#load(ms ?? 0).catch((error) => console.warn('no cover can be chosen', error));
  }

  free() {
    this.#drop();
    this.#sizes.disconnect();
    this.root.remove();
  }

  #drop() {
    this.#loading.abort();
    this.#pictures?.free();
    this.#pictures = null;
    this.root.hidden = true;
  }

  async #load(ms) {
    this.#drop();
    this.#loading = new AbortController();
    const { signal } = this.#loading;
    const [file, clip] = [this.#file, this.#clip];
    // Its room is taken before there is anything to see: nothing must move away under a finger.
    this.root.hidden = !file;
    this.input.disabled = true;
    let pictures = file && await picturesOfFile(file).catch(() => null);
    if (!signal.aborted) this.root.hidden = !pictures;
    if (!pictures && clip && !signal.aborted) pictures = await picturesOfStoryboard(await storyboardOf(clip, signal));
    if (!pictures) return;
    if (signal.aborted) {
      pictures.free();
      return;
    }
    this.#pictures = pictures;
    this.#width = 0;
    Object.assign(this.input, { max: pictures.last, step: pictures.step, value: ms, disabled: false });
    this.root.hidden = false;
    this.#layOut();
    this.#show(this.input.valueAsNumber);
  }

  /** As many pictures as find room, and the chosen one before them. */
  #layOut() {
    const strip = this.root.querySelector('.strip');
    const { clientWidth: width, clientHeight: height } = strip;
    if (!this.#pictures || !width || width === this.#width) return;
    this.#width = width;
    const one = Math.min(Math.max(height * this.#pictures.aspect, height / 2), width / 3);
    const count = Math.floor(width / one);
    const sized = (canvas) => Object.assign(canvas, {
      width: Math.round(one * devicePixelRatio), height: Math.round(height * devicePixelRatio),
    });
    strip.style.setProperty('--one', `${one}px`);
    const tiles = Array.from({ length: count }, () => sized(document.createElement('canvas')));
    strip.querySelector('.tiles').replaceChildren(...tiles);
    sized(strip.querySelector(':scope > canvas'));
    this.#show(this.input.valueAsNumber);
    this.#drawAll(tiles);
  }

  async #drawAll(tiles) {
    const pictures = this.#pictures;
    for (const [index, canvas] of tiles.entries()) {
      const ms = (pictures.last * index) / Math.max(1, tiles.length - 1);
      let tries = 0;
      do {
        if (pictures !== this.#pictures || !canvas.isConnected) return;
        tries += 1;
      } while (!await isDrawn(pictures, canvas, ms) && tries < TRIES);
    }
  }

  #show(ms) {
    const { input } = this;
    this.root.querySelector('i').textContent = textOf(ms);
    input.setAttribute('aria-valuetext', textOf(ms));
    this.root.querySelector('.strip').style.setProperty('--at', Number(input.max) ? ms / input.max : 0);
    this.#wanted = ms;
    this.#drawChosen();
  }

  /** The newest wish only: a finger is faster than a seek. */
  async #drawChosen() {
    if (this.#isDrawing || !this.#width) return;
    this.#isDrawing = true;
    const canvas = this.root.querySelector('.strip > canvas');
    let drawn = null;
    let tries = 0;
    while (this.#pictures && drawn !== this.#wanted && tries < TRIES) {
      const wanted = this.#wanted;
      if (await isDrawn(this.#pictures, canvas, wanted)) [drawn, tries] = [wanted, 0];
      else tries += 1;
    }
    this.#isDrawing = false;
  }
}

/** Waits for it; the clip may be so new that it has none yet. */
async function storyboardOf(clip, signal) {
  for (const wait of WAITS_MS) {
    const shown = await loadClip(clip, signal).catch(() => null);
    const board = shown?.playback?.storyboard;
    if (board) return board;
    await new Promise((resolve) => { setTimeout(resolve, wait); });
    signal.throwIfAborted();
  }
  throw new Error('there is no storyboard');
}

// The strip of looks: each shown on the picture of this moment, and how strong the chosen one is.

import { t } from '../words/words.js';
import { PLAIN, tableOf } from './looks.js';
import { PlainPicture, pictureOn } from './picture.js';

const FULL = 100;

export class LookStrip {
  choice;
  #tray;
  #studio;
  #chosen;
  // Counts the openings, so that an earlier one ends.
  #opening = 0;

  /** `chosen(choice)` is told of each change. */
  constructor(tray, studio, choice, chosen) {
    Object.assign(this, { choice });
    this.#tray = tray;
    this.#studio = studio;
    this.#chosen = chosen;
    const { strength } = this.#inputs;
    strength.addEventListener('input', () => this.#choose({ ...this.choice, strength: strength.valueAsNumber }));
    const strip = tray.querySelector('.looks');
    // Right to left it is scrolled below zero.
    strip.addEventListener('wheel', ({ deltaX, deltaY }) => {
      if (!deltaX) strip.scrollLeft += getComputedStyle(strip).direction === 'rtl' ? -deltaY : deltaY;
    }, { passive: true });
    this.#show();
  }

  chooseLook(look) {
    this.#choose({ look, strength: look === this.choice.look ? this.choice.strength : FULL });
  }

  /** Draws the thumbnails from the picture of this moment, one at a time: a table takes some ms. */
  async open(video, isMirrored) {
    this.#opening += 1;
    const opening = this.#opening;
    this.#inputs.look.scrollIntoView({ inline: 'center', block: 'nearest' });
    const thumbnails = [...this.#tray.querySelectorAll('canvas')];
    const size = { width: thumbnails[0].width, height: thumbnails[0].height };
    const [moment, looked] = [1, 2].map(() => Object.assign(document.createElement('canvas'), size));
    new PlainPicture(moment).draw(video, isMirrored);
    const picture = pictureOn(looked);
    try {
      for (const [look, thumbnail] of thumbnails.entries()) {
        await new Promise(requestAnimationFrame);
        if (opening !== this.#opening) return;
        picture.setLook(tableOf(this.#studio, { look, strength: FULL }));
        picture.draw(moment);
        thumbnail.getContext('2d').drawImage(looked, 0, 0);
      }
    } finally {
      picture.free();
    }
  }

  free() {
    this.#opening += 1;
  }

  get #inputs() {
    return {
      look: this.#tray.querySelector(`[name=look][value="${this.choice.look}"]`),
      strength: this.#tray.querySelector('[name=strength]'),
    };
  }

  #choose(choice) {
    this.choice = choice;
    this.#show();
    this.#chosen(choice);
  }

  #show() {
    const { look, strength } = this.#inputs;
    look.checked = true;
    look.scrollIntoView({ inline: 'center', block: 'nearest' });
    strength.value = this.choice.strength;
    strength.disabled = this.choice.look === PLAIN;
    strength.nextElementSibling.value = t('{percent} %', { percent: this.choice.strength });
    strength.setAttribute('aria-valuetext', t('{percent} per cent', { percent: this.choice.strength }));
  }
}

// The strip of looks: each shown on the picture of this moment, and how strong the chosen one is.

import { LOOKS, PLAIN, tableOf } from './looks.js';
import { pictureOn } from './picture.js';

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
    this.#show();
  }

  chooseLook(look) {
    this.#choose({ look, strength: look === this.choice.look ? this.choice.strength : FULL });
  }

  /** Draws the thumbnails from this video, one at a time: a table takes some ms. */
  async open(video) {
    this.#opening += 1;
    const opening = this.#opening;
    this.#inputs.look.scrollIntoView({ inline: 'center', block: 'nearest' });
    const canvases = [...this.#tray.querySelectorAll('canvas')];
    const sample = Object.assign(document.createElement('canvas'), { width: canvases[0].width, height: canvases[0].height });
    const picture = pictureOn(sample);
    try {
      for (let look = 0; look < LOOKS.length; look += 1) {
        await new Promise(requestAnimationFrame);
        if (opening !== this.#opening) return;
        picture.setLook(tableOf(this.#studio, { look, strength: FULL }));
        picture.draw(video);
        canvases[look].getContext('2d').drawImage(sample, 0, 0);
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
    strength.nextElementSibling.value = `${this.choice.strength} %`;
    strength.setAttribute('aria-valuetext', `${this.choice.strength} per cent`);
  }
}

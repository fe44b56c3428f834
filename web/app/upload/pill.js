// What is seen of an upload while its screen is closed: a few words over the feed, and a tap opens the screen.

import { shareOf, pillOf } from './strings.js';

export class Pill {
  #button = document.createElement('button');

  constructor(opened) {
    const button = this.#button;
    button.id = 'uploading';
    button.type = 'button';
    button.innerHTML = '<i aria-hidden="true"></i><span></span>';
    button.addEventListener('click', opened);
    document.querySelector('#top > button:not(#grid-back)').before(button);
  }

  show(upload) {
    const words = pillOf(upload);
    const label = this.#button.querySelector('span');
    if (label.textContent !== words) label.textContent = words;
    this.#button.querySelector('i').style.transform = `scaleX(${shareOf(upload.screen).toFixed(3)})`;
  }

  free() {
    this.#button.remove();
  }
}

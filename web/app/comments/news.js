// Comments that came while somebody read others: they wait behind a button that says how many they are.

import { el } from '../account/form.js';
import { plural } from '../words/words.js';

export class News {
  root = el('div', { class: 'news', 'aria-live': 'polite' });
  waiting = [];
  #asked;

  /** `asked()`: they are to be seen. */
  constructor(asked) {
    this.#asked = asked;
  }

  /** The newest first. */
  wait(comments) {
    this.waiting = comments;
    const count = comments.length;
    this.root.replaceChildren(...(count ? [el('button', { type: 'button', click: () => this.#asked() },
      plural(count, '{count} new comment', '{count} new comments'))] : []));
  }
}

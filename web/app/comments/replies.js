// The replies to a comment, below it: behind a toggle that says how many there are, page by page, oldest first. What comes in
// while it is open, or is written here, stands at the end.
// It refuses to know what a reply looks like.

import { el } from '../account/form.js';
import { plural, t } from '../words/words.js';
import { nameOf } from './row.js';
import { loadReplies } from './server.js';

const PAGE_LIMIT = 10;

/** What the button says that shows those which are not there yet. */
export const wordsFor = (left, shown) => (shown ? plural(left, 'View {count} more reply', 'View {count} more replies')
  : plural(left, 'View {count} reply', 'View {count} replies'));

export class Thread {
  root;
  #comment;
  #on;
  #list;
  #more = el('button', { type: 'button', class: 'thread-more', click: () => this.#load() });
  #less = el('button', { type: 'button', class: 'thread-less', click: () => this.#toggle(false) }, t('Hide replies'));
  // Of the page that was asked for last, and of the next one; null: none was asked for, undefined: that was the last one.
  #asked = null;
  #next = null;
  #isLoading = false;
  // How many there were when it was painted last.
  #painted = 0;

  /** `on.row(comment)` makes the row of a reply, `on.change(act)` runs what moves others, `on.failed(text)` tells the
   *  person, `on.isRemoved(id)`: it is being deleted. */
  constructor(comment, on) {
    this.#comment = comment;
    this.#on = on;
    this.#list = el('ol', { id: `replies-${comment.id}`, 'aria-label': t('Replies to {name}', { name: nameOf(comment) }), hidden: true });
    for (const button of [this.#more, this.#less]) button.setAttribute('aria-controls', this.#list.id);
    this.root = el('div', { class: 'thread' }, this.#list, this.#more, this.#less);
    this.paint();
  }

  get #isOpen() {
    return !this.#list.hidden;
  }

  /** Without those that wait: they are counted for nobody. */
  get #shown() {
    return this.#list.querySelectorAll(':scope > :not([data-held])').length;
  }

  get #left() {
    if (this.#next === undefined) return 0;
    const left = this.#comment.replies - this.#shown;
    // Behind a page that names a next one there is something, whatever was counted before.
    return this.#next ? Math.max(1, left) : left;
  }

  paint() {
    const left = this.#isOpen ? this.#left : this.#comment.replies;
    this.#painted = this.#comment.replies;
    this.#more.hidden = left <= 0;
    this.#more.textContent = this.#isLoading ? t('Loading…') : wordsFor(Math.max(1, left), this.#isOpen && this.#shown > 0);
    this.#more.setAttribute('aria-expanded', String(this.#isOpen));
    this.#less.hidden = !this.#isOpen || !this.#list.childElementCount;
    this.#less.setAttribute('aria-expanded', 'true');
  }

  /** A reply that was just written, or that somebody came for: it is seen at once, whatever stands before it. */
  show(comment) {
    this.#list.hidden = false;
    if (!this.#has(comment.id)) this.#list.append(this.#rowOf(comment, true));
    this.paint();
    return this.#list.lastElementChild;
  }

  /** There may be more of them; where all were seen, these are too. */
  async refresh() {
    const wasWhole = this.#isOpen && (this.#next === undefined || this.#painted <= this.#shown);
    this.paint();
    if (!wasWhole || this.#comment.replies <= this.#shown) return;
    if (this.#next === undefined) this.#next = this.#asked;
    await this.#load();
  }

  /** So many more of them, or fewer. */
  count(by) {
    this.#comment.replies = Math.max(0, this.#comment.replies + by);
    if (!this.#list.childElementCount) this.#list.hidden = true;
    this.paint();
  }

  #has(id) {
    return [...this.#list.children].find(({ dataset }) => dataset.comment === id);
  }

  #rowOf(comment, isAhead = false) {
    const { element } = this.#on.row(comment);
    element.toggleAttribute('data-ahead', isAhead);
    return element;
  }

  #toggle(isOpen) {
    this.#on.change(() => {
      this.#list.hidden = !isOpen;
      this.paint();
    });
    if (!isOpen) this.#more.focus({ preventScroll: true });
  }

  async #load() {
    // What was hidden comes back as it was.
    if (!this.#isOpen && this.#shown) {
      this.#toggle(true);
      if (this.#left <= 0) this.#less.focus({ preventScroll: true });
      return;
    }
    if (this.#isLoading) return;
    this.#isLoading = true;
    this.#on.change(() => this.paint());
    const cursor = this.#next;
    const page = await loadReplies(this.#comment.id, cursor, PAGE_LIMIT).catch((error) => ({ error }));
    this.#isLoading = false;
    // Another list may stand there by now.
    if (!this.root.isConnected) return;
    if (page.error) {
      this.#on.change(() => this.paint());
      this.#on.failed(`${t('The replies could not be loaded.')} ${page.error.detail ?? ''}`);
      return;
    }
    this.#asked = cursor;
    this.#next = page.next_cursor ?? undefined;
    this.#on.change(() => this.#take(page.items));
  }

  /** Behind those of the pages before, ahead of what was shown before its turn. */
  #take(items) {
    const hadFocus = document.activeElement === this.#more;
    this.#list.hidden = false;
    let first = null;
    for (const comment of items) {
      if (this.#on.isRemoved(comment.id)) continue;
      const known = this.#has(comment.id);
      if (known && !known.hasAttribute('data-ahead')) continue;
      known?.removeAttribute('data-ahead');
      const element = known ?? this.#rowOf(comment);
      this.#list.insertBefore(element, this.#list.querySelector(':scope > [data-ahead]'));
      first ??= element;
    }
    this.paint();
    // Whoever came by keys goes on with what has come.
    if (hadFocus && first) first.firstElementChild.focus({ preventScroll: true });
  }
}

// People whom somebody may mean who types an @ into a field: a list above it, as ARIA's practices have it for a combobox. The
// focus stays in the field; the arrows go through the list.

import { imageOf, initialOf } from '../profile-link/face.js';
import { el } from '../account/form.js';
import { t } from '../words/words.js';
import { findPeople } from './server.js';
import { completed, typedAt } from './mentions.js';

const PAUSE_MS = 200;
const LIST = 'comment-people';

export class Suggestions {
  root = el('ul', { id: LIST, role: 'listbox', 'aria-label': t('People'), hidden: true });
  #field;
  #timer = 0;
  #asking = new AbortController();
  #people = [];
  // What they were found by.
  #foundBy = '';
  #at = -1;

  /** `field`: a textarea that is on the page with `root` as long as anybody types. */
  constructor(field) {
    this.#field = field;
    field.setAttribute('aria-autocomplete', 'list');
    field.addEventListener('input', () => this.#typed());
    field.addEventListener('blur', () => this.close());
    // The caret goes elsewhere by keys and taps.
    field.addEventListener('keyup', ({ key }) => { if (/^(Arrow(Left|Right)|Home|End)$/.test(key)) this.#typed(); });
    field.addEventListener('click', () => this.#typed());
    this.#typed();
    // Or the field would lose the focus, and with it the list.
    this.root.addEventListener('pointerdown', (event) => event.preventDefault());
    this.root.addEventListener('mousedown', (event) => event.preventDefault());
    this.root.addEventListener('pointermove', ({ target }) => {
      const index = [...this.root.children].indexOf(target.closest('li'));
      if (index >= 0 && index !== this.#at) this.#mark(index);
    });
    this.root.addEventListener('click', ({ target }) => {
      const index = [...this.root.children].indexOf(target.closest('li'));
      if (index >= 0) this.#choose(index);
    });
  }

  /** True: the key was for the list. */
  key(event) {
    if (this.root.hidden || event.isComposing) return false;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const isChoice = ['Enter', 'Tab'].includes(event.key) && !event.shiftKey;
    // More was typed since: whoever ends now means that.
    if (isChoice && this.#typedName !== this.#foundBy) {
      this.close();
      return false;
    }
    if (step) this.#mark((this.#at + step + this.#people.length) % this.#people.length);
    else if (event.key === 'Escape') this.close();
    else if (isChoice) this.#choose(this.#at);
    else return false;
    event.preventDefault();
    // Escape closes nothing else, and the feed hears of none.
    event.stopPropagation();
    return true;
  }

  close() {
    clearTimeout(this.#timer);
    this.#asking.abort();
    this.#show([]);
  }

  get #typedName() {
    const { value, selectionStart, selectionEnd } = this.#field;
    return selectionStart === selectionEnd ? typedAt(value, selectionStart) : null;
  }

  #typed() {
    clearTimeout(this.#timer);
    this.#asking.abort();
    const name = this.#typedName;
    if (name) this.#timer = setTimeout(() => this.#suggest(name), PAUSE_MS); else this.close();
  }

  async #suggest(name) {
    this.#asking = new AbortController();
    const { signal } = this.#asking;
    try {
      const people = await findPeople(name, signal);
      if (!signal.aborted && document.activeElement === this.#field) this.#show(people, name);
    } catch {
      // A name can still be typed in full.
      if (!signal.aborted) this.close();
    }
  }

  #show(people, foundBy = '') {
    this.#people = people;
    this.#foundBy = foundBy;
    this.root.replaceChildren(...people.map(({ name, handle, picture }, index) => el('li', { id: `${LIST}-${index}`, role: 'option', 'aria-selected': 'false' },
      el('span', { class: 'initial', 'aria-hidden': 'true' }, initialOf(name), imageOf({ picture }, 32)),
      el('strong', { dir: 'auto' }, name), ' ', el('span', { dir: 'ltr' }, `@${handle}`))));
    this.root.hidden = !people.length;
    // A field of several lines is a textbox, but while there is a list.
    if (people.length) {
      this.#field.setAttribute('role', 'combobox');
      this.#field.setAttribute('aria-expanded', 'true');
      this.#field.setAttribute('aria-controls', LIST);
      this.#mark(0);
    } else for (const name of ['role', 'aria-expanded', 'aria-controls', 'aria-activedescendant']) this.#field.removeAttribute(name);
  }

  #mark(index) {
    this.#at = index;
    [...this.root.children].forEach((row, place) => row.setAttribute('aria-selected', String(place === index)));
    this.#field.setAttribute('aria-activedescendant', `${LIST}-${index}`);
    this.root.children[index].scrollIntoView({ block: 'nearest' });
  }

  #choose(index) {
    const { value, selectionStart } = this.#field;
    const typed = this.#typedName;
    const person = this.#people[index];
    this.close();
    if (!person || typed === null) return;
    const { text, caret } = completed(value, selectionStart, person.handle);
    this.#field.value = text;
    this.#field.setSelectionRange(caret, caret);
    this.#field.dispatchEvent(new Event('input', { bubbles: true }));
  }
}

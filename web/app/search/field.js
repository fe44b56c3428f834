// The field of the search, and what it suggests while somebody types: a combobox with a list, as ARIA's practices have it. The
// focus stays in the field; the arrows go through the list.

import { el } from '../account/form.js';
import { request } from '../api/api.js';
import { plural, t } from '../words/words.js';

const PAUSE_MS = 200;
const LENGTH = 200;
/** Before a suggestion, for those who do not see what it is. */
const kindText = (kind) => ({ tag: t('Tag:'), person: t('Person:') }[kind]);

export class Field {
  root;
  #input;
  #list = el('ul', { id: 'search-list', role: 'listbox', 'aria-label': t('Suggestions'), hidden: true });
  #clear;
  #items = [];
  #at = -1;
  #timer = 0;
  #asking = new AbortController();
  #chosen;

  /** `chosen({kind, text, person?})`; `cleared()`: nothing is looked for any more. */
  constructor({ chosen, cleared }) {
    this.#chosen = chosen;
    this.#input = el('input', { type: 'search', 'aria-label': t('Search'), placeholder: t('Search'), role: 'combobox', 'aria-autocomplete': 'list', 'aria-expanded': 'false',
      'aria-controls': 'search-list', autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false', enterkeyhint: 'search', dir: 'auto', maxlength: String(LENGTH),
      input: () => this.#typed(), keydown: (event) => this.#key(event), blur: () => this.#close(), focus: () => this.#typed() });
    this.#clear = el('button', { type: 'button', class: 'clear', 'aria-label': t('Clear'), hidden: true, click: () => {
      this.set('');
      cleared();
    } }, '✕');
    // A press on the list must not take the focus from the field, which would close it.
    this.#list.addEventListener('pointerdown', (event) => event.preventDefault());
    this.#list.addEventListener('click', ({ target }) => {
      const index = Array.from(this.#list.children).indexOf(target.closest('li'));
      if (index >= 0) this.#choose(this.#items[index]);
    });
    this.root = el('form', { role: 'search', submit: (event) => {
      event.preventDefault();
      this.#choose(this.#items[this.#at] ?? { kind: 'words', text: this.#input.value });
    } }, this.#input, this.#clear, this.#list);
  }

  focus() {
    this.#input.focus({ preventScroll: true });
  }

  set(text) {
    this.#input.value = text;
    this.#clear.hidden = !text;
    this.#close();
  }

  /** True: there was a list, which is closed now. */
  escape() {
    const isOpen = !this.#list.hidden;
    this.#close();
    return isOpen;
  }

  #typed() {
    const text = this.#input.value;
    this.#clear.hidden = !text;
    clearTimeout(this.#timer);
    this.#asking.abort();
    if (!text.trim()) this.#close(); else this.#timer = setTimeout(() => this.#suggest(text), PAUSE_MS);
  }

  async #suggest(text) {
    this.#asking = new AbortController();
    const { signal } = this.#asking;
    try {
      const { items } = await request('/search/suggestions', { query: { q: text }, signal });
      if (!signal.aborted && document.activeElement === this.#input) this.#show(items);
    } catch {
      // Without suggestions one can still ask; what is wrong is said then.
      if (!signal.aborted) this.#close();
    }
  }

  #show(items) {
    this.#items = items;
    this.#list.replaceChildren(...items.map(({ kind, text, clips, person }, index) => {
      const shown = { tag: `#${text}`, person: person?.name, words: text }[kind] ?? text;
      const beside = { tag: clips === undefined ? '' : plural(clips, '{count} clip', '{count} clips'), person: `@${text}` }[kind] ?? '';
      return el('li', { id: `search-option-${index}`, role: 'option', 'aria-selected': 'false', 'data-kind': kind },
        kindText(kind) ? el('span', { class: 'visually-hidden' }, `${kindText(kind)} `) : null, el('bdi', {}, shown), beside ? el('small', {}, beside) : null);
    }));
    this.#list.hidden = items.length === 0;
    this.#input.setAttribute('aria-expanded', String(items.length > 0));
    this.#mark(-1);
  }

  #close() {
    clearTimeout(this.#timer);
    this.#asking.abort();
    this.#show([]);
  }

  #mark(index) {
    this.#at = index;
    Array.from(this.#list.children).forEach((row, place) => row.setAttribute('aria-selected', String(place === index)));
    const row = this.#list.children[index];
    if (row) this.#input.setAttribute('aria-activedescendant', row.id); else this.#input.removeAttribute('aria-activedescendant');
    row?.scrollIntoView({ block: 'nearest' });
  }

  #key(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || event.isComposing || this.#list.hidden) return;
    event.preventDefault();
    // Above the first and below the last is the field itself.
    const places = this.#items.length + 1;
    this.#mark((this.#at + 1 + step + places) % places - 1);
  }

  #choose(choice) {
    if (!choice.text.trim()) return;
    this.#close();
    this.#chosen(choice);
  }
}

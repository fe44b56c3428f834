// A text that others will read: how much of it is left, and that nothing of it is lost, neither by a request that fails nor by a
// page that is loaded again. It refuses to know what is sent, and where.

import { el, labelled } from '../account/form.js';
import { randomKey } from '../api/api.js';
import { signedIn } from '../auth/auth.js';
import { Drafts, charactersIn, storage } from '../messages/drafts.js';
import { plural, t } from '../words/words.js';

// As the contract has it.
const LENGTH = 1000;
const SCALARS = 8000;
const LEFT_SHOWN = 100;
const STORE_MS = 1000;

let drafts = null;
let statements = 0;

// Those on the page. What was typed in the last second before it goes is kept too.
const shown = new Set();
globalThis.addEventListener?.('pagehide', () => { for (const statement of shown) if (statement.root.isConnected) statement.store(); });

/** How many characters more there may be; below 0: so many are too many. */
export function leftOf(text) {
  const scalars = SCALARS - [...text].length;
  // To count what a person sees takes longer, and what is pasted may be anything.
  return scalars < 0 ? scalars : Math.min(scalars, LENGTH - charactersIn(text));
}

export class Statement {
  root;
  #field;
  #label = el('label');
  #hint;
  #left;
  #error;
  #place;
  #timer = 0;
  #isOptional = false;

  /** `place`: what it is about; a text that was written about it before, by the same person, is there again. */
  constructor({ place, label, hint = '', isOptional = false }) {
    statements += 1;
    const id = `statement-${statements}`;
    drafts ??= new Drafts(storage(), randomKey(), 'clipfeed.statements');
    this.#place = `${signedIn()?.id ?? ''} ${place}`;
    this.#hint = el('p', { class: 'hint', id: `${id}-hint` });
    this.#left = el('p', { class: 'left', id: `${id}-left`, hidden: true });
    this.#error = el('p', { class: 'error', id: `${id}-error`, hidden: true });
    this.#field = el('textarea', { id, rows: '3', dir: 'auto', 'aria-describedby': `${id}-hint ${id}-left ${id}-error`, input: () => this.#change() });
    this.#label.htmlFor = id;
    this.root = el('div', { class: 'field' }, this.#label, this.#field, this.#left, this.#hint, this.#error);
    this.ask(label, hint, isOptional);
    drafts.restore(this.#place, this.#place);
    this.#field.value = drafts.text(this.#place);
    this.#draw();
    for (const other of shown) if (!other.root.isConnected) shown.delete(other);
    shown.add(this);
  }

  /** What is asked for. */
  ask(label, hint, isOptional) {
    this.#isOptional = isOptional;
    this.#label.replaceChildren(...labelled(label, isOptional));
    this.#hint.textContent = hint;
    this.#hint.hidden = !hint;
    this.#field.required = !isOptional;
    this.#mark('');
  }

  get text() { return this.#field.value.trim(); }

  /** Whether it can be sent; it says what is wrong with it. */
  check() {
    this.store();
    const left = leftOf(this.text);
    this.#mark(left < 0 ? plural(-left, 'This is too long by {count} character.', 'This is too long by {count} characters.') : this.text || this.#isOptional ? '' : t('Please write some words.'));
    if (!this.#error.hidden) this.#field.focus();
    return this.#error.hidden;
  }

  focus() { this.#field.focus(); }

  store() {
    clearTimeout(this.#timer);
    if (this.text) drafts.store(this.#place); else drafts.drop(this.#place);
  }

  /** It has arrived. */
  settle() {
    clearTimeout(this.#timer);
    drafts.drop(this.#place);
  }

  #change() {
    drafts.change(this.#place, this.#place, this.#field.value);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.store(), STORE_MS);
    this.#mark('');
    this.#draw();
  }

  #draw() {
    const left = leftOf(this.#field.value);
    this.#left.hidden = left > LEFT_SHOWN;
    this.#left.textContent = left < 0 ? plural(-left, '{count} too many', '{count} too many') : plural(left, '{count} left', '{count} left');
    this.#left.toggleAttribute('data-over', left < 0);
  }

  #mark(words) {
    this.#error.textContent = words;
    this.#error.hidden = !words;
    if (words) this.#field.setAttribute('aria-invalid', 'true'); else this.#field.removeAttribute('aria-invalid');
  }
}

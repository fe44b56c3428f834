// A form that sends once at a time, says what it is doing, and what a person can do when that fails.

import { el, retryText } from '../account/form.js';
import { problemText, t } from '../words/words.js';

/** Why a request failed, and when to try again. */
export function whyOf(error) {
  if (error.detail === undefined) console.error(error);
  const wait = error.retryAfter > 1 ? ` ${retryText(error.retryAfter)}` : '';
  return (problemText(error) || t('Something is wrong with this page. Please load it again.')) + wait;
}

export class Sending {
  root;
  #submit;
  #failure = el('p', { class: 'error', role: 'alert', tabindex: '-1', hidden: true });
  #label;
  #given;
  #isBusy = false;

  /** `given`: `label`, `submit`, `busy` (what the button says), `check()`, true if it can be sent, `send()`, which may throw an
   *  `ApiError`; `beside` stands beside the button. */
  constructor(given, ...children) {
    this.#given = given;
    this.#submit = el('button', { type: 'submit', class: given.isGrave ? 'main grave' : 'main' });
    this.root = el('form', { novalidate: true, 'aria-label': given.label, submit: (event) => {
      event.preventDefault();
      this.#start();
    } }, el('div', { class: 'asked' }, ...children, this.#failure), el('p', { class: 'choices' }, given.beside ?? null, this.#submit));
    this.name(given.submit, given.isGrave);
  }

  /** What the button does by now. */
  name(words, isGrave = false) {
    this.#label = words;
    this.#submit.classList.toggle('grave', isGrave);
    this.#show();
  }

  get isBusy() { return this.#isBusy; }

  fail(words) {
    this.#failure.textContent = words;
    this.#failure.hidden = !words;
    if (!words) return;
    this.#failure.focus();
    this.#failure.scrollIntoView({ block: 'nearest' });
  }

  async #start() {
    if (this.#isBusy) return;
    this.fail('');
    if (!this.#given.check()) return;
    this.#isBusy = true;
    this.#show();
    try {
      await this.#given.send();
    } catch (error) {
      this.fail(whyOf(error));
    }
    this.#isBusy = false;
    this.#show();
  }

  #show() {
    this.root.setAttribute('aria-busy', String(this.#isBusy));
    // NB: not `disabled`, which would take the focus away.
    this.#submit.setAttribute('aria-disabled', String(this.#isBusy));
    this.#submit.textContent = this.#isBusy ? this.#given.busy : this.#label;
  }
}

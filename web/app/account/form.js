// A form that a password manager understands and that says beside each field what is wrong with it.
// It refuses to know what is sent and what is allowed: the server says that, by a field's name.

import { plural, problemText, t } from '../words/words.js';

/** An element with these attributes and children; `null` and `false` leave an attribute out. */
export function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(key, value);
    else if (value !== null && value !== false) element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

const SLOW_MS = 1000;

/** Where a screen says what came of something, for a while: `{element, say(text)}`. */
export function statusLine(ms = 5000) {
  const element = el('p', { class: 'news', role: 'status' });
  let timer = 0;
  return {
    element,
    say(text) {
      clearTimeout(timer);
      element.replaceChildren(...(text ? [el('span', {}, text)] : []));
      timer = setTimeout(() => { element.replaceChildren(); }, ms);
    },
  };
}

let forms = 0;

export class Form {
  root;
  #fields = new Map();
  #failure = el('p', { class: 'error', role: 'alert', tabindex: '-1', hidden: true });
  #submit;
  #label;
  #send;
  #isBusy = false;
  // Said of what takes longer than a moment, and by a bar that moves.
  #slow;
  #timer = 0;

  /** `fields`: `{name, label, hint?, type? (`lines` for several), autocomplete, optional?, value?, …}`, `name` as on the wire; `send(values)` may
   *  throw an `ApiError`, which is shown. `slow`: what is said if it takes longer than a second. */
  constructor({ label, busy, slow = '', fields, submit, isGrave = false, send }) {
    this.#label = { still: submit, busy, slow };
    this.#send = send;
    forms += 1;
    this.#slow = slow ? el('div', { class: 'slow', 'aria-live': 'polite' }) : null;
    this.#submit = el('button', { type: 'submit', class: isGrave ? 'main grave' : 'main' }, submit);
    this.root = el('form', { novalidate: true, 'aria-label': label, submit: (event) => this.#submitted(event) },
      ...fields.map((field) => this.#build(field, `account-${forms}-${field.name}`)), this.#failure, this.#slow, this.#submit);
  }

  #build({ name, label, hint, type = 'text', optional = false, ...attributes }, id) {
    const describing = [hint && `${id}-hint`, `${id}-error`].filter(Boolean).join(' ');
    const input = el(type === 'lines' ? 'textarea' : 'input', { id, name, type: type !== 'lines' && type, 'aria-describedby': describing, required: !optional, dir: 'auto',
      ...(type !== 'password' && { autocapitalize: 'none', spellcheck: 'false' }), ...attributes });
    // NB: a text of several lines has its value between its tags.
    input.value = attributes.value ?? '';
    const error = el('p', { class: 'error', id: `${id}-error`, hidden: true });
    this.#fields.set(name, { input, error, optional });
    input.addEventListener('input', () => this.#mark(name, ''));
    // A password manager wants to know whose password it is; the person knows.
    if (attributes.hidden) return input;
    return el('div', { class: 'field' }, el('label', { for: id }, ...labelled(label, optional)),
      type === 'password' ? el('div', { class: 'secret' }, input, eye(input, label)) : input,
      hint ? el('p', { class: 'hint', id: `${id}-hint` }, hint) : null, error);
  }

  async #submitted(event) {
    event.preventDefault();
    if (this.#isBusy || !this.#isFilled()) return;
    this.#show(true);
    try {
      await this.#send(Object.fromEntries([...this.#fields].map(([name, { input }]) => [name, input.value])));
    } catch (error) {
      this.#refuse(error);
    }
    this.#show(false);
  }

  #isFilled() {
    for (const [name, { input, optional }] of this.#fields) this.#mark(name, optional || input.value ? '' : t('Please fill this in.'));
    this.#fail('');
    return this.#goToError() === undefined;
  }

  #refuse(error) {
    if (error.detail === undefined) console.error(error);
    const wait = error.retryAfter > 1 ? ` ${retryText(error.retryAfter)}` : '';
    const words = (problemText(error) || t('Something is wrong with this page. Please load it again.')) + wait;
    if (this.#fields.get(error.field)?.input.hidden === false) this.#mark(error.field, words); else this.#fail(words);
    if (this.#goToError() === undefined) this.#failure.focus();
  }

  #goToError() {
    const wrong = [...this.#fields.values()].find(({ error }) => !error.hidden);
    wrong?.input.focus();
    return wrong;
  }

  #mark(name, text) {
    const { input, error } = this.#fields.get(name);
    error.hidden = !text;
    error.textContent = text;
    if (text) input.setAttribute('aria-invalid', 'true'); else input.removeAttribute('aria-invalid');
  }

  #fail(text) {
    this.#failure.hidden = !text;
    this.#failure.textContent = text;
  }

  #show(isBusy) {
    this.#isBusy = isBusy;
    this.root.setAttribute('aria-busy', String(isBusy));
    // NB: not `disabled`, which would take the focus away.
    this.#submit.setAttribute('aria-disabled', String(isBusy));
    this.#submit.textContent = isBusy ? this.#label.busy : this.#label.still;
    clearTimeout(this.#timer);
    this.#slow?.replaceChildren();
    if (isBusy && this.#slow) this.#timer = setTimeout(() => this.#slow.append(el('progress', { 'aria-label': this.#label.busy }), this.#label.slow), SLOW_MS);
  }
}

/** The words beside a field; those that say that it may stay empty look as a remark. */
export function labelled(label, isOptional) {
  if (!isOptional) return [label];
  const [before, after] = t('{label} (optional)').split('{label}');
  return [...(before ? [el('span', {}, before)] : []), label, ...(after ? [el('span', {}, after)] : [])];
}

/** A row of a list of switches, saved when it is turned: `save(isOn)` may throw an `ApiError`, which `say(text)` hears, and which puts the
 *  switch back. */
export function switchOf({ id, label, hint, isOn, save, say }) {
  const box = el('input', { type: 'checkbox', role: 'switch', id, 'aria-describedby': `${id}-hint`, change: async () => {
    const wanted = box.checked;
    try {
      await save(wanted);
    } catch (error) {
      if (box.checked === wanted) box.checked = !wanted;
      say(problemText(error) || t('This was not saved. Please try again.'));
    }
  } });
  box.checked = isOn;
  return el('li', {}, el('label', { for: id }, label), box, el('small', { id: `${id}-hint` }, hint));
}

/** When something can be tried again. */
export const retryText = (seconds) => (seconds < 90 ? plural(seconds, 'Try again in {count} second.', 'Try again in {count} seconds.')
  : plural(Math.ceil(seconds / 60), 'Try again in {count} minute.', 'Try again in {count} minutes.'));

function eye(input, label) {
  const button = el('button', { type: 'button', class: 'eye', 'aria-pressed': 'false', 'aria-label': t('Show: {label}', { label }) }, t('Show'));
  button.addEventListener('click', () => {
    const shows = input.type === 'password';
    input.type = shows ? 'text' : 'password';
    button.setAttribute('aria-pressed', String(shows));
    button.textContent = shows ? t('Hide') : t('Show');
  });
  return button;
}

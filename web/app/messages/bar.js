// Draws the message bar as the core says and reports what is typed, measured and tapped.
// It refuses to know which clip the text belongs to, when it may go and when the feed is locked.

import { REACTIONS } from './reactions.js';

const DELIVERY = ['idle', 'sending', 'failed', 'refused'];
const ACCESS = ['open', 'off', 'signed-out', 'none'];
const BUTTONS = ['none', 'reactions', 'send'];
const SENT_SHOWN_MS = 3000;
// A zoomed page has a smaller visual viewport too, without a keyboard.
const ZOOMED = 1.01;

const MARKUP = `
  <p class="state" role="status"></p>
  <div class="line">
    <textarea rows="1" aria-label="Write a comment" placeholder="Comment…" autocomplete="off"
      aria-keyshortcuts="c" aria-describedby="characters-left"></textarea>
    <span id="characters-left" class="left" hidden></span>
    <button type="submit" class="send" aria-label="Send">
      <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M12 19V5.5m-6 6 6-6 6 6"/></svg>
    </button>
  </div>
  <div class="reactions" role="group" aria-label="Quick reactions"></div>
  <p class="closed">Comments are off.</p>`;

/** The fields of `showBar` by name. */
export function barFrom(fields) {
  const [access, focused, editable, lines, scrolls, buttons, enabled, delivery, left, showsLeft, lift] = fields;
  return {
    access: ACCESS[access], focused: focused === 1, editable: editable === 1, lines, scrolls: scrolls === 1,
    buttons: BUTTONS[buttons], enabled: enabled === 1, delivery: DELIVERY[delivery], left,
    showsLeft: showsLeft === 1, lift,
  };
}

/** What the line above the field says. */
export function stateText({ delivery }, detail) {
  if (delivery === 'sending') return 'Sending…';
  if (delivery === 'failed') return `Not sent. ${detail || 'Check the connection and send it again.'}`;
  if (delivery === 'refused') return `Not sent. ${detail || 'It was not accepted; change the text to try again.'}`;
  return '';
}

export class Bar {
  #stage;
  #on;
  #form = document.createElement('form');
  #field;
  #lines = 1;
  #writing = false;
  #sentTimer = 0;

  /** `on`: `focused()`, `blurred()`, `changed(text)`, `measured(height, lineHeight)`, `keyboardMoved(height)`,
   *  `sendTapped()`, `reactionTapped(reaction)`. */
  constructor(stage, on) {
    this.#stage = stage;
    this.#on = on;
    this.#form.id = 'messages';
    this.#form.noValidate = true;
    this.#form.setAttribute('aria-label', 'Message');
    this.#form.append(document.createRange().createContextualFragment(MARKUP));
    this.#field = this.#part('textarea');
    this.#addReactions();
    this.#watch();
    stage.append(this.#form);
  }

  /** `detail` says more of a failure than the bar knows. */
  show(bar, detail) {
    const { dataset } = this.#form;
    Object.assign(dataset, { access: bar.access, buttons: bar.buttons, delivery: bar.delivery });
    this.#form.toggleAttribute('data-focused', bar.focused);
    this.#form.toggleAttribute('data-scrolls', bar.scrolls);
    this.#stage.style.setProperty('--lift', `${bar.lift}px`);
    this.#field.readOnly = !bar.editable;
    this.#lines = bar.lines;
    this.#fit();
    this.#showLeft(bar);
    const send = this.#part('.send');
    send.disabled = !bar.enabled;
    send.setAttribute('aria-label', bar.delivery === 'failed' ? 'Send again' : 'Send');
    for (const button of this.#form.querySelectorAll('.reactions button')) button.disabled = !bar.enabled;
    this.#say(stateText(bar, detail));
    this.#takeRoom();
  }

  setText(text) {
    // Or the caret would jump to the end under somebody who writes.
    if (this.#field.value !== text) this.#field.value = text;
    this.#measure();
  }

  sayThatSent() {
    this.#say('Sent');
    this.#sentTimer = setTimeout(() => this.#say(''), SENT_SHOWN_MS);
  }

  focus() {
    this.#field.focus();
  }

  leave() {
    if (this.#form.contains(document.activeElement)) document.activeElement.blur();
  }

  get isWriting() {
    return this.#writing;
  }

  reactionButton(reaction) {
    return this.#form.querySelectorAll('.reactions button')[reaction];
  }

  #part(selector) {
    return this.#form.querySelector(selector);
  }

  #addReactions() {
    REACTIONS.forEach(({ sign, label }, reaction) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.setAttribute('aria-label', label);
      button.textContent = sign;
      button.addEventListener('click', () => this.#on.reactionTapped(reaction));
      this.#part('.reactions').append(button);
    });
  }

  #watch() {
    const form = this.#form;
    const field = this.#field;
    field.addEventListener('input', () => {
      this.#on.changed(field.value);
      this.#measure();
    });
    field.addEventListener('keydown', (event) => this.#sendByEnter(event));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#on.sendTapped();
    });
    // Whoever goes on to the button beside the field still writes.
    form.addEventListener('focusin', ({ target }) => {
      if (target !== field || this.#writing) return;
      this.#writing = true;
      this.#on.focused();
    });
    form.addEventListener('focusout', ({ relatedTarget }) => {
      if (!this.#writing || form.contains(relatedTarget)) return;
      this.#writing = false;
      this.#on.blurred();
    });
    this.#keepFocus();
    new ResizeObserver(() => {
      this.#takeRoom();
      this.#measure();
    }).observe(form);
    for (const kind of ['resize', 'scroll']) {
      globalThis.visualViewport?.addEventListener(kind, () => this.#reportKeyboard());
    }
  }

  /** A press beside the field must not take the focus before the core has said what it means. */
  #keepFocus() {
    this.#stage.addEventListener('mousedown', (event) => {
      const takesFocus = event.target.closest('textarea, input, [data-elsewhere]');
      if (this.#writing ? !takesFocus : event.target.closest('.reactions')) event.preventDefault();
    });
  }

  /** On a phone the key of that name makes a new line, as everywhere there. */
  #sendByEnter(event) {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    if (!matchMedia('(hover: hover) and (pointer: fine)').matches) return;
    event.preventDefault();
    this.#on.sendTapped();
  }

  /** Texts and scrubber of the clip stand above the bar; under somebody who writes they stay where they are. */
  #takeRoom() {
    if (this.#form.hasAttribute('data-focused')) return;
    this.#stage.style.setProperty('--floor', `${this.#form.offsetHeight}px`);
  }

  #measure() {
    const field = this.#field;
    const { lineHeight, paddingTop, paddingBottom } = getComputedStyle(field);
    const line = parseFloat(lineHeight);
    if (!(line > 0) || !field.offsetParent) return;
    field.style.height = '0';
    const height = field.scrollHeight - parseFloat(paddingTop) - parseFloat(paddingBottom);
    this.#fit();
    this.#on.measured(height, line);
  }

  #fit() {
    this.#field.style.height = '';
    this.#form.style.setProperty('--lines', this.#lines);
  }

  #reportKeyboard() {
    const { height, offsetTop, scale } = globalThis.visualViewport;
    const covered = this.#stage.getBoundingClientRect().bottom - offsetTop - height;
    this.#on.keyboardMoved(scale > ZOOMED ? 0 : Math.max(0, covered));
  }

  #showLeft({ left, showsLeft }) {
    const counter = this.#part('.left');
    counter.hidden = !showsLeft;
    counter.textContent = left < 0 ? `${-left} too many` : `${left} left`;
    counter.toggleAttribute('data-over', left < 0);
  }

  #say(text) {
    clearTimeout(this.#sentTimer);
    const state = this.#part('.state');
    if (state.textContent !== text) state.textContent = text;
  }
}

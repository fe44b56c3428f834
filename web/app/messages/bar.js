// Draws the message bar as the core says and reports what is typed, measured and tapped.
// It refuses to know which clip the text belongs to, when it may go and when the feed is locked.

import { numbersOf, tableOf } from '../core/core.js';
import { language, plural, t } from '../words/words.js';
import { REACTIONS, pictureOf } from './reactions.js';

// Both are made of core/Sources/*/*Protocol.swift by scripts/wire-protocol.sh.
export const BAR_EVENT = numbersOf(tableOf(`61 lengthLimited signedInChanged messagesChanged fieldFocused
  fieldBlurred fieldDismissed textChanged draftRestored textMeasured keyboardMoved sendTapped reactionTapped
  messageSent messageFailed`));
export const BAR_COMMANDS = tableOf(`
  42 showBar:access,focused,editable,lines,scrolls,buttons,enabled,delivery,left,showsLeft,lift,showsText
  leaveField showText:item storeText:item dropText:item sendMessage:message,item cancelMessage:message
  sendReaction:message,item,reaction askSignIn noticeUnsent:item returnText:message,item noticeReturned:item`);

const DELIVERY = ['idle', 'sending', 'failed', 'refused'];
const ACCESS = ['open', 'off', 'signed-out', 'none'];
const BUTTONS = ['none', 'reactions', 'send'];
const SENT_SHOWN_MS = 3000;
// A zoomed page has a smaller visual viewport too, without a keyboard.
const ZOOMED = 1.01;

const PLANE = '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M3.4 11.2 20.3 3.600c.5-.2 1 .3.8.8l-6.6 16.300c-.2.6-1.1.6-1.3 0l-2.5-6.4-6.8-2.200c-.6-.2-.7-.7-.5-.9zM10.7 14.300l4.7-4.9"/></svg>';

const markup = () => `
  <p class="state" role="status"></p>
  <div class="line">
    <span class="hint" aria-hidden="true">${t('Send message')}<i hidden></i></span>
    <textarea rows="1" autocomplete="off" enterkeyhint="enter" aria-keyshortcuts="d" aria-describedby="characters-left"></textarea>
    <span id="characters-left" class="left" hidden></span>
    <button type="submit" class="send" aria-label="${t('Send')}">${PLANE}</button>
  </div>
  <p class="closed"></p>
  <div class="reactions" role="group" aria-label="${t('Quick reactions')}"></div>`;

const compactOf = (count) => count.toLocaleString(language(), { notation: 'compact', maximumFractionDigits: 1 });

/** What `showBar` says, in words. */
export function barFrom({ access, focused, editable, lines, scrolls, buttons, enabled, delivery, left, showsLeft, lift, showsText }) {
  return {
    access: ACCESS[access], focused: focused === 1, editable: editable === 1, lines, scrolls: scrolls === 1,
    buttons: BUTTONS[buttons], enabled: enabled === 1, delivery: DELIVERY[delivery], left,
    showsLeft: showsLeft === 1, lift, showsText: showsText === 1,
  };
}

/** What the line above the field says. */
export function stateText({ delivery }, detail) {
  if (delivery === 'sending') return t('Sending…');
  if (delivery === 'failed') return `${t('Not sent.')} ${detail || t('Check your connection and send it again.')}`;
  if (delivery === 'refused') return `${t('Not sent.')} ${detail || t('It was not accepted. Change the text and try again.')}`;
  return '';
}

/** How much of the stage's lower part an on-screen keyboard covers, and how far a browser has pushed the page up for it. */
export function keyboardOver(stage) {
  const { height, offsetTop, scale } = globalThis.visualViewport;
  if (scale > ZOOMED) return { covered: 0, pushed: 0 };
  // NB: without its own translation, or it would follow itself.
  const bottom = stage.offsetTop + stage.offsetHeight;
  return { covered: Math.max(0, bottom - height), pushed: Math.max(0, offsetTop) };
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
    this.#form.setAttribute('aria-label', t('Message'));
    this.#form.append(document.createRange().createContextualFragment(markup()));
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
    this.#form.toggleAttribute('data-shows-text', bar.showsText);
    this.#stage.style.setProperty('--lift', `${bar.lift}px`);
    this.#field.readOnly = !bar.editable;
    this.#lines = bar.lines;
    this.#fit();
    this.#showLeft(bar);
    this.#showButtons(bar);
    this.#say(stateText(bar, detail));
    this.#takeRoom();
  }

  setText(text) {
    // Or the caret would jump to the end under somebody who writes.
    if (this.#field.value !== text) this.#field.value = text;
    this.#showDraft();
    this.#measure();
  }

  /** Whom the field is for, and why there is none, if there is none. */
  setReceiver(name, closed = '') {
    this.#field.setAttribute('aria-label', name ? t('Send message to {name}', { name }) : t('Send message'));
    this.#part('.closed').textContent = closed;
  }

  /** How often the clip got each reaction. */
  setCounts(counts) {
    REACTIONS.forEach(({ name, label }, reaction) => {
      const button = this.reactionButton(reaction);
      const count = counts?.[name] ?? 0;
      button.querySelector('b').textContent = count ? compactOf(count) : '';
      button.setAttribute('aria-label', count ? t('{label}, {count} so far', { label: label(), count }) : label());
    });
  }

  sayThatSent(words) {
    this.#say(words);
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
    REACTIONS.forEach(({ name, label }, reaction) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.title = label();
      button.append(pictureOf(name), document.createElement('b'));
      button.addEventListener('click', () => this.#on.reactionTapped(reaction));
      this.#part('.reactions').append(button);
    });
    this.setCounts({});
  }

  /** What fades away can be neither tapped nor reached by keys from the first moment on. */
  #showButtons({ buttons, enabled, delivery }) {
    const [send, reactions] = [this.#part('.send'), this.#part('.reactions')];
    // Whoever sends by the button leaves the field with it.
    send.inert = buttons !== 'send';
    send.disabled = !enabled;
    send.setAttribute('aria-label', delivery === 'failed' ? t('Send again') : t('Send'));
    reactions.inert = buttons !== 'reactions';
    for (const button of reactions.children) button.disabled = !enabled;
  }

  #watch() {
    const form = this.#form;
    const field = this.#field;
    field.addEventListener('input', () => {
      this.#on.changed(field.value);
      this.#showDraft();
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
    // Its width changes while the reactions come and go.
    const sizes = new ResizeObserver(() => {
      this.#takeRoom();
      // What changes a size that is observed comes a frame later: otherwise the browser says that it could not tell of all.
      requestAnimationFrame(() => this.#measure());
    });
    for (const element of [form, this.#part('.line')]) sizes.observe(element);
    for (const kind of ['resize', 'scroll']) {
      globalThis.visualViewport?.addEventListener(kind, () => this.#reportKeyboard());
    }
  }

  /** A press beside the field must not take the focus before the core has said what it means. */
  #keepFocus() {
    this.#stage.addEventListener('mousedown', (event) => {
      const takesFocus = event.target.closest('textarea, input, [data-no-gestures]');
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

  #showDraft() {
    this.#part('.hint i').hidden = !this.#field.value.trim();
    this.#form.toggleAttribute('data-empty', !this.#field.value);
  }

  /** The clip stays where it is, also where a browser pushes the page up to show the field. */
  #reportKeyboard() {
    const { covered, pushed } = keyboardOver(this.#stage);
    this.#stage.style.translate = this.#writing && pushed ? `0 ${pushed}px` : '';
    this.#on.keyboardMoved(covered);
  }

  #showLeft({ left, showsLeft, focused }) {
    const counter = this.#part('.left');
    counter.hidden = !showsLeft || !focused;
    counter.textContent = left < 0 ? plural(-left, '{count} too many', '{count} too many') : plural(left, '{count} left', '{count} left');
    counter.toggleAttribute('data-over', left < 0);
  }

  #say(text) {
    clearTimeout(this.#sentTimer);
    const state = this.#part('.state');
    if (state.textContent !== text) state.textContent = text;
  }
}

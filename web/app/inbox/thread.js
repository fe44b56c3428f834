// One conversation: what the two have written, newest at the lower end, and a field to go on.
// It refuses to know how one comes here.

import { el } from '../account/form.js';
import { randomKey } from '../api/api.js';
import { loadClip } from '../clip-link/clip.js';
import { dots } from '../blocking/blocking.js';
import { ago } from '../comments/ago.js';
import { signedIn } from '../auth/auth.js';
import { listenAgain } from '../live/live.js';
import { keyboardOver } from '../messages/bar.js';
import { Drafts, charactersIn, storage } from '../messages/drafts.js';
import { loadConversations, loadMessages, markRead, placeOf, sendMessage } from '../messages/server.js';
import { KEPT, holdBook, onSent, waiting, waits } from '../outbox/outbox.js';
import { plural, t } from '../words/words.js';
import { count } from './entry.js';
import { noteWritten } from './known.js';

const PAGE_LIMIT = 30;
const AHEAD_PX = 400;
// As the contract has it.
const LENGTH = 500;
const LEFT_SHOWN = 50;
// So much of a message names what can be done with it.
const NAMED = 40;
const STORE_MS = 1000;
// So near to the lower end, what comes scrolls into sight by itself.
const NEAR_PX = 120;

const BOOK = 'clipfeed.conversations';
const drafts = new Drafts(storage(), randomKey(), BOOK);
let numbers = 0;
// To whom something is on its way: their drafts have room for one at a time, whichever thread sent it.
const sending = new Set();
// The thread that was started last.
let there = null;

export class Thread {
  root;
  peer;
  #given;
  #rows = el('ol', { 'aria-label': t('Messages, oldest first') });
  #scroller;
  #field;
  #send = el('button', { type: 'submit', 'aria-label': t('Send'), disabled: true });
  #left = el('span', { class: 'left', id: 'thread-characters-left', hidden: true });
  #state = el('p', { class: 'state', role: 'status' });
  #older = el('p', { class: 'turning', role: 'img', 'aria-label': t('Loading'), hidden: true });
  #none = el('p', { class: 'none', hidden: true }, t('Nothing here yet. Say hello.'));
  #failure = el('div', { class: 'none', role: 'alert', hidden: true }, el('p'));
  #form;
  #cursor = null;
  #isLoading = false;
  #isOver = false;
  #leaving = new AbortController();
  #timer = 0;
  // By clip: what of it is known, or on its way.
  #clips = new Map();

  /** `given`: `peer`, `face?`, `named(face)`, `say(text)`, `open(clip)`, `menu(message)`, `stage`. */
  constructor(given) {
    this.#given = given;
    this.peer = given.peer;
    this.#send.innerHTML = '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M3.4 11.2 20.3 3.6c.5-.2 1 .3.8.8l-6.6 16.3c-.2.6-1.1.6-1.3 0l-2.5-6.4-6.8-2.2c-.6-.2-.7-.7-.5-.9zM10.7 14.3l4.7-4.9"/></svg>';
    this.#failure.append(el('button', { type: 'button', click: () => this.#load() }, t('Try again')));
    this.#field = el('textarea', { rows: '1', placeholder: t('Send message'), autocomplete: 'off', 'aria-label': t('Send message'),
      'aria-describedby': 'thread-characters-left', dir: 'auto' });
    this.#scroller = el('div', { class: 'scroller', tabindex: '0', role: 'group', 'aria-label': t('Conversation') },
      this.#older, this.#failure, this.#none, this.#rows);
    this.#form = el('form', { novalidate: true, 'aria-label': t('Message'), submit: (event) => {
      event.preventDefault();
      this.#post();
    } }, this.#state, el('div', { class: 'line' }, this.#field, this.#left, this.#send));
    this.root = el('div', { class: 'thread' }, this.#scroller, this.#form);
    this.#watch();
  }

  /** Once it is on the page. */
  start() {
    there = this;
    drafts.restore(this.peer, this.peer);
    this.#field.value = drafts.text(this.peer);
    if (sending.has(this.peer)) this.#say(t('Sending…'));
    this.#draw();
    this.#load();
    if (!this.#given.face) this.#findFace();
    this.#watchOutbox();
    // Where there is no keyboard, one would jump up over what is to be read.
    if (matchMedia('(hover: hover)').matches) this.#field.focus(); else this.#scroller.focus({ preventScroll: true });
  }

  /** What waits for the network is sent, or comes back, while somebody looks. */
  async #watchOutbox() {
    const { signal } = this.#leaving;
    onSent((entry, message) => {
      if (entry.place !== placeOf(this.peer)) return;
      this.#append([message]);
      this.#say('');
    }, signal);
    holdBook(BOOK, (peer, part) => {
      const item = drafts.takeBack(peer, part);
      if (peer !== this.peer) return item;
      drafts.restore(peer, peer);
      this.#redraw(t('Not sent.'), true);
      return item;
    }, signal);
    const isWaiting = (await waiting()).some(({ place }) => place === placeOf(this.peer));
    if (isWaiting && !signal.aborted) this.#say(waits());
  }

  leave() {
    this.#store();
    this.#isOver = true;
    this.#leaving.abort();
  }

  /** Something new is there. */
  async arrive() {
    try {
      const { items } = await loadMessages(this.peer, null, PAGE_LIMIT);
      if (!this.#isOver) this.#append(items);
    } catch { /* it comes with the next look */ }
  }

  #watch() {
    const { signal } = this.#leaving;
    this.#field.addEventListener('input', () => this.#change());
    this.#field.addEventListener('keydown', (event) => {
      // On a phone the key of that name makes a new line, as everywhere there.
      if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
      if (!matchMedia('(hover: hover) and (pointer: fine)').matches) return;
      event.preventDefault();
      this.#post();
    });
    this.#scroller.addEventListener('scroll', () => this.#fill(), { passive: true });
    for (const kind of ['resize', 'scroll']) globalThis.visualViewport?.addEventListener(kind, () => this.#lift(), { signal });
    addEventListener('pagehide', () => this.#store(), { signal });
    document.addEventListener('visibilitychange', () => { if (!document.hidden) this.arrive(); }, { signal });
  }

  /** Whoever comes by the address has not met them in the list. */
  async #findFace() {
    try {
      const { items } = await loadConversations(null, 50);
      const found = items.find(({ peer }) => peer.id === this.peer);
      if (found && !this.#isOver) this.#given.named(found.peer);
    } catch { /* it stays without a name */ }
  }

  async #load() {
    if (this.#isLoading) return;
    const isFirst = !this.#cursor;
    this.#isLoading = true;
    this.#older.hidden = false;
    this.#failure.hidden = true;
    try {
      const { items, next_cursor: cursor } = await loadMessages(this.peer, this.#cursor, PAGE_LIMIT);
      if (this.#isOver) return;
      this.#cursor = cursor;
      // What was sent meanwhile stands there already, behind all of these.
      if (!isFirst || this.#rows.childElementCount) this.#prepend(items);
      if (isFirst) this.#append(items);
    } catch (error) {
      this.#failure.querySelector('p').textContent = error.detail ?? t('This conversation could not be loaded.');
      this.#failure.hidden = false;
    } finally {
      this.#isLoading = false;
      this.#older.hidden = true;
    }
    if (this.#failure.hidden) this.#fill();
  }

  #fill() {
    if (this.#cursor && this.#failure.hidden && this.#scroller.scrollTop < AHEAD_PX) this.#load();
  }

  #has(id) {
    return [...this.#rows.children].some((row) => row.dataset.message === id);
  }

  /** Older ones, without moving what is looked at. */
  #prepend(items) {
    const { scrollHeight, scrollTop } = this.#scroller;
    this.#rows.prepend(...items.filter(({ id }) => !this.#has(id)).reverse().map((message) => this.#rowOf(message)));
    this.#scroller.scrollTop = scrollTop + this.#scroller.scrollHeight - scrollHeight;
  }

  #append(items) {
    const isNear = this.#scroller.scrollHeight - this.#scroller.scrollTop - this.#scroller.clientHeight < NEAR_PX
      || !this.#rows.childElementCount;
    const fresh = items.filter(({ id }) => !this.#has(id)).reverse();
    this.#rows.append(...fresh.map((message) => this.#rowOf(message)));
    this.#none.hidden = this.#rows.childElementCount > 0;
    if (isNear || fresh.at(-1)?.is_own) this.#scroller.scrollTop = this.#scroller.scrollHeight;
    if (items.some((message) => !message.is_own)) this.#markRead(items[0].id);
  }

  async #markRead(message) {
    try {
      await markRead(this.peer, message);
      count();
    } catch { /* they count as unread until the next look */ }
  }

  #rowOf(message) {
    const { id, is_own: isOwn, text, clip_id: clip, created_at: createdAt } = message;
    const time = el('time', { datetime: createdAt }, ago(new Date(createdAt), Date.now()));
    // As text, whatever it looks like; `auto`, since each may run in a direction of its own.
    const row = el('li', { 'data-message': id, 'data-own': isOwn },
      el('span', { class: 'visually-hidden' }, isOwn ? t('You:') : t('They:'), ' '), el('p', { dir: 'auto' }, text),
      isOwn ? null : dots(t('More about: {text}', { text: [...text].slice(0, NAMED).join('') }), () => this.#given.menu(message)), time);
    if (clip) row.prepend(this.#clipOf(clip));
    return row;
  }

  /** The clip that a message is about, as soon as it is known. */
  #clipOf(id) {
    const place = el('div', { class: 'clip' }, t('A clip'));
    if (!this.#clips.has(id)) this.#clips.set(id, loadClip(id));
    this.#clips.get(id).then((clip) => {
      const picture = el('img', { src: (clip.cover ?? clip.poster).url, alt: '', loading: 'lazy', draggable: 'false' });
      picture.addEventListener('error', () => picture.remove());
      const name = clip.caption || t('A clip');
      place.replaceChildren(el('button', { type: 'button', 'aria-label': t('About the clip {name}, watch it', { name }), click: () => this.#given.open(clip) },
        picture, el('span', { dir: 'auto' }, name)));
    }, () => { place.textContent = t('This clip is gone.'); });
    return place;
  }

  // MARK: writing

  #change() {
    drafts.change(this.peer, this.peer, this.#field.value);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#store(), STORE_MS);
    this.#say('');
    this.#draw();
  }

  #store() {
    clearTimeout(this.#timer);
    if (drafts.text(this.peer)) drafts.store(this.peer); else drafts.drop(this.peer);
  }

  get #canSend() {
    const { value } = this.#field;
    return value.trim() !== '' && charactersIn(value) <= LENGTH && !sending.has(this.peer);
  }

  async #post() {
    if (!this.#canSend) return;
    numbers += 1;
    const number = numbers;
    const { parts } = drafts.send(this.peer, number);
    sending.add(this.peer);
    this.#redraw(t('Sending…'));
    // Whoever left may be back by the time something is known, in another thread with them.
    const shown = () => (there.peer === this.peer ? there : this);
    try {
      let isKept = false;
      for (const { text, key } of parts) {
        const message = await sendMessage(this.peer, text, null, key);
        if (message === KEPT) isKept = true; else shown().#append([message]);
      }
      drafts.settle(this.peer, number);
      sending.delete(this.peer);
      if (!signedIn() && !isKept) {
        noteWritten();
        listenAgain();
      }
      shown().#redraw(isKept ? waits() : '');
    } catch (error) {
      sending.delete(this.peer);
      drafts.giveBack(this.peer, number);
      shown().#redraw(`${t('Not sent.')} ${error.detail ?? t('Please try again.')}`, true);
      if (shown().#isOver) this.#given.say(t('A message was not sent. It is waiting in its conversation.'));
    }
  }

  #redraw(words, isBad = false) {
    const text = drafts.text(this.peer);
    if (this.#field.value !== text) this.#field.value = text;
    this.#say(words, isBad);
    this.#draw();
  }

  #draw() {
    this.#send.disabled = !this.#canSend;
    this.#form.toggleAttribute('data-empty', !this.#field.value.trim());
    const left = LENGTH - charactersIn(this.#field.value);
    this.#left.hidden = left > LEFT_SHOWN;
    this.#left.textContent = left < 0 ? plural(-left, '{count} too many', '{count} too many') : plural(left, '{count} left', '{count} left');
    this.#left.toggleAttribute('data-over', left < 0);
    this.#field.style.height = 'auto';
    this.#field.style.height = `${this.#field.scrollHeight}px`;
  }

  #say(words, isBad = false) {
    if (this.#state.textContent !== words) this.#state.textContent = words;
    this.#state.toggleAttribute('data-bad', isBad);
  }

  /** The field stands above an on-screen keyboard, and what was written last above the field. */
  #lift() {
    const { covered, pushed } = keyboardOver(this.#given.stage);
    this.root.style.setProperty('--lift', `${Math.max(0, covered - pushed)}px`);
    this.#scroller.scrollTop = this.#scroller.scrollHeight;
  }
}

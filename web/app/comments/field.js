// The field in which a comment is written: one text for each clip and for each comment that is answered, which outlives the
// page, and each comment sent once, whatever becomes of its answer. It refuses to know where comments are shown.

import { randomKey } from '../api/api.js';
import { signedIn } from '../auth/auth.js';
import { keyboardOver } from '../messages/bar.js';
import { Drafts, charactersIn, storage } from '../messages/drafts.js';
import { hasProfile } from '../profile-link/address.js';
import { KEPT, holdBook, onSent, waiting, waits } from '../outbox/outbox.js';
import { once } from '../screens/screens.js';
import { plural, t } from '../words/words.js';
import { nameOf } from './row.js';
import { loadComment, placeOf, sendComment } from './server.js';

// As the contract has it.
const LENGTH = 500;
const LEFT_SHOWN = 50;
const KEY = 'clipfeed.drafts';
const STATUS_MS = 3000;
// A crash costs no more of a text than was typed in this time.
const STORE_MS = 1000;

const markup = () => `
  <p class="state" role="status"></p>
  <p class="replying" hidden><span></span>
    <button type="button" aria-label="${t('Do not reply')}">
      <svg viewBox="0 0 24 24" aria-hidden="true"><path d="m6 6 12 12M18 6 6 18"/></svg>
    </button></p>
  <div class="line">
    <textarea rows="1" aria-label="${t('Write a comment')}" placeholder="${t('Add a comment…')}" autocomplete="off" aria-keyshortcuts="c"
      aria-describedby="comment-characters-left" dir="auto"></textarea>
    <span id="comment-characters-left" class="left" hidden></span>
    <button type="submit" class="post" aria-label="${t('Post the comment')}" disabled>
      <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M12 19V5.5m-6 6 6-6 6 6"/></svg>
    </button>
  </div>
  <p class="closed" hidden>${t('Comments are off.')}</p>`;

export class CommentField {
  root = document.createElement('form');
  #stage;
  #on;
  #drafts = new Drafts(storage(), randomKey(), KEY);
  // Once an @ was typed.
  #suggestions = null;
  #clip = null;
  // The comment that is answered, if one is.
  #target = null;
  // What the field says by itself then, which is nothing to keep.
  #given = '';
  #number = 0;
  // Of what is on its way.
  #busy = new Set();
  #timer = 0;
  #storing = 0;

  /** `on`: `sent(clip, comment, wasTried)` runs for each comment that the server has, `notice(text)` tells the person what is
   *  not to be seen in the field. */
  constructor(stage, on) {
    this.#stage = stage;
    this.#on = on;
    this.root.noValidate = true;
    this.root.setAttribute('aria-label', t('New comment'));
    this.root.append(document.createRange().createContextualFragment(markup()));
    const field = this.#part('textarea');
    this.#part('.replying button').addEventListener('click', () => this.#takeBack());
    field.addEventListener('input', () => {
      this.#change();
      if (field.value.includes('@')) this.#suggest();
    });
    field.addEventListener('keydown', (event) => {
      if (this.#suggestions?.key(event)) return;
      // On a phone the key of that name makes a new line, as everywhere there.
      if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
      if (!matchMedia('(hover: hover) and (pointer: fine)').matches) return;
      event.preventDefault();
      this.#post();
    });
    this.root.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#post();
    });
    for (const kind of ['resize', 'scroll']) globalThis.visualViewport?.addEventListener(kind, () => this.#lift());
    addEventListener('pagehide', () => this.#store());
    this.#watchOutbox();
  }

  /** What waits for the network is posted, or comes back, maybe while somebody looks. */
  #watchOutbox() {
    onSent(({ place }, comment) => {
      if (place !== (this.#clip && placeOf(this.#clip.id))) return;
      this.#on.sent(this.#clip, comment, true);
      this.#say(t('Posted'));
    });
    holdBook(KEY, (place, part) => {
      const item = this.#drafts.takeBack(place, part);
      if (this.#isAt(place)) this.#drafts.restore(place, place);
      this.#redraw(place, t('Not posted.'), true);
      return item;
    });
  }

  async #tellOfWaiting({ id }) {
    const isWaiting = (await waiting()).some(({ place }) => place === placeOf(id));
    if (isWaiting && this.#clip?.id === id) this.#say(waits());
  }

  show(clip) {
    this.#clip = clip;
    this.#write(null);
    this.#tellOfWaiting(clip);
    if (!this.#part('textarea').value) this.#goOn(clip);
  }

  /** With the answer that was begun last, if what it answers is still there. */
  async #goOn(clip) {
    const [place] = this.#drafts.placesBehind(`${clip.id} `);
    if (!place) return;
    const target = await loadComment(place.slice(clip.id.length + 1)).catch(() => null);
    const isUntouched = this.#isAt(clip.id) && !this.#part('textarea').value;
    if (target && isUntouched) this.#write(target);
  }

  /** Whoever is here now has texts of their own. */
  changeWriter() {
    clearTimeout(this.#storing);
    this.#drafts.turn();
    if (this.#clip) this.show(this.#clip);
  }

  hide() {
    this.#store();
    this.#suggestions?.close();
    this.#clip = null;
    this.#stage.style.removeProperty('--comments-lift');
  }

  /** What is written now answers that comment. */
  reply(comment) {
    this.#store();
    this.#write(comment);
    const field = this.#part('textarea');
    // Who is meant among several that answer.
    if (comment.parent_id && !comment.own && !field.value && hasProfile(comment.author)) {
      this.#given = `@${comment.author.handle} `;
      field.value = this.#given;
      this.#draw();
    }
    this.focus();
    field.setSelectionRange(field.value.length, field.value.length);
  }

  focus() {
    this.#part('textarea').focus({ preventScroll: true });
  }

  #part(selector) {
    return this.root.querySelector(selector);
  }

  /** By what the text in the field is kept. */
  get #place() {
    return this.#target ? `${this.#clip.id} ${this.#target.id}` : this.#clip.id;
  }

  #write(target) {
    this.#target = target;
    this.#given = '';
    this.#suggestions?.close();
    this.#drafts.restore(this.#place, this.#place);
    this.#part('textarea').value = this.#drafts.text(this.#place);
    this.#say('');
    this.#draw();
  }

  /** What was written goes along, unless there is another text already. */
  #takeBack() {
    const from = this.#place;
    const text = this.#drafts.text(from);
    this.#store();
    this.#write(null);
    const field = this.#part('textarea');
    if (text.trim() && !field.value) {
      this.#drafts.drop(from);
      field.value = text;
      this.#change();
    }
    this.focus();
  }

  #change() {
    this.#drafts.change(this.#place, this.#place, this.#part('textarea').value);
    clearTimeout(this.#storing);
    this.#storing = setTimeout(() => this.#store(), STORE_MS);
    this.#say('');
    this.#draw();
  }

  /** Without suggestions a name can still be typed in full. */
  #suggest() {
    once('suggestions', async () => {
      const { Suggestions } = await import('./suggestions.js');
      this.#suggestions = new Suggestions(this.#part('textarea'));
      this.root.append(this.#suggestions.root);
    }).catch(console.warn);
  }

  #store() {
    clearTimeout(this.#storing);
    if (!this.#clip) return;
    const text = this.#drafts.text(this.#place);
    if (text && text !== this.#given) this.#drafts.store(this.#place); else this.#drafts.drop(this.#place);
  }

  get #canPost() {
    const text = this.#part('textarea').value;
    return text.trim() !== '' && charactersIn(text) <= LENGTH && !this.#busy.has(this.#place);
  }

  async #post() {
    if (!this.#clip || !this.#canPost) return;
    const clip = this.#clip;
    const target = this.#target;
    const place = this.#place;
    this.#number += 1;
    const number = this.#number;
    this.#suggestions?.close();
    clearTimeout(this.#storing);
    this.#drafts.change(place, place, this.#part('textarea').value);
    const { parts } = this.#drafts.send(place, number);
    this.#busy.add(place);
    this.#redraw(place, t('Posting…'));
    try {
      let isKept = false;
      for (const { text, key, wasTried } of parts) {
        const comment = await sendComment(clip.id, text, key, target?.id);
        if (comment === KEPT) isKept = true; else this.#on.sent(clip, comment, wasTried);
      }
      this.#drafts.settle(place, number);
      this.#busy.delete(place);
      // Whoever has answered goes on with the clip.
      if (target && this.#isAt(place) && !this.#drafts.text(place)) this.#write(null);
      this.#redraw(this.#isAt(clip.id) ? clip.id : place, isKept ? waits() : t('Posted'));
    } catch (error) {
      this.#busy.delete(place);
      this.#drafts.giveBack(place, number);
      if (error.code === 'comments_off') clip.takesComments = false;
      const words = `${t('Not posted.')} ${error.detail ?? t('Please try again.')}`;
      if (this.#isAt(place)) this.#redraw(place, words, true);
      else this.#on.notice(`${words} ${target ? t('Your reply to {name} is waiting there.', { name: nameOf(target) }) : t('Your comment is waiting there.')}`);
    }
  }

  #isAt(place) {
    return Boolean(this.#clip) && this.#place === place;
  }

  /** Whatever is written there now. */
  #redraw(place, words, isBad = false) {
    if (!this.#isAt(place)) return;
    const field = this.#part('textarea');
    const text = this.#drafts.text(place);
    if (field.value !== text) field.value = text;
    this.#say(words, isBad);
    this.#draw();
  }

  #draw() {
    const field = this.#part('textarea');
    const isOpen = this.#clip.takesComments;
    this.#part('.line').hidden = !isOpen;
    this.#part('.replying').hidden = !isOpen || !this.#target;
    const answers = this.#target ? t('Reply to {name}', { name: nameOf(this.#target) }) : '';
    this.#part('.replying span').textContent = answers;
    field.setAttribute('aria-label', answers || t('Write a comment'));
    field.placeholder = this.#target ? t('Add a reply…') : t('Add a comment…');
    this.#part('.post').setAttribute('aria-label', this.#target ? t('Post the reply') : t('Post the comment'));
    this.root.toggleAttribute('data-closed', !isOpen);
    this.#part('.closed').hidden = isOpen;
    this.#part('.closed').textContent = signedIn() ? t('Comments are off.') : t('Sign in to comment.');
    this.#part('.post').disabled = !this.#canPost;
    const left = LENGTH - charactersIn(field.value);
    const counter = this.#part('.left');
    counter.hidden = left > LEFT_SHOWN;
    counter.textContent = left < 0 ? plural(-left, '{count} too many', '{count} too many') : plural(left, '{count} left', '{count} left');
    counter.toggleAttribute('data-over', left < 0);
    // As high as its text, up to what the sheet's style allows.
    field.style.height = 'auto';
    field.style.height = `${field.scrollHeight}px`;
  }

  #say(words, isBad = false) {
    clearTimeout(this.#timer);
    const state = this.#part('.state');
    if (state.textContent !== words) state.textContent = words;
    state.toggleAttribute('data-bad', isBad);
    if (words === t('Posted')) this.#timer = setTimeout(() => this.#say(''), STATUS_MS);
  }

  /** The sheet stands above an on-screen keyboard. */
  #lift() {
    if (!this.#clip) return;
    const { covered, pushed } = keyboardOver(this.#stage);
    this.#stage.style.setProperty('--comments-lift', `${Math.max(0, covered - pushed)}px`);
  }
}

// The field in which a comment is written: one text per clip, which outlives the page, and each comment sent once, whatever
// becomes of its answer. It refuses to know where comments are shown.

import { randomKey } from '../api/api.js';
import { signedIn } from '../auth/auth.js';
import { keyboardOver } from '../messages/bar.js';
import { Drafts, charactersIn, storage } from '../messages/drafts.js';
import { sendComment } from './server.js';

// As the contract has it.
const LENGTH = 500;
const LEFT_SHOWN = 50;
const KEY = 'clipfeed.drafts';
const STATUS_MS = 3000;
// A crash costs no more of a text than was typed in this time.
const STORE_MS = 1000;

const MARKUP = `
  <p class="state" role="status"></p>
  <div class="line">
    <textarea rows="1" aria-label="Write a comment" placeholder="Add a comment…" autocomplete="off" aria-keyshortcuts="c"
      aria-describedby="comment-characters-left"></textarea>
    <span id="comment-characters-left" class="left" hidden></span>
    <button type="submit" class="post" aria-label="Post the comment" disabled>
      <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M12 19V5.5m-6 6 6-6 6 6"/></svg>
    </button>
  </div>
  <p class="closed" hidden>Comments are off.</p>`;

export class CommentField {
  root = document.createElement('form');
  #stage;
  #sent;
  #drafts = new Drafts(storage(), randomKey(), KEY);
  #clip = null;
  #number = 0;
  // Clips whose comment is on its way.
  #busy = new Set();
  #timer = 0;
  #storing = 0;

  /** `sent(clip, comment, wasTried)` runs for each comment that the server has. */
  constructor(stage, sent) {
    this.#stage = stage;
    this.#sent = sent;
    this.root.noValidate = true;
    this.root.setAttribute('aria-label', 'New comment');
    this.root.append(document.createRange().createContextualFragment(MARKUP));
    const field = this.#part('textarea');
    field.addEventListener('input', () => this.#change());
    field.addEventListener('keydown', (event) => {
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
  }

  show(clip) {
    this.#clip = clip;
    this.#drafts.restore(clip.id, clip.id);
    this.#part('textarea').value = this.#drafts.text(clip.id);
    this.#say('');
    this.#draw();
  }

  hide() {
    this.#store();
    this.#clip = null;
    this.#stage.style.removeProperty('--comments-lift');
  }

  focus() {
    this.#part('textarea').focus({ preventScroll: true });
  }

  #part(selector) {
    return this.root.querySelector(selector);
  }

  #change() {
    const { id } = this.#clip;
    this.#drafts.change(id, id, this.#part('textarea').value);
    clearTimeout(this.#storing);
    this.#storing = setTimeout(() => this.#store(), STORE_MS);
    this.#say('');
    this.#draw();
  }

  #store() {
    clearTimeout(this.#storing);
    if (!this.#clip) return;
    const { id } = this.#clip;
    if (this.#drafts.text(id)) this.#drafts.store(id); else this.#drafts.drop(id);
  }

  get #canPost() {
    const text = this.#part('textarea').value;
    return text.trim() !== '' && charactersIn(text) <= LENGTH && !this.#busy.has(this.#clip.id);
  }

  async #post() {
    if (!this.#clip || !this.#canPost) return;
    const clip = this.#clip;
    this.#number += 1;
    const number = this.#number;
    this.#store();
    const { parts } = this.#drafts.send(clip.id, number);
    this.#busy.add(clip.id);
    this.#redraw(clip, 'Posting…');
    try {
      for (const { text, key, wasTried } of parts) this.#sent(clip, await sendComment(clip.id, text, key), wasTried);
      this.#drafts.settle(clip.id, number);
      this.#busy.delete(clip.id);
      this.#redraw(clip, 'Posted');
    } catch (error) {
      this.#busy.delete(clip.id);
      this.#drafts.giveBack(clip.id, number);
      if (error.code === 'comments_off') clip.takesComments = false;
      this.#redraw(clip, `Not posted. ${error.detail ?? 'Please try again.'}`, true);
    }
  }

  /** Whatever is written for that clip now. */
  #redraw(clip, words, isBad = false) {
    if (this.#clip !== clip) return;
    const field = this.#part('textarea');
    const text = this.#drafts.text(clip.id);
    if (field.value !== text) field.value = text;
    this.#say(words, isBad);
    this.#draw();
  }

  #draw() {
    const field = this.#part('textarea');
    const isOpen = this.#clip.takesComments;
    this.#part('.line').hidden = !isOpen;
    this.#part('.closed').hidden = isOpen;
    this.#part('.closed').textContent = signedIn() ? 'Comments are off.' : 'Sign in to comment.';
    this.#part('.post').disabled = !this.#canPost;
    const left = LENGTH - charactersIn(field.value);
    const counter = this.#part('.left');
    counter.hidden = left > LEFT_SHOWN;
    counter.textContent = left < 0 ? `${-left} too many` : `${left} left`;
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
    if (words === 'Posted') this.#timer = setTimeout(() => this.#say(''), STATUS_MS);
  }

  /** The sheet stands above an on-screen keyboard. */
  #lift() {
    if (!this.#clip) return;
    const { covered, pushed } = keyboardOver(this.#stage);
    this.#stage.style.setProperty('--comments-lift', `${Math.max(0, covered - pushed)}px`);
  }
}

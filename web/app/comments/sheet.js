// The comments of a clip: a sheet over its lower part, above which it goes on smaller, or beside it where there is room; and a
// field to write one.
// It refuses to know what becomes of the feed below, and how comments are listed.

import { isGone } from '../blocking/blocking.js';
import { onChanged } from '../auth/auth.js';
import { onLive } from '../live/live.js';
import { loadStyles } from '../screens/screens.js';
import { isCalm } from '../social/heart.js';
import { plural, t } from '../words/words.js';
import { CommentField } from './field.js';
import { CommentList } from './list.js';

// Of its height, dragged down.
const CLOSES_AT = 0.2;
const LEAVES_MS = 200;

const markup = () => `
  <header>
    <h2 id="comments-title"></h2>
    <button type="button" class="close" aria-label="${t('Close the comments')}">
      <svg viewBox="0 0 24 24" aria-hidden="true"><path d="m6 6 12 12M18 6 6 18"/></svg>
    </button>
  </header>`;

export class CommentSheet {
  #app;
  #stage;
  #lock;
  #list;
  #field;
  #sheet = document.createElement('section');
  #outside = document.createElement('button');
  #clip = null;
  #opener = null;
  // Until the step of history that it was is left.
  #goingBack = null;
  // While it slides away.
  #leaving = null;
  // Where a finger began to drag its head.
  #pulledFrom = null;

  /** `lock(on)` runs when the sheet opens and when it closes. */
  constructor(app, lock) {
    this.#app = app;
    this.#stage = app.stage;
    this.#lock = lock;
    Object.assign(this.#sheet, { id: 'comments', tabIndex: -1 });
    this.#sheet.setAttribute('role', 'dialog');
    this.#sheet.setAttribute('aria-labelledby', 'comments-title');
    this.#sheet.dataset.noGestures = '';
    this.#sheet.append(document.createRange().createContextualFragment(markup()));
    this.#list = new CommentList({
      leave: () => this.#leave(), reply: (row) => this.#reply(row), menu: (row) => this.#openMenu(row),
      recounted: (clip) => this.#recounted(clip), isGone, notice: app.notice,
    });
    this.#field = new CommentField(this.#stage, { sent: (...what) => this.#take(...what), notice: app.notice });
    this.#sheet.append(this.#list.news.root, this.#list.root, this.#field.root);
    // A tap beside the sheet; keys have Escape and the cross.
    Object.assign(this.#outside, { type: 'button', className: 'outside', tabIndex: -1 });
    this.#outside.setAttribute('aria-hidden', 'true');
    this.#outside.addEventListener('click', () => this.close());
    this.#part('.close').addEventListener('click', () => this.close());
    this.#watchDrag(this.#part('header'));
    // What was closed and opened again at once goes back to where it was opened first.
    addEventListener('popstate', ({ state }) => {
      this.#goingBack = null;
      if (!state?.comments) this.#hide();
    });
    onChanged((isOther) => {
      if (!isOther) return;
      this.#field.changeWriter();
      this.#list.renew();
    });
    onLive((event) => this.#hear(event));
  }

  /** `opener` gets the focus back: the button, if it was reached by keys. `isToWrite`: the field gets the focus now. `linked`: the
   *  comment that somebody came for. */
  async open(clip, opener, isToWrite, linked) {
    // Without its looks it still can be read.
    await loadStyles('/app/comments/comments.css').catch(console.warn);
    // The step back of one that was closed a moment ago would close this one.
    await this.#goingBack;
    if (this.#clip) {
      if (isToWrite) this.#field.focus();
      return;
    }
    if (this.#app.current()?.id !== clip.id) return;
    this.#opener = opener;
    this.#sheet.inert = false;
    this.#sheet.style.translate = '';
    // What slides away turns round where it is.
    if (this.#leaving) this.#leaving.reverse(); else this.#stage.append(this.#sheet);
    this.#sheet.before(this.#outside);
    this.#stage.dataset.comments = '';
    this.#begin(clip, linked);
    if (isToWrite && clip.takesComments) this.#field.focus(); else this.#sheet.focus({ preventScroll: true });
    // The way back of a phone or browser closes the sheet and does not leave the feed. After a reload that step may be there.
    if (!history.state?.comments) history.pushState({ ...history.state, comments: true }, '');
    this.#lock(!this.#isBeside);
  }

  #begin(clip, linked) {
    this.#clip = clip;
    this.#showTitle();
    this.#field.show(clip);
    this.#list.begin(clip, linked);
  }

  /** This clip is on the screen now: what stands beside it goes with it, what covered another one closes. */
  follow(clip) {
    if (!this.#clip || this.#clip.id === clip.id) return;
    if (this.#isBeside) {
      this.#field.hide();
      this.#begin(clip);
    } else this.close();
  }

  /** The style says so. Then the feed below goes on. */
  get #isBeside() {
    return getComputedStyle(this.#outside).display === 'none';
  }

  close() {
    if (!this.#clip) return;
    this.#hide();
    if (!history.state?.comments) return;
    this.#goingBack = new Promise((resolve) => { addEventListener('popstate', resolve, { once: true }); });
    history.back();
  }

  /** For what lies at another address; answers when there is room. */
  async #leave() {
    this.close();
    await this.#goingBack;
  }

  #reply({ comment }) {
    this.#field.reply(comment);
  }

  async #openMenu(row) {
    try {
      const { openMenu } = await import('./menu.js');
      if (this.#clip) await openMenu(row, { app: this.#app, list: this.#list, clip: this.#clip, reply: (one) => this.#reply(one), leave: () => this.#leave() });
    } catch (error) {
      console.error(error);
      this.#app.notice(t('This could not be loaded. Please try again.'));
    }
  }

  /** What was just written is seen at once, and so is the count; what was tried before or came by a look may be counted. */
  #take(clip, comment, wasTried) {
    const isHere = this.#clip?.id === clip.id;
    wasTried ||= isHere && this.#list.has(comment.id);
    if (comment.held) this.#app.notice(t('Whoever made the clip looks at your comment first. Until then only you see it.'));
    else if (!wasTried) clip.counts.comments = (clip.counts.comments ?? 0) + 1;
    this.#recounted(clip);
    if (isHere) this.#list.add(comment, wasTried);
    if (wasTried) this.#list.recount(clip);
  }

  #recounted(clip) {
    this.#app.pages.recount(clip);
    if (this.#clip?.id === clip.id) this.#showTitle();
  }

  /** What others write is seen here, and no notice then; whom it answers or names is told all the same. */
  #hear({ kind, clip_id: clip, comment_id: comment }) {
    if (this.#clip?.id !== clip || this.#sheet.closest('[inert]') || !['comment', 'reply', 'mention'].includes(kind)) return false;
    this.#list.arrive(comment);
    return kind === 'comment';
  }

  /** A finger on the head takes the sheet down with it, and the clip grows behind it. */
  #watchDrag(head) {
    const moveTo = (y) => {
      const down = Math.max(0, y);
      this.#sheet.style.translate = down ? `0 ${down}px` : '';
      this.#stage.style.setProperty('--pulled', Math.min(1, down / this.#sheet.clientHeight));
    };
    const end = (event) => {
      if (this.#pulledFrom === null) return;
      const isFar = event.clientY - this.#pulledFrom > this.#sheet.clientHeight * CLOSES_AT;
      this.#letGo();
      if (isFar && event.type === 'pointerup') this.close(); else moveTo(0);
    };
    head.addEventListener('pointerdown', (event) => {
      if (!event.isPrimary || event.target.closest('button') || this.#isBeside) return;
      this.#pulledFrom = event.clientY;
      this.#stage.dataset.pulling = '';
      head.setPointerCapture(event.pointerId);
    });
    head.addEventListener('pointermove', (event) => { if (this.#pulledFrom !== null) moveTo(event.clientY - this.#pulledFrom); });
    head.addEventListener('pointerup', end);
    head.addEventListener('pointercancel', end);
  }

  #letGo() {
    this.#pulledFrom = null;
    delete this.#stage.dataset.pulling;
    this.#stage.style.removeProperty('--pulled');
  }

  #part(selector) {
    return this.#sheet.querySelector(selector);
  }

  #hide() {
    if (!this.#clip) return;
    this.#clip = null;
    this.#letGo();
    // Of a comment; whoever goes back leaves it as well.
    this.#stage.querySelector('dialog#menu, dialog.blocking')?.close();
    this.#list.end();
    this.#field.hide();
    const hadFocus = this.#sheet.contains(document.activeElement);
    const slides = !isCalm() && !this.#isBeside;
    delete this.#stage.dataset.comments;
    this.#outside.remove();
    this.#sheet.inert = true;
    if (hadFocus) this.#opener?.focus();
    this.#lock(false);
    if (slides) this.#slideAway(); else this.#remove();
  }

  /** From wherever it is. */
  #slideAway() {
    if (this.#leaving) {
      this.#leaving.reverse();
      return;
    }
    this.#leaving = this.#sheet.animate({ transform: [getComputedStyle(this.#sheet).transform, 'translateY(100%)'] },
      { duration: LEAVES_MS, easing: 'ease-in', fill: 'both' });
    const ended = () => {
      if (!this.#clip) this.#remove();
      this.#leaving?.cancel();
      this.#leaving = null;
    };
    this.#leaving.addEventListener('finish', ended);
  }

  #remove() {
    this.#sheet.remove();
    this.#sheet.style.translate = '';
  }

  #showTitle() {
    const count = this.#clip.counts.comments ?? 0;
    this.#part('h2').textContent = count ? plural(count, '{count} comment', '{count} comments') : t('Comments');
  }
}

// The comments of a clip: a sheet over its lower part, or beside it where there is room, newest first, page by page, and a
// field to write one.
// It refuses to know what becomes of the feed below.

import { hasProfile, linkTo } from '../profile-link/address.js';
import { loadStyles } from '../screens/screens.js';
import { CommentField } from './field.js';
import { loadComments, loadCounts } from './server.js';

const PAGE_LIMIT = 20;
// Fetches the next page when so much is left to scroll.
const AHEAD_PX = 600;
// Of its height, dragged down.
const CLOSES_AT = 0.2;

const MARKUP = `
  <header>
    <h2></h2>
    <button type="button" class="close" aria-label="Close the comments">
      <svg viewBox="0 0 24 24" aria-hidden="true"><path d="m6 6 12 12M18 6 6 18"/></svg>
    </button>
  </header>
  <div class="scroller" tabindex="0" role="group" aria-label="Comments, newest first">
    <ol></ol>
    <p class="none" hidden>No comments yet.<br>Yours can be the first.</p>
    <p class="loading" role="img" aria-label="Loading" hidden></p>
    <div class="failure" role="alert" hidden>
      <p>The comments could not be loaded.</p>
      <button type="button">Try again</button>
    </div>
  </div>`;

const relative = new Intl.RelativeTimeFormat('en', { style: 'narrow', numeric: 'auto' });
const UNITS = [['year', 31_536_000], ['month', 2_592_000], ['day', 86_400], ['hour', 3600], ['minute', 60]];

/** "3h ago"; what is younger than a minute, or of a clock that is ahead, is "now". */
export function ago(date, nowMs) {
  const seconds = (nowMs - date) / 1000;
  const unit = UNITS.find(([, size]) => seconds >= size);
  return unit ? relative.format(-Math.floor(seconds / unit[1]), unit[0]) : 'now';
}

/** `leave()` closes the sheet for the profile of whoever wrote it. */
function rowOf({ id, author, text, created_at: createdAt }, leave) {
  const row = document.createElement('li');
  row.dataset.comment = id;
  row.author = author;
  const who = document.createElement('p');
  const name = Object.assign(document.createElement('strong'), { dir: 'auto', textContent: author?.name ?? 'Guest' });
  const time = document.createElement('time');
  time.dateTime = createdAt;
  time.textContent = ago(new Date(createdAt), Date.now());
  who.append(hasProfile(author) ? linkTo(author, leave, name) : name, ' ', time);
  // As text, whatever it looks like; `auto`, since each may run in a direction of its own.
  const words = Object.assign(document.createElement('p'), { className: 'words', dir: 'auto', textContent: text });
  row.append(who, words);
  return row;
}

export class CommentSheet {
  #app;
  #stage;
  #lock;
  #field;
  #sheet = document.createElement('section');
  #outside = document.createElement('button');
  #clip = null;
  #opener = null;
  #cursor = null;
  #loading = false;
  #failed = false;

  /** `lock(on)` runs when the sheet opens and when it closes. */
  constructor(app, lock) {
    this.#app = app;
    this.#stage = app.stage;
    this.#lock = lock;
    Object.assign(this.#sheet, { id: 'comments', tabIndex: -1 });
    this.#sheet.setAttribute('role', 'dialog');
    this.#sheet.setAttribute('aria-labelledby', 'comments-title');
    this.#sheet.dataset.noGestures = '';
    this.#sheet.append(document.createRange().createContextualFragment(MARKUP));
    this.#part('h2').id = 'comments-title';
    this.#field = new CommentField(this.#stage, (clip, comment, wasTried) => this.#take(clip, comment, wasTried));
    this.#sheet.append(this.#field.root);
    // A tap beside the sheet; keys have Escape and the cross.
    Object.assign(this.#outside, { type: 'button', className: 'outside', tabIndex: -1 });
    this.#outside.setAttribute('aria-hidden', 'true');
    this.#outside.addEventListener('click', () => this.close());
    this.#part('.close').addEventListener('click', () => this.close());
    this.#part('.failure button').addEventListener('click', () => this.#more());
    this.#part('.scroller').addEventListener('scroll', () => this.#fill(), { passive: true });
    this.#watchDrag(this.#part('header'));
    addEventListener('popstate', () => this.#hide());
    import('../blocking/blocking.js').then(({ watchComments }) => watchComments(this.#part('ol'))).catch(console.warn);
  }

  /** `opener` gets the focus back: the button, if it was reached by keys. `isToWrite`: the field gets the focus now. */
  async open(clip, opener, isToWrite) {
    // Without its looks it still can be read.
    await loadStyles('/app/comments/comments.css').catch(console.warn);
    if (this.#clip) {
      if (isToWrite) this.#field.focus();
      return;
    }
    this.#opener = opener;
    this.#stage.append(this.#outside, this.#sheet);
    this.#begin(clip);
    if (isToWrite && clip.takesComments) this.#field.focus(); else this.#sheet.focus({ preventScroll: true });
    // The way back of a phone or browser closes the sheet and does not leave the feed.
    history.pushState({ comments: true }, '');
    this.#lock(!this.#isBeside);
  }

  #begin(clip) {
    this.#clip = clip;
    this.#cursor = null;
    this.#part('ol').replaceChildren();
    this.#part('.none').hidden = true;
    this.#showTitle();
    this.#field.show(clip);
    this.#more();
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
    if (history.state?.comments) history.back();
  }

  /** A comment that was just written is seen at once, and so is the count; but what was tried before may be counted
   *  already, and only the server knows. */
  async #take(clip, comment, wasTried) {
    const show = () => {
      this.#app.pages.recount(clip);
      if (this.#clip?.id === clip.id) this.#add(comment);
    };
    if (!wasTried) clip.counts.comments = (clip.counts.comments ?? 0) + 1;
    show();
    if (!wasTried) return;
    clip.counts.comments = (await loadCounts(clip.id).catch(() => clip.counts)).comments;
    show();
  }

  #add(comment) {
    this.#showTitle();
    this.#part('.none').hidden = true;
    if (this.#has(comment)) return;
    this.#part('ol').prepend(this.#row(comment));
    this.#part('.scroller').scrollTop = 0;
  }

  /** A finger on the head takes the sheet down with it. */
  #watchDrag(head) {
    let began = null;
    const moveTo = (y) => { this.#sheet.style.translate = `0 ${Math.max(0, y)}px`; };
    const end = (event) => {
      const isFar = began !== null && event.clientY - began > this.#sheet.clientHeight * CLOSES_AT;
      began = null;
      moveTo(0);
      if (isFar && event.type === 'pointerup') this.close();
    };
    head.addEventListener('pointerdown', (event) => {
      if (!event.isPrimary || event.target.closest('button')) return;
      began = event.clientY;
      head.setPointerCapture(event.pointerId);
    });
    head.addEventListener('pointermove', (event) => { if (began !== null) moveTo(event.clientY - began); });
    head.addEventListener('pointerup', end);
    head.addEventListener('pointercancel', end);
  }

  #part(selector) {
    return this.#sheet.querySelector(selector);
  }

  #row(comment) {
    return rowOf(comment, () => new Promise((resolve) => {
      addEventListener('popstate', () => resolve(), { once: true });
      this.close();
    }));
  }

  #has({ id }) {
    return [...this.#part('ol').children].some((row) => row.dataset.comment === id);
  }

  #hide() {
    if (!this.#clip) return;
    this.#clip = null;
    this.#field.hide();
    const hadFocus = this.#sheet.contains(document.activeElement);
    this.#sheet.remove();
    this.#outside.remove();
    if (hadFocus) this.#opener?.focus();
    this.#lock(false);
  }

  #showTitle() {
    const count = this.#clip.counts.comments ?? 0;
    const words = count === 1 ? '1 comment' : `${count.toLocaleString('en')} comments`;
    this.#part('h2').textContent = count ? words : 'Comments';
  }

  #fill() {
    const { scrollTop, clientHeight, scrollHeight } = this.#part('.scroller');
    if (this.#cursor && !this.#failed && scrollHeight - scrollTop - clientHeight < AHEAD_PX) this.#more();
  }

  async #more() {
    if (this.#loading) return;
    const clip = this.#clip;
    this.#show({ loading: true, failed: false });
    const page = await loadComments(clip.id, this.#cursor, PAGE_LIMIT).catch(() => null);
    this.#show({ loading: false, failed: !page && clip === this.#clip });
    // Opened anew meanwhile, maybe for another clip.
    if (clip !== this.#clip) return this.#clip && this.#more();
    if (page) this.#takePage(page);
  }

  #takePage({ items, next_cursor: cursor }) {
    this.#part('ol').append(...items.filter((comment) => !this.#has(comment)).map((comment) => this.#row(comment)));
    this.#part('.none').hidden = this.#part('ol').children.length > 0;
    this.#cursor = cursor;
    this.#fill();
  }

  #show({ loading, failed }) {
    this.#loading = loading;
    this.#failed = failed;
    this.#part('.loading').hidden = !loading;
    this.#part('.failure').hidden = !failed;
    this.#part('ol').setAttribute('aria-busy', String(loading));
  }
}

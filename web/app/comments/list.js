// The comments of a clip as a list that scrolls: page by page, newest or most liked first, the pinned one ahead of all; what is
// new while somebody reads; and what was come for by a link. What somebody reads is never moved.
// It refuses to know where the list is shown and how a comment is written.

import { el } from '../account/form.js';
import { t } from '../words/words.js';
import { Arrivals } from './arrivals.js';
import { turn } from './likes.js';
import { News } from './news.js';
import { isAtTop, keepPlace } from './place.js';
import { Thread } from './replies.js';
import { Row } from './row.js';
import { loadComment, loadComments, loadCounts } from './server.js';

const PAGE_LIMIT = 20;
// Fetches the next page when so much is left to scroll.
const AHEAD_PX = 600;
const ORDERS = {
  newest: [() => t('Newest'), () => t('Comments, newest first')], top: [() => t('Top'), () => t('Comments, most liked first')],
};

export class CommentList {
  root;
  news = new News(() => this.#showWaiting());
  #on;
  #list = el('ol');
  #orders = el('div', { class: 'orders', role: 'group', 'aria-label': t('Order'), hidden: true });
  #none = el('p', { class: 'none', hidden: true }, t('No comments yet.'), el('br'), t('Yours can be the first.'));
  #loading = el('p', { class: 'loading', role: 'img', 'aria-label': t('Loading'), hidden: true });
  #failure = el('div', { class: 'failure', role: 'alert', hidden: true }, el('p', {}, t('The comments could not be loaded.')),
    el('button', { type: 'button', click: () => this.#more() }, t('Try again')));
  #clip = null;
  #order = 'newest';
  #cursor = null;
  #isLoading = false;
  // Another with each clip and order: what was asked for before is nothing to this one.
  #turn = 0;
  // By id: the row of each comment, and the thread below it.
  #rows = new Map();
  #threads = new Map();
  // By id: all that was met under this clip, in whichever order; and when the newest of it was written.
  #met = new Set();
  #latest = '';
  // Taken out of sight by whoever looks: it may be asked for before it is gone.
  #removed = new Set();
  // More came than one page has.
  #hasGap = false;
  #arrivals = new Arrivals(() => this.#look());

  /** `on`: `leave()`, `reply(row)`, `menu(row)`, `recounted(clip)`, `isGone(author)`, `notice(text)`. */
  constructor(on) {
    this.#on = on;
    for (const [order, [words]] of Object.entries(ORDERS)) {
      this.#orders.append(el('button', { type: 'button', 'data-order': order, click: () => this.#arrange(order) }, words()));
    }
    this.root = el('div', { class: 'scroller', tabindex: '0', role: 'group' }, this.#orders, this.#list, this.#none, this.#loading, this.#failure);
    this.root.addEventListener('scroll', () => this.#fill(), { passive: true });
  }

  get clip() {
    return this.#clip;
  }

  /** `linked`: the id of the comment that somebody came for. */
  begin(clip, linked = null) {
    this.#clip = clip;
    this.#order = 'newest';
    this.#met.clear();
    this.#removed.clear();
    this.#latest = '';
    this.#refill();
    if (linked) this.#bring(linked, this.#turn);
    this.#arrivals.start();
  }

  end() {
    this.#clip = null;
    this.#turn += 1;
    this.#arrivals.stop();
  }

  /** Somebody else asks from now on: what is liked and one's own is another. */
  renew() {
    if (this.#clip) this.#refill();
  }

  /** That one was just written. It may answer one that stands too far down to be looked at. */
  async arrive(id) {
    const mine = this.#turn;
    this.#arrivals.now();
    try {
      const { parent_id: parent } = await loadComment(id);
      if (!this.#rows.has(parent)) return;
      const answered = await loadComment(parent);
      if (mine === this.#turn) this.#fresh([answered]);
    } catch { /* the next look may do better */ }
  }

  has(id) {
    return this.#rows.has(id);
  }

  /** What was just written here; `wasTried`: it may be counted already. */
  add(comment, wasTried) {
    this.#none.hidden = true;
    if (comment.parent_id) {
      this.#reveal(comment, wasTried);
      return;
    }
    if (!this.#rows.has(comment.id)) this.#putOnTop([comment]);
    this.root.scrollTop = 0;
  }

  /** All of that author's, as long as they are to be seen or not. */
  hide(author, isHidden) {
    keepPlace(this.root, () => {
      for (const { element, comment } of this.#rows.values()) if (comment.author?.id === author.id) element.hidden = isHidden;
    });
  }

  /** Takes it out of sight; answers what puts it back. */
  remove(row) {
    const { comment, element } = row;
    const mine = this.#turn;
    const thread = this.#threads.get(comment.parent_id);
    const next = element.nextSibling;
    const place = element.parentNode;
    keepPlace(this.root, () => element.remove());
    this.#rows.delete(comment.id);
    this.#removed.add(comment.id);
    if (!comment.held) thread?.count(-1);
    this.#none.hidden = this.#list.childElementCount > 0 || this.#isLoading || Boolean(this.#cursor);
    return () => {
      if (mine !== this.#turn) {
        // Another list stands here by now, maybe of the same clip.
        if (this.#removed.delete(comment.id) && this.#clip?.id === comment.clip_id) this.#refill();
        return;
      }
      place.insertBefore(element, next?.isConnected ? next : null);
      place.hidden = false;
      this.#rows.set(comment.id, row);
      this.#removed.delete(comment.id);
      if (!comment.held) thread?.count(1);
      this.#none.hidden = true;
    };
  }

  /** The one that is pinned now, or not any more. */
  pinned(comment) {
    if (comment.clip_id !== this.#clip?.id) return;
    const row = this.#rows.get(comment.id);
    for (const other of this.#rows.values()) if (other.comment.pinned && other !== row) other.update({ pinned: false });
    row?.update(comment);
    if (comment.pinned && row) {
      this.#list.prepend(row.element);
      this.root.scrollTop = 0;
      row.focus();
    }
  }

  /** How many there are now, of that clip. */
  async recount(clip) {
    clip.counts.comments = (await loadCounts(clip.id).catch(() => clip.counts)).comments;
    this.#on.recounted(clip);
  }

  // MARK: rows

  #rowOf(comment) {
    this.#meet(comment);
    const creator = this.#clip.author.id;
    const row = new Row(comment, {
      leave: this.#on.leave,
      like: ({ comment: one }) => turn(one, () => this.#rows.get(one.id)?.paint(), this.#on.notice),
      reply: this.#on.reply,
      menu: this.#on.menu,
      isCreator: (author) => Boolean(author?.id) && author.id === creator && author.handle !== 'guest',
    });
    row.element.hidden = this.#on.isGone(comment.author);
    this.#rows.set(comment.id, row);
    return row;
  }

  #topRowOf(comment) {
    const row = this.#rowOf(comment);
    const thread = new Thread(row.comment, {
      row: (reply) => this.#rowOf(reply), change: (act) => keepPlace(this.root, act), failed: this.#on.notice,
      isRemoved: (id) => this.#removed.has(id),
    });
    this.#threads.set(comment.id, thread);
    row.element.append(thread.root);
    return row.element;
  }

  #meet({ id, parent_id: parent, created_at: createdAt }) {
    this.#met.add(id);
    if (!parent && createdAt > this.#latest) this.#latest = createdAt;
  }

  /** Those of a page that are not there yet; what is known of the others is newer now. */
  #fresh(items) {
    return keepPlace(this.root, () => items.filter((comment) => {
      if (this.#removed.has(comment.id)) return false;
      const row = this.#rows.get(comment.id);
      row?.update(comment);
      this.#threads.get(comment.id)?.refresh();
      return !row;
    }));
  }

  /** Below the pinned one, and what somebody came for. */
  #putOnTop(comments) {
    const rows = comments.map((comment) => this.#topRowOf(comment));
    const first = [...this.#list.children].find(({ dataset }) => dataset.pinned === undefined && dataset.first === undefined);
    for (const row of rows) this.#list.insertBefore(row, first ?? null);
    this.#showOrders();
    return rows;
  }

  /** A reply that stands below its comment now, if that is there. */
  #reveal(reply, wasTried) {
    const thread = this.#threads.get(reply.parent_id);
    if (!thread || this.#rows.has(reply.id)) return;
    if (wasTried) this.arrive(reply.id); else if (!reply.held) thread.count(1);
    thread.show(reply).scrollIntoView({ block: 'nearest' });
  }

  // MARK: pages

  #refill() {
    this.#turn += 1;
    this.#cursor = null;
    this.#hasGap = false;
    this.#isLoading = false;
    this.#rows.clear();
    this.#threads.clear();
    this.news.wait([]);
    this.#list.replaceChildren();
    this.#none.hidden = true;
    this.root.scrollTop = 0;
    this.root.setAttribute('aria-label', ORDERS[this.#order][1]());
    this.#showOrders();
    this.#more();
  }

  #arrange(order) {
    if (order === this.#order) return;
    this.#order = order;
    this.#refill();
  }

  #showOrders() {
    // Of one there is no order; what stands in one, stays, while it comes anew.
    this.#orders.hidden = this.#list.childElementCount < 2 && (this.#clip.counts.comments ?? 0) < 2;
    for (const button of this.#orders.children) button.setAttribute('aria-pressed', String(button.dataset.order === this.#order));
  }

  #fill() {
    const { scrollTop, clientHeight, scrollHeight } = this.root;
    if (this.#cursor && this.#failure.hidden && scrollHeight - scrollTop - clientHeight < AHEAD_PX) this.#more();
  }

  async #more() {
    if (this.#isLoading || !this.#clip) return;
    const mine = this.#turn;
    this.#show(true, false);
    const page = await loadComments(this.#clip.id, this.#order, this.#cursor, PAGE_LIMIT).catch(() => null);
    if (mine !== this.#turn) return;
    this.#show(false, !page);
    if (!page) return;
    this.#cursor = page.next_cursor;
    this.#list.append(...this.#fresh(page.items).map((comment) => this.#topRowOf(comment)));
    this.#none.hidden = this.#list.childElementCount > 0;
    this.#showOrders();
    // What the feed said of the clip may be long ago.
    if (this.#list.childElementCount > (this.#clip.counts.comments ?? 0)) this.recount(this.#clip);
    this.#fill();
  }

  #show(isLoading, isFailed) {
    this.#isLoading = isLoading;
    this.#loading.hidden = !isLoading;
    this.#failure.hidden = !isFailed;
    this.#list.setAttribute('aria-busy', String(isLoading));
  }

  /** A comment that somebody came for stands first, with all that it answers. */
  async #bring(id, mine) {
    let reply = null;
    let comment;
    try {
      comment = await loadComment(id);
      if (comment.clip_id !== this.#clip?.id) return;
      if (comment.parent_id) [reply, comment] = [comment, await loadComment(comment.parent_id)];
    } catch (error) {
      if (mine === this.#turn) this.#on.notice(error.status === 404 ? t('This comment is gone.') : `${t('The comment could not be loaded.')} ${error.detail ?? ''}`);
      return;
    }
    if (mine !== this.#turn) return;
    const element = this.#rows.get(comment.id)?.element ?? this.#topRowOf(comment);
    element.dataset.first = '';
    this.#list.prepend(element);
    this.#none.hidden = true;
    const row = this.#rows.get(reply?.id ?? comment.id) ?? this.#replyIn(comment, reply);
    row.mark();
    this.root.scrollTop = 0;
    row.element.scrollIntoView({ block: 'nearest' });
    row.focus();
  }

  #replyIn({ id }, reply) {
    this.#threads.get(id).show(reply);
    return this.#rows.get(reply.id);
  }

  // MARK: what is new

  async #look() {
    // Behind another screen nobody reads.
    if (this.root.closest('[inert]')) return false;
    const mine = this.#turn;
    const { items, next_cursor: next } = await loadComments(this.#clip.id, 'newest', null, PAGE_LIMIT);
    // Without the first page nobody knows what would be new.
    if (mine !== this.#turn || this.#isLoading || !this.#failure.hidden) return false;
    const replies = () => [...this.#rows.values()].reduce((sum, { comment }) => sum + comment.replies, 0);
    const before = replies();
    const since = this.#latest;
    // NB: what stands farther down in another order is not new.
    const found = this.#fresh(items).filter(({ id, author, created_at: createdAt }) => (
      createdAt >= since && !this.#met.has(id) && !this.#on.isGone(author)));
    const isSomethingNew = found.length > 0 || replies() > before;
    const isGap = Boolean(next) && !items.some(({ id, pinned, held }) => !pinned && !held && this.#met.has(id));
    for (const comment of found) this.#meet(comment);
    if (found.length) this.#take(found, isGap);
    if (isSomethingNew) await this.recount(this.#clip);
    return isSomethingNew;
  }

  /** Where nobody reads anything else yet they are seen at once. */
  #take(found, isGap) {
    this.#none.hidden = true;
    const { waiting } = this.news;
    if (isAtTop(this.root) && this.#order === 'newest' && !waiting.length) {
      if (isGap) this.#refill(); else this.#putOnTop(found);
      return;
    }
    this.#hasGap ||= isGap;
    this.news.wait([...found, ...waiting]);
  }

  #showWaiting() {
    const { waiting } = this.news;
    if (this.#order !== 'newest' || this.#hasGap) {
      this.#order = 'newest';
      this.#refill();
      this.root.focus({ preventScroll: true });
      return;
    }
    this.news.wait([]);
    const [first] = this.#putOnTop(waiting.filter(({ id }) => !this.#rows.has(id)));
    this.root.scrollTop = 0;
    // The button is gone.
    (first?.firstElementChild ?? this.root).focus({ preventScroll: true });
  }
}

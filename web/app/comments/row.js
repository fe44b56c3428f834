// One comment as it is seen: who wrote it, when, what, how many like it, and what can be done with it.
// It refuses to know what a tap does, and where the comment stands among others.

import { el } from '../account/form.js';
import { hasProfile, linkTo } from '../profile-link/address.js';
import { imageOf } from '../profile-link/face.js';
import { dots } from '../blocking/blocking.js';
import { language, plural, t } from '../words/words.js';
import { ago } from './ago.js';
import { likesOf } from './likes.js';
import { piecesOf } from './mentions.js';

const HEART = '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M12 20.3 4.6 13a4.9 4.9 0 0 1 0-6.9 4.8 4.8 0 0 1 6.800 0l.6.6.6-.6a4.8 4.8 0 0 1 6.800 0 4.9 4.9 0 0 1 0 6.900z"/></svg>';
const compactOf = (count) => count.toLocaleString(language(), { notation: 'compact', maximumFractionDigits: 1 });

export const nameOf = ({ author }) => author?.name ?? t('Guest');

/** As text, whatever it looks like; names of people lead to them. */
function wordsOf(text, leave) {
  // `auto`, since each may run in a direction of its own.
  return el('p', { class: 'words', dir: 'auto' }, ...piecesOf(text).map((piece) => (
    piece.handle && hasProfile(piece) ? linkTo(piece, leave, piece.text) : piece.text)));
}

export class Row {
  element;
  comment;
  #on;
  #like;
  #marks = el('span', { class: 'marks' });

  /** `on`: `leave()` makes room for a profile, `like(row)`, `reply(row)`, `menu(row)`; `isCreator(author)` of the clip. */
  constructor(comment, on) {
    this.comment = comment;
    this.#on = on;
    const { id, author, text, created_at: createdAt } = comment;
    const who = nameOf(comment);
    const name = el('strong', { dir: 'auto' }, who);
    const time = el('time', { datetime: createdAt }, ago(new Date(createdAt), Date.now()));
    this.#like = el('button', { type: 'button', class: 'like', click: () => on.like(this) });
    this.#like.innerHTML = HEART;
    this.#like.append(el('b', { 'aria-hidden': 'true' }));
    this.element = el('li', { 'data-comment': id }, el('div', { class: 'comment', tabindex: '-1' },
      el('p', { class: 'who' }, imageOf(author, 20), hasProfile(author) ? linkTo(author, on.leave, name) : name, ' ', time, this.#marks),
      wordsOf(text, on.leave),
      el('p', { class: 'acts' },
        el('button', { type: 'button', class: 'reply', 'aria-label': t('Reply to {name}', { name: who }), click: () => on.reply(this) }, t('Reply')),
        dots(t('More about the comment of {name}', { name: who }), () => on.menu(this))),
      this.#like));
    this.paint();
  }

  /** What is known of it now. */
  update(comment) {
    // NB: the same object stays, since a like on its way will be told about it.
    Object.assign(this.comment, { held: false }, comment);
    this.paint();
  }

  paint() {
    const { isLiked, likes } = likesOf(this.comment);
    this.#like.setAttribute('aria-pressed', String(isLiked));
    this.#like.setAttribute('aria-label', plural(likes, 'Like the comment of {name}, {count} like', 'Like the comment of {name}, {count} likes', { name: nameOf(this.comment) }));
    this.#like.querySelector('b').textContent = likes ? compactOf(likes) : '';
    const { pinned, author, held } = this.comment;
    const marks = [held && t('Waits for its creator: only you see it'), pinned && t('Pinned'), this.#on.isCreator(author) && t('Creator')].filter(Boolean);
    this.#marks.replaceChildren(...marks.flatMap((mark) => [' ', el('span', {}, mark)]));
    this.element.toggleAttribute('data-pinned', Boolean(pinned));
    this.element.toggleAttribute('data-held', Boolean(held));
  }

  /** It is what somebody came for. */
  mark() {
    this.element.dataset.linked = '';
  }

  focus() {
    this.element.firstElementChild.focus({ preventScroll: true });
  }
}

// Comments that wait for whoever made the clips, the newest first: let in, deleted, or their writer blocked.

import { request, route } from '../api/api.js';
import { el } from '../account/form.js';
import { listOf } from '../account/lists.js';
import { ask, attach, blockAfterAsking } from '../blocking/blocking.js';
import { loadClip } from '../clip-link/clip.js';
import { ago } from '../comments/ago.js';
import { t } from '../words/words.js';
import { countOf, whyOf } from './words.js';

const nameOf = ({ author }) => author?.name ?? t('Guest');

/** `on`: the account screen. */
export function heldList(on) {
  attach(on.app);
  const title = el('h3', { tabindex: '-1' }, t('Comments that wait'));
  let held = 0;
  const count = (now) => {
    held = Math.max(0, now);
    title.textContent = countOf(held);
  };
  const list = listOf({
    path: '/account/held-comments', name: 'held', label: t('Comments that wait'), none: t('What your filters catch waits here.'), signal: on.signal,
    paged: (_, page) => count(page.held), row: (item) => new HeldRow(item, on, gone).root,
  });

  /** What goes leaves the focus to the next one. */
  function gone(row) {
    const next = row.nextElementSibling ?? row.previousElementSibling;
    const hadFocus = row.contains(document.activeElement) || document.activeElement === document.body;
    row.remove();
    count(held - 1);
    if (!next && held) {
      on.again();
      return;
    }
    if (!next) list.querySelector('.none').hidden = false;
    if (hadFocus) (next?.querySelector('button') ?? title).focus();
  }

  return el('section', { 'aria-label': t('Comments that wait') }, title, list);
}

class HeldRow {
  root;
  #comment;
  #on;
  #gone;

  /** `gone(root)`: it does not wait any more. */
  constructor(item, on, gone) {
    const { comment } = item;
    this.#comment = comment;
    this.#on = on;
    this.#gone = gone;
    const who = nameOf(comment);
    const act = (words, what) => el('button', { type: 'button', 'aria-label': t('{act}: comment of {name}', { act: words, name: who }), click: what }, words);
    const { author } = comment;
    this.root = el('li', { 'data-comment': comment.id },
      el('p', { class: 'who' }, el('strong', { dir: 'auto' }, who), ' ',
        el('time', { datetime: comment.created_at }, ago(new Date(comment.created_at), Date.now()))),
      el('p', { class: 'words', dir: 'auto' }, comment.text),
      el('p', { class: 'why', dir: 'auto' }, whyOf(item)),
      el('p', { class: 'acts' }, act(t('Let in'), () => this.#letIn()), act(t('Delete'), () => this.#delete()),
        act(t('Watch the clip'), () => this.#watch()),
        author ? el('button', { type: 'button', 'aria-label': t('Block {name}', { name: who }), click: () => this.#block(author) }, t('Block')) : null));
  }

  #letIn() {
    return this.#change(() => request(route`/comments/${this.#comment.id}/approval`, { method: 'PUT', keepalive: true }), t('The comment stands under your clip.'));
  }

  async #delete() {
    const isMeant = await ask(this.#on.app.stage, { title: t('Delete the comment?'), text: t('Nobody can bring it back.'), yes: t('Delete') });
    if (isMeant) await this.#change(() => request(route`/comments/${this.#comment.id}`, { method: 'DELETE', keepalive: true }), t('The comment is deleted.'));
  }

  /** All that they wrote waits for nothing any more. */
  async #block(author) {
    const isBlocked = await blockAfterAsking(author);
    if (isBlocked) this.#on.again();
  }

  async #watch() {
    try {
      this.#on.open(await loadClip(this.#comment.clip_id));
    } catch {
      this.#on.say(t('This clip could not be loaded. Please try again.'));
    }
  }

  /** One thing at a time; what is gone meanwhile leaves as well. */
  async #change(send, words) {
    if (this.root.ariaBusy === 'true') return;
    this.root.ariaBusy = 'true';
    try {
      await send();
      this.#on.say(words);
    } catch (error) {
      this.#on.say(error.status === 404 ? t('This comment is gone.') : error.detail ?? t('This did not work. Please try again.'));
      if (error.status !== 404) {
        this.root.ariaBusy = null;
        return;
      }
    }
    this.#gone(this.root);
  }
}

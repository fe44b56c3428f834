// The inbox over the feed: conversations, and each of them at an address of its own, so that going back leaves it.

import { el, statusLine } from '../account/form.js';
import { listOf, pageOf } from '../account/lists.js';
import { ago } from '../comments/ago.js';
import { EVENT } from '../core/core.js';
import { onChanged } from '../auth/auth.js';
import { hasProfile, linkTo } from '../profile-link/address.js';
import { faceOf } from '../profile-link/face.js';
import { cover, goTo, icon, lay } from '../screens/screens.js';
import { plural, t } from '../words/words.js';
import { attachScreen, count } from './entry.js';
import { enterPage, leavePage, places } from './places.js';
import { Thread } from './thread.js';

const ADDRESS = '#messages';

let app = null;
let screen = null;
// By id: the face of whoever was met in the list.
const faces = new Map();

/** The id of the conversation that the address names; empty: the list; null: it is none of ours. */
function placeIn(hash) {
  const [, peer = ''] = /^#messages(?:\/(.+))?$/.exec(hash) ?? [null, null];
  return peer === null ? null : decodeURIComponent(peer);
}

/** Lays the inbox over the feed of the app, or goes to the address if it is there. */
export async function open(context) {
  app = context;
  if (screen) {
    screen.show();
    return;
  }
  await lay(['/app/inbox/inbox.css'], () => placeIn(location.hash) !== null, () => { screen = new Screen(); });
}

/** The row of a conversation, other than `but`. */
const rowIn = (list, peer, but) => [...list.querySelectorAll('[data-peer]')].find((row) => row.dataset.peer === peer && row !== but);

class Screen {
  #root;
  #title = el('h2', { tabindex: '-1', dir: 'auto' });
  #back;
  #status = statusLine();
  #place = el('div', { class: 'place' });
  #actions = el('div', { class: 'actions' });
  #places = places(ADDRESS);
  #uncover;
  #leaving = new AbortController();
  #view = new AbortController();
  #thread = null;
  #shown = null;
  // How often the list was looked at anew.
  #looks = 0;

  constructor() {
    const close = el('button', { type: 'button', class: 'round', 'aria-label': t('Close'), title: t('Close (Esc)'), click: () => this.close() });
    close.append(icon('m6 6 12 12M18 6 6 18'));
    this.#back = el('button', { type: 'button', class: 'round', 'aria-label': t('Back'), click: () => this.#goBack() });
    this.#back.append(icon('M14.5 5 8 12l6.5 7'));
    this.#title.id = 'inbox-title';
    this.#root = el('section', { id: 'inbox-screen', class: 'screen', role: 'dialog', 'aria-modal': 'true', 'aria-labelledby': 'inbox-title', tabindex: '-1',
      'data-no-gestures': '' }, el('header', {}, this.#back, this.#title, this.#actions, close), el('div', {}, this.#places, this.#status.element), this.#place);
    const { signal } = this.#leaving;
    // Nothing that is done here is for the feed below.
    for (const name of ['pointerdown', 'wheel', 'keydown']) this.#root.addEventListener(name, (event) => event.stopPropagation());
    addEventListener('keydown', (event) => this.#key(event), { capture: true, signal });
    addEventListener('popstate', () => {
      if (placeIn(location.hash) === null) this.#free(); else this.show();
    }, { signal });
    onChanged((isOther) => {
      if (!isOther || screen !== this) return;
      faces.clear();
      this.#shown = null;
      this.show();
    });
    this.#uncover = cover(app.stage, this.#root, app.report, 'inbox');
    attachScreen(this);
    this.show();
  }

  show() {
    const peer = placeIn(location.hash);
    if (peer === this.#shown) return;
    this.#shown = peer;
    this.#view.abort();
    this.#view = new AbortController();
    this.#thread?.leave();
    this.#thread = null;
    this.#status.say('');
    this.#actions.replaceChildren();
    this.#back.hidden = !peer;
    this.#places.hidden = Boolean(peer);
    this.#root.dataset.view = peer ? 'thread' : 'list';
    if (peer) this.#showThread(peer); else this.#showList();
  }

  /** A message from them; true if it is on the screen by that. */
  arrived(peer) {
    if (this.#thread?.peer === peer && !document.hidden) {
      this.#thread.arrive();
      return true;
    }
    if (!this.#shown) this.#renew();
    return false;
  }

  close() {
    history.go(-(history.state?.depth ?? 0) - 1);
  }

  #showList() {
    this.#title.textContent = t('Messages');
    const list = el('div', { class: 'middle' }, listOf({
      path: '/conversations', name: 'conversations', label: t('Conversations'), signal: this.#view.signal,
      none: t('No messages yet. Write to a creator from the bar under their clip.'),
      // One that moved up while its page was on its way stands there already.
      row: (conversation) => (rowIn(list, conversation.peer.id) ? '' : this.#rowOf(conversation)),
    }));
    this.#place.replaceChildren(list);
    // It fetches its first page once it is on the page.
    list.dispatchEvent(new Event('scroll'));
    if (!this.#root.contains(document.activeElement)) this.#title.focus();
    count();
  }

  /** What is new stands in the rows already, in their places; nothing else moves. */
  async #renew() {
    const { signal } = this.#view;
    this.#looks += 1;
    const look = this.#looks;
    count();
    try {
      const { items } = await pageOf('/conversations', {}, null);
      // An answer to an earlier question may come last.
      if (signal.aborted || look !== this.#looks) return;
      const scroller = this.#place.firstChild;
      const rows = scroller.querySelector('.conversations');
      const held = rows.contains(document.activeElement) && document.activeElement.closest('li').dataset.peer;
      const topOf = (element) => element.getBoundingClientRect().top;
      // NB: not the one that is about to move to the top.
      const looked = scroller.scrollTop > 0 && [...rows.children].find((row) => row.dataset.peer !== items[0]?.peer.id && topOf(row) >= topOf(scroller));
      const before = looked && topOf(looked);
      items.forEach((conversation, index) => {
        const row = this.#rowOf(conversation);
        const there = rows.children[index];
        if (there?.isEqualNode(row)) return;
        rows.insertBefore(row, there ?? null);
        rowIn(rows, conversation.peer.id, row)?.remove();
      });
      rows.parentElement.querySelector('.none').hidden = rows.childElementCount > 0;
      if (held) rowIn(rows, held).querySelector('button').focus({ preventScroll: true });
      if (looked) scroller.scrollTop += topOf(rowIn(rows, looked.dataset.peer)) - before;
    } catch (error) {
      console.warn(error);
    }
  }

  #rowOf({ peer, last, unread }) {
    faces.set(peer.id, peer);
    const words = last.is_own ? t('You: {text}', { text: last.text }) : last.text;
    const time = el('time', { datetime: last.created_at }, ago(new Date(last.created_at), Date.now()));
    const label = [peer.name, unread && plural(unread, '{count} unread', '{count} unread'), words].filter(Boolean).join(', ');
    return el('li', { 'data-peer': peer.id }, el('button', { type: 'button', 'aria-label': label, 'data-unread': unread > 0, click: () => this.#go(peer.id) },
      faceOf(peer),
      el('span', { class: 'who' }, el('strong', { dir: 'auto' }, peer.name), el('span', { dir: 'auto' }, words)),
      el('span', { class: 'when' }, time, unread ? el('b', {}, String(unread)) : null)));
  }

  #go(peer) {
    enterPage(`${ADDRESS}/${encodeURIComponent(peer)}`);
    this.show();
  }

  #goBack() {
    if (!leavePage(ADDRESS)) this.show();
  }

  #showThread(peer) {
    const { signal } = this.#view;
    const named = (face) => {
      if (signal.aborted) return;
      faces.set(peer, face);
      this.#title.replaceChildren(hasProfile(face) ? linkTo(face, null, face.name) : face.name);
      this.#offerBlock(face);
    };
    this.#title.textContent = t('Conversation');
    this.#thread = new Thread({
      peer, face: faces.get(peer), named, say: (text) => (screen ? screen.#status.say(text) : app.notice(text)), open: (clip) => this.#openClip(clip), stage: app.stage,
      menu: (message) => this.#openMenu(message, peer),
    });
    if (faces.has(peer)) named(faces.get(peer));
    this.#place.replaceChildren(this.#thread.root);
    this.#thread.start();
  }

  #offerBlock(face) {
    const block = el('button', { type: 'button', class: 'block', 'aria-label': t('Block {name}', { name: face.name }), click: () => this.#block(face) }, t('Block'));
    this.#actions.replaceChildren(block);
  }

  async #block(face) {
    const { attach, blockAfterAsking } = await import('../blocking/blocking.js');
    attach(app);
    if (!await blockAfterAsking(face)) return;
    count();
    this.#goBack();
  }

  /** What can be done with one message. */
  async #openMenu({ id, text }, peer) {
    try {
      const { openSheet } = await import('../menu/sheet.js');
      const face = faces.get(peer);
      // The feed is held by the screen.
      await openSheet({ stage: app.stage, report: () => {} }, t('Message'), (item) => [
        item(t('Copy'), async () => {
          await (await import('../clip-link/clip.js')).copy(text);
          this.#status.say(t('The message is copied.'));
        }),
        item(t('Report'), async () => (await import('../report/report.js')).openReport({ kind: 'message', id },
          { app, block: face && (() => this.#block(face)), toList: () => goTo('#account/reports') }), true),
      ]);
    } catch (error) {
      console.error(error);
      this.#status.say(t('This could not be loaded. Please try again.'));
    }
  }

  async #openClip(clip) {
    const isLeft = new Promise((resolve) => { addEventListener('popstate', () => resolve(), { once: true }); });
    this.close();
    await isLeft;
    const item = app.feed.insert(clip);
    if (item === undefined) app.notice(t('This clip cannot be played here.')); else app.report(EVENT.jumpedToItem, item);
  }

  /** None reaches the feed; what is typed stays in its field. */
  #key(event) {
    if (event.target.closest?.('dialog')) return;
    if (!this.#root.contains(event.target)) event.stopImmediatePropagation();
    if (event.key !== 'Escape' || event.repeat || event.isComposing) return;
    event.stopImmediatePropagation();
    if (this.#shown) this.#goBack(); else this.close();
  }

  #free() {
    screen = null;
    attachScreen(null);
    this.#leaving.abort();
    this.#view.abort();
    this.#thread?.leave();
    this.#root.remove();
    this.#uncover();
    count();
  }
}

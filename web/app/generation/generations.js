// What somebody had made from words, the newest first: how far each is, its prompt and its price, and the same prompt again with one tap. A page
// of the account screen.

import { el } from '../account/form.js';
import { listOf } from '../account/lists.js';
import { signedIn } from '../auth/auth.js';
import { request } from '../api/api.js';
import { ago } from '../comments/ago.js';
import { t } from '../words/words.js';
import { addressOf, again, signInFirst, tap } from './asking.js';
import { follow, hasMoved, newer } from './course.js';
import { asksForOtherWords, factsOf, isUnderWay, priceOf, refusalOf, shortStateOf } from './words.js';

const PATH = '/generations';
const NEWEST = 24;

export function fill(place, on) {
  place.className = 'from-words';
  if (!signedIn()) {
    place.replaceChildren(signInFirst(on));
    return;
  }
  const shown = new Map();
  // What is under way is among the newest.
  const begin = follow(async () => {
    const { items } = await request(PATH, { query: { limit: NEWEST }, signal: on.signal });
    const moved = items.map((item) => shown.get(item.id)?.update(item)).some(Boolean);
    return [...shown.values()].some(({ isMoving }) => isMoving) ? moved : null;
  }, { signal: on.signal });
  const row = (generation) => {
    const made = new Row(generation, on);
    shown.set(generation.id, made);
    return made.root;
  };
  place.replaceChildren(
    el('button', { type: 'button', class: 'main', click: () => on.go('generate') }, t('Generate a clip')),
    listOf({ path: PATH, name: 'generations', label: t('Made from words'), row, signal: on.signal, none: t('Nothing yet. Say what is to be seen, and it stands here.'),
      paged: (_, { items }) => { if (items.some(isUnderWay)) begin(); } }));
}

class Row {
  root = el('li');
  #now;
  #on;

  constructor(generation, on) {
    this.#on = on;
    this.#show(generation);
  }

  get isMoving() { return isUnderWay(this.#now); }

  /** Whether somebody who looks sees another thing. */
  update(told) {
    const before = this.#now;
    const now = newer(before, told);
    if (!hasMoved(before, now)) return false;
    const focused = this.root.contains(document.activeElement) && document.activeElement.className;
    this.#show(now);
    if (focused) this.root.querySelector(`.${focused}`)?.focus();
    return true;
  }

  #show(now) {
    this.#now = now;
    const state = shortStateOf(now);
    const time = ago(new Date(now.created_at), Date.now());
    this.root.dataset.state = now.is_published ? 'published' : now.state;
    this.root.replaceChildren(
      el('button', { type: 'button', class: 'open', 'aria-label': [state, now.prompt, factsOf(now), time].join(', '), click: () => this.#on.goTo(addressOf(now.id)) },
        el('span', { class: 'state' }, state), el('span', { class: 'words', dir: 'auto' }, now.prompt),
        el('span', { class: 'facts' }, factsOf(now), ' · ', el('time', { datetime: now.created_at }, time))),
      // What is under way is asked for already, and what was refused would be again.
      ...(isUnderWay(now) || asksForOtherWords(now) ? [] : [tap(t('Again'), 'again', () => this.#again(), (error) => { if (!error.isOver) this.#on.say(refusalOf(error)); })]));
    this.root.querySelector('.again')?.setAttribute('aria-label', t('Again, for {price}: {prompt}', { price: priceOf(now.credits), prompt: now.prompt }));
  }

  async #again() {
    const { id } = await again(this.#now, this.#on.app.notice);
    this.#on.goTo(addressOf(id));
  }
}

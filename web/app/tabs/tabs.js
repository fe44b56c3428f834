// The tabs over the feed: For you, Following and Latest, each with its own place; and a grid's clips as the feed, until somebody
// goes back to the grid. Comes after the first clip moves, or where there is none.
// It refuses to know which clips a tab has, and how one list takes the place of another: that is lists.js.

import { freshen, request } from '../api/api.js';
import { hasAnyoneLeft, onChanged } from '../auth/auth.js';
import { SECRET, forgetUploads, isArrivedAt } from '../clip-link/clip.js';
import { EVENT } from '../core/core.js';
import { TAB_KEY, loadPage, newList } from '../feed/feed.js';
import { loadStyles, once, takeAway } from '../screens/screens.js';
import { t } from '../words/words.js';
import { tabByKey } from './keys.js';
import { show } from './lists.js';
import { watchSwipes } from './swipes.js';

const TABS = [['for_you', () => t('For you')], ['following', () => t('Following::tab')], ['latest', () => t('Latest')]];
const KEYS = { '[': -1, ']': 1 };
// Whether somebody who is followed has a clip is asked so often while none is there.
const EMPTY_MS = 30_000;
const LOOK_MS = 50;
const nothing = () => [
  [t('You follow nobody yet'), t('Tap Follow beside a name, and their clips come here, the newest first.')],
  [t('No clips yet'), t('The people you follow have no clips yet. New ones start here by themselves.')],
];

/** @param {App} app */
export const attach = (app) => once('tabs', async () => {
  await loadStyles('/app/tabs/tabs.css').catch(console.warn);
  return new Tabs(app);
});

function remember(tab) {
  try { localStorage.setItem(TAB_KEY, tab); } catch { /* storage may be off */ }
}

function make(name, attributes, ...children) {
  const element = Object.assign(document.createElement(name), attributes);
  element.append(...children);
  return element;
}

class Tabs {
  #app;
  #row = make('div', { id: 'tabs' });
  #back = make('button', { id: 'grid-back', type: 'button', hidden: true, onclick: () => history.back() });
  #panel = document.getElementById('empty');
  // By tab, and by number of a grid: `{list, item}`, the clip that was on the screen when it was left.
  #kept = new Map();
  #grids = 0;
  #chosen;
  #turn = 0;
  // How many have been here.
  #viewers = 0;

  constructor(app) {
    this.#app = app;
    const { list } = app.feed;
    this.#chosen = TABS.some(([tab]) => tab === list.tab) ? list.tab : 'for_you';
    this.#kept.set(this.#chosen, { list });
    list.load = this.#patient(list, list.load);
    this.#build();
    this.#mark();
    document.addEventListener('keydown', (event) => this.#key(event));
    addEventListener('popstate', () => this.#return());
    onChanged((isOther, isOver, hasLeft) => { if (isOther) this.#changeViewer(hasLeft); });
    if (hasAnyoneLeft()) this.#changeViewer(true);
    watchSwipes(app.stage, (by) => this.#step(by));
    if (!app.current()) this.#tellEmpty();
  }

  get tab() { return this.#app.feed.list.tab; }

  // MARK: what is seen

  #build() {
    this.#row.setAttribute('role', 'tablist');
    this.#row.setAttribute('aria-label', t('Feed'));
    for (const [tab, name] of TABS) {
      const button = make('button', { type: 'button', id: `tab-${tab}`, onclick: ({ detail }) => this.#press(tab, detail > 0) }, name());
      button.dataset.tab = tab;
      button.setAttribute('role', 'tab');
      button.setAttribute('aria-controls', 'feed');
      this.#row.append(button);
    }
    this.#row.addEventListener('keydown', (event) => this.#rowKey(event));
    document.querySelector('#top > .brand').after(this.#row, this.#back);
  }

  #mark() {
    for (const button of this.#row.children) {
      const isChosen = button.dataset.tab === this.#chosen;
      button.setAttribute('aria-selected', String(isChosen));
      button.tabIndex = isChosen ? 0 : -1;
      if (isChosen) button.scrollIntoView({ block: 'nearest', inline: 'center' });
      button.toggleAttribute('data-busy', isChosen && this.#chosen !== this.tab && Boolean(this.tab));
    }
    this.#row.hidden = !this.tab;
    this.#back.hidden = Boolean(this.tab);
  }

  /** Says what to do where a tab has no clips. */
  async #tellEmpty() {
    const turn = this.#turn;
    let words = [t('No clips yet'), t('The first ones are being prepared. They start here by themselves.')];
    if (this.tab === 'following') {
      const followed = await request('/account/following', { query: { limit: 1 } }).catch(() => null);
      words = nothing()[followed?.items.length ? 1 : 0];
    }
    if (turn !== this.#turn) return;
    [...this.#panel.querySelectorAll('h2, p')].forEach((element, at) => { element.textContent = words[at]; });
    this.#panel.querySelector('button')?.remove();
    if (this.tab === 'following') this.#panel.append(make('button', { type: 'button', onclick: () => this.#go('for_you') }, t('See For you')));
  }

  // MARK: what is asked for

  /** Once more on the tab that is there: to its first clip, and from there to what is new. */
  #press(tab, isByPointer) {
    // Or keys that are meant for the clip would go through a row that nobody went to by keys.
    if (isByPointer) document.activeElement?.blur();
    if (tab !== this.tab) this.#go(tab);
    else if (this.#app.current() && this.#app.current().item !== this.#app.feed.list.order[0]) this.#app.report(EVENT.jumped, 0);
    else this.#go(tab, true);
  }

  #step(by) {
    const at = TABS.findIndex(([tab]) => tab === this.#chosen) + by;
    // What cannot be seen is not turned.
    if (this.#row.checkVisibility({ visibilityProperty: true }) && TABS[at]) this.#go(TABS[at][0]);
  }

  #key(event) {
    const by = KEYS[event.key];
    // Where brackets lie behind AltGr, it comes as both other keys.
    const isOther = (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState('AltGraph');
    if (!by || isOther || event.isComposing || event.target.closest?.('textarea, input:not([type=range]), [data-no-gestures]')) return;
    event.preventDefault();
    this.#step(by);
  }

  #rowKey(event) {
    const tab = this.#row.children[tabByKey(this.#row, event)];
    if (!tab) return;
    event.preventDefault();
    event.stopPropagation();
    tab.focus();
    this.#go(tab.dataset.tab);
  }

  // MARK: going from one to another

  #fresh(tab) {
    const list = newList(tab);
    list.load = this.#patient(list, loadPage);
    return list;
  }

  /** In whoever's name it is by then, and not again and again where there is nothing. */
  #patient(list, load) {
    return async (url) => {
      if (list.tab === 'following' && list.isKnown && !list.order.length) await new Promise((go) => { setTimeout(go, EMPTY_MS); });
      await freshen();
      const viewer = this.#viewers;
      const page = await load(url);
      // What is told to somebody who has left meanwhile is nobody's.
      return viewer === this.#viewers ? page : list.load(url.replace(/&cursor=[^&]*/, ''));
    };
  }

  #keepPlace() {
    const { list } = this.#app.feed;
    if (list.isOthers) return;
    this.#kept.set(list.tab || list.grid, { list, item: this.#app.current()?.item });
  }

  /** `isAnew`: with its first page as it is now. */
  async #go(tab, isAnew = false) {
    if (tab === this.#chosen && !isAnew) return;
    // Whoever writes at a clip does not go on writing at another.
    if (document.activeElement?.matches('#messages textarea')) document.activeElement.blur();
    this.#turn += 1;
    const turn = this.#turn;
    this.#chosen = tab;
    this.#mark();
    const kept = this.#kept.get(tab);
    const next = !isAnew && kept?.list.order.length ? kept : { list: this.#fresh(tab) };
    if (!next.list.isKnown) await this.#app.feed.requestPage(next.list);
    // Nothing was asked for where a page is on its way already.
    while (!next.list.isKnown && next.list.isLoading && turn === this.#turn) await new Promise((go) => { setTimeout(go, LOOK_MS); });
    if (turn !== this.#turn) return;
    if (!next.list.isKnown) {
      this.#app.notice(t('This could not be loaded. Check the connection and try again.'));
      this.#chosen = this.tab;
    } else {
      remember(tab);
      this.#show(next);
    }
    this.#mark();
  }

  #show({ list, item }) {
    this.#keepPlace();
    // What is watched is told with where it was come upon.
    this.#app.found = list.found;
    show(this.#app, list, item);
    this.#keepPlace();
    if (list.title) {
      this.#back.textContent = list.title;
      this.#back.setAttribute('aria-label', t('Back to {title}', { title: list.title }));
    }
    this.#mark();
    if (!this.#app.current()) this.#tellEmpty();
  }

  /** Nothing that was told to somebody else is shown again; what is on the screen stays there, unless it is for them alone. */
  #changeViewer(hasLeft) {
    this.#viewers += 1;
    const { list } = this.#app.feed;
    this.#kept.clear();
    list.cursor = null;
    // A guest's go along into their account.
    if (hasLeft) {
      list.isOthers = true;
      forgetUploads();
      takeAway(this.#app, ({ id, visibility }) => visibility && !isArrivedAt(id));
    }
    if (list.tab === 'following') this.#go('following', true);
  }

  // MARK: a grid as the feed

  /** Shows `clips`, as the API tells them, with the one of `id` on the screen; going back leads to the address of now, where the
   *  grid is. `title` is what the way back is called, `source` as what the server counts what is watched there, `more()` answers
   *  the page behind the clips. Answers whether the clip can be played. */
  async watch(title, clips, id, { source = 'other', more = null } = {}) {
    const list = newList('', async () => ({ items: [...clips], next_cursor: more && 'more' }));
    const { feed } = this.#app;
    await feed.requestPage(list);
    const item = list.order.find((handle) => feed.clip(handle)?.id === id);
    if (item === undefined) return false;
    this.#turn += 1;
    this.#grids += 1;
    Object.assign(list, {
      title, grid: this.#grids, found: new Map(clips.map((clip) => [clip.id, source])),
      load: async () => {
        const page = await more?.() ?? { items: [], next_cursor: null };
        for (const clip of page.items) list.found.set(clip.id, source);
        return page;
      },
    });
    history.pushState({ fromFeed: true, grid: this.#grids }, '', location.pathname + location.search);
    this.#show({ list, item });
    return true;
  }

  /** What history leads to: a grid's clips again, or the tab that was there before. */
  #return() {
    // A screen is over the feed.
    if (location.hash && !SECRET.test(location.hash)) return;
    const grid = this.#kept.get(history.state?.grid);
    if (grid) {
      if (grid.list !== this.#app.feed.list) this.#show(grid);
    } else if (!this.tab) {
      const list = this.#fresh(this.#chosen);
      this.#show(this.#kept.get(this.#chosen) ?? { list });
      if (this.#app.feed.list === list) this.#app.feed.requestPage();
    }
  }

  // MARK: what is left out of a tab

  /** Takes the clips that `isOut(clip)` out of For you, but for the one on the screen; answers what puts them back. */
  leaveOut(isOut) {
    const { feed } = this.#app;
    const { list } = this.tab === 'for_you' ? feed : this.#kept.get('for_you') ?? {};
    if (!list) return () => {};
    const current = this.#app.current()?.item;
    const before = list.order;
    this.#arrange(list, before.filter((item) => item === current || !feed.has(item) || !isOut(feed.clip(item))));
    return () => this.#arrange(list, [...before, ...list.order.filter((item) => !before.includes(item))]);
  }

  #arrange(list, order) {
    if (list === this.#app.feed.list) show(this.#app, list, this.#app.current()?.item, order); else list.order = order;
  }
}

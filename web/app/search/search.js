// The search over the feed: a field that suggests, and what is found. A clip opens the feed right there; going back comes to
// the same place of what was found. It refuses to know how words lead to clips: the server does.

import { el, statusLine } from '../account/form.js';
import { EVENT } from '../core/core.js';
import { addressOf as addressOfProfile } from '../profile-link/address.js';
import { cover, goTo, icon, lay } from '../screens/screens.js';
import { tabByKey } from '../tabs/keys.js';
import { t } from '../words/words.js';
import { Field } from './field.js';
import { resultsOf, TABS } from './results.js';
import { recent } from './recent.js';

const ADDRESS = '#search';
// Clips behind the one that was tapped that the feed goes on with.
const BEHIND = 12;

let app = null;
let screen = null;

/** `{tab, text}` of an address; null if it is none of ours: `#search/people/mara`. */
function placeIn(hash) {
  const [whole, tab = 'clips', text = ''] = /^#search(?:\/(\w+)\/(.*))?$/.exec(hash) ?? [];
  if (whole === undefined || !Object.hasOwn(TABS, tab)) return null;
  // Somebody may have written the address by hand.
  try { return { tab, text: decodeURIComponent(text) }; } catch { return { tab, text: '' }; }
}

const addressOf = ({ tab, text }) => (text ? `${ADDRESS}/${tab}/${encodeURIComponent(text)}` : ADDRESS);

/** Lays the search over the feed of the app, as it was left if it was left for a clip. */
export async function open(context) {
  app = context;
  if (screen) {
    screen.show();
    return;
  }
  // Its lists look as those of the account.
  await lay(['/app/search/search.css', '/app/account/screen.css'], () => placeIn(location.hash), () => { screen = new Screen(); });
}

class Screen {
  #root;
  #field;
  #tabs = el('div', { class: 'tabs', role: 'tablist', 'aria-label': t('What to look for') });
  #status = statusLine();
  #middle = el('div', { class: 'middle', role: 'tabpanel', id: 'search-panel', tabindex: '-1' });
  #uncover = null;
  #leaving = new AbortController();
  #view = new AbortController();
  #place = { tab: 'clips', text: '' };
  #shown = null;
  // What was tapped, to which the focus comes back, and how far was scrolled.
  #left = { element: null, scrollTop: 0 };
  // On the feed, over which it can be come back to.
  #return = el('button', { id: 'found', type: 'button', 'aria-label': t('Back to what was found'), title: t('Back to what was found'),
    click: () => history.back() }, icon('M14.5 5 8 12l6.5 7'));

  constructor() {
    const close = el('button', { type: 'button', class: 'round', 'aria-label': t('Close'), title: t('Close (Esc)'), click: () => this.close() });
    close.append(icon('m6 6 12 12M18 6 6 18'));
    this.#field = new Field({ chosen: (choice) => this.#choose(choice), cleared: () => this.#ask('') });
    this.#buildTabs();
    this.#root = el('section', { id: 'search-screen', class: 'screen', role: 'dialog', 'aria-modal': 'true', 'aria-label': t('Search'), tabindex: '-1',
      'data-no-gestures': '' }, el('header', {}, this.#field.root, close), el('div', {}, this.#tabs, this.#status.element), this.#middle);
    // Nothing that is done here is for the feed below.
    for (const name of ['pointerdown', 'wheel', 'keydown']) this.#root.addEventListener(name, (event) => event.stopPropagation());
    const { signal } = this.#leaving;
    addEventListener('keydown', (event) => this.#key(event), { capture: true, signal });
    addEventListener('popstate', () => {
      if (placeIn(location.hash)) this.show();
      else if (this.#uncover) this.#free();
      // Back over the feed that it opened, or on to another screen: it may still be come back to.
      else this.#return.hidden = !history.state?.found;
    }, { signal });
    this.show();
  }

  /** As the address says; if it was left for a clip, as it was. */
  show() {
    const place = placeIn(location.hash);
    if (!this.#uncover) {
      this.#return.remove();
      this.#uncover = cover(app.stage, this.#root, app.report, 'search');
      this.#middle.scrollTop = this.#left.scrollTop;
    } else if (addressOf(place) === this.#shown) return;
    const isAsBefore = addressOf(place) === this.#shown;
    if (!isAsBefore) this.#fill(place);
    if (isAsBefore && this.#left.element?.isConnected) this.#left.element.focus({ preventScroll: true });
    else if (!place.text) this.#field.focus(); else this.#middle.focus({ preventScroll: true });
    this.#left.element = null;
  }

  #fill(place) {
    this.#place = place;
    this.#shown = addressOf(place);
    this.#view.abort();
    this.#view = new AbortController();
    this.#status.say('');
    this.#field.set(place.text);
    this.#tabs.hidden = !place.text;
    for (const tab of this.#tabs.children) this.#mark(tab, tab.dataset.tab === place.tab);
    this.#middle.setAttribute('aria-label', place.text ? TABS[place.tab].name() : t('Recent'));
    this.#middle.scrollTop = 0;
    this.#left.scrollTop = 0;
    const { signal } = this.#view;
    const on = {
      app,
      signal,
      say: (text) => { if (!signal.aborted) this.#status.say(text); },
      open: (clip, clips) => this.#openClip(clip, clips),
      profile: (author) => goTo(addressOfProfile(author.handle)),
      ask: (text, tab = 'clips') => this.#ask(text, tab),
    };
    this.#middle.replaceChildren(place.text ? resultsOf(place, on) : recent.list((text) => this.#ask(text), () => this.#field.focus()));
  }

  // MARK: what is asked

  #choose({ kind, text, person }) {
    if (kind === 'person') this.#ask(`@${person.handle}`, 'people');
    else this.#ask(kind === 'tag' ? `#${text}` : text, 'clips');
  }

  #ask(text, tab = this.#place.tab) {
    const place = { tab, text: text.trim() };
    if (place.text) recent.add(place.text);
    history.replaceState(history.state, '', addressOf(place));
    this.#fill(place);
    // What is found has the room that the keyboard of a phone takes.
    if (place.text) this.#middle.focus({ preventScroll: true }); else this.#field.focus();
  }

  #buildTabs() {
    for (const [tab, { name }] of Object.entries(TABS)) {
      this.#tabs.append(el('button', { type: 'button', role: 'tab', 'data-tab': tab, 'aria-controls': 'search-panel',
        click: () => this.#turn(tab) }, name()));
    }
    this.#tabs.addEventListener('keydown', (event) => {
      const tab = this.#tabs.children[tabByKey(this.#tabs, event)];
      if (!tab) return;
      event.preventDefault();
      this.#turn(tab.dataset.tab);
      tab.focus();
    });
  }

  #turn(tab) {
    if (tab === this.#place.tab) return;
    const place = { ...this.#place, tab };
    history.replaceState(history.state, '', addressOf(place));
    this.#fill(place);
  }

  #mark(tab, isSelected) {
    tab.setAttribute('aria-selected', String(isSelected));
    tab.tabIndex = isSelected ? 0 : -1;
  }

  // MARK: coming and going

  /** The feed goes on with what was found, from this clip on. */
  #openClip(clip, clips) {
    const from = clips.findIndex(({ id }) => id === clip.id);
    const behind = clips.slice(from + 1, from + 1 + BEHIND);
    app.found = new Map([clip, ...behind].map(({ id }) => [id, 'search']));
    // NB: each lies on top of the one before.
    for (const other of behind.toReversed()) app.feed.insert(other);
    const item = app.feed.insert(clip);
    if (item === undefined) {
      this.#status.say(t('This clip cannot be played here.'));
      return;
    }
    this.#left = { element: document.activeElement, scrollTop: this.#middle.scrollTop };
    history.pushState({ fromFeed: true, found: true, grid: app.feed.list.grid }, '', location.pathname + location.search);
    this.#lift();
    this.#return.hidden = false;
    app.stage.append(this.#return);
    app.report(EVENT.jumpedToItem, item);
  }

  close() {
    history.back();
  }

  #key(event) {
    if (!this.#uncover) return;
    // None reaches the feed; what is typed stays in its field.
    if (!this.#root.contains(event.target)) event.stopImmediatePropagation();
    if (event.key !== 'Escape' || event.repeat || event.isComposing) return;
    event.stopImmediatePropagation();
    // NB: it would empty the field as well.
    event.preventDefault();
    if (!this.#field.escape()) this.close();
  }

  #lift() {
    this.#root.remove();
    this.#uncover();
    this.#uncover = null;
  }

  #free() {
    screen = null;
    this.#leaving.abort();
    this.#view.abort();
    this.#lift();
  }
}

// The account over the feed: signing up and in, and what somebody has here. Each of its pages has an address, so that going
// back goes one page back, and at last to the feed.

import { EVENT } from '../core/core.js';
import { onChanged, signedIn } from '../auth/auth.js';
import { cover, icon, lay, takeAway } from '../screens/screens.js';
import { t } from '../words/words.js';
import { el, statusLine } from './form.js';
import { VIEWS } from './views.js';

// NB: nothing on the page has this name as its id, or a browser that goes back would take the focus there.
const ADDRESS = '#account';

// By page, as what the server counts what is watched there.
const SOURCES = { clips: 'own', likes: 'likes', bookmarks: 'bookmarks', trending: 'trending', similar: 'similar', profile: 'author' };

let app = null;
let screen = null;

/** `{view, token}` of an address; null if it is not one of ours. A link in a message names a secret, `#reset=…`; `#similar/…` and
 *  `#insights/…` a clip, `#profile/…` somebody; behind a page's name stands what it is about. */
function placeIn(hash) {
  const [, root, rest = ''] = /^#(account|reset|confirm|trending|similar|insights|profile)(?:[/=](.*))?$/.exec(hash) ?? [];
  if (!root) return null;
  if (root !== 'account') return { view: root, token: rest };
  const [view, token = ''] = rest.split('/');
  return Object.hasOwn(VIEWS, view) ? { view, token } : { view: '', token: '' };
}

/** Lays the account over the feed of the app, or goes to the address if it is there. */
export async function open(context) {
  app = context;
  if (screen) {
    screen.show();
    return;
  }
  await lay(['/app/account/screen.css'], () => placeIn(location.hash), () => { screen = new Screen(); });
}

class Screen {
  #root;
  #title = el('h2', { tabindex: '-1' });
  #back = el('button', { type: 'button', class: 'round', click: () => history.back() });
  #status = statusLine();
  #middle = el('div', { class: 'middle' });
  #uncover;
  #leaving = new AbortController();
  #view = new AbortController();
  #shown = null;
  // Said as soon as the next page is there.
  #news = '';
  // On its way to the first page: the address is still another one's.
  #isGoing = false;

  constructor() {
    const close = el('button', { type: 'button', class: 'round close', 'aria-label': t('Close'), title: t('Close (Esc)'), click: () => this.close() });
    close.append(icon('m6 6 12 12M18 6 6 18'));
    this.#back.setAttribute('aria-label', t('Back'));
    this.#back.append(icon('M14.5 5 8 12l6.5 7'));
    this.#title.id = 'account-title';
    this.#root = el('section', { id: 'account-screen', class: 'screen', role: 'dialog', 'aria-modal': 'true', 'aria-labelledby': 'account-title', tabindex: '-1',
      'data-no-gestures': '' }, el('header', { class: 'head' }, close, this.#back, this.#title), this.#status.element, this.#middle);
    const { signal } = this.#leaving;
    // Nothing that is done here is for the feed below.
    for (const name of ['pointerdown', 'wheel', 'keydown']) this.#root.addEventListener(name, (event) => event.stopPropagation());
    addEventListener('keydown', (event) => this.#key(event), { capture: true, signal });
    addEventListener('popstate', () => {
      this.#isGoing = false;
      if (placeIn(location.hash)) this.show(); else this.#free();
    }, { signal });
    onChanged((isOther) => {
      if (!isOther || screen !== this) return;
      if (!signedIn()) this.#news ||= t('You are signed out.');
      this.show();
    });
    this.#uncover = cover(app.stage, this.#root, app.report, 'person');
    this.show();
  }

  /** Shows the page of the address, unless it is there. */
  show() {
    const { view: name, token } = placeIn(location.hash);
    const wanted = VIEWS[name]();
    const isFor = signedIn() ? 'accounts' : 'guests';
    // What was for somebody else: its own way back is gone, so it becomes the first page.
    if (wanted.for && wanted.for !== isFor) {
      this.home(this.#news);
      return;
    }
    const shown = [name, token, isFor, signedIn()?.id].join(' ');
    if (this.#isGoing) return;
    if (shown !== this.#shown) this.#fill(wanted, name, token);
    this.#shown = shown;
    if (this.#news) this.#status.say(this.#news);
    this.#news = '';
  }

  #fill(wanted, name, token) {
    this.#status.say('');
    this.#view.abort();
    this.#view = new AbortController();
    this.#title.textContent = wanted.title;
    this.#back.hidden = !(history.state?.depth > 0);
    this.#root.dataset.view = name;
    this.#middle.replaceChildren();
    this.#middle.scrollTop = 0;
    this.#middle.append(...wanted.show(this.#on(), token));
    this.#arrive();
  }

  close() {
    const depth = (history.state?.depth ?? 0) + 1;
    const isLeft = new Promise((resolve) => { addEventListener('popstate', () => resolve(), { once: true }); });
    history.go(-depth);
    return isLeft;
  }

  /** The first page, with news. */
  home(text) {
    this.#news = text;
    if (this.#isGoing) return;
    const depth = history.state?.depth ?? 0;
    if (depth > 0) {
      this.#isGoing = true;
      history.go(-depth);
      return;
    }
    history.replaceState(history.state, '', ADDRESS);
    this.show();
  }

  #goBack(text) {
    if (!history.state?.depth) {
      this.home(text);
      return;
    }
    this.#news = text;
    this.#shown = null;
    history.back();
  }

  #on() {
    const { signal } = this.#view;
    // NB: an answer may come when its page is no longer there.
    const here = (act) => (...given) => { if (!signal.aborted) act(...given); };
    const goTo = here((address) => {
      history.pushState({ fromFeed: true, depth: (history.state?.depth ?? 0) + 1 }, '', address);
      this.show();
    });
    return {
      signal,
      go: (name) => goTo(`${ADDRESS}/${name}`),
      goTo,
      // Whoever signs in or out is elsewhere by then.
      home: (text) => { if (screen === this) this.home(text); },
      say: here((text) => this.#status.say(text)),
      replace: here((...elements) => {
        this.#middle.replaceChildren(...elements);
        this.#title.focus();
      }),
      arrive: here(() => this.#arrive()),
      open: here((clip) => this.#open(clip)),
      search: here(() => this.#search()),
      // The page before, with news.
      back: here((text) => this.#goBack(text)),
      // Another page in place of this one, with news.
      next: here((address, text) => {
        this.#news = text;
        history.replaceState(history.state, '', address);
        this.show();
      }),
      // The same page as it is now.
      again: here(() => {
        this.#shown = null;
        this.show();
      }),
      watch: here((title, clips, clip, more, source) => this.#watch(title, clips, clip, more, source)),
      removed: (isGone) => takeAway(app, isGone),
      app,
    };
  }

  /** Where there is a keyboard, to the first field; elsewhere it would jump up over the page. */
  #arrive() {
    const field = this.#middle.querySelector('input:not([hidden]), textarea');
    if (field && matchMedia('(hover: hover)').matches) field.focus(); else this.#title.focus();
  }

  /** None reaches the feed; what is typed stays in its field. */
  #key(event) {
    // What is asked over the screen has its own.
    if (event.target.closest?.('dialog')) return;
    if (!this.#root.contains(event.target)) event.stopImmediatePropagation();
    if (event.key !== 'Escape' || event.repeat || event.isComposing) return;
    event.stopImmediatePropagation();
    history.back();
  }

  /** Brings the person to a clip, which is in the feed from now on. */
  async #open(clip) {
    app.found = new Map([[clip.id, SOURCES[this.#root.dataset.view] ?? 'other']]);
    await this.close();
    const item = app.feed.insert(clip);
    if (item === undefined) app.notice(t('This clip cannot be played here.')); else app.report(EVENT.jumpedToItem, item);
  }

  async #search() {
    await this.close();
    history.pushState({ fromFeed: true }, '', '#search');
    dispatchEvent(new PopStateEvent('popstate', { state: history.state }));
  }

  /** A grid's clips are the feed, with this one on the screen, until the person goes back to the grid. */
  async #watch(title, clips, { id }, more, source = SOURCES[this.#root.dataset.view]) {
    try {
      const tabs = await (await import('../tabs/tabs.js')).attach(app);
      if (await tabs.watch(title, clips, id, { source, more })) this.#free(); else this.#status.say(t('This clip cannot be played here.'));
    } catch (error) {
      console.error(error);
      this.#status.say(t('This could not be loaded. Please try again.'));
    }
  }

  #free() {
    screen = null;
    this.#leaving.abort();
    this.#view.abort();
    this.#root.remove();
    this.#uncover();
  }
}

// What happened to somebody, over the feed: a list that stays, and what they want to hear of. Each has an address, so that going
// back leaves it.

import { el, statusLine } from '../account/form.js';
import { listOf, pageOf } from '../account/lists.js';
import { request } from '../api/api.js';
import { onChanged, signedIn } from '../auth/auth.js';
import { loadClip } from '../clip-link/clip.js';
import { EVENT } from '../core/core.js';
import { attachList, count } from '../inbox/entry.js';
import { enterPage, leavePage, places } from '../inbox/places.js';
import { cover, goTo, icon, lay } from '../screens/screens.js';
import { addressOf } from '../profile-link/address.js';
import { t } from '../words/words.js';
import { rowOf } from './row.js';

const ADDRESS = '#notifications';
// What happens in a row is asked for once.
const GATHER_MS = 600;

let app = null;
let screen = null;

const rowIn = (list, entry) => list.querySelector(`[data-entry="${CSS.escape(entry)}"]`);

/** `''`: the list; `settings`; null: none of ours. */
function placeIn(hash) {
  const [root, view = ''] = hash.split('/');
  return root === ADDRESS ? view : null;
}

/** Lays the list over the feed of the app, or goes to the address if it is there. */
export async function open(context) {
  app = context;
  if (screen) {
    screen.show();
    return;
  }
  await lay(['/app/notifications/notifications.css'], () => placeIn(location.hash) !== null, () => { screen = new Screen(); });
}

class Screen {
  #root;
  #title = el('h2', { tabindex: '-1' });
  #back = el('button', { type: 'button', class: 'round', 'aria-label': t('Back'), click: () => this.#goBack() });
  #gear = el('button', { type: 'button', class: 'round', 'aria-label': t('Settings of notifications'), title: t('Settings'), click: () => this.#go('settings') });
  #places = places(ADDRESS);
  #status = statusLine(6000);
  #middle = el('div', { class: 'middle' });
  #uncover;
  #leaving = new AbortController();
  #view = new AbortController();
  #shown = null;
  #gathering = 0;

  constructor() {
    const close = el('button', { type: 'button', class: 'round', 'aria-label': t('Close'), title: t('Close (Esc)'), click: () => this.close() });
    close.append(icon('m6 6 12 12M18 6 6 18'));
    this.#back.append(icon('M14.5 5 8 12l6.5 7'));
    this.#gear.append(icon('M4 7h9M17 7h3M4 17h3M11 17h9M13 7a2 2 0 1 0 4 0 2 2 0 0 0-4 0zM7 17a2 2 0 1 0 4 0 2 2 0 0 0-4 0z'));
    this.#title.id = 'notifications-title';
    this.#root = el('section', { id: 'notifications-screen', class: 'screen', role: 'dialog', 'aria-modal': 'true', 'aria-labelledby': 'notifications-title',
      tabindex: '-1', 'data-no-gestures': '' }, el('header', {}, this.#back, this.#title, this.#gear, close),
    el('div', {}, this.#places, this.#status.element), this.#middle);
    const { signal } = this.#leaving;
    // Nothing that is done here is for the feed below.
    for (const name of ['pointerdown', 'wheel', 'keydown']) this.#root.addEventListener(name, (event) => event.stopPropagation());
    addEventListener('keydown', (event) => this.#key(event), { capture: true, signal });
    addEventListener('popstate', () => {
      if (placeIn(location.hash) === null) this.#free(); else this.show();
    }, { signal });
    onChanged((isOther) => {
      if (!isOther || screen !== this) return;
      this.#shown = null;
      this.show();
    });
    this.#uncover = cover(app.stage, this.#root, app.report, document.getElementById('inbox') ? 'inbox' : 'person');
    attachList(this);
    this.show();
  }

  show() {
    const view = placeIn(location.hash);
    if (view === this.#shown) return;
    this.#shown = view;
    this.#view.abort();
    this.#view = new AbortController();
    this.#status.say('');
    const isList = view !== 'settings';
    this.#back.hidden = isList;
    this.#gear.hidden = !isList || !signedIn();
    this.#places.hidden = !isList;
    this.#title.textContent = isList ? t('Notifications') : t('What you hear of');
    this.#middle.replaceChildren();
    this.#middle.scrollTop = 0;
    if (isList) this.#showList(); else this.#showSettings();
    if (!this.#root.contains(document.activeElement) || document.activeElement === this.#root) this.#title.focus();
  }

  /** Something happened; the list is looked at anew, where somebody reads its top. True: it shows it by itself. */
  arrived() {
    if (this.#shown !== '' || document.hidden) return false;
    clearTimeout(this.#gathering);
    this.#gathering = setTimeout(() => { if (this.#shown === '') this.#renew(); }, GATHER_MS);
    return true;
  }

  close() {
    const isLeft = new Promise((resolve) => { addEventListener('popstate', () => resolve(), { once: true }); });
    history.go(-(history.state?.depth ?? 0) - 1);
    return isLeft;
  }

  // MARK: the list

  async #showList() {
    if (!signedIn()) {
      this.#middle.append(el('div', { class: 'none' }, el('p', {}, t('With an account you see here who likes, comments and follows.')),
        el('button', { type: 'button', click: async () => { await this.close(); goTo('#account'); } }, t('Sign in'))));
      return;
    }
    const { signal } = this.#view;
    const list = listOf({
      path: '/notifications', name: 'entries', label: t('Notifications'), signal, none: t('Nothing yet. Likes, comments and followers show up here.'),
      // What was renewed while its page was on its way stands there already.
      row: (entry) => (rowIn(list, entry.id) ? '' : rowOf(entry, this.#on())), paged: (_, page) => this.#seen(page, signal),
    });
    this.#middle.append(list);
    // It fetches its first page once it is on the page.
    list.dispatchEvent(new Event('scroll'));
  }

  /** What is new stands in the rows already, in their places. */
  #looks = 0;
  async #renew() {
    const { signal } = this.#view;
    const rows = this.#middle.querySelector('.entries');
    if (!rows || this.#middle.scrollTop > 8) return;
    this.#looks += 1;
    const look = this.#looks;
    try {
      const page = await pageOf('/notifications', {}, null);
      // An answer to an earlier question may come last.
      if (signal.aborted || look !== this.#looks) return;
      const held = rows.contains(document.activeElement) ? document.activeElement.closest('li')?.dataset.entry : null;
      const fresh = new Set(page.items.map(({ id }) => id));
      for (const row of [...rows.children]) if (fresh.has(row.dataset.entry)) row.remove();
      rows.prepend(...page.items.map((entry) => rowOf(entry, this.#on())));
      rows.parentElement.querySelector('.none').hidden = rows.childElementCount > 0;
      if (held) rowIn(rows, held)?.querySelector('.open')?.focus({ preventScroll: true });
      this.#seen(page, signal);
    } catch (error) {
      console.warn(error);
    }
  }

  #mark = '';
  async #seen({ mark }, signal) {
    // A later page has no news, and what was said once is said.
    if (signal.aborted || document.hidden || Number(mark) <= Number(this.#mark || 0)) return;
    try {
      await request('/notifications/seen', { method: 'PUT', body: { up_to: mark } });
      this.#mark = mark;
      count();
    } catch { /* it counts as new until the next look */ }
  }

  #on() {
    return {
      before: () => this.close(),
      clip: (id, comment) => this.#openClip(id, comment),
      people: async (entry) => {
        await this.close();
        goTo(entry.count === 1 ? addressOf(entry.people[0].handle) : addressOf(signedIn().handle, 'followers'));
      },
      own: async () => {
        await this.close();
        goTo('#account/clips');
      },
      generation: async (id) => {
        await this.close();
        goTo(`#account/generation/${encodeURIComponent(id)}`);
      },
      webhooks: async () => {
        await this.close();
        goTo('#account/webhooks');
      },
      decisions: async () => {
        await this.close();
        goTo('#account/decisions');
      },
    };
  }

  /** Brings the person to a clip, which is in the feed from now on, and to what was written under it. */
  async #openClip(id, comment) {
    const { signal } = this.#view;
    let clip;
    try {
      clip = await loadClip(id, signal);
    } catch {
      if (!signal.aborted) this.#status.say(t('This clip cannot be watched here now. If it is yours and not public, it is among your clips.'));
      return;
    }
    if (signal.aborted) return;
    await this.close();
    const item = app.feed.insert(clip);
    if (item === undefined) {
      app.notice(t('This clip cannot be played here.'));
      return;
    }
    app.report(EVENT.jumpedToItem, item);
    if (!comment) return;
    const isThere = () => app.current()?.id === id;
    if (!isThere()) await new Promise((resolve) => { app.stage.addEventListener('current', resolve, { once: true }); });
    if (isThere()) app.stage.dispatchEvent(new CustomEvent('comment', { detail: comment }));
  }

  // MARK: settings

  async #showSettings() {
    const { signal } = this.#view;
    const place = el('div', { class: 'turning', role: 'img', 'aria-label': t('Loading') });
    this.#middle.append(place);
    try {
      const { settings } = await import('./settings.js');
      const made = await settings({ signal, say: (text) => { if (!signal.aborted) this.#status.say(text); } });
      if (!signal.aborted) place.replaceWith(...made);
    } catch (error) {
      if (signal.aborted) return;
      place.replaceWith(el('div', { class: 'none', role: 'alert' }, el('p', {}, error.detail ?? t('This could not be loaded.')),
        el('button', { type: 'button', click: () => { this.#shown = null; this.show(); } }, t('Try again'))));
    }
  }

  #go(view) {
    enterPage(`${ADDRESS}/${view}`);
    this.show();
  }

  #goBack() {
    if (!leavePage(ADDRESS)) this.show();
  }

  /** None reaches the feed. */
  #key(event) {
    if (event.target.closest?.('dialog')) return;
    if (!this.#root.contains(event.target)) event.stopImmediatePropagation();
    if (event.key !== 'Escape' || event.repeat || event.isComposing) return;
    event.stopImmediatePropagation();
    if (this.#shown === 'settings') this.#goBack(); else this.close();
  }

  #free() {
    screen = null;
    attachList(null);
    clearTimeout(this.#gathering);
    this.#leaving.abort();
    this.#view.abort();
    this.#root.remove();
    this.#uncover();
    count();
  }
}

// What there is beside the clip in a window with room for it: the main places, up and down, how loud, full screen.
// The buttons of the places are those of the feed's head, which stand there while there is room, and go back.
// It refuses to know what a place shows.

import { EVENT } from '../core/core.js';
import { addToHead } from '../feed/head.js';
import { loadStyles } from '../screens/screens.js';
import { loadWords, t } from '../words/words.js';

// As in feed.css, which keeps the rail's room free.
const ROOM = matchMedia('(min-width: 1000px) and (min-height: 560px)');
const VOLUME_KEY = 'clipfeed.volume';
const FULL_KEY = 'w';

const byId = (id) => document.getElementById(id);
const icon = (path) => `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${path}"/></svg>`;
const FULL = icon('M4 9.500V4h5.500M14.500 4H20v5.500M20 14.500V20h-5.500M9.500 20H4v-5.500');

// By its address: what a place is called, and the id of its button, where the feed's head has one.
const PLACES = [
  ['', () => t('Feed'), null, 'M4 11.500 12 4.500l8 7M6.500 10v9.500h11V10'],
  ['#search', () => t('Search'), 'search'],
  ['#record', () => t('Record'), 'record'],
  ['#upload', () => t('Upload'), null, 'M12 16V5.500m-4.500 4L12 5l4.500 4.500M5 15v2.500a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2V15'],
  ['#account', () => t('Account'), 'person'],
  // Comes late, so it comes last.
  ['#messages', () => t('Messages'), 'inbox'],
];

function make(tag, id, label, markup = '') {
  const element = Object.assign(document.createElement(tag), { innerHTML: markup });
  if (id) element.id = id;
  if (tag === 'button') element.type = 'button';
  if (label) element.setAttribute('aria-label', label);
  return element;
}

let attached = null;

/** `wantsKeys`: shows the list of keys, however large the window is. */
export async function attach(app, wantsKeys) {
  await loadStyles('/app/desktop/desktop.css');
  attached ??= new Desktop(app);
  if (wantsKeys) await showKeys();
}

async function showKeys() {
  await loadWords('screens');
  await (await import('./keys.js')).open();
}

class Desktop {
  #app;
  #nav = make('nav', 'places', t('Places'), '<span class="brand" aria-hidden="true">clipfeed</span>');
  #steps = make('div', 'steps', t('Clips'));
  #volume = make('input', 'volume', t('Volume'));
  #full = make('button', 'full', t('Full screen'), FULL);

  constructor(app) {
    this.#app = app;
    this.#buildPlaces();
    this.#buildSteps();
    this.#buildVolume();
    this.#buildFull();
    document.body.prepend(this.#nav);
    ROOM.addEventListener('change', () => this.#arrange());
    // The button of the inbox comes late.
    const comers = new MutationObserver(() => this.#arrange());
    for (const place of [byId('top'), this.#nav]) comers.observe(place, { childList: true });
    new MutationObserver(() => this.#look()).observe(app.stage, { childList: true });
    this.#arrange();
    this.#look();
  }

  /** A screen may have come or gone. */
  #look() {
    // NB: what comes while a screen lies over the feed would lie over the screen.
    if (!this.#steps.isConnected && !this.#screen) this.#app.stage.append(this.#steps);
    this.#mark();
  }

  get #screen() {
    return this.#app.stage.querySelector('[aria-modal="true"]');
  }

  // MARK: places

  #buildPlaces() {
    for (const [address, name, id, path] of PLACES) {
      if (id) continue;
      const button = make('button', '', '', icon(path) + name());
      button.dataset.place = address;
      button.addEventListener('click', () => this.#go(address));
      this.#nav.append(button);
    }
    const keys = make('button', '', t('Keys'), '<b aria-hidden="true">?</b>');
    Object.assign(keys, { className: 'keys', title: t('Keys (?)') });
    keys.setAttribute('aria-haspopup', 'dialog');
    keys.addEventListener('click', () => showKeys().catch(() => this.#app.notice(t('This could not be loaded. Please try again.'))));
    this.#nav.append(keys);
    // A press on a button of the head means to go there too, also from another place.
    this.#nav.addEventListener('click', (event) => {
      const place = PLACES.find(([, , id]) => id && event.target.closest(`#${id}`));
      if (!place) return;
      event.stopPropagation();
      this.#go(place[0]);
    }, { capture: true });
  }

  /** Puts the buttons where they belong now. */
  #arrange() {
    if (!ROOM.matches) {
      const moved = ['search', 'person', 'record'].map(byId).filter((button) => this.#nav.contains(button));
      byId('top').append(...moved);
      const inbox = this.#nav.querySelector('#inbox');
      if (inbox) addToHead(inbox);
      return;
    }
    let next = this.#nav.querySelector('.keys');
    for (const [address, name, id] of PLACES.toReversed()) {
      const button = id ? byId(id) : this.#nav.querySelector(`:not([id])[data-place="${address}"]`);
      if (!button) continue;
      if (id) Object.assign(button.dataset, { place: address, label: name() });
      // NB: what is moved loses the focus.
      if (button.nextElementSibling !== next) next.before(button);
      next = button;
    }
    this.#mark();
  }

  #mark() {
    const [here] = location.hash.split('/');
    for (const button of this.#nav.querySelectorAll('[data-place]')) {
      if (button.dataset.place === here) button.setAttribute('aria-current', 'page');
      else button.removeAttribute('aria-current');
    }
  }

  async #go(address) {
    const screen = this.#screen;
    if (!screen && !address) this.#app.report(EVENT.jumped, 0);
    if (screen && !await this.#leave(screen, address)) return;
    if (!address) return;
    history.pushState({ fromFeed: true }, '', address);
    dispatchEvent(new PopStateEvent('popstate', { state: history.state }));
  }

  /** Closes a screen as its own button does; false if it is the one that is wanted, or asks something first. */
  async #leave(screen, address) {
    if (location.hash === address) return false;
    const isLeft = new Promise((resolve) => { addEventListener('popstate', () => resolve(true), { once: true }); });
    screen.querySelector(`[aria-label="${t('Close')}"], [aria-label="Close"]`).click();
    return screen.querySelector('[role="alertdialog"]:not([hidden])') ? false : isLeft;
  }

  // MARK: beside the clip

  #buildSteps() {
    this.#steps.setAttribute('role', 'group');
    for (const [by, label, path] of [[-1, t('Previous clip'), 'm6 14.500 6-6 6 6'], [1, t('Next clip'), 'm6 9.500 6 6 6-6']]) {
      const button = make('button', '', label, icon(path));
      button.title = `${label} (${by < 0 ? '↑' : '↓'})`;
      button.addEventListener('click', () => this.#app.report(EVENT.stepped, by));
      this.#steps.append(button);
    }
    const { stage, current, pages } = this.#app;
    const tell = () => this.#steps.firstChild.setAttribute('aria-disabled', String(!current() || pages.placeOf(current().item) === 0));
    stage.addEventListener('current', tell);
    tell();
  }

  /** Silence is the sound switched off, so that there are not two kinds of it. */
  #buildVolume() {
    const [sound, volume] = [byId('sound'), this.#volume];
    Object.assign(volume, { type: 'range', min: 0, max: 100, value: recall() });
    // Its keys are its own.
    volume.dataset.noGestures = '';
    const apply = () => {
      for (const video of document.querySelectorAll('#track > video')) video.volume = volume.value / 100;
    };
    volume.addEventListener('input', () => {
      const isLoud = volume.valueAsNumber > 0;
      if (isLoud) apply();
      if (isLoud !== (sound.getAttribute('aria-pressed') === 'true')) sound.click();
    });
    volume.addEventListener('change', () => remember(volume.value));
    // Or the keys that follow would be the slider's, where nobody went by keys.
    volume.addEventListener('pointerup', () => volume.blur());
    sound.before(volume);
    apply();
  }

  #buildFull() {
    const full = this.#full;
    full.hidden = !document.fullscreenEnabled;
    const toggle = () => {
      const done = document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen();
      done.catch(() => this.#app.notice(t('This browser does not allow full screen here.')));
    };
    full.addEventListener('click', toggle);
    document.addEventListener('keydown', (event) => {
      if (event.key.toLowerCase() !== FULL_KEY || event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.isComposing) return;
      if (full.hidden || event.target.closest?.('textarea, input, [data-no-gestures]')) return;
      event.preventDefault();
      toggle();
    });
    const tell = () => {
      full.setAttribute('aria-pressed', String(Boolean(document.fullscreenElement)));
      full.title = t('Full screen (w)');
    };
    document.addEventListener('fullscreenchange', tell);
    tell();
    this.#volume.before(full);
  }
}

function recall() {
  try { return localStorage.getItem(VOLUME_KEY) ?? 100; } catch { return 100; }
}

function remember(volume) {
  try { if (volume > 0) localStorage.setItem(VOLUME_KEY, volume); } catch { /* storage may be off */ }
}

// What is said in the clip on the screen, as text over it, its button and the choice of a language. Comes with the first
// clip that has captions, once it moves. It refuses to know clips that are not on the screen.

import { addToHead } from '../feed/head.js';
import { loadStyles } from '../screens/screens.js';
import { t } from '../words/words.js';
import { cuesAt, cuesIn, nextChange, piecesOf, trackFor } from './track.js';

const STYLE = '/app/captions/captions.css';
const CHOICE_KEY = 'clipfeed.captions';
const LANGUAGE_KEY = 'clipfeed.captions-language';
const KEY = 's';
const PATIENCE_MS = 15_000;
// Files at hand; the clips around the current one have no more.
const AT_HAND = 8;
// What happens to a video whenever its time passes or jumps.
const MOVES = ['timeupdate', 'seeking', 'seeked', 'emptied'];

let captions = null;

/** `current()` answers the clip on the screen, `position()` where in it the picture is. */
export function attach(stage, current, position) {
  captions ??= new Captions(stage, current, position);
  captions.begin();
}

/** `{tracks, language}` of the clip on the screen, `language` null while they are off; null if it has none. */
export const captionChoice = () => captions?.choice ?? null;
/** Null switches them off. */
export const chooseCaptions = (language) => captions.choose(language);

class Captions {
  #stage;
  #current;
  #position;
  #button = document.createElement('button');
  #choice = document.createElement('select');
  #box = document.createElement('div');
  #text = document.createElement('p');
  // By address: the cues that are in it, or come.
  #files = new Map();
  #clip;
  #track = null;
  #cues = [];
  #shown = '';
  #timer = 0;

  constructor(stage, current, position) {
    this.#stage = stage;
    this.#current = current;
    this.#position = position;
    this.#build();
    for (const name of MOVES) stage.addEventListener(name, ({ target }) => this.#moved(target), true);
    stage.addEventListener('current', () => this.begin());
    document.addEventListener('keydown', (event) => this.#key(event));
  }

  /** There may be another clip on the screen. */
  begin() {
    const clip = this.#current();
    if (clip === this.#clip || (clip && clip.id === this.#clip?.id)) return;
    this.#clip = clip;
    const tracks = clip?.captions ?? [];
    const chosen = recall(LANGUAGE_KEY);
    const { track, isRead } = trackFor(tracks, [chosen, ...navigator.languages].filter(Boolean));
    this.#button.style.visibility = track ? '' : 'hidden';
    this.#choice.hidden = tracks.length < 2;
    this.#choice.replaceChildren(...tracks.map((one) => new Option(title(one), one.language, false, one === track)));
    this.#take(track);
    // Who has never chosen sees a language that they read.
    if (track) this.#apply((recall(CHOICE_KEY) ?? (isRead ? '1' : '0')) === '1');
  }

  #build() {
    const button = this.#button;
    Object.assign(button, { id: 'captions', type: 'button' });
    button.setAttribute('aria-label', t('Captions'));
    button.innerHTML = '<svg viewBox="0 0 24 24" aria-hidden="true"><rect x="2.500" y="5" width="19" height="14" rx="3"/>'
      + '<path d="M10.200 10.200a2.200 2.200 0 1 0 0 3.600m7-3.600a2.200 2.200 0 1 0 0 3.600"/></svg>';
    button.addEventListener('click', () => this.#toggle());
    const choice = this.#choice;
    Object.assign(choice, { id: 'caption-language', hidden: true, ariaLabel: t('Language of the captions') });
    choice.dataset.noGestures = '';
    choice.addEventListener('change', () => this.choose(choice.value));
    this.#box.id = 'cue';
    this.#box.hidden = true;
    this.#text.dir = 'auto';
    this.#box.append(this.#text);
    this.#stage.append(this.#box);
    // Without its looks it would lie anywhere.
    loadStyles(STYLE).then(() => {
      this.#box.hidden = false;
      addToHead(button, choice);
    }, console.warn);
  }

  get #isOn() {
    return this.#button.getAttribute('aria-pressed') === 'true';
  }

  #apply(on) {
    this.#button.setAttribute('aria-pressed', String(on));
    const names = { label: title(this.#track), key: KEY };
    this.#button.title = on ? t('{label} on ({key})', names) : t('{label} off ({key})', names);
    this.#text.lang = this.#track.language;
    if (on) this.#load(this.#track); else this.#draw([]);
  }

  #toggle(on = !this.#isOn) {
    remember(CHOICE_KEY, on ? '1' : '0');
    this.#apply(on);
  }

  // Whoever chooses a language wants to read it.
  choose(language) {
    if (!language) return this.#toggle(false);
    this.#choice.value = language;
    remember(LANGUAGE_KEY, language);
    this.#take(this.#clip.captions.find((track) => track.language === language));
    return this.#toggle(true);
  }

  get choice() {
    return this.#track && { tracks: this.#clip.captions, language: this.#isOn ? this.#track.language : null };
  }

  #take(track) {
    this.#track = track;
    this.#cues = [];
    this.#draw([]);
  }

  async #load(track, isRenewed = false) {
    const [clip, { url }] = [this.#clip, track];
    if (!this.#files.has(url)) {
      this.#files.set(url, fetchCues(url));
      if (this.#files.size > AT_HAND) this.#files.delete(this.#files.keys().next().value);
    }
    try {
      const cues = await this.#files.get(url);
      if (track !== this.#track) return;
      this.#cues = cues;
      this.#show();
    } catch (error) {
      // The next clip, or the next press, asks again.
      this.#files.delete(url);
      console.warn('captions', url, error.message);
      if (error.status === 403 && !isRenewed) await this.#renew(clip, track);
    }
  }

  /** The address of its file may be over; the clip is asked for the one that holds now. */
  async #renew(clip, track) {
    try {
      const { renew } = await import('../clip-link/clip.js');
      await renew(clip);
      if (track === this.#track) await this.#load(track, true);
    } catch (error) {
      console.warn('clip', clip.id, error.message);
    }
  }

  /** A video's time has changed, whichever it is. */
  #moved(video) {
    // A browser that plays playlists by itself would draw them a second time.
    for (const track of video.textTracks ?? []) if (track.mode !== 'disabled') track.mode = 'disabled';
    this.#show();
  }

  /** Shows what is due, and looks again when that changes; while nothing moves nobody looks. */
  #show() {
    clearTimeout(this.#timer);
    if (!this.#isOn || !this.#cues.length) return;
    const position = this.#position();
    this.#draw(cuesAt(this.#cues, position));
    const wait = nextChange(this.#cues, position, this.#clip.duration) - position;
    // Farther ones are told by the video, which reports its time several times a second.
    if (wait <= 300) this.#timer = setTimeout(() => this.#show(), Math.max(wait, 15));
  }

  #draw(cues) {
    const markup = cues.map(({ markup: text }) => text).join('\n');
    if (markup === this.#shown) return;
    this.#shown = markup;
    const line = document.createElement('span');
    for (const { text, tags } of piecesOf(markup)) {
      let place = line;
      for (const tag of tags) {
        const inner = document.createElement(tag);
        place.append(inner);
        place = inner;
      }
      place.append(text);
    }
    this.#text.replaceChildren(...(markup ? [line] : []));
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat || !this.#track) return;
    if (event.key.toLowerCase() !== KEY || event.target.closest?.('textarea, [data-no-gestures]')) return;
    event.preventDefault();
    this.#toggle();
  }
}

const title = ({ label, automatic }) => (automatic ? t('{label} (automatic)', { label }) : label);

function recall(key) {
  try { return localStorage.getItem(key); } catch { return null; }
}

function remember(key, value) {
  try { localStorage.setItem(key, value); } catch { /* storage may be off */ }
}

async function fetchCues(url) {
  const response = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) });
  if (!response.ok) throw Object.assign(new Error(`${response.status}`), { status: response.status });
  return cuesIn(await response.text());
}

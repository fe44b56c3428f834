// The part of the upload screen where captions are added to the clip and taken away again. Comes when there is a clip to
// add them to. The server reads the files; it also says what is wrong with them.

import { request, route } from '../api/api.js';
import { loadStyles } from '../screens/screens.js';
import { language as spoken, t } from '../words/words.js';

const STYLE = '/app/captions/captions.css';
const PATIENCE_MS = 20_000;
// The contract's limit.
const LIMIT = 256 * 1024;
const OFFERED = ['en', 'es', 'pt', 'fr', 'de', 'it', 'nl', 'pl', 'tr', 'ru', 'uk', 'ar', 'he', 'fa', 'hi', 'bn', 'id',
  'vi', 'th', 'zh-Hans', 'zh-Hant', 'ja', 'ko'];

const markup = () => `
  <h3>${t('Captions')}</h3>
  <p class="hint">${t('For those who cannot hear it, or have the sound off. WebVTT or SRT, up to 256 KB.')}</p>
  <ul></ul>
  <form>
    <select aria-label="${t('Language of the captions')}"></select>
    <button type="button">${t('Add captions')}</button>
    <input type="file" accept=".vtt,.srt,text/vtt,application/x-subrip" aria-label="${t('Captions file')}" tabindex="-1" hidden>
  </form>
  <p role="alert"></p><p role="status"></p>`;

/** Shows it on this screen, for this upload. Calls for what is there already do nothing. */
export function offer(root, id) {
  const there = root.querySelector('.captions-of');
  if (there?.dataset.upload === id) return;
  there?.remove();
  new Adding(root, id).list();
}

class Adding {
  #root = document.createElement('section');
  #place;

  constructor(screen, id) {
    this.#place = route`/uploads/${id}/captions`;
    const root = this.#root;
    root.className = 'captions-of';
    root.dataset.upload = id;
    root.setAttribute('aria-label', t('Captions'));
    root.innerHTML = markup();
    fillLanguages(this.#part('select'));
    const input = this.#part('input');
    this.#part('form').addEventListener('submit', (event) => event.preventDefault());
    this.#part('form button').addEventListener('click', () => input.click());
    input.addEventListener('change', () => {
      const [file] = input.files;
      // The same file may be chosen again, when it was mended.
      input.value = '';
      if (file) this.#add(file);
    });
    loadStyles(STYLE).catch(() => {});
    screen.querySelector('.middle').append(root);
  }

  #part(selector) {
    return this.#root.querySelector(selector);
  }

  async list() {
    const { items } = await this.#ask('').catch(() => ({ items: [] }));
    this.#part('ul').replaceChildren(...items.map((track) => this.#row(track)));
  }

  #row({ language, label, automatic }) {
    const row = document.createElement('li');
    const name = Object.assign(document.createElement('b'), { textContent: label, lang: language, dir: 'auto' });
    const kind = Object.assign(document.createElement('span'), { textContent: automatic ? t('automatic::captions') : '' });
    const button = Object.assign(document.createElement('button'), { type: 'button', textContent: t('Remove') });
    button.setAttribute('aria-label', t('Remove {label}', { label }));
    button.addEventListener('click', () => this.#try(async () => {
      await this.#ask(route`/${language}`, { method: 'DELETE' });
      return t('{label} removed.', { label });
    }));
    row.append(name, kind, button);
    return row;
  }

  #add(file) {
    return this.#try(async () => {
      if (file.size > LIMIT) throw Object.assign(new Error('too large'), { detail: t('A file of captions has at most 256 KB.') });
      const language = this.#part('select').value;
      const type = /\.srt$/i.test(file.name) ? 'application/x-subrip' : 'text/vtt';
      const { label } = await this.#ask(route`/${language}`, { method: 'PUT', type, body: file });
      return t('{label} added.', { label });
    });
  }

  /** One thing at a time, and what became of it in a sentence. */
  async #try(work) {
    const buttons = this.#root.querySelectorAll('button');
    const say = (trouble, done) => {
      this.#part('[role=alert]').textContent = trouble;
      this.#part('[role=status]').textContent = done;
    };
    for (const button of buttons) button.disabled = true;
    say('', '');
    try {
      const done = await work();
      await this.list();
      say('', done);
    } catch (error) {
      say(error.detail ?? t('This did not work. Please try again.'), '');
    }
    for (const button of buttons) button.disabled = false;
    if (!this.#root.contains(document.activeElement)) this.#part('form button').focus();
  }

  #ask(path, options) {
    return request(this.#place + path, { patience: PATIENCE_MS, ...options });
  }
}

/** The person's own languages first, each by its name in the person's language. */
function fillLanguages(select) {
  const own = (navigator.languages ?? []).map((language) => language.split('-')[0]).filter((language) => language !== 'zh');
  let names = null;
  try { names = new Intl.DisplayNames([spoken(), ...navigator.languages], { type: 'language' }); } catch { /* codes will do */ }
  const nameOf = (language) => { try { return names?.of(language) ?? language; } catch { return language; } };
  const rest = OFFERED.map((language) => [language, nameOf(language)]).sort(([, a], [, b]) => a.localeCompare(b));
  const all = [...new Map([...own.map((language) => [language, nameOf(language)]), ...rest])];
  select.append(...all.map(([value, name]) => new Option(name, value)));
}

// What is kept of the account, to take along: asking for the archive, how far it is, where it is, and deleting it.
// A page of the account screen. It refuses to know what is in the archive: the server says that in the archive itself.

import { el } from '../account/form.js';
import { randomKey, request, route } from '../api/api.js';
import { t } from '../words/words.js';
import { isUnderWay, sentenceOf } from './words.js';

const LOOK_MS = 1000;
// A page that stays open must not ask every second for a day.
const SLOWEST_MS = 15_000;

const contents = () => [t('Your clips as videos, with covers and captions'), t('Your profile, settings, devices and notices'),
  t('Whom you follow and block, and who follows you'), t('Likes, bookmarks, shares, comments and messages'), t('What you watched and what the feed learned from it'),
  t('What you reported, and what was decided about you')];

export function fill(place, on) {
  const shown = el('div', { class: 'archive', 'aria-live': 'polite' });
  const ask = el('button', { type: 'button', class: 'main', click: () => begin() }, t('Put my data together'));
  place.append(el('div', { class: 'taking' },
    el('p', { class: 'lead' }, t('Everything that is kept of you here, as one file. You can read it with any computer, and take it to another Clipfeed.')),
    ask, shown, el('h3', {}, t('What is in it')), el('ul', { class: 'contents' }, ...contents().map((words) => el('li', {}, words))),
    el('p', { class: 'hint' }, t('Your password and what opens your sessions are not in it. Keep it safe all the same: your messages are.'))));
  let key = null;
  let timer = 0;
  let wait = LOOK_MS;
  let rows = new Map();
  on.signal.addEventListener('abort', () => clearTimeout(timer), { once: true });

  async function begin() {
    if (ask.getAttribute('aria-disabled') === 'true') return;
    ask.setAttribute('aria-disabled', 'true');
    // The same archive, if the answer gets lost.
    key ??= randomKey();
    try {
      await request('/account/exports', { method: 'POST', key });
      key = null;
    } catch (error) {
      if (!error.mayHaveArrived) key = null;
      // Another page of theirs was first: it is shown.
      if (error.code !== 'export_under_way') on.say(error.detail ?? t('This could not be done. Please try again.'));
    }
    wait = LOOK_MS;
    await look();
  }

  async function look() {
    clearTimeout(timer);
    try {
      const { items } = await request('/account/exports', { signal: on.signal });
      if (on.signal.aborted) return;
      show(items);
      if (items.some(isUnderWay)) again();
    } catch (error) {
      if (on.signal.aborted || error.isOver) return;
      shown.replaceChildren(el('p', { role: 'alert' }, error.detail ?? t('This could not be loaded.')));
      rows = new Map();
      again();
    }
  }

  function again() {
    clearTimeout(timer);
    timer = setTimeout(look, wait);
    wait = Math.min(wait * 1.2, SLOWEST_MS);
  }

  function show(items) {
    const known = rows;
    rows = new Map(items.map((item) => [item.id, known.get(item.id) ?? rowOf(item.id)]));
    for (const item of items) rows.get(item.id).tell(item);
    // NB: what is shown already stays where it is, or the focus would go with it.
    const roots = [...rows.values()].map(({ root }) => root);
    if (roots.length !== shown.children.length || roots.some((root, index) => root !== shown.children[index])) shown.replaceChildren(...roots);
    ask.setAttribute('aria-disabled', String(items.some(isUnderWay)));
    ask.textContent = items.some(({ state }) => state === 'ready') ? t('Put it together anew') : t('Put my data together');
  }

  function rowOf(id) {
    const words = el('p');
    const bar = el('progress', { max: '1000', 'aria-label': t('How much is put together') });
    const link = el('a', { class: 'main', download: '', hidden: true }, t('Download'));
    const away = el('button', { type: 'button', class: 'plain', click: () => remove() });
    const root = el('div', { class: 'one' }, words, bar, el('div', { class: 'acts' }, link, away));

    async function remove() {
      try {
        await request(route`/account/exports/${id}`, { method: 'DELETE' });
      } catch (error) {
        // It is over by itself.
        if (error.status !== 404) return on.say(error.detail);
      }
      ask.focus();
      return look();
    }

    return { root, tell: (item) => {
      const sentence = sentenceOf(item);
      if (words.textContent !== sentence) words.textContent = sentence;
      bar.hidden = !isUnderWay(item);
      if (item.state === 'working') bar.value = item.permille; else bar.removeAttribute('value');
      link.hidden = item.state !== 'ready';
      if (item.url) link.href = item.url;
      away.hidden = item.state === 'failed';
      away.textContent = isUnderWay(item) ? t('Stop') : t('Delete it');
      root.dataset.state = item.state;
    } };
  }

  // The address of an archive ends after an hour or two: a page that comes back asks anew.
  document.addEventListener('visibilitychange', () => { if (!document.hidden) look(); }, { signal: on.signal });
  look();
}

// What was looked for on this device, the last first. It is told to nobody, and goes singly or all at once.

import { el } from '../account/form.js';
import { t } from '../words/words.js';

const KEY = 'clipfeed.searches';
const MOST = 12;

function read() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY)) ?? [];
    return Array.isArray(kept) ? kept.filter((text) => typeof text === 'string' && text).slice(0, MOST) : [];
  } catch { return []; }
}

function write(texts) {
  try {
    if (texts.length) localStorage.setItem(KEY, JSON.stringify(texts)); else localStorage.removeItem(KEY);
  } catch { /* storage may be off or full */ }
}

export const recent = {
  add(text) {
    const spelled = text.toLowerCase();
    write([text, ...read().filter((other) => other.toLowerCase() !== spelled)].slice(0, MOST));
  },

  /** `asked(text)` is what a tap does; `emptied()` hears that nothing is left. */
  list(asked, emptied) {
    const root = el('section', { class: 'recent', 'aria-labelledby': 'recent-title' });
    const show = () => {
      const texts = read();
      if (!texts.length) {
        root.replaceChildren(el('p', { class: 'none', id: 'recent-title' }, t('Look for clips, people, tags and sounds.')));
        return;
      }
      const remove = (text) => el('button', { type: 'button', class: 'remove', 'aria-label': t('Remove {name}', { name: text }), click: ({ currentTarget }) => {
        const row = currentTarget.closest('li');
        const next = row.nextElementSibling ?? row.previousElementSibling;
        write(read().filter((other) => other !== text));
        row.remove();
        if (next) next.querySelector('.remove').focus(); else { show(); emptied(); }
      } }, '✕');
      root.replaceChildren(
        el('header', {}, el('h3', { id: 'recent-title' }, t('Recent')),
          el('button', { type: 'button', class: 'link', click: () => { write([]); show(); emptied(); } }, t('Remove all'))),
        el('ul', { class: 'rows' }, ...texts.map((text) => el('li', {},
          el('button', { type: 'button', dir: 'auto', click: () => asked(text) }, text), remove(text)))));
    };
    show();
    return root;
  },
};

// The list of keys, as a dialog over whatever is there. It refuses to know what they do.

import { loadStyles } from '../screens/screens.js';
import { t } from '../words/words.js';

const keys = () => [
  [t('Clips'), [
    ['↑ ↓', t('Previous and next clip')], ['Home End', t('First and last clip')], ['Space', t('Pause and go on')], ['← →', t('2 seconds back and forward')],
    ['m', t('Sound')], ['s', t('Captions')], ['w', t('Full screen')], ['p', t('Picture in picture')],
  ]],
  [t('What you do with one'), [
    ['l', t('Like')], ['b', t('Bookmark')], ['f', t('Follow')], ['c', t('Write a comment')], ['d', t('Write a message')],
  ]],
  [t('Places'), [
    ['[ ]', t('Tabs of the feed')], ['/', t('Search')], ['r', t('Record')], ['u', t('Upload')], ['i', t('Messages')], ['a', t('Account')], ['Esc', t('Back')], ['?', t('These keys')],
  ]],
];

const rowOf = ([keys, what]) => `<div><dt>${keys.split(' ').map((key) => `<kbd>${key}</kbd>`).join(' ')}</dt><dd>${what}</dd></div>`;

const markup = () => `
  <h2 id="keys-title">${t('Keys')}</h2>
  <button type="button" aria-label="${t('Close')}" title="${t('Close (Esc)')}"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="m6 6 12 12M18 6 6 18"/></svg></button>
  <div>${keys().map(([title, rows]) => `<section><h3>${title}</h3><dl>${rows.map(rowOf).join('')}</dl></section>`).join('')}</div>`;

/** Shows it; the focus goes back by itself. */
export async function open() {
  // Without its looks it can still be read.
  await loadStyles('/app/desktop/keys.css').catch(console.warn);
  if (document.getElementById('keys')) return;
  const dialog = Object.assign(document.createElement('dialog'), { id: 'keys', innerHTML: markup() });
  dialog.setAttribute('aria-labelledby', 'keys-title');
  dialog.dataset.noGestures = '';
  dialog.addEventListener('keydown', (event) => {
    // Nothing that is pressed here is for what lies below; its own key closes it too.
    event.stopPropagation();
    if (event.key === '?') dialog.close();
  });
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog || target.closest('button')) dialog.close();
  });
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

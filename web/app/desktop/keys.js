// The list of keys, as a dialog over whatever is there. It refuses to know what they do.

import { loadStyles } from '../screens/screens.js';

const KEYS = [
  ['Clips', [
    ['↑ ↓', 'Previous and next clip'], ['Home End', 'First and last clip'], ['Space', 'Pause and go on'], ['← →', '2 seconds back and forward'],
    ['m', 'Sound'], ['s', 'Captions'], ['w', 'Full screen'], ['p', 'Picture in picture'],
  ]],
  ['What you do with one', [
    ['l', 'Like'], ['b', 'Bookmark'], ['f', 'Follow'], ['c', 'Write a comment'], ['d', 'Write a message'],
  ]],
  ['Places', [
    ['[ ]', 'Tabs of the feed'], ['/', 'Search'], ['r', 'Record'], ['u', 'Upload'], ['i', 'Messages'], ['a', 'Account'], ['Esc', 'Back'], ['?', 'These keys'],
  ]],
];

const rowOf = ([keys, what]) => `<div><dt>${keys.split(' ').map((key) => `<kbd>${key}</kbd>`).join(' ')}</dt><dd>${what}</dd></div>`;

const MARKUP = `
  <h2 id="keys-title">Keys</h2>
  <button type="button" aria-label="Close" title="Close (Esc)"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="m6 6 12 12M18 6 6 18"/></svg></button>
  <div>${KEYS.map(([title, rows]) => `<section><h3>${title}</h3><dl>${rows.map(rowOf).join('')}</dl></section>`).join('')}</div>`;

/** Shows it; the focus goes back by itself. */
export async function open() {
  // Without its looks it can still be read.
  await loadStyles('/app/desktop/keys.css').catch(console.warn);
  if (document.getElementById('keys')) return;
  const dialog = Object.assign(document.createElement('dialog'), { id: 'keys', innerHTML: MARKUP });
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

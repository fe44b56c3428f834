// A sheet over the feed with things to choose from: it closes with the first that is chosen, which begins then.

import { EVENT } from '../core/core.js';
import { loadStyles } from '../screens/screens.js';
import { t } from '../words/words.js';

export function el(name, attributes = {}, ...children) {
  const element = Object.assign(document.createElement(name), attributes);
  element.append(...children);
  return element;
}

/** Opens it, with what `build(item)` answers: `item(words, act)` is a button. Answers once it is closed and what was chosen has
 *  begun. */
export async function openSheet(app, label, build) {
  let chosen = null;
  const dialog = el('dialog', { id: 'menu' });
  dialog.setAttribute('aria-label', label);
  dialog.dataset.noGestures = '';
  // At once: its event comes later, and a key in between is meant for the feed.
  const leave = () => {
    if (!dialog.isConnected) return;
    dialog.close();
    dialog.remove();
    app.report(EVENT.feedLocked, 0);
  };
  const item = (words, act, isGrave = false) => el('button', { type: 'button', className: isGrave ? 'grave' : '', onclick: () => {
    chosen = act;
    leave();
  } }, words);
  const [parts] = await Promise.all([build(item), loadStyles('/app/menu/menu.css')]);
  dialog.append(el('p', { className: 'grip' }), ...parts.filter(Boolean), item(t('Close'), null));
  listen(dialog, leave);
  app.report(EVENT.feedLocked, 1);
  app.stage.append(dialog);
  await new Promise((closed) => {
    dialog.addEventListener('close', closed, { once: true });
    dialog.showModal();
  });
  leave();
  await chosen?.();
}

function listen(dialog, leave) {
  // Nothing that is done here is for the feed below.
  for (const name of ['pointerdown', 'wheel', 'contextmenu']) dialog.addEventListener(name, (event) => event.stopPropagation());
  dialog.addEventListener('click', ({ target, clientX: x, clientY: y }) => {
    const { left, right, top, bottom } = dialog.getBoundingClientRect();
    if (target === dialog && (x < left || x > right || y < top || y > bottom)) leave();
  });
  dialog.addEventListener('keydown', (event) => {
    event.stopPropagation();
    if (event.key === 'Escape' && !event.isComposing) {
      // The browser would close it later.
      event.preventDefault();
      leave();
      return;
    }
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    // Among the choices of a field the arrows choose.
    if (!by || event.target.matches('input')) return;
    event.preventDefault();
    const stops = [...dialog.querySelectorAll('a, button, input:checked')];
    stops[(stops.indexOf(document.activeElement) + by + stops.length) % stops.length].focus();
  });
}

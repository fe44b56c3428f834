// Installing the page as an app, where a browser offers it.

import { el } from '../account/form.js';

import { t } from '../words/words.js';

const isInstalled = () => matchMedia('(display-mode: standalone)').matches || navigator.standalone === true;

/** What to show of it: a button, how it is done by hand, or nothing. @param {App} app */
export function installation(app) {
  // Safari on a phone has no way but its own menu.
  const byHand = navigator.standalone === false;
  if (isInstalled() || !(app.install || byHand)) return [];
  const status = el('span', { role: 'status' });
  const button = el('button', { type: 'button', class: 'plain', click: () => install() }, t('Install Clipfeed'));

  async function install() {
    const { install: offer } = app;
    // It can be asked once.
    app.install = null;
    button.hidden = true;
    const { outcome } = await offer.prompt();
    status.textContent = outcome === 'accepted' ? t('Clipfeed is installed.') : t('You can install it later from the browser’s menu.');
  }

  return [
    el('h3', {}, t('As an app')), el('p', { class: 'hint' }, byHand
      ? t('Tap Share, then “Add to Home Screen”: Clipfeed has its own icon and opens without a network.')
      : t('With its own icon and window. It opens without a network.')),
    ...(byHand ? [] : [button]), status,
  ];
}

// Two-step sign-in in the account: an app that makes codes is set up or turned off, and codes are given for whoever loses it.

import { owner, passwordField } from '../account/fields.js';
import { el, Form } from '../account/form.js';
import { request } from '../api/api.js';
import { renew } from '../auth/auth.js';
import { copy } from '../clip-link/clip.js';
import { dayOf } from '../sign-in/strings.js';
import { plural, t } from '../words/words.js';
import { qrOf } from './qr.js';

const APP = '/account/second-factors/code-app';
const codeField = () => ({ name: 'code', label: t('Code'), autocomplete: 'one-time-code', inputmode: 'numeric', maxlength: 16 });
// Squares of nothing around a code, without which it is not found.
const MARGIN = 4;
const SVG = 'http://www.w3.org/2000/svg';

const text = (words, className = null) => el('p', { class: className }, words);
const lead = (words) => text(words, 'lead');

/** Fills the place with what the account has, and what can be done about it. */
export function fill(place, on) {
  const turning = el('div', { class: 'turning', role: 'img', 'aria-label': t('Loading') });
  place.className = 'access';
  place.replaceChildren(turning);
  Promise.all([request('/account/second-factors'), request('/account')]).then(([state, account]) => {
    renew(account);
    place.replaceChildren(...(state.code_app_since ? isOn(on, place, state, account) : isOff(on, place, account)));
    on.arrive();
  }).catch((error) => {
    turning.remove();
    on.say(error.detail ?? t('This could not be loaded. Please try again.'));
  });
}

// Off

function isOff(on, place, account) {
  const about = lead(t('Besides your password, signing in then asks for a code of an app on your phone. Whoever learns your password alone stays out.'));
  if (!account.has_password) return [about, text(t('Set a password first, under “Ways to sign in”.'), 'hint')];
  const form = new Form({
    label: t('Set up'), submit: t('Set up an app'), busy: t('Setting up…'), fields: [owner(), passwordField()],
    send: async ({ password }) => {
      place.replaceChildren(...setup(on, place, await request(APP, { method: 'POST', body: { password } })));
      on.arrive();
    },
  });
  return [about, form.root];
}

function setup(on, place, { secret, uri }) {
  const form = new Form({
    label: t('First code'), submit: t('Turn on'), busy: t('Turning on…'), fields: [codeField()],
    send: async ({ code }) => {
      const { items } = await request(APP, { method: 'PUT', body: { code: code.trim() } });
      showCodes(on, place, items);
    },
  });
  return [
    lead(t('Scan this with an authenticator app, such as the one of your password manager. Then type the code that it shows.')),
    ...pictureOf(uri),
    el('p', { class: 'ways' }, el('a', { class: 'link', href: uri }, t('Open in an app on this device'))),
    text(t('Or type this key there:'), 'hint'),
    el('ul', { class: 'rows devices notices', 'aria-label': t('Key') },
      el('li', {}, el('span', { class: 'who' }, el('strong', {}, secret.match(/.{1,4}/g).join(' '))),
        el('button', { type: 'button', click: () => hand(on, secret, t('The key is copied.')) }, t('Copy')))),
    form.root,
  ];
}

/** Nothing where the address is too long for one. */
function pictureOf(uri) {
  const rows = qrOf(uri);
  if (!rows) return [];
  const side = rows.length + 2 * MARGIN;
  const dark = rows.map((row, y) => row.map((square, x) => (square ? `M${x + MARGIN} ${y + MARGIN}h1v1h-1z` : '')).join('')).join('');
  const shape = (name, attributes, ...children) => {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  };
  return [shape('svg', { viewBox: `0 0 ${side} ${side}`, width: 232, height: 232, role: 'img', 'aria-label': t('QR code'), 'shape-rendering': 'crispEdges' },
    shape('rect', { width: side, height: side, fill: '#fff' }), shape('path', { d: dark, fill: '#000' }))];
}

async function hand(on, what, said) {
  await copy(what);
  on.say(said);
}

/** They are nowhere else from now on. */
function showCodes(on, place, items) {
  place.replaceChildren(
    lead(t('Keep these codes where you find them without your phone. Each opens the account once, in place of the app’s code. They aren’t shown again.')),
    el('ul', { class: 'rows devices', 'aria-label': t('Recovery codes') }, ...items.map((code) => el('li', {}, el('strong', {}, code)))),
    el('button', { type: 'button', class: 'plain', click: () => hand(on, items.join('\n'), t('The codes are copied.')) }, t('Copy the codes')),
    el('button', { type: 'button', class: 'main', click: () => fill(place, on) }, t('I have kept them')));
  on.arrive();
}

// On

function isOn(on, place, { code_app_since: since, recovery_codes: left }, { has_password: hasPassword }) {
  // Who has no password shows that it is them by the app.
  const showing = hasPassword ? [owner(), passwordField()] : [codeField()];
  const shown = ({ password, code }) => (hasPassword ? { password } : { code: code.trim() });
  const renewing = new Form({
    label: t('Recovery codes'), submit: t('Make new codes'), busy: t('Making them…'), fields: showing,
    send: async (values) => {
      const { items } = await request('/account/recovery-codes', { method: 'POST', body: shown(values) });
      showCodes(on, place, items);
    },
  });
  const leaving = new Form({
    label: t('Turn off'), submit: t('Turn off'), busy: t('Turning off…'), isGrave: true, fields: showing,
    send: async (values) => {
      await request(APP, { method: 'DELETE', body: shown(values) });
      on.say(t('Signing in asks for no code any more.'));
      fill(place, on);
    },
  });
  return [
    lead(t('On since {day}. Signing in asks for a code of your app.', { day: dayOf(since) })),
    el('h3', {}, t('Recovery codes')),
    text(plural(left, 'You have one code left. New ones take its place.', 'You have {count} codes left. New ones take their place.')), renewing.root,
    el('h3', {}, t('Turn off')), leaving.root,
  ];
}

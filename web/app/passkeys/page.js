// The passkeys of an account: which there are, another one, another name, one less.

import { owner, PASSWORD } from '../account/fields.js';
import { el, Form } from '../account/form.js';
import { request, route } from '../api/api.js';
import { dayOf } from '../sign-in/strings.js';
import { hasKeys, make } from './keys.js';

const PATH = '/account/passkeys';
const NAME = { name: 'name', label: 'Name', autocomplete: 'off', autocapitalize: 'sentences', maxlength: 100 };

const lead = (words) => el('p', { class: 'lead' }, words);

/** Fills the place with what there is. */
export function fill(place, on) {
  const turning = el('div', { class: 'turning', role: 'img', 'aria-label': 'Loading' });
  place.className = 'access';
  place.replaceChildren(turning);
  const again = (words) => {
    on.say(words);
    fill(place, on);
  };
  Promise.all([request(PATH), request('/account')]).then(([{ items, site }, account]) => {
    const asking = el('div');
    place.replaceChildren(
      lead('A passkey opens your account by your finger, your face or the PIN of a device, without a password. No page but this one can use it.'),
      el('ul', { class: 'rows devices', 'aria-label': 'Passkeys' }, ...items.map((key) => rowOf(key, asking, account, again))),
      asking, ...another(site, account, again));
    on.arrive();
  }).catch((error) => {
    turning.remove();
    on.say(error.detail ?? 'This could not be loaded. Please try again.');
  });
}

function rowOf({ id, name, created_at: made, used_at: used }, asking, account, again) {
  const ask = (...elements) => {
    asking.replaceChildren(...elements);
    asking.querySelector('input:not([hidden])').focus();
  };
  const rename = () => ask(new Form({
    label: `Rename ${name}`, submit: 'Save the name', busy: 'Saving…', fields: [{ ...NAME, value: name }],
    send: async (values) => {
      await request(route`/account/passkeys/${id}`, { method: 'PATCH', body: { name: values.name.trim() } });
      again('The name is saved.');
    },
  }).root);
  const remove = () => ask(lead(`Type your password to remove ${name}.`), new Form({
    label: `Remove ${name}`, submit: 'Remove', busy: 'Removing…', isGrave: true, fields: [owner(), PASSWORD],
    send: async ({ password }) => {
      await request(route`/account/passkeys/${id}`, { method: 'DELETE', body: { password } });
      again(`${name} is removed. Delete it on your device as well.`);
    },
  }).root);
  return el('li', {}, el('span', { class: 'who' }, el('strong', { dir: 'auto' }, name),
    el('span', {}, `Since ${dayOf(made)} · ${used ? `last used on ${dayOf(used)}` : 'not used yet'}`)),
  el('button', { type: 'button', 'aria-label': `Rename ${name}`, click: rename }, 'Rename'),
  account.has_password ? el('button', { type: 'button', 'aria-label': `Remove ${name}`, click: remove }, 'Remove') : null);
}

function another(site, account, again) {
  if (!hasKeys(site)) return [el('p', { class: 'hint' }, 'This browser cannot make passkeys at this address.')];
  if (!account.has_password) return [el('p', { class: 'hint' }, 'Set a password first, under “Ways to sign in”.')];
  const form = new Form({
    label: 'Add a passkey', submit: 'Add a passkey', busy: 'Adding it…', fields: [owner(), PASSWORD, { ...NAME, optional: true, hint: 'Such as “My phone”.' }],
    send: async ({ password, name }) => {
      const setup = await request('/account/passkey-setups', { method: 'POST', body: { password } });
      const body = { ...await make(setup), ...(name.trim() && { name: name.trim() }) };
      const key = await request(PATH, { method: 'POST', body });
      again(`${key.name} opens your account from now on.`);
    },
  });
  return [el('h3', {}, 'Another passkey'), form.root];
}

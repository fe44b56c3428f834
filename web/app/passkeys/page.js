// The passkeys of an account: which there are, another one, another name, one less.

import { owner, passwordField } from '../account/fields.js';
import { el, Form } from '../account/form.js';
import { request, route } from '../api/api.js';
import { dayOf } from '../sign-in/strings.js';
import { t } from '../words/words.js';
import { hasKeys, make } from './keys.js';

const PATH = '/account/passkeys';
const nameField = () => ({ name: 'name', label: t('Name'), autocomplete: 'off', autocapitalize: 'sentences', maxlength: 100 });

const lead = (words) => el('p', { class: 'lead' }, words);

/** Fills the place with what there is. */
export function fill(place, on) {
  const turning = el('div', { class: 'turning', role: 'img', 'aria-label': t('Loading') });
  place.className = 'access';
  place.replaceChildren(turning);
  const again = (words) => {
    on.say(words);
    fill(place, on);
  };
  Promise.all([request(PATH), request('/account')]).then(([{ items, site }, account]) => {
    const asking = el('div');
    place.replaceChildren(
      lead(t('A passkey opens your account by your finger, your face or the PIN of a device, without a password. No page but this one can use it.')),
      el('ul', { class: 'rows devices', 'aria-label': t('Passkeys') }, ...items.map((key) => rowOf(key, asking, account, again))),
      asking, ...another(site, account, again));
    on.arrive();
  }).catch((error) => {
    turning.remove();
    on.say(error.detail ?? t('This could not be loaded. Please try again.'));
  });
}

function rowOf({ id, name, created_at: made, used_at: used }, asking, account, again) {
  const ask = (...elements) => {
    asking.replaceChildren(...elements);
    asking.querySelector('input:not([hidden])').focus();
  };
  const rename = () => ask(new Form({
    label: t('Rename {name}', { name }), submit: t('Save the name'), busy: t('Saving…'), fields: [{ ...nameField(), value: name }],
    send: async (values) => {
      await request(route`/account/passkeys/${id}`, { method: 'PATCH', body: { name: values.name.trim() } });
      again(t('The name is saved.'));
    },
  }).root);
  const remove = () => ask(lead(t('Type your password to remove {name}.', { name })), new Form({
    label: t('Remove {name}', { name }), submit: t('Remove'), busy: t('Removing…'), isGrave: true, fields: [owner(), passwordField()],
    send: async ({ password }) => {
      await request(route`/account/passkeys/${id}`, { method: 'DELETE', body: { password } });
      again(t('{name} is removed. Delete it on your device as well.', { name }));
    },
  }).root);
  return el('li', {}, el('span', { class: 'who' }, el('strong', { dir: 'auto' }, name),
    el('span', {}, used ? t('Since {day} · last used on {used}', { day: dayOf(made), used: dayOf(used) }) : t('Since {day} · not used yet', { day: dayOf(made) }))),
  el('button', { type: 'button', 'aria-label': t('Rename {name}', { name }), click: rename }, t('Rename')),
  account.has_password ? el('button', { type: 'button', 'aria-label': t('Remove {name}', { name }), click: remove }, t('Remove')) : null);
}

function another(site, account, again) {
  if (!hasKeys(site)) return [el('p', { class: 'hint' }, t('This browser cannot make passkeys at this address.'))];
  if (!account.has_password) return [el('p', { class: 'hint' }, t('Set a password first, under “Ways to sign in”.'))];
  const form = new Form({
    label: t('Add a passkey'), submit: t('Add a passkey'), busy: t('Adding it…'), fields: [owner(), passwordField(), { ...nameField(), optional: true, hint: t('Such as “My phone”.') }],
    send: async ({ password, name }) => {
      const setup = await request('/account/passkey-setups', { method: 'POST', body: { password } });
      const body = { ...await make(setup), ...(name.trim() && { name: name.trim() }) };
      const key = await request(PATH, { method: 'POST', body });
      again(t('{name} opens your account from now on.', { name: key.name }));
    },
  });
  return [el('h3', {}, t('Another passkey')), form.root];
}

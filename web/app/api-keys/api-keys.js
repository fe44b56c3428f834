// Keys by which programs act for the account: which there are, another one, one less. A page of the account screen.
// A secret is shown once, right after it was made, and kept nowhere here.

import { owner, passwordField } from '../account/fields.js';
import { el, Form } from '../account/form.js';
import { request, route } from '../api/api.js';
import { copy } from '../clip-link/clip.js';
import { dayOf } from '../sign-in/strings.js';
import { t } from '../words/words.js';
import { around, MARK } from '../words/around.js';
import { lifetimes, mayDo, scopes as scopesOf, stateOf } from './words.js';

const PATH = '/account/keys';
const nameField = () => ({ name: 'name', label: t('Name'), autocomplete: 'off', autocapitalize: 'sentences', maxlength: 100, hint: t('Such as “Editing script”.') });
const codeField = () => ({ name: 'code', label: t('Code of your app'), autocomplete: 'one-time-code', inputmode: 'numeric', maxlength: 16 });

const lead = (...words) => el('p', { class: 'lead' }, ...words);

/** Fills the place with what there is. */
export function fill(place, on) {
  const turning = el('div', { class: 'turning', role: 'img', 'aria-label': t('Loading') });
  place.className = 'access api-keys';
  place.replaceChildren(turning);
  Promise.all([request(PATH), request('/account'), request('/account/second-factors')]).then(([{ items }, account, factors]) => {
    const asking = el('div', { class: 'access' });
    place.replaceChildren(
      lead(...around(t('With a key a program has videos made from words in your name, for your credits. It speaks to {address} as it would to OpenAI’s videos. A key opens nothing else of your account.',
        { address: MARK }), el('code', { dir: 'ltr' }, `${location.origin}/v1`))),
      el('ul', { class: 'rows devices notices', 'aria-label': t('API keys') }, ...items.map((key) => rowOf(key, asking, place, on))),
      ...(items.length ? [] : [el('p', { class: 'none' }, t('You have no keys.'))]),
      asking, ...another(account, factors, place, on));
    on.arrive();
  }).catch((error) => {
    turning.remove();
    on.say(error.detail ?? t('This could not be loaded. Please try again.'));
  });
}

function rowOf(key, asking, place, on) {
  const { id, name } = key;
  const revoke = () => {
    const form = new Form({
      label: t('Revoke {name}', { name }), submit: t('Revoke'), busy: t('Revoking…'), isGrave: true, fields: [],
      send: async () => {
        await request(route`/account/keys/${id}`, { method: 'DELETE' });
        on.say(t('{name} is revoked.', { name }));
        fill(place, on);
      },
    });
    const keep = el('button', { type: 'button', class: 'plain', click: () => {
      asking.replaceChildren();
      button.focus();
    } }, t('Keep it'));
    asking.replaceChildren(lead(...around(t('Programs that use {name} stop working at once. It can’t be had back.', { name: MARK }), el('b', { dir: 'auto' }, name))), form.root, keep);
    form.root.querySelector('button').focus();
  };
  const button = el('button', { type: 'button', 'aria-label': t('Revoke {name}', { name }), click: revoke }, t('Revoke'));
  return el('li', {}, el('span', { class: 'who' }, el('strong', { dir: 'auto' }, name), el('span', {}, mayDo(key.scopes)),
    el('span', {}, stateOf(key, dayOf))), button);
}

function another(account, { code_app_since: hasApp }, place, on) {
  if (!account.has_password && !hasApp) return [el('p', { class: 'hint' }, t('To make a key, set a password first, under “Ways to sign in”.'))];
  const scopes = scopesOf().map(([scope, words]) => el('label', {}, el('input', { type: 'checkbox', name: 'scope', value: scope, checked: true }), el('span', {}, words)));
  const life = el('select', { id: 'api-key-life' }, ...lifetimes().map(([days, words]) => el('option', { value: days }, words)));
  const form = new Form({
    label: t('Make a key'), submit: t('Make a key'), busy: t('Making it…'), fields: [nameField(), ...(account.has_password ? [owner(), passwordField()] : [codeField()])],
    send: async ({ name, password, code }) => {
      const chosen = [...form.root.querySelectorAll('[name=scope]:checked')].map(({ value }) => value);
      if (!chosen.length) throw Object.assign(new Error('scopes'), { detail: t('Choose at least one thing that the key may do.') });
      const made = await request(PATH, { method: 'POST', body: {
        name: name.trim(), scopes: chosen, ...(life.value && { expires_in_days: Number(life.value) }),
        owner: password === undefined ? { code: code.trim() } : { password },
      } });
      show(made, place, on);
    },
  });
  form.root.firstElementChild.after(
    el('fieldset', {}, el('legend', {}, t('It may')), ...scopes),
    el('div', { class: 'field' }, el('label', { for: life.id }, t('It counts')), life));
  return [el('h3', {}, t('Another key')), form.root];
}

/** The secret is nowhere else from now on. */
function show({ key, secret }, place, on) {
  place.replaceChildren(
    lead(...around(t('This is {name}. Give it to your program now: it isn’t shown again. Whoever has it can use it.', { name: MARK }), el('b', { dir: 'auto' }, key.name))),
    el('ul', { class: 'rows devices notices', 'aria-label': t('Secret') },
      el('li', {}, el('span', { class: 'who' }, el('strong', {}, secret)),
        el('button', { type: 'button', 'aria-label': t('Copy the key'), click: async () => {
          await copy(secret);
          on.say(t('The key is copied.'));
        } }, t('Copy')))),
    el('button', { type: 'button', class: 'main', click: () => fill(place, on) }, t('I have kept it')));
  on.arrive();
}

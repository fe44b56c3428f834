// Keys by which programs act for the account: which there are, another one, one less. A page of the account screen.
// A secret is shown once, right after it was made, and kept nowhere here.

import { owner, PASSWORD } from '../account/fields.js';
import { el, Form } from '../account/form.js';
import { request, route } from '../api/api.js';
import { copy } from '../clip-link/clip.js';
import { dayOf } from '../sign-in/strings.js';
import { LIFETIMES, mayDo, SCOPES, stateOf } from './words.js';

const PATH = '/account/keys';
const NAME = { name: 'name', label: 'Name', autocomplete: 'off', autocapitalize: 'sentences', maxlength: 100, hint: 'Such as “Editing script”.' };
const CODE = { name: 'code', label: 'Code of your app', autocomplete: 'one-time-code', inputmode: 'numeric', maxlength: 16 };

const lead = (...words) => el('p', { class: 'lead' }, ...words);

/** Fills the place with what there is. */
export function fill(place, on) {
  const turning = el('div', { class: 'turning', role: 'img', 'aria-label': 'Loading' });
  place.className = 'access api-keys';
  place.replaceChildren(turning);
  Promise.all([request(PATH), request('/account'), request('/account/second-factors')]).then(([{ items }, account, factors]) => {
    const asking = el('div', { class: 'access' });
    place.replaceChildren(
      lead('With a key a program has videos made from words in your name, for your credits. It speaks to ', el('code', {}, `${location.origin}/v1`),
        ' as it would to OpenAI’s videos. A key opens nothing else of your account.'),
      el('ul', { class: 'rows devices notices', 'aria-label': 'API keys' }, ...items.map((key) => rowOf(key, asking, place, on))),
      ...(items.length ? [] : [el('p', { class: 'none' }, 'You have no keys.')]),
      asking, ...another(account, factors, place, on));
    on.arrive();
  }).catch((error) => {
    turning.remove();
    on.say(error.detail ?? 'This could not be loaded. Please try again.');
  });
}

function rowOf(key, asking, place, on) {
  const { id, name } = key;
  const revoke = () => {
    const form = new Form({
      label: `Revoke ${name}`, submit: 'Revoke', busy: 'Revoking…', isGrave: true, fields: [],
      send: async () => {
        await request(route`/account/keys/${id}`, { method: 'DELETE' });
        on.say(`${name} is revoked.`);
        fill(place, on);
      },
    });
    const keep = el('button', { type: 'button', class: 'plain', click: () => {
      asking.replaceChildren();
      button.focus();
    } }, 'Keep it');
    asking.replaceChildren(lead('Programs that use ', el('b', { dir: 'auto' }, name), ' stop working at once. It can’t be had back.'), form.root, keep);
    form.root.querySelector('button').focus();
  };
  const button = el('button', { type: 'button', 'aria-label': `Revoke ${name}`, click: revoke }, 'Revoke');
  return el('li', {}, el('span', { class: 'who' }, el('strong', { dir: 'auto' }, name), el('span', {}, mayDo(key.scopes)),
    el('span', {}, stateOf(key, dayOf))), button);
}

function another(account, { code_app_since: hasApp }, place, on) {
  if (!account.has_password && !hasApp) return [el('p', { class: 'hint' }, 'To make a key, set a password first, under “Ways to sign in”.')];
  const scopes = SCOPES.map(([scope, words]) => el('label', {}, el('input', { type: 'checkbox', name: 'scope', value: scope, checked: true }), el('span', {}, words)));
  const life = el('select', { id: 'api-key-life' }, ...LIFETIMES.map(([days, words]) => el('option', { value: days }, words)));
  const form = new Form({
    label: 'Make a key', submit: 'Make a key', busy: 'Making it…', fields: [NAME, ...(account.has_password ? [owner(), PASSWORD] : [CODE])],
    send: async ({ name, password, code }) => {
      const chosen = [...form.root.querySelectorAll('[name=scope]:checked')].map(({ value }) => value);
      if (!chosen.length) throw Object.assign(new Error('scopes'), { detail: 'Choose at least one thing that the key may do.' });
      const made = await request(PATH, { method: 'POST', body: {
        name: name.trim(), scopes: chosen, ...(life.value && { expires_in_days: Number(life.value) }),
        owner: password === undefined ? { code: code.trim() } : { password },
      } });
      show(made, place, on);
    },
  });
  form.root.firstElementChild.after(
    el('fieldset', {}, el('legend', {}, 'It may'), ...scopes),
    el('div', { class: 'field' }, el('label', { for: life.id }, 'It counts'), life));
  return [el('h3', {}, 'Another key'), form.root];
}

/** The secret is nowhere else from now on. */
function show({ key, secret }, place, on) {
  place.replaceChildren(
    lead('This is ', el('b', { dir: 'auto' }, key.name), '. Give it to your program now: it isn’t shown again. Whoever has it can use it.'),
    el('ul', { class: 'rows devices notices', 'aria-label': 'Secret' },
      el('li', {}, el('span', { class: 'who' }, el('strong', {}, secret)),
        el('button', { type: 'button', 'aria-label': 'Copy the key', click: async () => {
          await copy(secret);
          on.say('The key is copied.');
        } }, 'Copy'))),
    el('button', { type: 'button', class: 'main', click: () => fill(place, on) }, 'I have kept it'));
  on.arrive();
}

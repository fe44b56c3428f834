// By what somebody gets in: other services beside handle and password, and devices. What lies with a service (a code, a
// state) is in cookies that no script can read; here is only what the person wanted there.

import { deleting, DELETING_MS, newPasswordField, owner, passwordField } from '../account/fields.js';
import { el, Form } from '../account/form.js';
import { request, requestAsAnybody, route } from '../api/api.js';
import { enter, enterBySteps } from '../auth/entering.js';
import { forget, signedIn } from '../auth/auth.js';
import { t } from '../words/words.js';
import { dayOf } from './strings.js';

export { devices } from './devices.js';
export { security } from './security.js';

// In this tab, until it is closed: for what somebody left, and what they brought back: `{purpose, ticket, name, proof}`.
const KEY = 'clipfeed.sign-in';
const memory = { value: null };
// What came back is told once: the page is drawn anew as soon as somebody is signed in.
let isSent = false;

function kept() {
  try { return JSON.parse(sessionStorage.getItem(KEY)) ?? {}; } catch { return memory.value ?? {}; }
}

function keep(changes) {
  memory.value = { ...kept(), ...changes };
  try { sessionStorage.setItem(KEY, JSON.stringify(memory.value)); } catch { /* storage may be off */ }
}

const text = (words, className = null) => el('p', { class: className }, words);
const providersOf = async () => (await requestAsAnybody('/sign-in-providers')).items;
const post = (body) => ({ method: 'POST', body });

/** Goes to a service. `purpose` null: to sign in. */
async function leaveFor(provider, purpose, name) {
  const body = post({ provider, transport: 'cookie', ...(purpose && { purpose }) });
  const { authorization_url: address } = await (purpose ? request('/account/sign-ins', body) : requestAsAnybody('/sign-ins', body));
  keep({ purpose, name, account: signedIn()?.id ?? null });
  location.assign(address);
}

/** `words`: what a tap does, of the service's name. */
function buttonFor({ id, name }, words, purpose, on) {
  const button = el('button', { type: 'button', class: 'plain', click: async () => {
    if (button.getAttribute('aria-disabled')) return;
    button.setAttribute('aria-disabled', 'true');
    try {
      await leaveFor(id, purpose, name);
    } catch (error) {
      on.say(error.detail ?? t('This could not be started. Please try again.'));
    }
    button.removeAttribute('aria-disabled');
  } }, words(name));
  return button;
}

/** Fills the place below the form with what there is, at once. */
export async function buttons(place, on) {
  const { items, passkey_site: site } = await requestAsAnybody('/sign-in-providers');
  // Most sites have no passkeys, and fetch nothing for them.
  const hasPasskeys = site && (await import('../passkeys/keys.js')).hasKeys(site);
  place.replaceChildren(...(hasPasskeys ? [keyButton(on)] : []),
    ...items.map((provider) => buttonFor(provider, (name) => t('Sign in with {name}', { name }), null, on)));
}

const keyButton = (on) => el('button', { type: 'button', class: 'plain', click: async () => {
  try {
    const { name } = await (await import('../passkeys/entering.js')).enterByKey();
    on.home(t('Welcome back, {name}.', { name }));
  } catch (error) {
    on.say(error.detail ?? t('This could not be started. Please try again.'));
  }
} }, t('Sign in with a passkey'));

// Back again

/** Somebody was at a service; what it answered is told to the server once. */
export function arriving(on) {
  const place = el('div', { class: 'turning', role: 'img', 'aria-label': t('Signing in') });
  if (isSent) return sorry(on, t('There is nothing more to do here.'));
  isSent = true;
  const { purpose, name = t('the service'), account = null } = kept();
  keep({ purpose: null });
  const answer = purpose && account === (signedIn()?.id ?? null) ? backInAccount(purpose, name) : backIn(on, name);
  answer.catch((error) => {
    if (error.detail === undefined) console.error(error);
    on.replace(...sorry(on, error.detail ?? t('Something is wrong with this page. Please load it again.')));
  });
  return [place];
}

const sorry = (on, words) => [el('p', { class: 'note', role: 'alert' }, words),
  el('button', { type: 'button', class: 'main', click: () => (signedIn() ? turnTo('access') : on.home('')) },
    signedIn() ? t('Ways to sign in') : t('Back to signing in'))];

const backIn = (on, service) => enterBySteps(on, '/sign-ins/answer', {}, (answer) => {
  if (!answer.newcomer) on.home(t('Welcome back, {name}.', { name: answer.name })); else on.replace(...newcomer(on, answer.newcomer, service));
});

async function backInAccount(purpose, name) {
  const { ticket, proof } = await request('/account/sign-ins/answer', post({ transport: 'cookie' }));
  keep(purpose === 'connect' ? { ticket, ticketName: name } : { proof });
  turnTo('access');
}

/** To another page of the account, in the place of this one. */
function turnTo(name) {
  history.replaceState(history.state, '', `#account/${name}`);
  dispatchEvent(new PopStateEvent('popstate', { state: history.state }));
}

function newcomer(on, { ticket, handle, name, email, known }, service) {
  const form = new Form({
    label: t('Create an account'), submit: t('Create the account'), busy: t('Creating it…'),
    fields: [
      { name: 'handle', label: t('Handle'), autocomplete: 'username', maxlength: 60, value: handle,
        hint: t('Letters a to z, digits, full stops and underscores. Everyone sees it, and you can’t change it later.') },
      { name: 'name', label: t('Name'), autocomplete: 'name', autocapitalize: 'words', optional: true, value: name ?? '',
        hint: t('Shown beside your clips.') },
      { name: 'email', label: t('E-mail address'), type: 'email', autocomplete: 'email', optional: true,
        value: known ? '' : email ?? '', hint: t('Nobody sees it.') },
    ],
    send: async (values) => {
      const given = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, value.trim()]).filter(([, value]) => value));
      const account = await enter('/sign-ins/accounts', { ...given, ticket });
      on.home(t('Welcome, {name}. What you liked so far is yours.', { name: account.name }));
    },
  });
  const own = () => {
    keep({ ticket, ticketName: service });
    on.home(t('Sign in as always. Then {service} waits under “Ways to sign in”.', { service }));
  };
  return [
    text(t('You are here for the first time with {service}. Everything you liked, saved and followed as a guest comes with you.', { service }), 'lead'),
    ...(known ? [el('p', { class: 'note' }, t('There is an account with the address {email}. If it is yours, sign in to it and connect {service}.', { email, service })),
      el('button', { type: 'button', class: 'plain', click: own }, t('I have an account')), el('h3', {}, t('Or a new one'))] : []),
    form.root,
    ...(known ? [] : [el('p', { class: 'ways' }, el('button', { type: 'button', class: 'link', click: own }, t('I have an account already')))]),
  ];
}

// Ways in

/** What opens the account, and what else could. */
export function access(on) {
  const place = el('div', { class: 'access', 'aria-busy': 'true' });
  const turning = el('div', { class: 'turning', role: 'img', 'aria-label': t('Loading') });
  place.append(turning);
  const show = async () => {
    const [ways, providers] = await Promise.all([request('/account/identities'), providersOf()]);
    if (on.signal.aborted) return;
    place.replaceChildren(...waysOf(on, ways, providers, again));
    place.setAttribute('aria-busy', 'false');
    place.inert = false;
  };
  const failed = (error) => {
    turning.remove();
    place.inert = false;
    on.say(error.detail ?? t('This could not be loaded. Please try again.'));
  };
  const again = (words) => {
    on.say(words);
    // What stands there goes by a proof that is used up.
    place.inert = true;
    show().then(() => on.arrive(), failed);
  };
  show().catch(failed);
  return [place];
}

function waysOf(on, { password, items }, providers, again) {
  const { ticket, ticketName, account, ...rest } = kept();
  // Another person's may lie in this tab.
  const proof = account === signedIn()?.id ? rest.proof : null;
  const free = providers.filter(({ id, name }) => !items.some(({ provider }) => provider === id) && !(ticket && name === ticketName));
  const confirming = providers.filter(({ id }) => items.some(({ provider }) => provider === id))
    .map((provider) => buttonFor(provider, (name) => t('Confirm with {name}', { name }), 'confirm', on));
  const confirm = password || proof ? []
    : [text(t('This account has no password. Confirm that it’s you before you change how you sign in.')), ...confirming];
  const asking = el('div');
  return [
    el('ul', { class: 'rows devices', 'aria-label': t('Connected') },
      ...items.map((item) => connected(on, item, again, { password, proof, asking }))),
    asking,
    ...(items.length ? [] : [text(t('You sign in to this account with its handle and password only.'), 'lead')]),
    ...waiting(again, password, proof), ...confirm,
    ...free.map((provider) => buttonFor(provider, (name) => t('Connect {name}', { name }), 'connect', on)),
    ...(!password && proof ? withProof(on, proof, again) : []),
  ];
}

/** Does what a proof is for. It is good once, unless what it was for was refused. */
async function once(act) {
  try {
    await act();
  } catch (error) {
    if (error.code === 'sign_in_over') keep({ proof: null });
    throw error;
  }
  keep({ proof: null });
}

/** `asking`: where the password is asked for. */
function connected(on, { id, provider, name, email, connected_at: made }, again, { password, proof, asking }) {
  const day = dayOf(made);
  const since = [email, t('connected on {day}', { day }), provider ? null : t('not in use here any more')].filter(Boolean).join(' · ');
  const disconnect = async (body) => {
    await request(route`/account/identities/${id}`, { method: 'DELETE', body });
    again(t('{name} is disconnected.', { name }));
  };
  const button = el('button', { type: 'button', 'aria-label': t('Disconnect {name}', { name }), click: async () => {
    if (password) {
      const form = new Form({
        label: t('Disconnect {name}', { name }), submit: t('Disconnect'), busy: t('Disconnecting…'), fields: [owner(), passwordField()],
        send: ({ password: given }) => disconnect({ password: given }),
      });
      asking.replaceChildren(text(t('Type your password to disconnect {name}.', { name }), 'lead'), form.root);
      form.root.querySelector('input[type=password]').focus();
      return;
    }
    try {
      await (proof ? once(() => disconnect({ proof })) : disconnect({}));
    } catch (error) {
      on.say(error.detail);
    }
  } }, t('Disconnect'));
  return el('li', {}, el('span', { class: 'who' }, el('strong', {}, name), el('span', {}, since)), button);
}

/** What was brought back, and what makes it count: the password, or the proof that it is still them. */
function waiting(again, password, proof) {
  const { ticket, ticketName: name } = kept();
  if (!ticket) return [];
  const form = new Form({
    label: t('Connect {name}', { name }), submit: t('Connect {name}', { name }), busy: t('Connecting…'), fields: password ? [owner(), passwordField()] : [],
    send: async ({ password: given }) => {
      try {
        await request('/account/identities', post({ ticket, ...(password ? { password: given } : { proof }) }));
      } catch (error) {
        // What is over or another's will not do the next time either.
        if (['sign_in_over', 'identity_taken'].includes(error.code)) keep({ ticket: null, proof: null });
        throw error;
      }
      keep({ ticket: null, proof: null });
      again(t('{name} is connected. You can sign in by it from now on.', { name }));
    },
  });
  if (!password && !proof) return [text(t('{name} waits to be connected.', { name }), 'lead')];
  return [text(password ? t('Type your password to connect {name}.', { name }) : t('It is you. Connect {name}?', { name }), 'lead'), form.root];
}

/** What others do with their password. */
function withProof(on, proof, again) {
  const setting = new Form({
    label: t('Password'), submit: t('Set a password'), busy: t('Setting it…'), fields: [owner(), { ...newPasswordField(), name: 'new_password' }],
    send: async (values) => {
      await once(() => request('/account/password', { method: 'PUT', body: { new_password: values.new_password, proof } }));
      again(t('The password is set. Other devices are signed out.'));
    },
  });
  const { handle } = signedIn();
  const leaving = new Form({
    label: t('Delete the account'), submit: t('Delete everything'), busy: t('Deleting…'), slow: deleting(), isGrave: true,
    fields: [{ name: 'typed', label: t('Type {handle} to go on', { handle }), autocomplete: 'off' }],
    send: async ({ typed }) => {
      if (typed.trim().replace(/^@/, '').toLowerCase() !== handle.toLowerCase()) {
        throw Object.assign(new Error('typed'), { field: 'typed', detail: t('That is not {handle}.', { handle }) });
      }
      await once(() => request('/account/deletion', { ...post({ proof }), patience: DELETING_MS }));
      forget();
      on.home(t('The account is deleted.'));
    },
  });
  return [el('h3', {}, t('Password')), setting.root, el('h3', {}, t('Delete the account')),
    text(t('Your clips, comments, likes, bookmarks and follows are deleted with it, for everyone and at once. This can’t be undone.')), leaving.root];
}

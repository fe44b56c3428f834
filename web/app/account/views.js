// The pages of the account screen: what stands on each, and what each sends. `on` is the screen: `go(view)`, `goTo(address)`,
// `home(text)`, `say(text)`, `open(clip)`, `watch(title, clips, clip)`, `signal` which ends with the view.

import { request, requestAsAnybody, route } from '../api/api.js';
import { enter, enterBySteps, leave } from '../auth/entering.js';
import { forget, renew, signedIn } from '../auth/auth.js';
import { DELETING, DELETING_MS, NEW_PASSWORD, owner, PASSWORD } from './fields.js';
import { el, Form } from './form.js';
import { listOf, personOf, tileOf } from './lists.js';
import { addressOf } from '../profile-link/address.js';
import { faceOf, showFace } from '../profile-link/face.js';
import { loadStyles } from '../screens/screens.js';

const HANDLE = { name: 'handle', label: 'Handle or e-mail address', autocomplete: 'username' };

/** A page that is fetched when it is wanted. */
const later = (name) => (on) => {
  const place = el('div', { class: 'turning', role: 'img', 'aria-label': 'Loading' });
  import('../sign-in/sign-in.js').then((pages) => {
    place.replaceWith(...pages[name](on));
    on.arrive();
  }, () => on.say('This could not be loaded. Please try again.'));
  return [place];
};

const text = (words, of = 'p', className = null) => el(of, { class: className }, words);
const link = (words, act) => el('button', { type: 'button', class: 'link', click: act }, words);
const row = (words, act, hint = '') => el('li', {}, el('button', { type: 'button', click: act },
  el('span', {}, words), el('small', {}, hint)));

/** Whoever has no providers sees nothing of them. */
function others(on) {
  const place = el('div', { class: 'others', role: 'group', 'aria-label': 'Other ways' });
  import('../sign-in/sign-in.js').then(({ buttons }) => buttons(place, on)).catch(() => {});
  return [place];
}

function signIn(on) {
  const form = new Form({
    label: 'Sign in', submit: 'Sign in', busy: 'Signing in…', fields: [HANDLE, PASSWORD],
    send: ({ handle, password }) => enterBySteps(on, '/sessions', { handle: handle.trim(), password },
      ({ name }) => on.home(`Welcome back, ${name}.`)),
  });
  return [
    text('You can watch, like and follow without an account. With one, everything is there on all your devices.', 'p', 'lead'),
    form.root, ...others(on),
    el('p', { class: 'ways' }, link('Create an account', () => on.go('join')), link('Forgot the password?', () => on.go('forgot'))),
    el('h3', {}, 'Without an account'), marked(on),
  ];
}

function join(on) {
  const form = new Form({
    label: 'Create an account', submit: 'Create the account', busy: 'Creating it…',
    fields: [
      { name: 'handle', label: 'Handle', autocomplete: 'username', maxlength: 60,
        hint: 'Letters a to z, digits, full stops and underscores. Everyone sees it, and you can’t change it later.' },
      { name: 'name', label: 'Name', autocomplete: 'name', autocapitalize: 'words', optional: true, hint: 'Shown beside your clips.' },
      { name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'email', optional: true,
        hint: 'Only for when you forget your password. Nobody else sees it.' },
      NEW_PASSWORD,
    ],
    send: async ({ handle, name, email, password }) => {
      const account = await enter('/accounts', {
        handle: handle.trim(), password, ...(name.trim() && { name: name.trim() }), ...(email.trim() && { email: email.trim() }),
      });
      on.home(`Welcome, ${account.name}. What you liked so far is yours.`);
    },
  });
  return [text('Everything you liked, saved and followed as a guest comes with you.', 'p', 'lead'), form.root];
}

function forgot(on) {
  const form = new Form({
    label: 'Forgotten password', submit: 'Send a link', busy: 'Sending…', fields: [HANDLE],
    send: async ({ handle }) => {
      await requestAsAnybody('/password-resets', { method: 'POST', body: { handle: handle.trim() } });
      on.replace(
        text('If this account has a confirmed e-mail address, a link is on its way there. It works for an hour.'),
        text('No address? Whoever runs this site can make you a link.', 'p', 'hint'));
    },
  });
  return [text('We’ll send a link for a new password to the account’s e-mail address.', 'p', 'lead'), form.root];
}

function reset(on, token) {
  const form = new Form({
    label: 'New password', submit: 'Set the password', busy: 'Setting it…', fields: [{ ...NEW_PASSWORD, label: 'New password' }],
    send: async ({ password }) => {
      await requestAsAnybody(route`/password-resets/${token}`, { method: 'PUT', body: { password } });
      // It ended every session, ours too.
      forget();
      on.home('Your password is changed. Sign in with the new one.');
    },
  });
  return [text('You’ll have to sign in again on every device.', 'p', 'lead'), form.root,
    el('p', { class: 'ways' }, link('Ask for a new link', () => on.go('forgot')))];
}

function confirm(on, token) {
  const form = new Form({
    label: 'Confirm the address', submit: 'This is my address', busy: 'Confirming…', fields: [],
    send: async () => {
      await requestAsAnybody(route`/email-confirmations/${token}`, { method: 'PUT' });
      on.home('The e-mail address is confirmed.');
    },
  });
  return [text('Once it’s confirmed, you can reset a forgotten password by e-mail.', 'p', 'lead'), form.root];
}

const marked = (on) => el('ul', { class: 'rows' }, row('Search', () => on.search()), row('Your feed', () => on.go('feed'), 'What For you goes by'), row('Your clips', () => on.go('clips')), row('Clips from words', () => on.go('generations'), 'Made by AI'), row('Likes', () => on.go('likes')), row('Bookmarks', () => on.go('bookmarks')),
  row('Following', () => on.go('following')), row('Blocked', () => on.go('blocks')), row('Your reports', () => on.go('reports')),
  row('Kept clips', () => on.go('kept'), 'Without a network'), row('Playback', () => on.go('playback'), 'On this device'),
  row('Restricted mode', () => on.go('restricted'), 'Clips for adults'));

function home(on) {
  const { name, handle } = signedIn();
  const asked = request('/account');
  // An account without a password asks its providers instead: known once the server has answered.
  const own = (view) => async ({ currentTarget: button }) => {
    if (button.ariaBusy) return;
    const turning = el('span', { class: 'turning', role: 'img', 'aria-label': 'Loading' });
    button.ariaBusy = 'true';
    button.append(turning);
    const isOpenedByOthers = await asked.then((account) => !account.has_password, () => false);
    button.ariaBusy = null;
    turning.remove();
    if (!on.signal.aborted) on.go(isOpenedByOthers ? 'access' : view);
  };
  const who = el('strong', { dir: 'auto' }, name);
  const face = faceOf({ name }, 60);
  const note = el('p', { class: 'note', hidden: true });
  const judging = el('ul', { class: 'rows', hidden: true }, row('Moderation', () => on.go('moderation'), 'What people report'));
  asked.then((account) => {
    renew(account);
    who.textContent = account.name;
    note.hidden = !account.suspended;
    note.textContent = 'This account is suspended. You can watch clips or delete the account, nothing more. “Decisions” says why, and takes an appeal.';
    judging.hidden = !['moderator', 'admin'].includes(account.role);
  }, (error) => { if (!error.isOver && !on.signal.aborted) on.say(error.detail); });
  request(route`/profiles/${handle}`).then(({ author }) => showFace(face, author, 60), () => {});
  const out = el('button', { type: 'button', class: 'plain', click: async () => {
    try {
      await leave();
      on.home('You are signed out.');
    } catch (error) {
      on.say(`You are still signed in. ${error.detail}`);
    }
  } }, 'Sign out');
  return [
    el('div', { class: 'person' }, face,
      el('span', { class: 'who' }, who, el('span', {}, `@${handle}`))),
    note, judging, el('ul', { class: 'rows' }, row('Your profile', () => on.goTo(addressOf(handle)), 'As others see it')), marked(on),
    el('ul', { class: 'rows' }, row('Name and e-mail address', () => on.go('edit')), row('Password', own('password')),
      row('Ways to sign in', () => on.go('access')), row('Two-step sign-in', () => on.go('two-step')), row('Passkeys', () => on.go('passkeys')),
      row('API keys', () => on.go('keys'), 'For programs'),
      row('Devices', () => on.go('devices'), 'Where you are signed in'),
      row('Comment filters', () => on.go('filters'), 'And what waits'), row('Security', () => on.go('security'), 'What happened'), row('Decisions', () => on.go('decisions'), 'Of moderators about you'),
      row('Webhooks', () => on.go('webhooks'), 'For programs of yours')),
    out,
    el('ul', { class: 'rows' }, row('Your data', () => on.go('data'), 'To take along'), row('Delete the account', own('delete'))),
  ];
}

function edit(on) {
  const place = el('div', { class: 'turning', role: 'img', 'aria-label': 'Loading' });
  const show = (account) => {
    const name = new Form({
      label: 'Name', submit: 'Save the name', busy: 'Saving…',
      fields: [{ name: 'name', label: 'Name', autocomplete: 'name', autocapitalize: 'words', value: account.name }],
      send: async (values) => {
        renew(await request('/account', { method: 'PATCH', body: { name: values.name.trim() } }));
        on.say('The name is saved.');
      },
    });
    const address = el('p', { class: 'hint' });
    const tell = ({ email, pending_email: pending }) => {
      address.textContent = pending ? `A link is on its way to ${pending}. The address counts once it is opened.`
        : email ? `${email} is confirmed.` : 'No address yet. Without one, a forgotten password can’t be reset by e-mail.';
    };
    tell(account);
    const email = new Form({
      label: 'E-mail address', submit: 'Save the address', busy: 'Saving…',
      fields: [
        { name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'email', optional: true,
          value: account.pending_email ?? account.email ?? '', hint: 'Leave it empty to have none.' },
        PASSWORD, owner(),
      ],
      send: async (values) => {
        tell(await request('/account', { method: 'PATCH', body: { email: values.email.trim(), password: values.password } }));
        on.say('Saved.');
      },
    });
    place.replaceWith(name.root, el('h3', {}, 'E-mail address'), address, account.has_password ? email.root
      : text('To change it, set a password first, under “Ways to sign in”.', 'p', 'hint'));
    on.arrive();
  };
  request('/account').then(show, (error) => {
    place.remove();
    on.say(error.detail);
  });
  return [place];
}

function password(on) {
  const form = new Form({
    label: 'Password', submit: 'Change the password', busy: 'Changing it…',
    fields: [
      owner(), { ...PASSWORD, name: 'current_password', label: 'Current password' },
      { ...NEW_PASSWORD, name: 'new_password', label: 'New password' },
    ],
    send: async (values) => {
      const { current_password, new_password } = values;
      await request('/account/password', { method: 'PUT', body: { current_password, new_password } });
      on.home('The password is changed. Other devices are signed out.');
    },
  });
  return [text('This signs you out on all other devices.', 'p', 'lead'), form.root];
}

function remove(on) {
  const { id, handle } = signedIn();
  const form = new Form({
    label: 'Delete the account', submit: 'Delete everything', busy: 'Deleting…', slow: DELETING, isGrave: true,
    fields: [
      { name: 'typed', label: `Type ${handle} to go on`, autocomplete: 'off' }, owner(), PASSWORD,
    ],
    send: async ({ typed, password: given }) => {
      if (typed.trim().replace(/^@/, '').toLowerCase() !== handle.toLowerCase()) {
        throw Object.assign(new Error('typed'), { field: 'typed', detail: `That is not ${handle}.` });
      }
      await request('/account/deletion', { method: 'POST', body: { password: given }, patience: DELETING_MS });
      on.removed((clip) => clip.author.id === id);
      forget();
      on.home('The account is deleted.');
    },
  });
  return [text('Your clips, comments, likes, bookmarks and follows are deleted with it, for everyone and at once. This can’t be undone.', 'p', 'lead'),
    form.root];
}

const grid = (path, label, none) => (on) => [listOf({
  path, name: 'grid', label, none, row: (clip) => tileOf(clip, on.open), signal: on.signal,
})];

const people = (on) => [listOf({
  path: '/account/following', name: 'people', label: 'People you follow', none: 'You don’t follow anyone yet. Tap Follow beside a name in the feed.',
  row: (author) => personOf(author, on, true, () => on.goTo(addressOf(author.handle))), signal: on.signal,
})];

function playback(on) {
  const place = el('div');
  import('../settings/page.js').then(({ fill }) => fill(place)).catch(() => on.say('This could not be loaded. Please try again.'));
  return [place];
}

/** A list that is fetched when it is wanted. */
const list = (load) => (on, token) => {
  const place = el('div');
  load().then(({ fill }) => fill(place, on, token)).catch(() => on.say('This list could not be loaded.'));
  return [place];
};
const clipsThat = (name) => list(async () => ({ fill: (await import('../grids/grids.js'))[name] }));
const taste = list(() => import('../taste/page.js'));
const kept = list(() => import('../offline/page.js'));
const twoStep = list(() => import('../two-factor/page.js'));
const passkeys = list(() => import('../passkeys/page.js'));
const blocks = list(() => import('../blocking/list.js'));
const restricted = list(() => import('../restricted/page.js'));
/** With the sheet of their folder. */
const styled = (folder, name) => list(async () => (await Promise.all([import(`../${folder}/${name}.js`), loadStyles(`/app/${folder}/${folder}.css`)]))[0]);

/** By address: its title, what stands on it, and for whom it is. */
export const VIEWS = {
  '': () => (signedIn() ? { title: 'Your account', show: home } : { title: 'Sign in', show: signIn }),
  join: () => ({ title: 'Create an account', show: join, for: 'guests' }),
  forgot: () => ({ title: 'Forgotten password', show: forgot }),
  reset: () => ({ title: 'New password', show: reset }),
  confirm: () => ({ title: 'Your e-mail address', show: confirm }),
  feed: () => ({ title: 'Your feed', show: taste }),
  trending: () => ({ title: 'Trending', show: clipsThat('trending') }),
  similar: () => ({ title: 'More like this', show: clipsThat('similar') }),
  likes: () => ({ title: 'Likes', show: grid('/account/likes', 'Clips you like', 'No likes yet. Double-tap a clip to like it.') }),
  bookmarks: () => ({ title: 'Bookmarks', show: grid('/account/bookmarks', 'Clips you saved', 'No bookmarks yet.') }),
  profile: () => ({ title: 'Profile', show: styled('profile', 'profile') }),
  about: () => ({ title: 'Edit profile', show: styled('profile', 'edit'), for: 'accounts' }),
  clips: () => ({ title: 'Your clips', show: styled('own', 'clips') }),
  generate: () => ({ title: 'Generate a clip', show: styled('generation', 'generate') }),
  generations: () => ({ title: 'Clips from words', show: styled('generation', 'generations') }),
  generation: () => ({ title: 'Your clip from words', show: styled('generation', 'generation') }),
  insights: () => ({ title: 'How it does', show: styled('insights', 'insights') }),
  following: () => ({ title: 'Following', show: people }),
  blocks: () => ({ title: 'Blocked', show: blocks }),
  filters: () => ({ title: 'Comment filters', show: styled('filters', 'filters'), for: 'accounts' }),
  reports: () => ({ title: 'Your reports', show: styled('report', 'reports') }),
  decisions: () => ({ title: 'Decisions', show: styled('report', 'decisions'), for: 'accounts' }),
  moderation: () => ({ title: 'Moderation', show: styled('moderation', 'queue'), for: 'accounts' }),
  case: () => ({ title: 'Case', show: styled('moderation', 'case'), for: 'accounts' }),
  kept: () => ({ title: 'Kept clips', show: kept }),
  playback: () => ({ title: 'Playback', show: playback }),
  restricted: () => ({ title: 'Restricted mode', show: restricted }),
  edit: () => ({ title: 'Name and e-mail address', show: edit, for: 'accounts' }),
  password: () => ({ title: 'Password', show: password, for: 'accounts' }),
  devices: () => ({ title: 'Devices', show: later('devices'), for: 'accounts' }),
  security: () => ({ title: 'Security', show: later('security'), for: 'accounts' }),
  webhooks: () => ({ title: 'Webhooks', show: styled('webhooks', 'webhooks'), for: 'accounts' }),
  data: () => ({ title: 'Your data', show: styled('data', 'data'), for: 'accounts' }),
  access: () => ({ title: 'Ways to sign in', show: later('access'), for: 'accounts' }),
  'two-step': () => ({ title: 'Two-step sign-in', show: twoStep, for: 'accounts' }),
  passkeys: () => ({ title: 'Passkeys', show: passkeys, for: 'accounts' }),
  keys: () => ({ title: 'API keys', show: styled('api-keys', 'api-keys'), for: 'accounts' }),
  arriving: () => ({ title: 'Signing in', show: later('arriving') }),
  delete: () => ({ title: 'Delete the account', show: remove, for: 'accounts' }),
};

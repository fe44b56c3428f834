// The pages of the account screen: what stands on each, and what each sends. `on` is the screen: `go(view)`, `goTo(address)`,
// `home(text)`, `say(text)`, `open(clip)`, `watch(title, clips, clip)`, `signal` which ends with the view.

import { request, requestAsAnybody, route } from '../api/api.js';
import { enter, enterBySteps, leave } from '../auth/entering.js';
import { forget, renew, signedIn } from '../auth/auth.js';
import { deleting, DELETING_MS, newPasswordField, owner, passwordField } from './fields.js';
import { el, Form } from './form.js';
import { listOf, personOf, tileOf } from './lists.js';
import { addressOf } from '../profile-link/address.js';
import { faceOf, showFace } from '../profile-link/face.js';
import { loadStyles } from '../screens/screens.js';
import { t } from '../words/words.js';

const handleField = () => ({ name: 'handle', label: t('Handle or e-mail address'), autocomplete: 'username' });

/** One of signing in. */
const later = (name) => (on) => {
  const place = el('div', { class: 'turning', role: 'img', 'aria-label': t('Loading') });
  import('../sign-in/sign-in.js').then((pages) => {
    place.replaceWith(...pages[name](on));
    on.arrive();
  }, () => on.say(t('This could not be loaded. Please try again.')));
  return [place];
};

const text = (words, of = 'p', className = null) => el(of, { class: className }, words);
const link = (words, act) => el('button', { type: 'button', class: 'link', click: act }, words);
const row = (words, act, hint = '') => el('li', {}, el('button', { type: 'button', click: act },
  el('span', {}, words), el('small', {}, hint)));

const PATIENCE_MS = 1000;

/** The other ways in, in front of the rest; behind it where they come late, and would move it. */
function others(on, ...rest) {
  const ways = el('div', { class: 'others', role: 'group', 'aria-label': t('Other ways') });
  const place = el('div');
  import('../sign-in/sign-in.js').then(({ buttons }) => buttons(ways, on)).catch(() => {}).then(() => place.replaceWith(ways, ...rest));
  // NB: the first takes the place.
  setTimeout(() => place.replaceWith(...rest, ways), PATIENCE_MS);
  return place;
}

function signIn(on) {
  const form = new Form({
    label: t('Sign in'), submit: t('Sign in'), busy: t('Signing in…'), fields: [handleField(), passwordField()],
    send: ({ handle, password }) => enterBySteps(on, '/sessions', { handle: handle.trim(), password },
      ({ name }) => on.home(t('Welcome back, {name}.', { name }))),
  });
  return [
    text(t('You can watch, like and follow without an account. With one, everything is there on all your devices.'), 'p', 'lead'),
    form.root, others(on,
      el('p', { class: 'ways' }, link(t('Create an account'), () => on.go('join')), link(t('Forgot the password?'), () => on.go('forgot'))),
      el('h3', {}, t('Without an account')), marked(on)),
  ];
}

function join(on) {
  const form = new Form({
    label: t('Create an account'), submit: t('Create the account'), busy: t('Creating it…'),
    fields: [
      { name: 'handle', label: t('Handle'), autocomplete: 'username', maxlength: 60,
        hint: t('Letters a to z, digits, full stops and underscores. Everyone sees it, and you can’t change it later.') },
      { name: 'name', label: t('Name'), autocomplete: 'name', autocapitalize: 'words', optional: true, hint: t('Shown beside your clips.') },
      { name: 'email', label: t('E-mail address'), type: 'email', autocomplete: 'email', optional: true,
        hint: t('Only for when you forget your password. Nobody else sees it.') },
      newPasswordField(),
    ],
    send: async ({ handle, name, email, password }) => {
      const account = await enter('/accounts', {
        handle: handle.trim(), password, ...(name.trim() && { name: name.trim() }), ...(email.trim() && { email: email.trim() }),
      });
      on.home(t('Welcome, {name}. What you liked so far is yours.', { name: account.name }));
    },
  });
  return [text(t('Everything you liked, saved and followed as a guest comes with you.'), 'p', 'lead'), form.root];
}

function forgot(on) {
  const form = new Form({
    label: t('Forgotten password'), submit: t('Send a link'), busy: t('Sending…'), fields: [handleField()],
    send: async ({ handle }) => {
      await requestAsAnybody('/password-resets', { method: 'POST', body: { handle: handle.trim() } });
      on.replace(
        text(t('If this account has a confirmed e-mail address, a link is on its way there. It works for an hour.')),
        text(t('No address? Whoever runs this site can make you a link.'), 'p', 'hint'));
    },
  });
  return [text(t('We’ll send a link for a new password to the account’s e-mail address.'), 'p', 'lead'), form.root];
}

function reset(on, token) {
  const form = new Form({
    label: t('New password'), submit: t('Set the password'), busy: t('Setting it…'), fields: [{ ...newPasswordField(), label: t('New password') }],
    send: async ({ password }) => {
      await requestAsAnybody(route`/password-resets/${token}`, { method: 'PUT', body: { password } });
      // It ended every session, ours too.
      forget();
      on.home(t('Your password is changed. Sign in with the new one.'));
    },
  });
  return [text(t('You’ll have to sign in again on every device.'), 'p', 'lead'), form.root,
    el('p', { class: 'ways' }, link(t('Ask for a new link'), () => on.go('forgot')))];
}

function confirm(on, token) {
  const form = new Form({
    label: t('Confirm the address'), submit: t('This is my address'), busy: t('Confirming…'), fields: [],
    send: async () => {
      await requestAsAnybody(route`/email-confirmations/${token}`, { method: 'PUT' });
      on.home(t('The e-mail address is confirmed.'));
    },
  });
  return [text(t('Once it’s confirmed, you can reset a forgotten password by e-mail.'), 'p', 'lead'), form.root];
}

const marked = (on) => el('ul', { class: 'rows' }, row(t('Search'), () => on.search()), row(t('Your feed'), () => on.go('feed'), t('What For you goes by')), row(t('Your clips'), () => on.go('clips')), row(t('Clips from words'), () => on.go('generations'), t('Made by AI')), row(t('Likes'), () => on.go('likes')), row(t('Bookmarks'), () => on.go('bookmarks')),
  row(t('Following'), () => on.go('following')), row(t('Blocked'), () => on.go('blocks')), row(t('Your reports'), () => on.go('reports')),
  row(t('Kept clips'), () => on.go('kept'), t('Without a network')), row(t('Playback'), () => on.go('playback'), t('On this device')),
  row(t('Restricted mode'), () => on.go('restricted'), t('Clips for adults')));

function home(on) {
  const { name, handle } = signedIn();
  const asked = request('/account');
  // An account without a password asks its providers instead: known once the server has answered.
  const own = (view) => async ({ currentTarget: button }) => {
    if (button.ariaBusy) return;
    const turning = el('span', { class: 'turning', role: 'img', 'aria-label': t('Loading') });
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
  const judging = el('ul', { class: 'rows', hidden: true }, row(t('Moderation'), () => on.go('moderation'), t('What people report')));
  asked.then((account) => {
    renew(account);
    who.textContent = account.name;
    note.hidden = !account.suspended;
    note.textContent = t('This account is suspended. You can watch clips or delete the account, nothing more. “Decisions” says why, and takes an appeal.');
    judging.hidden = !['moderator', 'admin'].includes(account.role);
  }, (error) => { if (!error.isOver && !on.signal.aborted) on.say(error.detail); });
  request(route`/profiles/${handle}`).then(({ author }) => showFace(face, author, 60), () => {});
  const out = el('button', { type: 'button', class: 'plain', click: async () => {
    try {
      await leave();
      on.home(t('You are signed out.'));
    } catch (error) {
      on.say(`${t('You are still signed in.')} ${error.detail}`);
    }
  } }, t('Sign out'));
  return [
    el('div', { class: 'person' }, face,
      el('span', { class: 'who' }, who, el('span', {}, `@${handle}`))),
    note, judging, el('ul', { class: 'rows' }, row(t('Your profile'), () => on.goTo(addressOf(handle)), t('As others see it'))), marked(on),
    el('ul', { class: 'rows' }, row(t('Name and e-mail address'), () => on.go('edit')), row(t('Password'), own('password')),
      row(t('Ways to sign in'), () => on.go('access')), row(t('Two-step sign-in'), () => on.go('two-step')), row(t('Passkeys'), () => on.go('passkeys')),
      row(t('API keys'), () => on.go('keys'), t('For programs')),
      row(t('Devices'), () => on.go('devices'), t('Where you are signed in')),
      row(t('Comment filters'), () => on.go('filters'), t('And what waits')), row(t('Security'), () => on.go('security'), t('What happened')), row(t('Decisions'), () => on.go('decisions'), t('Of moderators about you')),
      row(t('Webhooks'), () => on.go('webhooks'), t('For programs of yours'))),
    out,
    el('ul', { class: 'rows' }, row(t('Your data'), () => on.go('data'), t('To take along')), row(t('Delete the account'), own('delete'))),
  ];
}

function edit(on) {
  const place = el('div', { class: 'turning', role: 'img', 'aria-label': t('Loading') });
  const show = (account) => {
    const name = new Form({
      label: t('Name'), submit: t('Save the name'), busy: t('Saving…'),
      fields: [{ name: 'name', label: t('Name'), autocomplete: 'name', autocapitalize: 'words', value: account.name }],
      send: async (values) => {
        renew(await request('/account', { method: 'PATCH', body: { name: values.name.trim() } }));
        on.say(t('The name is saved.'));
      },
    });
    const address = el('p', { class: 'hint' });
    const tell = ({ email, pending_email: pending }) => {
      address.textContent = pending ? t('A link is on its way to {pending}. The address counts once it is opened.', { pending })
        : email ? t('{email} is confirmed.', { email }) : t('No address yet. Without one, a forgotten password can’t be reset by e-mail.');
    };
    tell(account);
    const email = new Form({
      label: t('E-mail address'), submit: t('Save the address'), busy: t('Saving…'),
      fields: [
        { name: 'email', label: t('E-mail address'), type: 'email', autocomplete: 'email', optional: true,
          value: account.pending_email ?? account.email ?? '', hint: t('Leave it empty to have none.') },
        passwordField(), owner(),
      ],
      send: async (values) => {
        tell(await request('/account', { method: 'PATCH', body: { email: values.email.trim(), password: values.password } }));
        on.say(t('Saved.'));
      },
    });
    place.replaceWith(name.root, el('h3', {}, t('E-mail address')), address, account.has_password ? email.root
      : text(t('To change it, set a password first, under “Ways to sign in”.'), 'p', 'hint'));
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
    label: t('Password'), submit: t('Change the password'), busy: t('Changing it…'),
    fields: [
      owner(), { ...passwordField(), name: 'current_password', label: t('Current password') },
      { ...newPasswordField(), name: 'new_password', label: t('New password') },
    ],
    send: async ({ current_password, new_password }) => {
      await request('/account/password', { method: 'PUT', body: { current_password, new_password } });
      on.home(t('The password is changed. Other devices are signed out.'));
    },
  });
  return [text(t('This signs you out on all other devices.'), 'p', 'lead'), form.root];
}

function remove(on) {
  const { id, handle } = signedIn();
  const form = new Form({
    label: t('Delete the account'), submit: t('Delete everything'), busy: t('Deleting…'), slow: deleting(), isGrave: true,
    fields: [
      { name: 'typed', label: t('Type {handle} to go on', { handle }), autocomplete: 'off' }, owner(), passwordField(),
    ],
    send: async ({ typed, password: given }) => {
      if (typed.trim().replace(/^@/, '').toLowerCase() !== handle.toLowerCase()) {
        throw Object.assign(new Error('typed'), { field: 'typed', detail: t('That is not {handle}.', { handle }) });
      }
      await request('/account/deletion', { method: 'POST', body: { password: given }, patience: DELETING_MS });
      on.removed((clip) => clip.author.id === id);
      forget();
      on.home(t('The account is deleted.'));
    },
  });
  return [text(t('Your clips, comments, likes, bookmarks and follows are deleted with it, for everyone and at once. This can’t be undone.'), 'p', 'lead'),
    form.root];
}

const grid = (path, label, none) => (on) => [listOf({
  path, name: 'grid', label, none, row: (clip) => tileOf(clip, on.open), signal: on.signal,
})];

const people = (on) => [listOf({
  path: '/account/following', name: 'people', label: t('People you follow'), none: t('You don’t follow anyone yet. Tap Follow beside a name in the feed.'),
  row: (author) => personOf(author, on, true, () => on.goTo(addressOf(author.handle))), signal: on.signal,
})];

/** A page that is fetched when it is wanted. */
const list = (load) => (on, token) => {
  const place = el('div');
  load().then(({ fill }) => fill(place, on, token)).catch(() => on.say(t('This could not be loaded. Please try again.')));
  return [place];
};
const clipsThat = (name) => list(async () => ({ fill: (await import('../grids/grids.js'))[name] }));
const fetched = (path) => list(() => import(`../${path}.js`));
/** With the sheet of their folder. */
const styled = (folder, name) => list(async () => (await Promise.all([import(`../${folder}/${name}.js`), loadStyles(`/app/${folder}/${folder}.css`)]))[0]);

/** By address: its title, what stands on it, and for whom it is. */
export const VIEWS = {
  '': () => (signedIn() ? { title: t('Your account'), show: home } : { title: t('Sign in'), show: signIn }),
  join: () => ({ title: t('Create an account'), show: join, for: 'guests' }),
  forgot: () => ({ title: t('Forgotten password'), show: forgot }),
  reset: () => ({ title: t('New password'), show: reset }),
  confirm: () => ({ title: t('Your e-mail address'), show: confirm }),
  feed: () => ({ title: t('Your feed'), show: fetched('taste/page') }),
  trending: () => ({ title: t('Trending'), show: clipsThat('trending') }),
  similar: () => ({ title: t('More like this'), show: clipsThat('similar') }),
  likes: () => ({ title: t('Likes'), show: grid('/account/likes', t('Clips you like'), t('No likes yet. Double-tap a clip to like it.')) }),
  bookmarks: () => ({ title: t('Bookmarks'), show: grid('/account/bookmarks', t('Clips you saved'), t('No bookmarks yet.')) }),
  profile: () => ({ title: t('Profile'), show: styled('profile', 'profile') }),
  about: () => ({ title: t('Edit profile'), show: styled('profile', 'edit'), for: 'accounts' }),
  clips: () => ({ title: t('Your clips'), show: styled('own', 'clips') }),
  generate: () => ({ title: t('Generate a clip'), show: styled('generation', 'generate') }),
  generations: () => ({ title: t('Clips from words'), show: styled('generation', 'generations') }),
  generation: () => ({ title: t('Your clip from words'), show: styled('generation', 'generation') }),
  insights: () => ({ title: t('How it does'), show: styled('insights', 'insights') }),
  following: () => ({ title: t('Following'), show: people }),
  blocks: () => ({ title: t('Blocked'), show: fetched('blocking/list') }),
  filters: () => ({ title: t('Comment filters'), show: styled('filters', 'filters'), for: 'accounts' }),
  reports: () => ({ title: t('Your reports'), show: styled('report', 'reports') }),
  decisions: () => ({ title: t('Decisions'), show: styled('report', 'decisions'), for: 'accounts' }),
  moderation: () => ({ title: t('Moderation'), show: styled('moderation', 'queue'), for: 'accounts' }),
  case: () => ({ title: t('Case'), show: styled('moderation', 'case'), for: 'accounts' }),
  kept: () => ({ title: t('Kept clips'), show: fetched('offline/page') }),
  playback: () => ({ title: t('Playback'), show: fetched('settings/page') }),
  restricted: () => ({ title: t('Restricted mode'), show: fetched('restricted/page') }),
  edit: () => ({ title: t('Name and e-mail address'), show: edit, for: 'accounts' }),
  password: () => ({ title: t('Password'), show: password, for: 'accounts' }),
  devices: () => ({ title: t('Devices'), show: later('devices'), for: 'accounts' }),
  security: () => ({ title: t('Security'), show: later('security'), for: 'accounts' }),
  webhooks: () => ({ title: t('Webhooks'), show: styled('webhooks', 'webhooks'), for: 'accounts' }),
  data: () => ({ title: t('Your data'), show: styled('data', 'data'), for: 'accounts' }),
  access: () => ({ title: t('Ways to sign in'), show: later('access'), for: 'accounts' }),
  'two-step': () => ({ title: t('Two-step sign-in'), show: fetched('two-factor/page'), for: 'accounts' }),
  passkeys: () => ({ title: t('Passkeys'), show: fetched('passkeys/page'), for: 'accounts' }),
  keys: () => ({ title: t('API keys'), show: styled('api-keys', 'api-keys'), for: 'accounts' }),
  arriving: () => ({ title: t('Signing in'), show: later('arriving') }),
  delete: () => ({ title: t('Delete the account'), show: remove, for: 'accounts' }),
};

// Somebody on a page of their own: who they are, what they say of themselves, their clips. A page of the account screen.
// It refuses to know what becomes of a clip that is tapped, and how people are listed.

import { request, route } from '../api/api.js';
import { signedIn } from '../auth/auth.js';
import { el } from '../account/form.js';
import { followButton, withViews } from '../account/lists.js';
import { gridOf, keptPath } from '../grids/grids.js';
import { goTo } from '../screens/screens.js';
import { addressOf } from '../profile-link/address.js';
import { faceOf } from '../profile-link/face.js';
import { tabByKey } from '../tabs/keys.js';
import { watchHead } from './head.js';
import { language, plural, problemText, t } from '../words/words.js';

const shortOf = (count) => new Intl.NumberFormat(language(), { notation: 'compact' }).format(count);
/** A sentence for a number, which stands out: `sentence` has `{count}` where it goes. */
const strong = (count, sentence) => {
  const [before, after] = sentence.split('{count}');
  return [before, el('strong', {}, shortOf(count)), after];
};
const MARK = { count: '{count}' };
// What their owner alone has as tabs, with who sees it.
const ownTabs = (isPublic) => [
  ['likes', t('Liked'), isPublic ? t('Everybody finds the public ones of these clips on your profile.') : t('You alone see what you like.')],
  ['bookmarks', t('Saved'), t('You alone see what you saved.')],
];

/** `token`: a handle, as it stands in an address; behind a stroke, which of their lists of people. */
export async function fill(place, on, token) {
  const [name, side] = token.split('/').map(decoded);
  const handle = name || (signedIn()?.handle ?? '');
  if (side === 'followers' || side === 'following') {
    (await import('./people.js')).fill(place, on, handle, side);
    return;
  }
  const waiting = el('div', { class: 'turning', role: 'img', 'aria-label': t('Loading') });
  place.append(waiting);
  try {
    const profile = await request(route`/profiles/${handle}`);
    waiting.remove();
    if (on.signal.aborted) return;
    show(place, on, profile);
  } catch (error) {
    waiting.remove();
    place.append(el('div', { class: 'none', role: 'alert' }, el('p', {}, error.status === 404
      ? t('There is nobody of this name here, or not any more.') : problemText(error) || t('This could not be loaded.')),
    error.status === 404 ? null : el('button', { type: 'button', click: () => { place.replaceChildren(); fill(place, on, token); } }, t('Try again'))));
  }
}

// Somebody may have written the address by hand.
function decoded(text) {
  try { return decodeURIComponent(text); } catch { return text; }
}

function show(place, on, profile) {
  const { author, viewer } = profile;
  const followers = el('button', { type: 'button', click: () => on.goTo(addressOf(author.handle, 'followers')) });
  const tell = () => followers.replaceChildren(...strong(profile.followers, plural(profile.followers, '{count} follower', '{count} followers', MARK)));
  tell();
  const brief = el('div', { class: 'brief', 'aria-hidden': 'true' }, el('div', {}, faceOf(author), el('strong', { dir: 'auto' }, author.name)));
  const head = el('section', { class: 'profile', 'aria-label': t('About') },
    el('div', { class: 'face' }, faceOf(author, 84),
      el('div', { class: 'who' }, el('h3', { dir: 'auto' }, author.name), el('span', {}, `@${author.handle}`),
        viewer.followed ? el('small', {}, t('Follows you')) : null)),
    viewer.blocked ? null : el('p', { class: 'numbers' }, el('span', {}, ...strong(profile.clips, plural(profile.clips, '{count} clip', '{count} clips', MARK))), followers,
      el('button', { type: 'button', click: () => on.goTo(addressOf(author.handle, 'following')) },
        ...strong(profile.following, plural(profile.following, '{count} following', '{count} following', MARK)))),
    profile.bio ? el('p', { class: 'bio', dir: 'auto' }, profile.bio) : null,
    profile.links.length ? el('ul', { class: 'links', 'aria-label': t('Links') }, ...profile.links.map(linkOf)) : null,
    actionsOf(profile, on, (count) => {
      profile.followers = count;
      tell();
    }));
  place.append(brief, head);
  watchHead(place, head, brief, on.signal);
  if (viewer.blocked) place.append(el('p', { class: 'none' }, t('You have blocked {name}. Unblock them to see their clips.', { name: author.name })));
  else clipsOf(place, on, profile);
}

/** It says where it leads, and takes nothing of ours along. */
const linkOf = (address) => el('li', {}, el('a', { href: address, target: '_blank', rel: 'nofollow ugc noopener noreferrer', dir: 'ltr' },
  address.replace(/^https?:\/\//, '').replace(/\/$/, '')));

function actionsOf({ author, viewer }, on, followed) {
  const actions = el('div', { class: 'actions' });
  const share = el('button', { type: 'button', click: () => copyAddress(author, on) }, t('Copy link'));
  if (viewer.is_self) {
    actions.append(el('button', { type: 'button', click: () => on.go('about') }, t('Edit profile')), share);
  } else if (viewer.blocked) {
    actions.append(el('button', { type: 'button', click: () => unblock(author, on) }, t('Unblock')), reportOf(author, on));
  } else {
    actions.append(followButton(author, on, viewer.following, followed),
      el('button', { type: 'button', click: () => goTo(`#messages/${encodeURIComponent(author.id)}`) }, t('Message::act')), share,
      el('button', { type: 'button', 'aria-haspopup': 'dialog', click: () => block(author, on) }, t('Block')),
      reportOf(author, on, () => block(author, on)));
  }
  return actions;
}

async function copyAddress({ handle }, on) {
  const { copy } = await import('../clip-link/clip.js');
  await copy(`${location.origin}/${addressOf(handle)}`);
  on.say(t('The link is copied.'));
}

async function block(author, on) {
  const { attach, blockAfterAsking } = await import('../blocking/blocking.js');
  attach(on.app);
  if (await blockAfterAsking(author)) on.again();
}

const reportOf = ({ id, name }, on, act = null) => el('button', { type: 'button', 'aria-haspopup': 'dialog', click: async () => {
  try {
    const { openReport } = await import('../report/report.js');
    await openReport({ kind: 'person', id, name }, { app: on.app, block: act, toList: () => on.go('reports') });
  } catch (error) {
    console.error(error);
    on.say(t('This could not be loaded. Please try again.'));
  }
} }, t('Report'));

async function unblock(author, on) {
  const { forgive, tell } = await import('../blocking/blocking.js');
  try {
    await tell(author.id, false);
    forgive(author.id);
    on.again();
  } catch (error) {
    on.say(problemText(error) || t('This was not saved. Please try again.'));
  }
}

// MARK: clips

/** Everybody sees the clips, and what they like where they show it; whoever's profile it is, that and what they saved. */
function clipsOf(place, on, { author, viewer, likes_public: isPublic }) {
  const own = route`/profiles/${author.handle}/clips`;
  const lists = [
    { path: own, title: author.name, name: t('Clips'), label: t('Clips of {name}', { name: author.name }), none: viewer.is_self
      ? t('You have no public clips yet. Record one, or upload one, by the plus button.') : t('No clips yet.') },
    ...(viewer.is_self ? ownTabs(isPublic).map(([path, name, note]) => ({
      path: `/account/${path}`, source: path, title: name, name, label: name, note, none: t('Nothing here yet.') })) : []),
    ...(!viewer.is_self && isPublic ? [{
      path: route`/profiles/${author.handle}/likes`, source: 'likes', title: t('Liked by {name}', { name: author.name }), name: t('Liked::by somebody'), label: t('Clips that {name} likes', { name: author.name }),
      none: t('Nothing here yet.') }] : []),
  ];
  const panel = el('div', lists.length > 1 ? { role: 'tabpanel' } : {});
  let view = new AbortController();
  on.signal.addEventListener('abort', () => view.abort());
  const fillPanel = (list) => {
    view.abort();
    view = new AbortController();
    panel.setAttribute('aria-label', list.name);
    panel.replaceChildren(...(list.note ? [noteOf(list, on)] : []));
    gridOf(panel, { ...on, signal: view.signal }, { ...list, dress: withViews });
  };
  const first = Math.max(0, lists.findIndex(({ path }) => path === keptPath()));
  if (lists.length > 1) place.append(tabsOf(lists, first, fillPanel));
  place.append(panel);
  fillPanel(lists[first]);
}

const noteOf = ({ note, source }, on) => el('p', { class: 'seen-by' }, el('span', {}, note),
  source === 'likes' ? el('button', { type: 'button', class: 'link', click: () => on.go('about') }, t('Change that')) : null);

function tabsOf(lists, first, choose) {
  const row = el('div', { class: 'tabs', role: 'tablist', 'aria-label': t('Clips') });
  const mark = (at) => [...row.children].forEach((tab, place) => {
    tab.setAttribute('aria-selected', String(place === at));
    tab.tabIndex = place === at ? 0 : -1;
  });
  const turn = (at) => {
    mark(at);
    choose(lists[at]);
  };
  row.append(...lists.map(({ name }, at) => el('button', { type: 'button', role: 'tab', click: () => turn(at) }, name)));
  row.addEventListener('keydown', (event) => {
    const at = tabByKey(row, event);
    if (at === undefined) return;
    event.preventDefault();
    turn(at);
    row.children[at].focus();
  });
  mark(first);
  return row;
}

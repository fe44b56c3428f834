// What can be done with the clip on the screen beside what its own buttons do: its link, its speed, its captions, keeping it
// away or, for whoever uploaded it, changing it.

import { blockInFeed } from '../blocking/blocking.js';
import { request } from '../api/api.js';
import { copy, linkTo, uploadOf } from '../clip-link/clip.js';
import { EVENT } from '../core/core.js';
import { signedIn } from '../auth/auth.js';
import { loadStyles } from '../screens/screens.js';
import { attach as attachSocial } from '../social/social.js';

const SPEEDS = [0.5, 0.75, 1, 1.25, 1.5, 2];
const OWN_LIMIT = 50;

// Of all clips until the page is loaded again.
let speed = 1;

function el(name, attributes = {}, ...children) {
  const element = Object.assign(document.createElement(name), attributes);
  element.append(...children);
  return element;
}

/** Opens it; answers once it is closed and what was chosen has begun. */
export async function show(app) {
  const clip = app.current();
  const [captions] = await Promise.all([captionsOf(clip), loadStyles('/app/menu/menu.css')]);
  let chosen = null;
  const dialog = el('dialog', { id: 'menu' });
  dialog.setAttribute('aria-label', `Clip by ${clip.author.name}`);
  dialog.dataset.noGestures = '';
  const item = (words, act, isGrave = false) => el('button', { type: 'button', className: isGrave ? 'grave' : '', onclick: () => {
    chosen = act;
    leave();
  } }, words);
  // At once: its event comes later, and a key in between is meant for the feed.
  const leave = () => {
    if (!dialog.isConnected) return;
    dialog.close();
    dialog.remove();
    app.report(EVENT.feedLocked, 0);
  };
  const rest = el('div');
  const isPrivate = clip.visibility === 'private';
  const social = await attachSocial(app);
  const pip = document.getElementById('pip');
  const isSaved = social.holds('bookmark', clip);
  dialog.append(...[
    el('p', { className: 'grip' }),
    (!isPrivate || uploadOf(clip.id)) && item('Copy link', async () => {
      await copy(linkTo(clip.id, isPrivate));
      app.notice(isPrivate ? 'The link is copied. Whoever has it sees the clip.' : 'The link is copied.');
    }),
    !isPrivate && item(isSaved ? 'Remove from bookmarks' : 'Save to bookmarks', () => social.act('bookmark')),
    choice('Speed', SPEEDS.map((value) => [String(value), `${value}×`]), String(speed), (value) => play(app, Number(value))),
    captions,
    pip && item('Picture in picture', () => pip.click()),
    rest, item('Close', null),
  ].filter(Boolean));
  // What only its owner may, and what only others: as soon as it is known which of them this is.
  ownership(clip).then((own) => {
    if (own === 'own') {
      rest.append(item('Download', () => download(clip)), item('Edit or delete', () => {
        history.pushState({ fromFeed: true }, '', '#account/clips');
        dispatchEvent(new PopStateEvent('popstate', { state: history.state }));
      }));
    } else if (own === 'other' && clip.author.id) {
      rest.append(item(`Block ${clip.author.name}`, () => blockInFeed(clip.author), true));
    }
  });
  listen(dialog, leave);
  app.report(EVENT.feedLocked, 1);
  app.stage.append(dialog);
  await new Promise((closed) => {
    dialog.addEventListener('close', closed, { once: true });
    dialog.showModal();
  });
  leave();
  await chosen?.();
}

function listen(dialog, leave) {
  // Nothing that is done here is for the feed below.
  for (const name of ['pointerdown', 'wheel', 'contextmenu']) dialog.addEventListener(name, (event) => event.stopPropagation());
  dialog.addEventListener('click', ({ target, clientX: x, clientY: y }) => {
    const { left, right, top, bottom } = dialog.getBoundingClientRect();
    if (target === dialog && (x < left || x > right || y < top || y > bottom)) leave();
  });
  dialog.addEventListener('keydown', (event) => {
    event.stopPropagation();
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    // Among the choices of a field the arrows choose.
    if (!by || event.target.matches('input')) return;
    event.preventDefault();
    const stops = [...dialog.querySelectorAll('button, input:checked')];
    stops[(stops.indexOf(document.activeElement) + by + stops.length) % stops.length].focus();
  });
}

/** `options`: pairs of a value and its words. */
function choice(title, options, chosen, choose) {
  const field = el('fieldset', {}, el('legend', {}, title));
  for (const [value, words] of options) {
    field.append(el('label', {}, el('input', {
      type: 'radio', name: `menu-${title}`, value, checked: value === chosen, onchange: () => choose(value),
    }), el('span', {}, words)));
  }
  return field;
}

async function captionsOf(clip) {
  if (!clip.captions?.length) return null;
  const { captionChoice, chooseCaptions } = await import('../captions/captions.js');
  const { tracks, language } = captionChoice() ?? {};
  return tracks && choice('Captions', [['', 'Off'], ...tracks.map((track) => [track.language, track.label])], language ?? '',
    (value) => chooseCaptions(value || null));
}

/** NB: of the element and of whatever it loads next, which begins at its default. */
function play({ stage }, rate) {
  speed = rate;
  for (const video of stage.querySelectorAll('#track video')) video.defaultPlaybackRate = video.playbackRate = rate;
}

/** Only one's own: what others permit nobody has asked them yet. The best there is, picture and sound in one file. */
function download({ id, renditions }) {
  const link = el('a', { href: renditions.at(-1).url, download: `clip-${id}.mp4` });
  document.body.append(link);
  link.click();
  link.remove();
}

/** "own", "other", or nothing where that could not be found out. All guests are of one author: whose theirs are is in their list. */
async function ownership(clip) {
  if (clip.author.id === signedIn()?.id) return 'own';
  if (clip.author.handle !== 'guest') return 'other';
  try {
    const { items } = await request('/account/clips', { query: { limit: OWN_LIMIT } });
    return items.some(({ clip_id: id }) => id === clip.id) ? 'own' : 'other';
  } catch {
    return null;
  }
}

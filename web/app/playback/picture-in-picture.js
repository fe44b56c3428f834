// Picture in picture: a button, a key, and the browser's own ways. Tells the core which player stands in a window, how it was
// left, and what its buttons were pressed for. It refuses to know what plays where then.

import { EVENT } from '../core/core.js';
import { NO_GESTURES } from '../feed/gestures.js';
import { addToHead } from '../feed/head.js';
import { t } from '../words/words.js';

const KEY = 'p';
const ICON = '<svg viewBox="0 0 24 24" aria-hidden="true"><rect x="2.500" y="4.500" width="19" height="15" rx="2.500"/>'
  + '<rect class="body" x="11.500" y="11.500" width="7.500" height="5.500" rx="1"/></svg>';

// Firefox lays a button of its own over a video, in its middle, which takes the taps that are meant for the feed.
const HAS_OWN_BUTTON = CSS.supports('-moz-appearance', 'none');

/** `players` and `videos` by number. Where a browser has no such windows, nothing is offered. */
export function watch(app, players, videos) {
  if (!document.pictureInPictureEnabled) return;
  videos.forEach((video, number) => follow(video, number, players[number], app));
  const toggle = () => toggleWindow(app, players, videos);
  addButton(toggle, videos);
  document.addEventListener('keydown', (event) => {
    if (event.key.toLowerCase() !== KEY || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!event.target.closest?.(NO_GESTURES)) toggle();
  });
  // Some browsers ask for it when the page is left for another one.
  try {
    navigator.mediaSession?.setActionHandler('enterpictureinpicture', () => open(app, players, videos));
  } catch { /* not this one */ }
}

function follow(video, number, player, { pages, report }) {
  video.disablePictureInPicture = HAS_OWN_BUTTON;
  let item = null;
  video.addEventListener('enterpictureinpicture', () => {
    item = player.clip?.item ?? null;
    if (item === null) return;
    // It lies where the video was.
    pages.showPoster(item, true);
    report(EVENT.pictureInPictureBegan, number, item);
  });
  video.addEventListener('leavepictureinpicture', () => {
    // Whoever closes the window, and does not come back by it, leaves the clip paused.
    if (item !== null) report(EVENT.pictureInPictureEnded, number, item, video.paused ? 0 : 1);
    item = null;
    video.disablePictureInPicture = HAS_OWN_BUTTON;
  });
  const pressed = () => {
    if (item === null || video.ended || video.paused !== player.isPlayRequested) return;
    report(EVENT.pictureInPicturePlayed, number, item, video.paused ? 0 : 1);
  };
  video.addEventListener('pause', pressed);
  video.addEventListener('play', pressed);
}

async function toggleWindow(app, players, videos) {
  if (document.pictureInPictureElement) return document.exitPictureInPicture().catch(console.warn);
  return open(app, players, videos);
}

/** Only a video with a picture has a window. */
async function open(app, players, videos) {
  const number = players.findIndex(({ clip }) => clip && clip.item === app.current()?.item);
  try {
    videos[number].disablePictureInPicture = false;
    await videos[number].requestPictureInPicture();
  } catch (error) {
    console.warn('picture in picture', error);
    app.notice(t('This clip cannot be shown in a window yet. Please try again in a moment.'));
  }
}

function addButton(toggle, videos) {
  const button = document.createElement('button');
  Object.assign(button, { id: 'pip', type: 'button', title: t('Picture in picture (p)'), innerHTML: ICON });
  button.setAttribute('aria-label', t('Picture in picture'));
  button.setAttribute('aria-pressed', 'false');
  button.addEventListener('click', toggle);
  const show = () => button.setAttribute('aria-pressed', String(Boolean(document.pictureInPictureElement)));
  for (const video of videos) for (const type of ['enter', 'leave']) video.addEventListener(`${type}pictureinpicture`, show);
  addToHead(button);
}

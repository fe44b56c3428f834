// The record screen over the feed: comes and goes, and keeps one set of clips for one tab at a time.

import { EVENT, loadCore } from '../core.js';
import { lengthOf } from './clip-video.js';
import { Files, found } from './files.js';
import { RecordingHost } from './host.js';
import { listFields, RECORDING } from './wire.js';

const ADDRESS = '#record';
const LOCK = 'clipfeed-studio';
// As long as a tab that is just being closed may need to let go.
const LOCK_PATIENCE_MS = 2000;

let isOpen = false;
let closed = Promise.resolve();
const loading = new Map();

/** Loads once; anew if it failed. */
function once(name, load) {
  if (!loading.has(name)) {
    loading.set(name, load().catch((error) => {
      loading.delete(name);
      throw error;
    }));
  }
  return loading.get(name);
}

const loadStyles = () => new Promise((resolve, reject) => {
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: '/styles/studio/screen.css' });
  link.addEventListener('load', () => resolve());
  link.addEventListener('error', () => {
    link.remove();
    reject(new Error('screen.css did not come'));
  });
  document.head.append(link);
});

/** Answers what lets the clips go; null if another tab has them. */
function holdClips() {
  if (!navigator.locks) return Promise.resolve(() => {});
  return new Promise((resolve, reject) => {
    navigator.locks.request(LOCK, { signal: AbortSignal.timeout(LOCK_PATIENCE_MS) },
      () => new Promise((release) => { resolve(release); }))
      .catch((error) => (error.name === 'TimeoutError' ? resolve(null) : reject(error)));
  });
}

/** Goes back to the feed, with its address. */
function leaveAddress() {
  if (location.hash !== ADDRESS) return Promise.resolve();
  return new Promise((resolve) => {
    addEventListener('popstate', () => resolve(), { once: true });
    history.back();
  });
}

const enterAddress = () => history.pushState({ fromFeed: true }, '', ADDRESS);

/** Whoever came by the address alone gets the feed behind it, to go back to. */
function layFeedBehind() {
  if (history.state?.fromFeed) return;
  history.replaceState(null, '', location.pathname + location.search);
  enterAddress();
}

/** Lays the record screen over `stage`. `feed(kind, ...fields)` tells the feed's core; `notice(text)` the
 *  person, if it cannot be. */
export async function open(stage, feed, notice) {
  if (isOpen) return;
  isOpen = true;
  layFeedBehind();
  let release = null;
  let files = null;
  try {
    await closed;
    const [studio] = await Promise.all([once('studio', () => loadCore('/studio.wasm')), once('styles', loadStyles)]);
    release = await holdClips();
    if (!release) throw Object.assign(new Error('held by another tab'), { isBusy: true });
    files = await Files.open();
    const list = await files.list();
    const restored = list && await found(list, files, lengthOf);
    if (restored) await files.dropAllBut(restored.clips.map(({ clip }) => clip));
    studio.studio_reset();
    // Somebody went back meanwhile.
    if (location.hash === ADDRESS) return show({ stage, feed, studio, files, restored, release });
    files.close();
    release();
    isOpen = false;
  } catch (error) {
    console.error(error);
    files?.close();
    release?.();
    isOpen = false;
    await leaveAddress();
    notice(error.isBusy ? 'The camera is open in another tab. Close it there first.'
      : 'The camera could not be opened. Please try again.');
  }
}

function show({ stage, feed, studio, files, restored, release }) {
  const below = [...stage.children];
  const hints = document.getElementById('hints');
  const host = new RecordingHost({ studio, files, closed: close });
  const wentBack = () => {
    if (location.hash === ADDRESS) return;
    host.report(RECORDING.closeTapped);
    // The screen stays, with a question: so does its address.
    if (!host.isClosed) enterAddress();
  };
  addEventListener('popstate', wentBack);
  for (const element of below) element.inert = true;
  hints.hidden = true;
  feed(EVENT.feedLocked, 1);
  feed(EVENT.cameraOpened);
  stage.append(host.root);
  host.root.focus();
  if (restored) host.report(RECORDING.restored, ...listFields(restored));
  host.report(RECORDING.opened);

  /** `done`: the files are as they were to be. */
  function close(done) {
    removeEventListener('popstate', wentBack);
    feed(EVENT.cameraClosed);
    feed(EVENT.feedLocked, 0);
    hints.hidden = false;
    isOpen = false;
    closed = Promise.all([leaveAddress(), done]).then(() => {
      files.close();
      release();
    });
    for (const element of below) element.inert = false;
    document.getElementById('record').focus({ preventScroll: true });
  }
}

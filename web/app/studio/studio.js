// The record screen over the feed: comes and goes, and keeps one set of clips for one tab at a time.

import { loadCore } from '../core/core.js';
import { lengthOf } from '../screens/clip-video.js';
import { cover, enterAddress, goTo, hold, layFeedBehind, leaveAddress, loadStyles, once } from '../screens/screens.js';
import { t } from '../words/words.js';
import { Files, found } from './files.js';
import { RecordingHost } from './host.js';
import { listFields, RECORDING } from './wire.js';

const ADDRESS = '#record';
const LOCK = 'clipfeed-studio';

let isOpen = false;
let closed = Promise.resolve();

/** Lays the record screen over the feed of `app`; `upload(file)` opens the upload screen in its place. */
export async function open(app, upload) {
  if (isOpen) return;
  isOpen = true;
  layFeedBehind(ADDRESS);
  let release = null;
  let files = null;
  try {
    await closed;
    const [studio] = await Promise.all([once('studio', () => loadCore('/studio.wasm')), loadStyles('/app/studio/screen.css')]);
    release = await hold(LOCK);
    if (!release) throw Object.assign(new Error('held by another tab'), { isBusy: true });
    files = await Files.open();
    const list = await files.list();
    const restored = list && await found(list, files, lengthOf);
    if (restored) await files.dropAllBut(restored.clips.map(({ clip }) => clip));
    studio.studio_reset();
    // Somebody went back meanwhile.
    if (location.hash === ADDRESS) return show({ app, upload, studio, files, restored, release });
    files.close();
    release();
    isOpen = false;
  } catch (error) {
    console.error(error);
    files?.close();
    release?.();
    isOpen = false;
    await leaveAddress(ADDRESS);
    app.notice(error.isBusy ? t('The camera is open in another tab. Close it there first.')
      : t('The camera could not be opened. Please try again.'));
  }
}

function show({ app, upload, studio, files, restored, release }) {
  const leaving = new AbortController();
  const { signal } = leaving;
  let next = () => {};
  const host = new RecordingHost({ studio, files, closed: close, upload: hand, generate: () => leaveFor(() => goTo('#account/generate')) });
  addEventListener('popstate', () => {
    if (location.hash === ADDRESS) return;
    host.report(RECORDING.closeTapped);
    // The screen stays, with a question: so does its address.
    if (!host.isClosed) enterAddress(ADDRESS);
  }, { signal });
  // A file that is dropped here is for the upload screen.
  addEventListener('drop', (event) => {
    if (!event.dataTransfer.files.length) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    hand(event.dataTransfer.files[0]);
  }, { capture: true, signal });
  const uncover = cover(app.stage, host.root, app.report);
  if (restored) host.report(RECORDING.restored, ...listFields(restored));
  host.report(RECORDING.opened);

  /** The clips stay here: what is uploaded may still be cancelled. */
  function hand(file) {
    leaveFor(() => upload(file));
  }

  function leaveFor(place) {
    next = place;
    host.report(RECORDING.keepConfirmed);
  }

  /** `done`: the files are as they were to be. */
  function close(done) {
    leaving.abort();
    isOpen = false;
    closed = Promise.all([leaveAddress(ADDRESS), done]).then(() => {
      files.close();
      release();
    });
    closed.then(next);
    uncover();
  }
}

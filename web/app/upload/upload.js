// The upload over the feed: its screen comes and goes, and the upload goes on behind it. One upload at a time, of one
// tab at a time.

import { EVENT, loadCore } from '../core/core.js';
import { cover, enterAddress, goTo, hold, layFeedBehind, leaveAddress, loadScreenStyles, once } from '../screens/screens.js';
import { loadWords, t } from '../words/words.js';
import { BLANK } from './details.js';
import { UploadHost } from './host.js';
import { Pill } from './pill.js';
import { Screen } from './screen.js';
import { Store } from './store.js';
import { PHASE } from './wire.js';

const ADDRESS = '#upload';
const LOCK = 'clipfeed-upload';

// Where it is, `{stage, report, feed, notice}`; the same on every call.
let app = null;
// What this tab holds, `{exports, store, release, upload}`; null where it has no upload.
let work = null;
// The open screen, `{screen, uncover, leaving}`.
let visit = null;
let pill = null;
let isOpening = false;
let taking = null;
let closed = Promise.resolve();
let phase = PHASE.empty;

// NB: an upload of an earlier page goes on without a screen.
const load = () => Promise.all([once('upload', () => loadCore('/upload.wasm')), loadScreenStyles('/app/upload/screen.css'), loadWords('screens')]);

/** Lays the upload screen over the feed of the app; `file` is what the person chose already. */
export async function open(context, file) {
  app = context;
  if (visit && file) await choose(file);
  if (visit || isOpening) return;
  isOpening = true;
  if (location.hash === ADDRESS) layFeedBehind(ADDRESS); else enterAddress(ADDRESS);
  try {
    const [[exports]] = await Promise.all([load(), closed]);
    // Somebody went back meanwhile.
    if (location.hash !== ADDRESS) return;
    show();
    const { signal } = visit.leaving;
    await take(exports) || await takeOver(exports, signal);
    if (signal.aborted) {
      if (work && phase === PHASE.empty) letGo();
      return;
    }
    visit.screen.fill(work.upload.details);
    visit.screen.show(work.upload);
    offerCaptions();
    if (file) await choose(file);
  } catch (error) {
    console.error(error);
    if (visit) close(); else await leaveAddress(ADDRESS);
    app.notice(t('The upload screen could not be opened. Please try again.'));
  } finally {
    isOpening = false;
  }
}

/** Goes on with what an earlier page left, without a screen. */
export async function resume(context) {
  app = context;
  const [exports] = await load();
  if (visit || isOpening || !await take(exports)) return;
  if (work.upload.screen.phase === PHASE.empty && !visit) letGo();
}

// MARK: one tab

/** False if another tab has it. */
function take(exports, signal) {
  // NB: two at once would take each other for another tab.
  taking ??= takeOnce(exports, signal).finally(() => { taking = null; });
  return taking;
}

async function takeOnce(exports, signal) {
  if (work) return true;
  const release = await hold(LOCK, signal);
  if (!release) return false;
  const store = await Store.open().catch((error) => console.warn('uploads do not outlive this page', error));
  const row = await store?.row().catch(() => null);
  work = { exports, store, release };
  begin(row);
  return true;
}

/** Waits for as long as the screen stays. */
async function takeOver(exports, signal) {
  visit.screen.showElsewhere(true);
  await take(exports, signal);
}

function begin(row, details = BLANK) {
  phase = PHASE.empty;
  work.upload = new UploadHost({ exports: work.exports, store: work.store, changed });
  work.upload.details = details;
  if (row) work.upload.restore(row);
}

/** Another file may be chosen. What was written stays, unless it is published. */
async function beginAnew() {
  const { upload } = work;
  await upload.free();
  // The screen was closed meanwhile, and all of it let go.
  if (work?.upload !== upload) return;
  begin(null, upload.screen.phase === PHASE.published ? BLANK : upload.details);
  visit?.screen.fill(work.upload.details);
  visit?.screen.show(work.upload);
}

function letGo() {
  const { upload, store, release } = work;
  work = null;
  removeEventListener('beforeunload', askToStay);
  showPill();
  upload.free().finally(() => {
    store?.close();
    release();
  });
}

// MARK: what is seen

function askToStay(event) {
  event.preventDefault();
}

/** The machine, or what the person wrote, has changed. */
function changed(upload) {
  if (upload !== work?.upload) return;
  const before = phase;
  phase = upload.screen.phase;
  if (upload.lacksBytes) addEventListener('beforeunload', askToStay); else removeEventListener('beforeunload', askToStay);
  visit?.screen.show(upload);
  offerCaptions();
  showPill();
  if (phase === before) return;
  // NB: not from inside the machine.
  if (phase === PHASE.cancelled) Promise.resolve().then(() => (visit ? beginAnew() : letGo()));
  if (visit) return;
  if (phase === PHASE.published) app.notice(t('Your clip is published.'));
  if (phase === PHASE.failed || phase === PHASE.refused) app.notice(t('The upload stopped. Tap it to see why.'));
}

/** For a clip that is there or on its way; nothing of it comes before. */
function offerCaptions() {
  if (!visit || (phase !== PHASE.processing && phase !== PHASE.published) || !work.upload.clip?.is_own) return;
  const [{ root }, { id }] = [visit.screen, work.upload];
  import('../captions/adding.js').then(({ offer }) => offer(root, id)).catch(console.error);
}

function showPill() {
  const isSeen = work && !visit && phase !== PHASE.empty && phase !== PHASE.cancelled;
  if (isSeen) {
    pill ??= new Pill(() => open(app));
    pill.show(work.upload);
  } else {
    pill?.free();
    pill = null;
  }
}

function show() {
  const leaving = new AbortController();
  const screen = new Screen({
    close, again: beginAnew, watch, copyLink, generate, chosen: choose,
    described: (change) => work?.upload.describe(change),
    settled: () => work?.upload.tellDetails(),
    trimmed: (part) => work.upload.useTrim(part),
    publish: () => work.upload.publish(),
    pause: () => work.upload.pause(),
    resume: () => work.upload.resume(),
    retry: () => work.upload.retry(),
    cancel: () => {
      const { acknowledged, inFlight } = work.upload.screen;
      if (acknowledged + inFlight > 0 && phase !== PHASE.cancelling) screen.ask(true); else work.upload.cancel();
    },
    stay: () => screen.ask(false),
    drop: () => {
      screen.ask(false);
      work.upload.cancel();
    },
  });
  visit = { screen, leaving };
  addEventListener('popstate', () => { if (location.hash !== ADDRESS) close(); }, { signal: leaving.signal });
  showPill();
  visit.uncover = cover(app.stage, screen.root, app.report);
}

function close() {
  const { screen, uncover, leaving } = visit;
  visit = null;
  leaving.abort();
  screen.free();
  uncover();
  closed = leaveAddress(ADDRESS);
  if (!work) return;
  work.upload.tellDetails();
  if (work.upload.hasEnded || phase === PHASE.empty) letGo(); else showPill();
}

async function choose(file) {
  if (!work) return;
  if (work.upload.hasEnded) await beginAnew();
  const { upload } = work;
  if (phase === PHASE.empty || (!upload.file && phase !== PHASE.processing)) await upload.choose(file);
  else visit?.screen.notice(t('One upload at a time. Finish this one or cancel it first.'));
}

async function copyLink() {
  const { id, clip, details } = work.upload;
  const { copy, linkTo, remember } = await import('../clip-link/clip.js');
  remember(clip.id, id);
  await copy(linkTo(clip.id, details.visibility === 'private'));
  visit?.screen.notice(t('The link is copied.'));
}

/** What is on its way goes on behind it. */
async function generate() {
  close();
  await closed;
  goTo('#account/generate');
}

/** Brings the person to their clip, which is on top of the feed from now on. */
async function watch() {
  const { id: upload, clip: { id } } = work.upload;
  close();
  await closed;
  try {
    const { loadClip, remember } = await import('../clip-link/clip.js');
    remember(id, upload);
    const item = app.feed.insert(await loadClip(id));
    if (item === undefined) throw new Error('nothing in it can be played');
    app.report(EVENT.jumpedToItem, item);
  } catch (error) {
    console.error(error);
    app.notice(t('Your clip could not be loaded now. It is in the feed when you come back.'));
  }
}

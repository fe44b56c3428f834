// Starts the page and wires the core to the modules that carry out its commands.
// It decides nothing: each command has one line here, each report one way back.

import { Core, EVENT, alarm, loadCore } from './core/core.js';
import { Downloads, Store } from './playback/downloads.js';
import { Feed, isReload, leftItems } from './feed/feed.js';
import { Overlay } from './feed/overlay.js';
import { Pages, fitOf, POSTER_WAIT_MS } from './feed/pages.js';
import { Player, stillOf } from './playback/player.js';
import { LoopingMediaSource, canPlay, hasMediaSource } from './playback/media-source.js';

const PLAYERS = 3;
// Frames a second of the core's that mean no restraint; with fewer, animations that only decorate rest.
const FREE_RATE = 120;
const SOUND_KEY = 'clipfeed.sound';
// While there is an upload.
const UPLOAD_KEY = 'clipfeed.upload';

// The words of another language than English; the first clip waits for none.
const { documentElement: root } = document;
root.lang = [recalled('clipfeed.language'), ...navigator.languages].map((name) => name?.slice(0, 2)).find((name) => ['en', 'de', 'es', 'ar'].includes(name)) ?? 'en';
root.dir = root.lang === 'ar' ? 'rtl' : 'ltr';
const worded = async (part) => root.lang === 'en' || (await import('./words/words.js')).loadWords(part);
// At a clip's own address the feed begins with it; a list is a feed.
const { loadFirst, isForeign, linked } = location.pathname.startsWith('/c/') ? await import('./clip-link/first.js')
  : location.search.startsWith('?manifest=') ? await import('./foreign/foreign.js') : {};
const { NativeSource } = hasMediaSource ? {} : await import('./playback/native-source.js');
const byId = (id) => document.getElementById(id);
const stage = byId('stage');
const track = byId('track');

let core;
let disk = null;
let hasMessages = false;
let exports;
let current = null;
// A player beside which no other is heard; −1 for none.
let heard = -1;
const report = (kind, ...fields) => core.report(kind, ...fields);

const store = new Store();
const feed = new Feed(report, canPlay, loadFirst?.((...words) => overlay.notice(...words)),
  loadFirst && !isReload() ? [] : leftItems(loadFirst || location.hash === '#account/arriving'));
const downloads = new Downloads((item) => feed.clip(item), store, report);
const pages = new Pages(track, byId('page'), (page) => report(EVENT.settleFinished, page), (item) => store.best(item, 0) >= 0 || store.growing(item, 0));
const overlay = new Overlay({
  soundToggled: () => setSound(!overlay.sound),
  scrubBegan: () => report(EVENT.scrubBegan),
  scrubMoved: (ms) => report(EVENT.scrubMoved, ms),
  scrubEnded: (ms) => report(EVENT.scrubEnded, ms),
  retried: () => report(EVENT.retryRequested),
});
const videos = Array.from({ length: PLAYERS }, (_, number) => makeVideo(number));
const players = videos.map((video, number) => new Player(number, video, makeSource, reportPlayer));

const wake = alarm(() => report(EVENT.woke));
const commands = {
  mount: ({ item, page }) => pages.mount(feed.clip(item), page),
  unmount: ({ item }) => {
    pages.unmount(item);
    // NB: where another takes its place, that is said behind this.
    if (item === current?.item) current = null;
  },
  scroll: ({ position }) => pages.scroll(position),
  settle: ({ page, duration }) => pages.settle(page, duration),
  hold: ({ position, duration }) => pages.hold(position, duration),
  fade: ({ duration }) => fade(duration),
  setCurrent: ({ item }) => setCurrent(feed.clip(item)),
  requestPage: () => requestPage(),
  showEnd: ({ on }) => overlay.flag({ end: on && feed.size > 0 }),
  load: ({ player, item }) => load(player, feed.clip(item)),
  play: ({ player }) => players[player].play(),
  pause: ({ player }) => players[player].pause(),
  seek: ({ player, position }) => players[player].seek(position),
  release: ({ player }) => players[player].release(),
  setMuted: ({ on }) => setMuted(on === 1),
  hearOnly: ({ player }) => hearOnly(player),
  fetch: (download) => downloads.fetch(download),
  cancel: ({ request }) => downloads.cancel(request),
  forget: ({ item }) => feed.forget(item),
  describe: ({ item }) => feed.tell(EVENT.itemDescribed, item),
  discard: ({ item }) => store.discard(item),
  trim: ({ item, segments }) => store.trim(item, segments),
  restore: ({ item, first, count }) => disk?.restore(item, first, count),
  persist: ({ item, segments }) => disk?.persist(item, segments),
  evict: ({ item, segments }) => disk?.evict(item, segments),
  evictUnknown: ({ bytes }) => disk?.evictUnknown(bytes),
  showBuffering: ({ on }) => overlay.flag({ buffering: on }),
  showPaused: ({ on }) => overlay.flag({ paused: on }),
  showNetworkTrouble: ({ on }) => overlay.flag({ trouble: on }),
  noticeSkipped: ({ item }) => {
    // NB: not before all that is said of it is done.
    setTimeout(() => feed.drop(item));
    notice('skipped');
  },
  wake: ({ instant }) => wake(instant),
  like: ({ x, y }) => isForeign || loadSocial().then((social) => social.likeAt(x, y)).catch(console.error),
  showWaiting: ({ on }) => overlay.flag({ waiting: on }),
  setRefreshRate: ({ rate }) => root.toggleAttribute('data-calm', rate < FREE_RATE),
};

function makeVideo(number) {
  const video = document.createElement('video');
  Object.assign(video, { muted: true, playsInline: true, preload: 'auto', tabIndex: -1 });
  video.disablePictureInPicture = true;
  video.setAttribute('aria-hidden', 'true');
  video.dataset.player = number;
  track.append(video);
  return video;
}

function makeSource(video, failed) {
  return NativeSource ? new NativeSource(video) : new LoopingMediaSource(video, store, failed);
}

function load(player, clip) {
  const video = videos[player];
  video.style.top = `${(pages.placeOf(clip.item) ?? -1) * 100}%`;
  video.dataset.fit = fitOf(clip);
  players[player].load(clip);
}

/** Players speak to the core; the overlay hears what concerns the clip on the screen. */
function reportPlayer(kind, player, item, ...fields) {
  if (item === current?.item) {
    if (kind === EVENT.positionChanged) overlay.setPosition(fields[0]);
    if (kind === EVENT.playbackAdvanced) {
      overlay.flag({ loading: false });
      if (!isForeign) {
        watchMessages();
        watchCaptions();
        loadSocial().catch(console.error);
        watchVisit();
        watchTabs();
      }
    }
  }
  report(kind, player, item, ...fields);
}

const playerOf = (clip) => players.find((player) => player.clip && player.clip.item === clip?.item);

/** Undefined while there is no picture of the clip. */
const shownVideo = () => [videos[players.indexOf(playerOf(current))]].find((video) => video?.readyState > 1);

/** Whatever is stored: without a picture by now, or before the players are let go. */
const showPoster = () => current && pages.showPoster(current.item, document.hidden || !shownVideo());

/** What is on the screen now stays there for a moment and fades. */
function fade(duration) {
  const video = shownVideo();
  if (!video) return;
  const still = stillOf(video);
  still.style.zIndex = 4;
  stage.append(still);
  still.animate({ opacity: [1, 0] }, { duration, fill: 'forwards' }).finished.finally(() => still.remove());
}

function setCurrent(clip) {
  if (clip.item !== current?.item) overlay.setCurrent(clip);
  current = clip;
  reportSize();
  pages.setCurrent(clip.item);
  setTimeout(showPoster, POSTER_WAIT_MS);
  stage.dispatchEvent(new Event('current'));
}

async function requestPage() {
  byId('feed').setAttribute('aria-busy', 'true');
  await feed.requestPage();
  byId('feed').setAttribute('aria-busy', 'false');
  if (current) return;
  overlay.flag({ booting: false, empty: true });
  watchTabs();
}

function setMuted(muted) {
  videos.forEach((video, number) => { video.muted = muted || (heard >= 0 && number !== heard); });
  if (!muted) for (const player of players) player.soundOn();
  overlay.setSound(!muted);
}

function hearOnly(player) {
  heard = player;
  setMuted(!overlay.sound);
}

/** By the person: not a browser's refusal to start with sound. */
function setSound(on) {
  try { localStorage.setItem(SOUND_KEY, on ? '1' : '0'); } catch { /* storage may be off */ }
  report(EVENT.soundSet, on ? 1 : 0);
}

function recalled(key) {
  try { return localStorage.getItem(key); } catch { return null; }
}
const isRemembered = (key) => recalled(key) === '1';

function reportStart() {
  const { downlink = 0, saveData = false } = navigator.connection ?? {};
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  report(EVENT.started, PLAYERS, 0, hasMediaSource ? 1 : 0, downlink * 1e6, calm, saveData);
  reportSize();
  report(EVENT.soundSet, isRemembered(SOUND_KEY));
  if (!navigator.onLine) report(EVENT.networkChanged, 0);
  if (document.hidden) report(EVENT.backgrounded);
}

function reportSize() {
  const { clientWidth: width, clientHeight: height } = stage;
  const [edge, other] = current && fitOf(current) === 'contain' ? [height, width] : [width, height];
  report(EVENT.viewportResized, height, Math.min(edge, other * 9 / 16) * devicePixelRatio);
}

function watch() {
  new ResizeObserver(reportSize).observe(stage);
  store.onStored((item) => {
    for (const player of players) if (player.clip?.item === item) player.fill();
  });
  pages.onMoved((item, place) => players.forEach((player, number) => {
    if (player.clip?.item === item) videos[number].style.top = `${place * 100}%`;
  }));
  addEventListener('online', () => (showPoster(), report(EVENT.networkChanged, 1)));
  addEventListener('offline', () => report(EVENT.networkChanged, 0));
  document.addEventListener('visibilitychange', () =>
    (showPoster(), report(document.hidden ? EVENT.backgrounded : EVENT.foregrounded)));
}

/** Comes last: the first clip must not wait for it. */
async function watchGestures() {
  const { watchKeys, watchPointers, watchWheel } = await import('./feed/gestures.js');
  watchPointers(stage, report);
  watchWheel(stage, report);
  watchKeys(document, (kind, ...fields) => {
    if (kind === EVENT.soundSet) setSound(fields[0] === 1); else report(kind, ...fields);
  }, {
    lastPage: () => feed.list.order.length - 1,
    position: () => playerOf(current)?.position ?? 0,
    duration: () => current?.duration ?? 1,
    sound: () => overlay.sound,
  }, { r: () => byId('record').click(), a: () => byId('person').click(), '/': () => byId('search').click(), u: () => openScreen('#upload'), '?': () => openScreen('desk', 1) });
  import('./screens/drops.js').then(({ watchDrops }) => watchDrops(document, (file) => openScreen('#upload', file)));
  if (isRemembered(UPLOAD_KEY)) openScreen('resume');
}

/** Its first words bring commands for it. */
async function watchDisk() {
  const { attachDisk } = await import('./playback/disk.js');
  app.disk = disk = await attachDisk(feed, store, report);
  disk?.start();
  if (isRemembered('clipfeed.kept')) openScreen('kept');
}

/** What lies over the feed, by its address, so that going back leaves it. */
const screens = {
  '#record': async () => (await import('./studio/studio.js')).open(app, (file) => openScreen('#upload', file)),
  '#upload': async (file) => (await import('./upload/upload.js')).open(app, file),
  resume: async () => (await import('./upload/upload.js')).resume(app),
  '#search': async () => (await import('./search/search.js')).open(app),
  '#messages': async () => (await import('./inbox/inbox.js')).open(app),
  '#notifications': async () => (await import('./notifications/notifications.js')).open(app),
  '#account': openAccount, '#reset': openAccount, '#confirm': openAccount, '#trending': openAccount, '#similar': openAccount, '#insights': openAccount, '#profile': openAccount,
  kept: async () => (await import('./offline/playing.js')).attach(app),
  desk: async (keys) => (await import('./desktop/desktop.js')).attach(app, keys),
  act: async (kind) => (await loadSocial()).act(kind),
};
/** What modules are handed: `App` in web/app/screens/screens.js. */
const app = { stage, report, feed, pages, linked, current: () => current, notice: (...words) => overlay.notice(...words), fade, flag: (changes) => overlay.flag(changes) };
const notice = (id) => overlay.notice(byId(id).textContent);
async function openAccount() { return (await import('./account/account.js')).open(app); }
const loadSocial = async () => (await worded(), await import('./social/social.js')).attach(app);

/** A screen is fetched once it is wanted. */
async function openScreen(address, file) {
  try {
    await worded(/^[#r]/.test(address) && 'screens');
    // What stands behind a stroke is the screen's.
    await screens[address.split(/[/=]/)[0]]?.(file);
  } catch (error) {
    console.error(error);
    notice('unloaded');
  }
}

function watchScreens() {
  const asked = () => openScreen(location.hash);
  for (const [id, address] of [['record', '#record'], ['person', '#account'], ['search', '#search']]) {
    byId(id).addEventListener('click', () => {
      history.pushState({ fromFeed: true }, '', address);
      asked();
    });
  }
  addEventListener('popstate', asked);
  const room = matchMedia('(min-width: 1000px) and (min-height: 560px)');
  (room.onchange = () => room.matches && openScreen('desk'))();
  stage.addEventListener('click', ({ target }) => {
    const button = target.closest('[aria-current] [data-action]');
    if (button) openScreen('act', button.dataset.action);
  });
  asked();
}

/** Nobody writes before the first clip moves. Without the bar the feed goes on. */
async function watchMessages() {
  if (hasMessages) return;
  hasMessages = true;
  try {
    await worded();
    const { attachMessages } = await import('./messages/messages.js');
    const bar = await attachMessages(app);
    Object.assign(commands, bar.commands);
    bar.start();
  } catch (error) {
    console.error(error);
    hasMessages = false;
  }
}

/** What this device keeps for later, and windows of the system. */
let watchVisit = async () => {
  watchVisit = () => {};
  watchLabels();
  await worded();
  import('./playback/picture-in-picture.js').then(({ watch }) => watch(app, players, videos)).catch(console.warn);
  import('./offline/offline.js').then(({ watch }) => watch(app)).catch(console.warn);
};

/** With the first clip that moves, or where there is none. */
const watchTabs = () => isForeign || worded().then(() => import('./tabs/tabs.js')).then(({ attach }) => attach(app)).catch(console.warn);
const watchLabels = () => import('./feed/labels.js').then(({ watch }) => watch(app)).catch(console.warn);

/** With the first clip that has some. */
function watchCaptions() {
  if (!current.captions) return;
  worded().then(() => import('./captions/captions.js'))
    .then(({ attach }) => attach(stage, () => current, () => playerOf(current)?.position ?? 0)).catch(console.error);
}

async function boot() {
  if (!globalThis.WebAssembly) {
    overlay.fail('old');
    return;
  }
  try {
    exports = await loadCore('/core.wasm');
    core = new Core(exports, (command) => commands[command.name]?.(command));
  } catch (error) {
    console.error(error);
    overlay.fail('failed');
    return;
  }
  watch();
  reportStart();
  if (root.lang !== 'en') watchLabels();
  watchGestures();
  watchScreens();
  import('./settings/conditions.js').then(({ watchConditions }) => watchConditions(report, videos));
  if (hasMediaSource) watchDisk();
}

/** For measurements and tests. */
globalThis.clipfeed = {
  clips: () => feed.size,
  storedBytes: () => store.size,
  bufferedBytes: () => players.reduce((sum, player) => sum + player.bytes, 0),
  corePages: () => exports.memory.buffer.byteLength / 65_536,
};

addEventListener('beforeinstallprompt', (event) => { app.install = event; });
boot();

// A feed as one would build it with hls.js: three <video>, one instance of hls.js for each, that of
// the next clip attached, loaded and buffered while the current one plays. An instance is kept when
// its element gets another clip, so that it keeps what it has learnt about the bandwidth.
//
// Options differ from hls.js's defaults only where its documentation names one for this use:
// - startFragPrefetch: the first fragment need not wait until the media is attached
// - lowLatencyMode off: these are no live streams
// - workerPath: our pages may not run workers made of text

const OPTIONS = { startFragPrefetch: true, lowLatencyMode: false, workerPath: '/peers/hls.worker.js' };
const PLAYERS = 3;
const NEAR_END = 5;

const track = document.getElementById('track');
const clips = [];
let cursor = '';
let loading = false;
let current = -1;

const players = Array.from({ length: PLAYERS }, () => {
  const video = document.createElement('video');
  Object.assign(video, { muted: true, playsInline: true, loop: true, preload: 'auto' });
  track.append(video);
  const hls = new Hls(OPTIONS);
  hls.on(Hls.Events.ERROR, (_, { fatal, type }) => {
    if (fatal && type === Hls.ErrorTypes.MEDIA_ERROR) hls.recoverMediaError();
    else if (fatal) hls.startLoad();
  });
  hls.attachMedia(video);
  return { video, hls, page: -1 };
});

const playerOf = (page) => players[page % PLAYERS];

function prepare(page) {
  const clip = clips[page];
  const player = playerOf(page);
  if (!clip || player.page === page) return;
  player.page = page;
  player.video.style.top = `${page * 100}%`;
  player.video.poster = clip.poster.url ?? '';
  player.video.dataset.clip = clip.id;
  player.hls.loadSource(clip.playback.hls_url);
}

/** The next clip is loaded as soon as the current one plays, so that it takes nothing from its start. */
function prepareNext() {
  const { video } = playerOf(current);
  const page = current + 1;
  const go = () => { if (page === current + 1) prepare(page); };
  if (!video.paused && video.readyState >= 3) go();
  else video.addEventListener('playing', go, { once: true });
}

function show(page) {
  if (page >= clips.length) return;
  if (current >= 0) playerOf(current).video.pause();
  current = page;
  prepare(page);
  const { video } = playerOf(page);
  video.play().catch(() => {});
  track.style.transform = `translate3d(0, ${-page * 100}%, 0)`;
  prepareNext();
  if (clips.length - page < NEAR_END) loadPage();
}

async function loadPage() {
  if (loading || cursor === null) return;
  loading = true;
  const after = cursor ? `cursor=${encodeURIComponent(cursor)}&limit=10` : 'limit=5';
  const page = await (await fetch(`/api/v1/feed?${after}`)).json();
  clips.push(...page.items);
  cursor = page.next_cursor ?? null;
  loading = false;
  if (current < 0) show(0); else if (!clips[current + 2]) prepareNext();
}

globalThis.peer = {
  clip: () => clips[current]?.id ?? null,
  video: () => {
    const { video } = playerOf(Math.max(0, current));
    return video.readyState >= 2 ? video : null;
  },
  next: () => show(current + 1),
};
loadPage();

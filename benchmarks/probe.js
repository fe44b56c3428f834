// Watches any player page through `adapter` (see README.md) and swipes through it. It knows no page:
// what it reports comes from the frames that the current clip's <video> presents.
{
  const STALL_MS = 250; // no frame for this long, in a clip that plays, is a stall
  const FRAME_MS = 1000 / 30; // of the clips of library.py
  const PATIENCE_MS = 15_000; // then a person has given up waiting for the first frame
  const MOVED_S = 0.001;

  const episodes = [];
  let episode = null;
  let video = null;
  let asked = 0; // when the current clip was asked for; the first one by the navigation, at 0
  let finished = false;

  const begin = (clip) => {
    end(performance.now());
    episode = { clip, asked, first: null, baseline: null, frames: [], stalls: [], last: null, count: 0 };
    episodes.push(episode);
    video = null;
  };

  const end = (at) => {
    if (!episode || episode.ended) return;
    episode.ended = true;
    noteGap(at);
  };

  // A busy page hears of its frames late and not of all: those it was not told of (`unheard`) were
  // presented, one after the other, and only the rest of the time stood still.
  const noteGap = (at, unheard = 0) => {
    const gap = at - episode.last - unheard * FRAME_MS;
    if (episode.last !== null && gap >= STALL_MS) episode.stalls.push(gap);
  };

  const follow = (element) => {
    const mine = episode;
    video = element;
    mine.baseline ??= element.currentTime;
    const onFrame = (_, { mediaTime, presentationTime: at, presentedFrames: count, width, height }) => {
      if (mine !== episode || mine.ended || element !== video) return;
      // NB: a still picture may be presented again, and need not lie where the element stands.
      const moved = (time) => Math.abs(time - mine.baseline) > MOVED_S;
      if (mine.first === null && moved(mediaTime) && moved(element.currentTime)) mine.first = at;
      if (mine.first !== null) {
        noteGap(at, Math.max(0, count - mine.count - 1));
        mine.last = at;
        mine.count = count;
        mine.frames.push([at, mediaTime, Math.min(width, height)]);
      }
      element.requestVideoFrameCallback(onFrame);
    };
    element.requestVideoFrameCallback(onFrame);
  };

  const look = () => {
    const clip = globalThis.adapter.clip();
    if (clip && clip !== episode?.clip) begin(clip);
    const element = clip && globalThis.adapter.video();
    if (element && element !== video) follow(element);
    requestAnimationFrame(look);
  };

  const until = async (condition, patience) => {
    const from = performance.now();
    while (!condition() && performance.now() - from < patience) await new Promise(requestAnimationFrame);
    return condition();
  };
  const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

  /** Stays with each clip for its dwell, counted from its first moving frame: `ms`, or its whole
   *  length and `ms` more (`toEnd`). One swipe less than dwells. */
  const run = async (dwells, durations) => {
    for (const [number, { ms, toEnd }] of dwells.entries()) {
      if (number > 0) {
        const before = episode.clip;
        end(asked = performance.now());
        globalThis.adapter.next();
        await until(() => episode.clip !== before, PATIENCE_MS);
      }
      await until(() => episode?.first != null, PATIENCE_MS);
      await wait(ms + (toEnd ? durations[episode.clip] : 0));
    }
    end(performance.now());
    finished = true;
  };

  globalThis.bench = {
    run: (...plan) => { run(...plan); },
    get started() { return episode?.first ?? null; },
    get finished() { return finished; },
    get episodes() { return episodes; },
  };
  requestAnimationFrame(look);
}

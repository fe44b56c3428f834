// Moves a page, ours or the bare one, or waits until a finger has moved it, and marks in the trace when each motion began and
// ended: `motion begin NAME` and `motion end NAME LENGTH`, which frame_trace.py reads. LENGTH, in ms, is that of an animation; a
// motion that depends on a finger has none, and may have several ends, of which the last one counts.
// No loop of animation frames runs here: it would make the page draw where it need not.
{
  const PATIENCE_MS = 30_000;
  const LOOK_MS = 20;
  // `{name, asked, begin, end}` by the page's clock; `asked`: when whoever uses the page wanted the motion.
  const spans = [];
  const tasks = [];
  const take = (entries) => tasks.push(...entries.map(({ startTime, duration }) => ({ startTime, duration })));
  const observer = new PerformanceObserver((list) => take(list.getEntries()));
  observer.observe({ type: 'longtask' });

  const wait = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

  const until = async (condition) => {
    const last = performance.now() + PATIENCE_MS;
    while (!condition()) {
      if (performance.now() > last) throw new Error(`it does not come about: ${condition}`);
      await wait(LOOK_MS);
    }
  };

  const patient = (promise, what) => Promise.race([
    promise, wait(PATIENCE_MS).then(() => { throw new Error(`it does not come about: ${what}`); }),
  ]);

  const happens = (target, kind, isWanted = () => true) => patient(new Promise((resolve) => {
    const hear = (event) => {
      if (!isWanted(event)) return;
      target.removeEventListener(kind, hear);
      resolve(event);
    };
    target.addEventListener(kind, hear);
  }), kind);

  const begin = (name, asked = performance.now()) => {
    performance.mark(`motion begin ${name}`);
    const now = performance.now();
    spans.push({ name, asked, begin: now, end: now });
  };

  const end = (name, length = null) => {
    performance.mark(length === null ? `motion end ${name}` : `motion end ${name} ${length}`);
    const span = spans.findLast((one) => one.name === name);
    span.end = length === null ? performance.now() : Math.min(performance.now(), span.begin + length);
  };

  /** An element whose own animations have just been started. */
  const animated = async (name, element, asked) => {
    const animations = element.getAnimations();
    if (!animations.length) throw new Error(`nothing is animated: ${name}`);
    await patient(Promise.all(animations.map(({ ready }) => ready)), name);
    begin(name, asked);
    await patient(Promise.all(animations.map(({ finished }) => finished)), name);
    end(name, Math.max(...animations.map(({ effect }) => effect.getComputedTiming().endTime)));
  };

  const sheet = () => document.getElementById('comments');
  const scroller = () => document.querySelector('.middle');

  const appeared = (find) => patient(new Promise((resolve) => {
    const look = () => {
      if (!find()) return;
      changes.disconnect();
      resolve(find());
    };
    const changes = new MutationObserver(look);
    changes.observe(document.body, { childList: true, subtree: true });
    look();
  }), find);

  globalThis.motions = {
    /** Another clip than `before` plays. */
    playing: (before) => until(() => {
      const video = globalThis.adapter.clip() !== before && globalThis.adapter.video();
      return video && !video.paused && video.currentTime > 0.03;
    }),

    /** A finger that comes now drags the track and lets go. Answers how long it settled, in ms. */
    async swipe() {
      const track = document.getElementById('track');
      const isOfTrack = ({ target }) => target === track;
      const moved = new MutationObserver(() => {
        moved.disconnect();
        begin('drag');
      });
      moved.observe(track, { attributes: true, attributeFilter: ['style'] });
      await happens(track, 'transitionrun', isOfTrack);
      end('drag');
      begin('settle');
      const { elapsedTime } = await happens(track, 'transitionend', isOfTrack);
      end('settle', elapsedTime * 1000);
      return elapsedTime * 1000;
    },

    async open() {
      const asked = performance.now();
      document.querySelector('.page[aria-current] .comments button').click();
      await animated('open', await appeared(sheet), asked);
    },

    async close() {
      const asked = performance.now();
      const back = history.state?.comments ? happens(globalThis, 'popstate') : null;
      sheet().querySelector('.close').click();
      await animated('close', sheet(), asked);
      await back;
      await until(() => !sheet());
    },

    /** A finger that comes now scrolls. */
    async scroll(name) {
      const list = scroller();
      await happens(list, 'scroll');
      begin(name);
      const goesOn = () => end(name);
      list.addEventListener('scroll', goesOn);
      await happens(list, 'scrollend');
      list.removeEventListener('scroll', goesOn);
    },

    toEnd() {
      scroller().scrollTop = scroller().scrollHeight;
    },

    /** Until so many clips stand in the grid. */
    async fill(count) {
      const tiles = document.getElementsByClassName('tile');
      while (tiles.length < count) {
        const before = tiles.length;
        motions.toEnd();
        await until(() => tiles.length > before);
      }
      motions.toEnd();
    },

    forget() {
      spans.length = 0;
    },

    /** Of each motion: how long it let itself be waited for, and the long tasks of the main thread from then on, in ms. */
    spans() {
      take(observer.takeRecords());
      return spans.map(({ name, asked, begin: begun, end: ended }) => ({
        name, waited: begun - asked,
        tasks: tasks.filter(({ startTime, duration }) => startTime < ended && startTime + duration > asked).map(({ duration }) => duration),
      }));
    },
  };
}

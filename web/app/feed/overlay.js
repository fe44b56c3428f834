// Everything that lies over the clip and does not move with it: sound, scrubber and time, the
// signs (buffering, paused, end), notices, the empty feed and the trouble panel.
// It refuses to know when a sign is due.

import { paintThumbHash } from './pages.js';

const NOTICE_MS = 4000;
const byId = (id) => document.getElementById(id);

/** 75_000 → "1:15". */
export function clock(ms) {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

export class Overlay {
  #on;
  #clip = null;
  #scrubbing = false;
  #position = 0;
  #noticeTimer = 0;
  #flags = { booting: true };

  /** `on`: `soundToggled()`, `scrubBegan()`, `scrubMoved(ms)`, `scrubEnded(ms)`, `retried()`. */
  constructor(on) {
    this.#on = on;
    byId('sound').addEventListener('click', () => on.soundToggled());
    byId('retry').addEventListener('click', () => on.retried());
    this.#watchScrubber(byId('scrubber'));
  }

  get sound() {
    return byId('sound').getAttribute('aria-pressed') === 'true';
  }

  setSound(on) {
    const button = byId('sound');
    button.setAttribute('aria-pressed', String(on));
    button.title = on ? button.dataset.on : button.dataset.off;
  }

  setCurrent(clip) {
    this.#clip = clip;
    const scrubber = byId('scrubber');
    scrubber.max = clip.duration;
    byId('scrub').hidden = false;
    this.setPosition(0);
    byId('now').textContent = `${clip.author.name ?? ''}: ${clip.caption}`;
    paintThumbHash(byId('backdrop'), clip.poster.placeholder);
    this.flag({ booting: false, empty: false, loading: true });
  }

  setPosition(position) {
    if (!this.#clip || this.#scrubbing) return;
    byId('scrubber').value = position;
    this.#showTime(position);
  }

  /** Facts that show on the screen and in `data-state`; those not named stay as they are. */
  flag(changes) {
    Object.assign(this.#flags, changes);
    const { buffering, paused, trouble, end, empty, waiting } = this.#flags;
    byId('buffering').hidden = !buffering;
    byId('paused').hidden = !paused || Boolean(buffering);
    byId('waiting').hidden = !waiting;
    byId('trouble').hidden = !trouble;
    byId('end').hidden = !end || Boolean(trouble) || Boolean(empty);
    byId('empty').hidden = !empty || Boolean(trouble);
    const order = ['failed', 'trouble', 'empty', 'booting', 'paused', 'buffering', 'loading'];
    document.documentElement.dataset.state = order.find((name) => this.#flags[name]) ?? 'playing';
  }

  /** `more`: a button in it, for which there is twice the time. */
  notice(text, ...more) {
    clearTimeout(this.#noticeTimer);
    const notice = byId('notice');
    notice.replaceChildren(text, ...more);
    this.#noticeTimer = setTimeout(() => { notice.textContent = ''; }, NOTICE_MS * (1 + more.length));
  }

  /** The page cannot work at all, as the panel of this id says. */
  fail(panel) {
    byId(panel).hidden = false;
    this.flag({ failed: true, trouble: false, empty: false });
  }

  #watchScrubber(scrubber) {
    scrubber.addEventListener('input', () => {
      if (!this.#scrubbing) {
        this.#scrubbing = true;
        byId('scrub').dataset.active = '';
        this.#on.scrubBegan();
      }
      this.#showTime(scrubber.valueAsNumber);
      this.#on.scrubMoved(scrubber.valueAsNumber);
    });
    scrubber.addEventListener('change', () => {
      if (!this.#scrubbing) return;
      this.#scrubbing = false;
      delete byId('scrub').dataset.active;
      // Or the keys that follow would put a focus ring on a bar that nobody went to.
      scrubber.blur();
      this.#on.scrubEnded(scrubber.valueAsNumber);
    });
  }

  #showTime(position) {
    const { duration } = this.#clip;
    const bar = byId('bar').firstElementChild;
    // The bar glides between two reports, but not backwards over the seam of the loop.
    bar.toggleAttribute('data-jump', position < this.#position || this.#scrubbing);
    bar.style.transform = `scaleX(${(position / duration).toFixed(4)})`;
    this.#position = position;
    byId('time').textContent = `${clock(position)} / ${clock(duration)}`;
  }
}

// A clip of a grid moves under a pointer that rests on it, or a finger that holds it: by the pictures of its storyboard, which are one
// small file. One clip at a time, and none that has scrolled away.
// It refuses to know what a tap does.

import { picturesOfStoryboard } from '../cover/pictures.js';
import { settings } from '../settings/settings.js';
import { isCalm } from '../social/heart.js';

const REST_MS = 250;
const HOLD_MS = 400;
const PICTURE_MS = 450;
// A finger that goes further scrolls.
const SLOP_PX = 10;

const isUnwanted = () => settings().saves || navigator.connection?.saveData || isCalm();
let last = null;

/** `tile`: its button. `event` brought a pointer there; `left` is kept when that has gone. */
export function preview(tile, board, { pointerType, clientX, clientY }, left) {
  if (isUnwanted()) return;
  last?.abort();
  const visit = new AbortController();
  last = visit;
  const { signal } = visit;
  const isTouch = pointerType === 'touch';
  const timer = setTimeout(() => {
    if (isTouch) swallowClick(tile, left);
    play(tile, board, signal).catch((error) => console.info('preview', error.message));
  }, isTouch ? HOLD_MS : REST_MS);
  signal.addEventListener('abort', () => clearTimeout(timer));
  left.then(() => visit.abort());
  const seen = new IntersectionObserver((entries) => { if (!entries.at(-1).isIntersecting) visit.abort(); }, { root: tile.closest('.middle') });
  seen.observe(tile);
  signal.addEventListener('abort', () => seen.disconnect());
  if (!isTouch) return;
  tile.addEventListener('pointermove', (moved) => {
    if (Math.hypot(moved.clientX - clientX, moved.clientY - clientY) > SLOP_PX) visit.abort();
  }, { signal });
  // Or the browser's own menu comes under the finger.
  tile.addEventListener('contextmenu', (event) => event.preventDefault(), { signal });
}

/** Whoever held the clip to see it move has not tapped it. */
function swallowClick(tile, left) {
  const held = new AbortController();
  tile.addEventListener('click', (event) => event.stopImmediatePropagation(), { capture: true, signal: held.signal });
  // NB: the click comes behind the finger's leaving, if one comes at all.
  left.then(() => setTimeout(() => held.abort(), 50));
}

async function play(tile, board, signal) {
  const pictures = await picturesOfStoryboard(board);
  if (signal.aborted || pictures.last === 0) return;
  const canvas = Object.assign(document.createElement('canvas'), { width: board.tile_width, height: Math.round(board.tile_width * tile.clientHeight / tile.clientWidth) });
  canvas.ariaHidden = 'true';
  for (let ms = 0; !signal.aborted; ms = ms >= pictures.last ? 0 : ms + pictures.step) {
    await pictures.draw(canvas, ms);
    if (!canvas.isConnected) tile.querySelector('span').before(canvas);
    await new Promise((done) => {
      const timer = setTimeout(done, PICTURE_MS);
      signal.addEventListener('abort', () => { clearTimeout(timer); done(); }, { once: true });
    });
  }
  canvas.remove();
}

// Turns pointers, the wheel and keys into events: drags with their velocity, taps, steps, scrubs.
// It refuses to know where a gesture leads.

import { EVENT } from '../core/core.js';

const SLOP = 8;
const VELOCITY_WINDOW_MS = 100;
const SCRUB_STEP_MS = 2000;
const LINE_PX = 40;
// Where a person writes or scrolls through something else than the feed.
export const NO_GESTURES = 'textarea, [data-no-gestures]';
// What wants every movement over it for itself.
const FIELDS = `input, select, ${NO_GESTURES}`;
// What wants taps alone: half of where a thumb lies, so a swipe may begin there.
const CONTROLS = 'button, a';
// What wants taps and movements to the side: also there a page may be turned.
const LINE = '#scrubber';

/** Pixels per second over the last moments before a release; `samples` are `{at, y}`. */
export function velocityOf(samples, released) {
  const recent = samples.filter((s) => released - s.at <= VELOCITY_WINDOW_MS);
  const first = recent[0];
  const last = recent.at(-1);
  const elapsed = last ? last.at - first.at : 0;
  return elapsed > 0 ? ((last.y - first.y) * 1000) / elapsed : 0;
}

export function watchPointers(stage, report) {
  let drag = null;
  // Once a finger has moved, its end is no click on what lies under it.
  const swallow = (event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  const end = (event) => {
    if (event.pointerId !== drag?.id) return;
    const { phase, origin, samples, isOnControl, line } = drag;
    drag = null;
    if (phase !== 'pressed' && isOnControl) {
      stage.addEventListener('click', swallow, { capture: true, once: true });
      setTimeout(() => stage.removeEventListener('click', swallow, { capture: true }));
    }
    if (event.type === 'pointercancel') {
      if (phase === 'dragging') report(EVENT.dragCancelled);
      if (phase === 'scrubbing') tell(line, 'change');
    } else if (phase === 'dragging') {
      report(EVENT.dragEnded, event.clientY - origin, velocityOf(samples, event.timeStamp));
    } else if (line) {
      moveTo(line, event);
      tell(line, 'change');
    } else if (phase === 'pressed' && !isOnControl) report(EVENT.touched, event.clientX, event.clientY);
  };
  stage.addEventListener('pointerdown', (event) => {
    const line = event.target.closest(LINE);
    if (drag || !event.isPrimary || event.button !== 0 || (!line && event.target.closest(FIELDS))) return;
    const isOnControl = Boolean(event.target.closest(CONTROLS));
    const { pointerId: id, clientX: x, clientY: y, timeStamp: at } = event;
    drag = { id, x, y, origin: y, samples: [{ at, y }], isOnControl, line, phase: 'pressed' };
  });
  stage.addEventListener('pointermove', (event) => {
    if (event.pointerId !== drag?.id) return;
    drag.samples.push({ at: event.timeStamp, y: event.clientY });
    if (drag.samples.length > 40) drag.samples.shift();
    if (drag.phase === 'pressed') begin(drag, event, stage, report);
    if (drag.phase === 'dragging') report(EVENT.dragMoved, event.clientY - drag.origin);
    if (drag.phase === 'scrubbing') moveTo(drag.line, event);
  });
  // Or the browser's own slider would jump under a finger that turns the page.
  for (const kind of ['mousedown', 'touchstart']) {
    stage.querySelector(LINE).addEventListener(kind, (event) => event.preventDefault(), { passive: false });
  }
  stage.addEventListener('pointerup', end);
  stage.addEventListener('pointercancel', end);
  // Or Chromium takes the end of a flick for a fling of its own, and the tap that follows for what stops it: no click comes.
  stage.addEventListener('touchmove', (event) => {
    if (drag?.phase === 'dragging' && event.cancelable) event.preventDefault();
  }, { passive: false });
  stage.addEventListener('dragstart', (event) => event.preventDefault());
}

function begin(drag, event, stage, report) {
  const dx = event.clientX - drag.x;
  const dy = event.clientY - drag.y;
  if (Math.hypot(dx, dy) < SLOP) return;
  // A movement to the side is neither a swipe nor a tap, but on the line.
  drag.phase = Math.abs(dy) >= Math.abs(dx) ? 'dragging' : drag.line ? 'scrubbing' : 'sideways';
  if (drag.phase === 'sideways') return;
  stage.setPointerCapture(event.pointerId);
  if (drag.phase === 'scrubbing') return;
  // The page starts from where it is, without a jump over the slop.
  drag.origin = event.clientY;
  report(EVENT.dragBegan);
}

/** As a slider does under a finger. */
function moveTo(line, { clientX }) {
  const { left, width } = line.getBoundingClientRect();
  line.value = ((clientX - left) / width) * line.max;
  tell(line, 'input');
}

const tell = (line, kind) => line.dispatchEvent(new Event(kind, { bubbles: true }));

/** Beside the column too: where the page shows nothing else, it means the feed. */
export function watchWheel(stage, report) {
  document.addEventListener('wheel', (event) => {
    if (event.ctrlKey || event.target.closest(NO_GESTURES)) return;
    event.preventDefault();
    const unit = [1, LINE_PX, stage.clientHeight][event.deltaMode];
    if (event.deltaY) report(EVENT.wheelMoved, event.deltaY * unit);
  }, { passive: false });
}

/** `view` answers what keys refer to: `lastPage()`, `position()`, `duration()`, `sound()`; `doors` are keys that open
 *  something. */
export function watchKeys(target, report, view, doors) {
  const scrub = (by) => {
    const to = Math.max(0, Math.min(view.duration() - 1, view.position() + by));
    report(EVENT.scrubBegan);
    report(EVENT.scrubMoved, to);
    report(EVENT.scrubEnded, to);
  };
  const next = () => report(EVENT.stepped, 1);
  const previous = () => report(EVENT.stepped, -1);
  const keys = {
    ArrowDown: next, PageDown: next, j: next,
    ArrowUp: previous, PageUp: previous, k: previous,
    Home: () => report(EVENT.jumped, 0),
    End: () => report(EVENT.jumped, view.lastPage()),
    ArrowLeft: () => scrub(-SCRUB_STEP_MS),
    ArrowRight: () => scrub(SCRUB_STEP_MS),
  };
  const once = {
    ' ': () => report(EVENT.tapped), m: () => report(EVENT.soundSet, view.sound() ? 0 : 1), ...doors,
  };
  target.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.target.closest?.(NO_GESTURES)) return;
    if (event.key === ' ' && event.target.closest?.('button')) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const act = keys[key] ?? once[key];
    if (!act) return;
    event.preventDefault();
    if (keys[key] || !event.repeat) act();
  });
}

// The head of a profile: it stretches when somebody pulls it down, and stays as a line above the clips once it has scrolled away.
// It refuses to know who is shown.

import { isCalm } from '../social/heart.js';

// px. A finger moves it less the farther it is, and never so far.
const FARTHEST = 140;
// Of the finger's way, at the beginning.
const GIVES = 0.55;
const RETURNS_MS = 420;
const RETURNS = 'cubic-bezier(.2, .9, .25, 1)';

/** How far a finger that went that far pulls it; and how far it must have gone for that. */
export const stretchOf = (finger) => FARTHEST * (1 - 1 / (finger * GIVES / FARTHEST + 1));
export const fingerFor = (stretch) => FARTHEST / GIVES * (1 / (1 - stretch / FARTHEST) - 1);

/** A number that a browser can animate; where it cannot, the head jumps back. NB: not inherited by itself, or each frame would
 *  style all clips anew. */
function register() {
  try {
    CSS.registerProperty({ name: '--pull', syntax: '<number>', inherits: false, initialValue: '0' });
  } catch { /* by an earlier profile, or this browser does not know how */ }
}

/** `place` is the page of the profile, `head` is pulled, `brief` stays when it has gone. */
export function watchHead(place, head, brief, signal) {
  const scroller = place.closest('.middle');
  register();
  watchPull(place, head, scroller, signal);
  const seen = new IntersectionObserver((entries) => {
    const { isIntersecting, boundingClientRect, rootBounds } = entries.at(-1);
    brief.toggleAttribute('data-shown', !isIntersecting && boundingClientRect.top < rootBounds.top);
  }, { root: scroller });
  seen.observe(head.firstElementChild);
  signal.addEventListener('abort', () => seen.disconnect());
}

function watchPull(place, head, scroller, signal) {
  // Where the finger is taken to have begun, and whether it pulls; null: it scrolls, or there is none.
  let touch = null;
  let returning = null;
  const stretch = () => Number(getComputedStyle(place).getPropertyValue('--pull')) || 0;
  const show = (px) => {
    place.style.setProperty('--pull', px);
    place.toggleAttribute('data-pulled', px > 0);
  };

  function begin({ touches: [finger, another] }) {
    if (another || isCalm()) {
      release();
      return;
    }
    // It is caught wherever it is on its way back.
    const at = stretch();
    returning?.cancel();
    returning = null;
    show(at);
    touch = { x: finger.clientX, y: finger.clientY - fingerFor(at), isPulling: at > 0 };
  }

  function move(event) {
    if (!touch) return;
    const [{ clientX, clientY }] = event.touches;
    const down = clientY - touch.y;
    // Once a browser scrolls, it goes on with that.
    touch.isPulling ||= event.cancelable && scroller.scrollTop <= 0 && down > Math.abs(clientX - touch.x);
    if (!touch.isPulling) {
      touch = null;
      return;
    }
    if (event.cancelable) event.preventDefault();
    show(stretchOf(Math.max(0, down)));
  }

  function release() {
    const at = touch ? stretch() : 0;
    touch = null;
    if (!at) return;
    returning = place.animate({ '--pull': [at, 0] }, { duration: RETURNS_MS, easing: RETURNS });
    place.style.setProperty('--pull', 0);
    returning.onfinish = () => {
      returning = null;
      show(0);
    };
  }

  head.addEventListener('touchstart', begin, { passive: true, signal });
  head.addEventListener('touchmove', move, { passive: false, signal });
  head.addEventListener('touchend', release, { signal });
  head.addEventListener('touchcancel', release, { signal });
}

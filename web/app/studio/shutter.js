// The record button and the keys: who presses and who lets go. Tap or hold is for the core to tell.

const CONTROLS = 'button, input, a';

/** `on`: `pressed()`, `released()`. Until `signal` aborts. */
export function watchShutter(button, on, signal) {
  let isDown = false;
  const press = () => {
    isDown = true;
    on.pressed();
  };
  const release = () => {
    if (!isDown) return;
    isDown = false;
    on.released();
  };
  button.addEventListener('pointerdown', (event) => {
    if (!event.isPrimary || event.button !== 0) return;
    button.setPointerCapture(event.pointerId);
    press();
  });
  for (const name of ['pointerup', 'pointercancel', 'lostpointercapture']) button.addEventListener(name, release);
  button.addEventListener('contextmenu', (event) => event.preventDefault());
  // A click that no pointer and no key made comes from a screen reader: a tap.
  button.addEventListener('click', (event) => {
    if (event.detail !== 0) return;
    press();
    release();
  });
  addEventListener('blur', release, { signal });
  return { press, release };
}

/** Takes all keys, so that none reaches the feed. Space is the record button unless it is a control's. */
export function watchKeys(shutter, button, escaped, signal) {
  const isShutters = ({ key, target }) =>
    (key === ' ' && (target === button || !target.closest?.(CONTROLS))) || (key === 'Enter' && target === button);
  const down = (event) => {
    event.stopImmediatePropagation();
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape' && !event.repeat) escaped();
    if (!isShutters(event)) return;
    event.preventDefault();
    if (!event.repeat) shutter.press();
  };
  const up = (event) => {
    event.stopImmediatePropagation();
    if (event.key !== ' ' && event.key !== 'Enter') return;
    if (isShutters(event)) event.preventDefault();
    shutter.release();
  };
  addEventListener('keydown', down, { capture: true, signal });
  addEventListener('keyup', up, { capture: true, signal });
}

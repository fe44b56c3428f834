// The record button and the keys: who presses, who lets go, and how long that was by the events' own times. Tap or
// hold is for the core to tell. A busy page hears of both ends late, and of the second often much later.

const CONTROLS = 'button, input, a';

/** `on`: `pressed()`, `released(held)`, in ms. Until `signal` aborts. */
export function watchShutter(button, on, signal) {
  let since = null;
  const press = ({ timeStamp }) => {
    since = timeStamp;
    on.pressed();
  };
  const release = ({ timeStamp }) => {
    if (since === null) return;
    const held = Math.max(0, Math.round(timeStamp - since));
    since = null;
    on.released(held);
  };
  button.addEventListener('pointerdown', (event) => {
    if (!event.isPrimary || event.button !== 0) return;
    button.setPointerCapture(event.pointerId);
    press(event);
  });
  for (const name of ['pointerup', 'pointercancel', 'lostpointercapture']) button.addEventListener(name, release);
  button.addEventListener('contextmenu', (event) => event.preventDefault());
  // A click that no pointer and no key made comes from a screen reader: a tap.
  button.addEventListener('click', (event) => {
    if (event.detail !== 0) return;
    press(event);
    release(event);
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
    if (!event.repeat) shutter.press(event);
  };
  const up = (event) => {
    event.stopImmediatePropagation();
    if (event.key !== ' ' && event.key !== 'Enter') return;
    if (isShutters(event)) event.preventDefault();
    shutter.release(event);
  };
  addEventListener('keydown', down, { capture: true, signal });
  addEventListener('keyup', up, { capture: true, signal });
}

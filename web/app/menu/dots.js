// The way to the menu of a clip: the dots beside its author's name, a long press, the other button of a mouse. The menu itself
// is fetched when it is opened.

import { attach as attachBlocking, dots } from '../blocking/blocking.js';
import { loadWords, t } from '../words/words.js';

// As long as systems wait before they show a menu of their own.
const HELD_MS = 500;
// Farther is a drag; `web/app/feed/gestures.js` says the same.
const SLOP = 8;
// What wants a press for itself: a field's own menu, a link's.
const FIELDS = 'input, textarea, select, a, dialog, [data-no-gestures]';
const CONTROLS = `button, ${FIELDS}`;

let app = null;
let isOpen = false;

/** @param {App} context */
export function attach(context) {
  if (app) return;
  app = context;
  attachBlocking(app);
  app.pages.onMoved(offer);
  for (let item = 0; item < app.feed.size; item += 1) offer(item);
  watchPresses(app.stage);
}

function offer(item) {
  // A clip without a page is not there to be asked for: it may rest as text.
  if (app.pages.placeOf(item) === undefined) return;
  const clip = app.feed.clip(item);
  const place = clip && app.stage.querySelector(`.page[data-clip="${CSS.escape(clip.id)}"] .author`);
  if (!place || place.querySelector('.more')) return;
  const button = dots(t('More'), open);
  // As the other buttons of a page: the Tab key finds those of the clip on the screen.
  button.tabIndex = item === app.current()?.item ? 0 : -1;
  place.append(button);
}

async function open() {
  if (isOpen || !app.current()) return;
  isOpen = true;
  try {
    await loadWords('screens');
    await (await import('./menu.js')).show(app);
  } catch (error) {
    console.error(error);
    app.notice(t('This could not be loaded. Please try again.'));
  }
  isOpen = false;
}

function watchPresses(stage) {
  let press = null;
  const release = () => {
    clearTimeout(press?.timer);
    press = null;
  };
  const held = () => {
    const { id } = press ?? {};
    release();
    // For the gestures it is over: whatever comes of this finger is neither a tap nor a swipe, and its end no click.
    if (id !== undefined) {
      stage.dispatchEvent(new PointerEvent('pointercancel', { pointerId: id }));
      const swallow = (event) => {
        event.preventDefault();
        event.stopPropagation();
      };
      addEventListener('click', swallow, { capture: true, once: true });
      addEventListener('pointerdown', () => removeEventListener('click', swallow, { capture: true }), { capture: true, once: true });
    }
    open();
  };
  stage.addEventListener('pointerdown', (event) => {
    release();
    if (!event.isPrimary || event.button !== 0 || event.target.closest(CONTROLS)) return;
    press = { id: event.pointerId, x: event.clientX, y: event.clientY };
    // Whoever has a mouse has another button on it.
    if (event.pointerType !== 'mouse') press.timer = setTimeout(held, HELD_MS);
  });
  stage.addEventListener('pointermove', (event) => {
    if (press && Math.hypot(event.clientX - press.x, event.clientY - press.y) >= SLOP) release();
  });
  for (const end of ['pointerup', 'pointercancel']) stage.addEventListener(end, release);
  // The menu key of a keyboard comes by here too.
  stage.addEventListener('contextmenu', (event) => {
    if (event.target.closest(FIELDS)) return;
    event.preventDefault();
    held();
  });
}

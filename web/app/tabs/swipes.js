// A finger that moves to the side over the clip goes to the next tab. What moves along with it is the pager's alone: a movement to
// the side is neither a swipe of the feed nor a tap (web/app/feed/gestures.js), so the two never meet.

const SLOP = 8;
// So far at least, and farther to the side than up or down by so much.
const FAR_PX = 56;
const SLOPE = 1.5;
// From the edges systems go back and forward.
const EDGE_PX = 24;
// What a finger moves to the side by itself.
const FIELDS = 'input, textarea, select, dialog, [data-no-gestures], #messages';

/** Where a movement to the side leads by its px: 1 to the tab behind, −1 to the one before, 0 nowhere. */
export function tabBy(dx, dy, isRightToLeft) {
  if (Math.abs(dx) < FAR_PX || Math.abs(dx) < SLOPE * Math.abs(dy)) return 0;
  return (dx < 0) === isRightToLeft ? -1 : 1;
}

/** `swiped(by)`. */
export function watchSwipes(stage, swiped) {
  let press = null;
  stage.addEventListener('pointerdown', ({ isPrimary, pointerId, pointerType, clientX: x, clientY: y, target }) => {
    press = null;
    if (!isPrimary || pointerType === 'mouse' || target.closest(FIELDS)) return;
    if (x < EDGE_PX || x > innerWidth - EDGE_PX) return;
    press = { pointerId, x, y, isSideways: false };
  });
  stage.addEventListener('pointermove', ({ pointerId, clientX, clientY }) => {
    if (pointerId !== press?.pointerId || press.isSideways) return;
    const [dx, dy] = [clientX - press.x, clientY - press.y];
    if (Math.hypot(dx, dy) < SLOP) return;
    // As the gestures of the feed have it.
    if (Math.abs(dy) >= Math.abs(dx)) press = null; else press.isSideways = true;
  });
  stage.addEventListener('pointerup', ({ pointerId, clientX, clientY }) => {
    const { isSideways, x, y } = pointerId === press?.pointerId ? press : {};
    press = null;
    const by = isSideways ? tabBy(clientX - x, clientY - y, getComputedStyle(stage).direction === 'rtl') : 0;
    if (by) swiped(by);
  });
  stage.addEventListener('pointercancel', () => { press = null; });
}

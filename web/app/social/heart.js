// Two quick taps on a clip, and the heart that they leave. A single tap means what it always did: the core hears of each
// at once, so that two of them change nothing about what plays.
// It refuses to know what a double tap is good for.

// Between two taps, and from one to the other: as apps and browsers take them.
const BETWEEN_MS = 300;
const APART_PX = 48;
const SLOP_PX = 8;
const HEART_MS = 900;
const CALM_MS = 600;
const CONTROLS = 'button, input, a, form, textarea, [data-elsewhere]';
const HEART = 'M12 20.3 4.6 13a4.9 4.9 0 0 1 0-6.9 4.8 4.8 0 0 1 6.8 0l.6.6.6-.6a4.8 4.8 0 0 1 6.8 0 4.9 4.9 0 0 1 0 6.9z';
const SVG = 'http://www.w3.org/2000/svg';

/** Whether things are to rest: by the person's wish, or by the device's. */
export const isCalm = () => matchMedia('(prefers-reduced-motion: reduce)').matches
  || 'calm' in document.documentElement.dataset;

/** Tells one tap after the other how many they are, `tap({x, y, at})`: 1, 2, 3… as long as they are quick and close. */
export function counter() {
  let last = null;
  return (tap) => {
    const isNext = last && tap.at - last.at <= BETWEEN_MS && Math.hypot(tap.x - last.x, tap.y - last.y) <= APART_PX;
    last = { ...tap, count: isNext ? last.count + 1 : 1 };
    return last.count;
  };
}

/** `tapped(count, x, y)` runs for each tap on the clip. Where somebody writes, a tap only leaves the field. */
export function watchTaps(stage, tapped) {
  let press = null;
  const count = counter();
  stage.addEventListener('pointerdown', (event) => {
    press = event.isPrimary && event.button === 0 && !event.target.closest(CONTROLS)
      && !stage.querySelector('#messages[data-focused]') ? event : null;
  });
  stage.addEventListener('pointerup', (event) => {
    if (event.pointerId !== press?.pointerId) return;
    const { clientX: x, clientY: y, timeStamp: at } = event;
    const isTap = Math.hypot(x - press.clientX, y - press.clientY) < SLOP_PX;
    press = null;
    if (isTap) tapped(count({ x, y, at }), x, y);
  });
}

/** A heart where the finger is; where things are to rest it only fades. */
export function showHeart(stage, x, y) {
  const calm = isCalm();
  const heart = document.createElementNS(SVG, 'svg');
  heart.setAttribute('viewBox', '0 0 24 24');
  heart.setAttribute('class', 'heart');
  heart.setAttribute('aria-hidden', 'true');
  heart.append(document.createElementNS(SVG, 'path'));
  heart.firstElementChild.setAttribute('d', HEART);
  const { left, top } = stage.getBoundingClientRect();
  heart.style.left = `${x - left}px`;
  heart.style.top = `${y - top}px`;
  stage.append(heart);
  // As hearts are drawn by hand: none stands quite straight.
  const tilt = Math.round(Math.random() * 40 - 20);
  const at = (scale, rise = 0) => `translate(-50%, calc(-50% - ${rise}px)) rotate(${tilt}deg) scale(${scale})`;
  const frames = calm ? { opacity: [1, 1, 0] } : {
    opacity: [0, 1, 1, 1, 0],
    transform: [at(0.2), at(1.25), at(1), at(1, 8), at(1.5, 90)],
    offset: [0, 0.16, 0.3, 0.6, 1],
  };
  heart.animate(frames, { duration: calm ? CALM_MS : HEART_MS, easing: 'ease-out', fill: 'forwards' })
    .finished.finally(() => heart.remove());
}

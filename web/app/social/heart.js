// The heart that a double tap leaves.

const HEART_MS = 900;
const CALM_MS = 600;
const HEART = 'M12 20.3 4.6 13a4.9 4.9 0 0 1 0-6.9 4.8 4.8 0 0 1 6.8 0l.6.6.6-.6a4.8 4.8 0 0 1 6.8 0 4.9 4.9 0 0 1 0 6.9z';
const SVG = 'http://www.w3.org/2000/svg';

/** Whether things are to rest: by the person's wish, or by the device's. */
export const isCalm = () => matchMedia('(prefers-reduced-motion: reduce)').matches
  || 'calm' in document.documentElement.dataset;

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

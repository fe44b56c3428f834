// The quick reactions: their names on the server, in the order in which the core numbers them, their pictures, and how
// one looks when it is sent. The pictures are ours, since a system without colour emoji shows empty boxes; none is a heart,
// which is the like (docs/decisions/0023-no-heart-among-reactions.md).

import { t } from '../words/words.js';

const FACE = `<circle cx="16" cy="16" r="14" fill="#ffcf45"/><path fill="#f2a32b" opacity=".45" d="M2 16a14 14 0 0 0 28 0 14 12.6 0 0 1-28 0z"/>`;
const DARK = '#5a3312';
const TEAR = '#46b9ff';
const line = (d) => `<path fill="none" stroke="${DARK}" stroke-width="2" stroke-linecap="round" d="${d}"/>`;
const hand = `<path fill="currentColor" stroke="#b8741a" stroke-width=".8" stroke-linejoin="round" d="M10 13.500V7.600a1.7 1.7 0 0 1 3.4 0V5.800a1.7 1.7 0 0 1 3.4 0v1a1.7 1.7 0 0 1 3.4 0v2.600a1.6 1.6 0 0 1 3.2 0V20a7.6 7.6 0 0 1-7.6 7.600c-3.3 0-5.5-1.5-7.1-4.400l-3.1-5.700c-.5-1 .1-1.9 1-2.1.8-.2 1.5.1 2 .9l1.4 2z"/>`;

export const REACTIONS = [
  {
    name: 'laugh', label: () => t('React with laughter'), picture: `${FACE}${line('M7.4 13.400q2.7-3.8 5.4 0M19.2 13.400q2.7-3.8 5.4 0')}
      <path fill="${DARK}" d="M8 17.300h16a8 8 0 0 1-16 0z"/><path fill="#fff" d="M9.3 17.300h13.400v1.500a1.1 1.1 0 0 1-1.1 1.100H10.400a1.1 1.1 0 0 1-1.1-1.100z"/>
      <path fill="#ff5d73" d="M12 23.900a4.5 3 0 0 1 8 0 8 8 0 0 1-8 0z"/>
      <path fill="${TEAR}" d="M5.6 14.800c-2.5 1.5-4 3-3.6 4.7.4 1.6 2.7 1.9 3.4.3.5-1.2.5-2.9.2-5zM26.4 14.800c2.5 1.5 4 3 3.6 4.7-.4 1.6-2.7 1.9-3.4.3-.5-1.2-.5-2.9-.2-5z"/>`,
  },
  {
    name: 'wow', label: () => t('React with surprise'), picture: `${FACE}<path fill="none" stroke="${DARK}" stroke-width="1.6" stroke-linecap="round" d="M8 8.600q2.4-2 4.6-.8M24 8.600q-2.4-2-4.6-.8"/>
      <ellipse cx="11" cy="13.4" rx="2" ry="2.7" fill="${DARK}"/><ellipse cx="21" cy="13.4" rx="2" ry="2.7" fill="${DARK}"/>
      <ellipse cx="16" cy="22.4" rx="3.7" ry="4.6" fill="${DARK}"/><ellipse cx="16" cy="25" rx="2.2" ry="1.6" fill="#ff5d73"/>`,
  },
  {
    name: 'cry', label: () => t('React with a tear'), picture: `${FACE}<path fill="none" stroke="${DARK}" stroke-width="1.6" stroke-linecap="round" d="M7.2 11.300q2.4-.4 4.2-2.300M24.8 11.300q-2.4-.4-4.2-2.3"/>
      <circle cx="11" cy="14.6" r="2.1" fill="${DARK}"/><circle cx="21" cy="14.6" r="2.1" fill="${DARK}"/>${line('M11.5 23.400q4.5-4.2 9 0')}
      <path fill="${TEAR}" d="M22.6 17.400c1.9 2.9 3 4.7 3 6.300a3 3 0 0 1-6 0c0-1.6 1.1-3.4 3-6.300z"/>`,
  },
  {
    name: 'clap', label: () => t('React with applause'), picture: `<g color="#f3ae35" transform="rotate(-36 16 18) translate(-3.5 2) scale(.9)">${hand}</g>
      <g color="#ffcf45" transform="rotate(-14 16 18) translate(1.5 2.5) scale(.92)">${hand}</g>
      <path fill="none" stroke="#fff" stroke-width="1.7" stroke-linecap="round" d="M22.5 2.200l-.6 2.800M27.4 4.600l-1.9 2.200M30 9.500l-2.8.9"/>`,
  },
  {
    name: 'fire', label: () => t('React with fire'), picture: `<path fill="#ff6a2b" d="M16.5 1.500c.6 5.2 9 8.2 9 17.300a9.5 10.6 0 0 1-9.5 11.700A9.5 9.9 0 0 1 6.5 20.600c0-4.4 2.3-6.5 3.4-9.4.7 2.2 1.4 3.3 2.7 3.9-.2-5 1.1-9.8 3.9-13.600z"/>
      <path fill="#ffd23f" d="M16.6 15.200c.5 3 4.6 4.6 4.6 9.100a5 5 0 0 1-10 .2c0-2.5 1.5-3.8 2.1-5.5.5 1.1 1.1 1.7 1.7 1.9-.1-2 .4-4 1.6-5.700z"/>`,
  },
];

/** The picture of a reaction; null of one that is not offered. */
export function pictureOf(name) {
  const reaction = REACTIONS.find((one) => one.name === name);
  if (!reaction) return null;
  const place = document.createElement('template');
  place.innerHTML = `<svg viewBox="0 0 32 32" aria-hidden="true" data-reaction="${reaction.name}">${reaction.picture}</svg>`;
  return place.content.firstElementChild;
}

const RISE_MS = 1400;
const FADE_MS = 700;

/** The picture floats up from `from`, a place on the screen; where things are to rest it only fades. */
export function float(stage, name, from) {
  const picture = pictureOf(name);
  if (!picture) return;
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches
    || 'calm' in document.documentElement.dataset;
  picture.classList.add('floating');
  const { left, bottom } = stage.getBoundingClientRect();
  picture.style.left = `${from.left - left + from.width / 2}px`;
  picture.style.bottom = `${bottom - from.top}px`;
  stage.append(picture);
  const sway = Math.round(Math.random() * 48 - 24);
  const frames = calm ? { opacity: [1, 1, 0] } : {
    opacity: [0, 1, 1, 0],
    transform: ['translate(-50%, 20px) scale(.5)', 'translate(-50%, -40px) scale(1.5)',
      `translate(calc(-50% + ${sway}px), -150px) scale(1.3)`, `translate(calc(-50% - ${sway}px), -240px) scale(1.1)`],
  };
  picture.animate(frames, { duration: calm ? FADE_MS : RISE_MS, easing: 'ease-out', fill: 'forwards' })
    .finished.finally(() => picture.remove());
}

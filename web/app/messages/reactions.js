// The quick reactions: their names on the server, in the order in which the core numbers them, and how one
// looks when it is sent.

export const REACTIONS = [
  { name: 'heart', sign: '❤️', label: 'React with a heart' },
  { name: 'laugh', sign: '😂', label: 'React with laughter' },
  { name: 'wow', sign: '😮', label: 'React with surprise' },
  { name: 'clap', sign: '👏', label: 'React with applause' },
  { name: 'fire', sign: '🔥', label: 'React with fire' },
];

const RISE_MS = 1400;
const FADE_MS = 700;

/** The sign floats up from where it was tapped; where things are to rest it only fades. */
export function float(stage, sign, from) {
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches
    || 'calm' in document.documentElement.dataset;
  const floating = document.createElement('span');
  floating.className = 'floating';
  floating.setAttribute('aria-hidden', 'true');
  floating.textContent = sign;
  const { left, bottom } = stage.getBoundingClientRect();
  const place = from.getBoundingClientRect();
  floating.style.left = `${place.left - left + place.width / 2}px`;
  floating.style.bottom = `${bottom - place.top}px`;
  stage.append(floating);
  const sway = Math.round(Math.random() * 48 - 24);
  const frames = calm ? { opacity: [1, 1, 0] } : {
    opacity: [0, 1, 1, 0],
    transform: ['translate(-50%, 20px) scale(.5)', 'translate(-50%, -40px) scale(1.5)',
      `translate(calc(-50% + ${sway}px), -150px) scale(1.3)`, `translate(calc(-50% - ${sway}px), -240px) scale(1.1)`],
  };
  floating.animate(frames, { duration: calm ? FADE_MS : RISE_MS, easing: 'ease-out', fill: 'forwards' })
    .finished.finally(() => floating.remove());
}

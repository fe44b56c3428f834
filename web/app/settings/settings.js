// How this person wants clips to play in this browser. Kept here and nowhere else: a phone on a mobile link and a desk at home
// are not the same. It refuses to know what follows from a wish.

const KEY = 'clipfeed.playback';
const changes = new EventTarget();

/** All off until somebody asks for it: `waits` for each first picture, `saves` data, starts clips `byHand`, and has a mobile
 *  link `unlimited`. */
export const NONE = Object.freeze({ waits: false, saves: false, byHand: false, unlimited: false });

// Where a browser keeps nothing, they hold until the page is closed.
let inMemory = {};

function stored() {
  try { return JSON.parse(localStorage.getItem(KEY)) ?? {}; } catch { return inMemory; }
}

/** Only what is known, and only true or false, whatever lies there. */
export function settings() {
  const kept = stored();
  return Object.fromEntries(Object.keys(NONE).map((name) => [name, kept[name] === true]));
}

export function set(name, on) {
  inMemory = { ...settings(), [name]: on };
  try { localStorage.setItem(KEY, JSON.stringify(inMemory)); } catch { /* storage may be off or full */ }
  changes.dispatchEvent(new Event('changed'));
}

/** Other tabs change them too. */
export function onSettings(changed) {
  changes.addEventListener('changed', changed);
  addEventListener('storage', ({ key }) => { if (key === KEY || key === null) changed(); });
}

// What the account screen shows of how clips play on this device: a switch for each wish.

import { el } from '../account/form.js';
import { loadStyles } from '../screens/screens.js';
import { set, settings } from './settings.js';

const SWITCHES = [
  ['waits', 'Wait for each clip’s first picture', 'A swipe never ends on a still picture. On a slow connection it may take longer.'],
  ['byHand', 'Play clips only when tapped', 'Nothing starts by itself.'],
  ['saves', 'Save data', 'Lower picture quality, and fewer clips loaded ahead.'],
  ['unlimited', 'My mobile data has no limit', 'Full picture quality on mobile connections too.'],
];

/** Fills `place`, which is on the page already. */
export async function fill(place) {
  await loadStyles('/app/settings/page.css');
  const chosen = settings();
  place.append(el('ul', { class: 'switches' }, ...SWITCHES.map(([name, label, hint]) => {
    const box = el('input', { type: 'checkbox', role: 'switch', id: `playback-${name}`, 'aria-describedby': `playback-${name}-hint`,
      change: () => set(name, box.checked) });
    box.checked = chosen[name];
    return el('li', {}, el('label', { for: box.id }, label), box, el('small', { id: `playback-${name}-hint` }, hint));
  })));
}

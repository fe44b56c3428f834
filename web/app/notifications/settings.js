// What somebody wants to hear of, and where: switches by kind, and one for this browser.

import { el } from '../account/form.js';
import { request } from '../api/api.js';
import { signedIn } from '../auth/auth.js';
import { loadStyles } from '../screens/screens.js';
import { t } from '../words/words.js';
import * as device from './device.js';
import { SETTINGS } from './words.js';

// What is said beside the switch of this browser.
const HINTS = {
  on: () => t('This browser tells you while the page is closed.'),
  ready: () => t('Also while this page is closed.'),
  refused: () => t('This browser was told to show no notifications of this site. Allow them in its settings for this site (the sign beside the address), then come back.'),
  unable: () => t('This browser cannot show notifications. On an iPhone or iPad, add the site to the Home Screen first.'),
  off: () => t('This server sends no notifications to browsers.'),
};

/** `on`: `say(text)`, `signal`. Answers what stands on the page. */
export async function settings(on) {
  if (!signedIn()) return [el('p', { class: 'none' }, t('Sign in to choose what you hear of.'))];
  const [{ items }, state] = await Promise.all([request('/account/notification-settings'), device.state(), loadStyles('/app/settings/page.css')]);
  const byKind = new Map(items.map((item) => [item.kind, item]));
  const shown = SETTINGS.filter(({ kinds }) => kinds.every((kind) => byKind.has(kind)));
  const boxes = (where) => shown.filter(({ kinds }) => byKind.get(kinds[0])[where] !== undefined)
    .map(({ kinds, label }) => row({ id: `notify-${where}-${kinds[0]}`, label: label(), isOn: kinds.some((kind) => byKind.get(kind)[where]), turn: async (isOn) => {
      await request('/account/notification-settings', { method: 'PUT', body: { items: kinds.map((kind) => ({ kind, [where]: isOn })) } });
    } }, on));
  const group = (title, hint, rows) => [el('h3', {}, title), el('p', { class: 'hint' }, hint), el('ul', { class: 'switches' }, ...rows)];
  return [
    el('ul', { class: 'switches' }, ofDevice(state, on)),
    ...group(t('In the list'), t('What shows up under Notifications.'), boxes('list')),
    ...group(t('While you are away'), t('What your phone and your browsers tell you, where that is switched on.'), boxes('push')),
  ];
}

/** A switch that shows at once what is wanted, and goes back if it was not saved. `turn(isOn)` may throw. */
function row({ id, label, hint = '', isOn, isOff = false, turn }, on) {
  const note = el('small', { id: `${id}-hint`, hidden: !hint }, hint);
  const box = el('input', { type: 'checkbox', role: 'switch', id, disabled: isOff, 'aria-describedby': hint ? note.id : null });
  box.checked = isOn;
  let last = Promise.resolve();
  box.addEventListener('change', () => {
    const wanted = box.checked;
    // One after the other: the last wish counts.
    last = last.then(() => turn(wanted, box, note)).catch((error) => {
      if (box.checked === wanted) box.checked = !wanted;
      on.say(error.detail ?? t('This was not saved. Please try again.'));
    });
  });
  return el('li', {}, el('label', { for: id }, label), box, note);
}

function ofDevice(state, on) {
  const say = (box, note, now) => {
    box.checked = now === 'on';
    box.disabled = ['unable', 'off'].includes(now);
    note.textContent = HINTS[now]();
    if (now === 'refused') on.say(HINTS.refused());
  };
  return row({
    id: 'notify-device', label: t('Notify me on this device'), hint: HINTS[state](), isOn: state === 'on', isOff: ['unable', 'off'].includes(state),
    turn: async (isOn, box, note) => {
      if (isOn) say(box, note, await device.turnOn());
      else {
        await device.turnOff();
        say(box, note, 'ready');
      }
    },
  }, on);
}

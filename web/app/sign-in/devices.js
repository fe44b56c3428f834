// Where somebody is signed in.

import { el } from '../account/form.js';
import { request, route } from '../api/api.js';
import { leaveEverywhere } from '../auth/entering.js';
import { ago } from '../comments/ago.js';
import { t } from '../words/words.js';
import { dayOf, deviceOf } from './strings.js';

export function devices(on) {
  const list = el('ul', { class: 'rows devices', 'aria-label': t('Devices'), 'aria-busy': 'true' });
  const device = ({ id, current, client, used_at: used, created_at: made }) => {
    const [when, day] = [ago(new Date(used), Date.now()), dayOf(made)];
    const item = el('li', current ? { 'aria-current': 'true' } : {}, el('span', { class: 'who' },
      el('strong', {}, deviceOf(client)), el('span', {}, current ? t('This device · signed in on {day}', { day }) : t('Last used {when} · signed in on {day}', { when, day }))));
    const end = async () => {
      try {
        await request(route`/sessions/${id}`, { method: 'DELETE' });
      } catch (error) {
        // It has ended by itself.
        if (error.status !== 404) return on.say(error.detail);
      }
      item.remove();
      on.say(t('{device} is signed out.', { device: deviceOf(client) }));
      on.arrive();
      return undefined;
    };
    if (!current) item.append(el('button', { type: 'button', 'aria-label': t('Sign out {device}', { device: deviceOf(client) }), click: end }, t('Sign out')));
    return item;
  };
  const out = el('button', { type: 'button', class: 'plain', click: async () => {
    try {
      await leaveEverywhere();
      on.home(t('You are signed out everywhere.'));
    } catch (error) {
      on.say(error.isOver ? error.detail : `${t('You are still signed in.')} ${error.detail}`);
    }
  } }, t('Sign out everywhere'));
  // Behind the rows: they would push it down, and another device's button under the finger.
  request('/sessions').then(({ items }) => {
    list.append(...items.map(device));
    list.setAttribute('aria-busy', 'false');
  }, (error) => on.say(error.detail)).then(() => list.after(out));
  return [el('p', { class: 'lead' }, t('If you don’t recognise one, sign it out and change your password.')), list];
}

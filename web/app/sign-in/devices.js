// Where somebody is signed in.

import { el } from '../account/form.js';
import { request, route } from '../api/api.js';
import { leaveEverywhere } from '../auth/entering.js';
import { ago } from '../comments/ago.js';
import { dayOf, deviceOf } from './strings.js';

export function devices(on) {
  const list = el('ul', { class: 'rows devices', 'aria-label': 'Devices', 'aria-busy': 'true' });
  const device = ({ id, current, client, used_at: used, created_at: made }) => {
    const when = current ? 'This device' : `Last used ${ago(new Date(used), Date.now())}`;
    const item = el('li', current ? { 'aria-current': 'true' } : {}, el('span', { class: 'who' },
      el('strong', {}, deviceOf(client)), el('span', {}, `${when} · signed in on ${dayOf(made)}`)));
    const end = async () => {
      try {
        await request(route`/sessions/${id}`, { method: 'DELETE' });
      } catch (error) {
        // It has ended by itself.
        if (error.status !== 404) return on.say(error.detail);
      }
      item.remove();
      on.say(`${deviceOf(client)} is signed out.`);
      on.arrive();
      return undefined;
    };
    if (!current) item.append(el('button', { type: 'button', 'aria-label': `Sign out ${deviceOf(client)}`, click: end }, 'Sign out'));
    return item;
  };
  request('/sessions').then(({ items }) => {
    list.append(...items.map(device));
    list.setAttribute('aria-busy', 'false');
  }, (error) => on.say(error.detail));
  const out = el('button', { type: 'button', class: 'plain', click: async () => {
    try {
      await leaveEverywhere();
      on.home('You are signed out everywhere.');
    } catch (error) {
      on.say(error.isOver ? error.detail : `You are still signed in. ${error.detail}`);
    }
  } }, 'Sign out everywhere');
  return [el('p', { class: 'lead' }, 'If you don’t recognise one, sign it out and change your password.'), list, out];
}

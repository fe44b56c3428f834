// What somebody has reported, and what became of it. A page of the account screen, for guests too.

import { el } from '../account/form.js';
import { listOf } from '../account/lists.js';
import { ago } from '../comments/ago.js';
import { KINDS, STATES, titleOf } from './words.js';
import { t } from '../words/words.js';

export const fill = (place, on) => place.append(el('div', { class: 'reporting' }, el('p', { class: 'lead' }, t('Whoever it is about is not told who reported it.')), listOf({
  path: '/account/reports', name: 'reported', label: t('Your reports'), row: rowOf, signal: on.signal,
  none: t('You haven’t reported anything. “Report” stands in the menu of a clip, of a comment, of a message and of a person.'),
})));

const rowOf = ({ kind, reason, state, created_at: createdAt }) => el('li', { 'data-state': state },
  el('strong', {}, `${KINDS[kind] ?? t('Something')}: ${titleOf(reason)}`),
  el('span', { class: 'state' }, STATES[state] ?? STATES.open),
  el('time', { datetime: createdAt }, ago(new Date(createdAt), Date.now())));

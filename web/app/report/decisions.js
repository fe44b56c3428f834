// What moderators decided about somebody, why, and how to appeal. A page of the account screen, for those who are suspended too.

import { el } from '../account/form.js';
import { listOf } from '../account/lists.js';
import { request, route } from '../api/api.js';
import { Sending } from './sending.js';
import { Statement } from './statement.js';
import { dateOf, OUTCOMES, SINCE, titleOf, headingOf } from './words.js';
import { t } from '../words/words.js';

export const fill = (place, on) => place.append(el('div', { class: 'reporting' },
  el('p', { class: 'lead' }, t('What moderators decided about you and what you made. Another moderator answers an appeal.')), listOf({
    path: '/account/decisions', name: 'judged', label: t('Decisions'), row: (decision) => rowOf(decision, on), signal: on.signal,
    none: t('Moderators have decided nothing about you.'),
  })));

function rowOf(decision, on) {
  const { id, text, reason, statement, state, created_at: createdAt, appeal, review, appeal_until: until } = decision;
  const row = el('li', { 'data-state': state, tabindex: '-1' },
    el('h3', {}, headingOf(decision)),
    el('p', { class: 'about' }, el('span', {}, titleOf(reason)), ' ', el('time', { datetime: createdAt }, dateOf(createdAt))),
    text ? el('blockquote', { dir: 'auto' }, text) : null,
    statement ? el('p', { class: 'said', dir: 'auto' }, statement) : null,
    SINCE[state] ? el('p', { class: 'since' }, SINCE[state]) : null,
    appeal || review ? answeredOf(appeal, review) : null,
    until && Date.parse(until) > Date.now() ? formOf(decision, on, (changed) => {
      const now = rowOf(changed, on);
      row.replaceWith(now);
      now.focus();
    }) : null);
  row.setAttribute('aria-label', headingOf(decision));
  row.dataset.decision = id;
  return row;
}

function answeredOf(appeal, review) {
  return el('div', { class: 'appeal' },
    ...(appeal ? [el('h4', {}, t('Your appeal')), el('p', { class: 'said', dir: 'auto' }, appeal.text)] : []),
    el('h4', {}, review ? OUTCOMES[review.outcome] ?? t('It is answered.') : t('A moderator will answer it.')),
    review ? el('p', { class: 'said', dir: 'auto' }, review.statement) : null);
}

function formOf({ id, appeal_until: until }, on, appealed) {
  const why = new Statement({ place: `appeal ${id}`, label: t('Why is the decision wrong?'), hint: t('You can appeal once.') });
  const { root } = new Sending({
    label: t('Appeal'), submit: t('Send the appeal'), busy: t('Sending…'), check: () => why.check(),
    send: async () => {
      const changed = await request(route`/account/decisions/${id}/appeal`, { method: 'PUT', body: { text: why.text }, keepalive: true });
      why.settle();
      on.say(t('Your appeal is sent.'));
      appealed(changed);
    },
  }, why.root);
  // What was begun is there to be gone on with.
  return el('details', { open: Boolean(why.text), toggle: ({ target }) => { if (target.open && !why.text) why.focus(); } },
    el('summary', {}, t('Appeal'), el('small', {}, t('until {date}', { date: dateOf(until) }))), root);
}

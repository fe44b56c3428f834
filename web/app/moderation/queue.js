// What waits for moderators: cases that are open, those whose decision somebody appealed against, and those that are closed. A page
// of the account screen; the server says who may see it.

import { el } from '../account/form.js';
import { listOf, pictureOf } from '../account/lists.js';
import { imageOf, initialOf } from '../profile-link/face.js';
import { ago } from '../comments/ago.js';
import { icon } from '../screens/screens.js';
import { tabByKey } from '../tabs/keys.js';
import { KINDS, numberOf, titleOf } from '../report/words.js';
import { plural, t } from '../words/words.js';
import { wordsOf } from './thing.js';

const queues = () => [
  ['open', t('Open::state'), t('Nothing waits for a decision.')],
  ['appealed', t('Appealed'), t('No appeal waits for an answer.')],
  ['closed', t('Closed'), t('Nothing is decided yet.')],
];
const ICONS = {
  comment: 'M5 5h14v10H10l-4 4v-4H5z', message: 'M4 7h16v11H4zM4 8l8 6 8-6',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20c.8-3.600 3.800-5.5 7.5-5.5s6.700 1.900 7.5 5.5', clip: 'M6 4h12v16H6zM10.500 9.500v5l4-2.500z',
};

// The gravest of them; the case has all.
const REASONS_SHOWN = 2;

export const addressOf = (state) => `#account/moderation/${state}`;

/** `token`: which of the three. */
export function fill(place, on, token) {
  if (on.signal.aborted) return;
  const panel = el('div', { role: 'tabpanel', id: 'cases', 'aria-labelledby': 'queue-open' });
  let view = new AbortController();
  on.signal.addEventListener('abort', () => view.abort());
  const row = el('div', { class: 'queues', role: 'tablist', 'aria-label': t('Cases') }, ...queues().map(([state, name], at) => el('button', {
    type: 'button', role: 'tab', id: `queue-${state}`, 'aria-controls': 'cases', click: () => go(at) }, name)));
  const turn = (at) => {
    const [state, , none] = queues()[at];
    [...row.children].forEach((tab, index) => {
      tab.setAttribute('aria-selected', String(index === at));
      tab.tabIndex = index === at ? 0 : -1;
    });
    view.abort();
    view = new AbortController();
    panel.setAttribute('aria-labelledby', `queue-${state}`);
    panel.replaceChildren();
    panel.append(listOf({ path: '/moderation/cases', query: { state }, name: 'cases', label: t('Cases'), none, signal: view.signal, row: (one) => rowOf(one, on) }));
    // It fetches its first page once it is on the page.
    panel.dispatchEvent(new Event('scroll'));
  };
  const go = (at) => {
    // Whoever comes back from a case is where they were.
    history.replaceState(history.state, '', addressOf(queues()[at][0]));
    turn(at);
  };
  row.addEventListener('keydown', (event) => {
    const at = tabByKey(row, event);
    if (at === undefined) return;
    event.preventDefault();
    go(at);
    row.children[at].focus();
  });
  place.append(el('div', { class: 'moderation' }, row, panel));
  turn(Math.max(0, queues().findIndex(([state]) => state === token)));
}

function rowOf(one, on) {
  const { id, kind, person, reasons, reporters, reported_at: reportedAt, is_gone: isGone } = one;
  const whose = person && (kind === 'person' ? `@${person.handle}` : t('by {name}', { name: person.name }));
  const facts = [KINDS[kind] ?? t('Something'), whose, isGone && t('(gone already)')].filter(Boolean).join(' ');
  return el('li', {}, el('button', { type: 'button', click: () => on.go(`case/${encodeURIComponent(id)}`) },
    el('span', { class: 'shown', 'aria-hidden': 'true' }, ...(one.clip && kind === 'clip' ? pictureOf(one.clip.cover ?? one.clip.poster)
      : kind === 'person' && person ? [initialOf(person.name), imageOf(person)] : [icon(ICONS[kind] ?? ICONS.clip)])),
    el('span', { class: 'told' },
      el('strong', { dir: 'auto' }, wordsOf(one)),
      el('span', { class: 'facts', dir: 'auto' }, facts),
      el('span', { class: 'why' }, ...reasons.slice(0, REASONS_SHOWN).flatMap(({ reason, count }) => [el('span', {}, titleOf(reason), count > 1 ? `\u00a0·\u00a0${numberOf(count)}` : ''), ' ']),
        reasons.length > REASONS_SHOWN ? el('span', {}, t('{number} more', { number: reasons.length - REASONS_SHOWN })) : ''),
      el('span', {}, `${plural(reporters, '{shown} person', '{shown} people', { shown: numberOf(reporters) })} · `, el('time', { datetime: reportedAt }, ago(new Date(reportedAt), Date.now()))))));
}

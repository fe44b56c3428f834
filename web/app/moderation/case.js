// One case: what is reported, by whom and why, whom it is about, what was decided so far, and what a moderator decides now.
// It refuses to know what follows from a decision: the server answers with the case as it is then.

import { el } from '../account/form.js';
import { request, route } from '../api/api.js';
import { signedIn } from '../auth/auth.js';
import { ago } from '../comments/ago.js';
import { addressOf as profileOf, hasProfile } from '../profile-link/address.js';
import { faceOf } from '../profile-link/face.js';
import { KINDS, OUTCOMES, SINCE, dateOf, doneOf, numberOf, titleOf } from '../report/words.js';
import { around, MARK } from '../words/around.js';
import { plural, t } from '../words/words.js';
import { actionsFor, deciding } from './deciding.js';
import { addressOf as queueOf } from './queue.js';
import { reviewing } from './reviewing.js';
import { thingOf } from './thing.js';

const caseAt = (id) => `#account/case/${encodeURIComponent(id)}`;

/** `id`: of the case. */
export async function fill(place, on, id) {
  const waiting = el('div', { class: 'turning', role: 'img', 'aria-label': t('Loading') });
  place.append(waiting);
  try {
    const file = await request(route`/moderation/cases/${id}`);
    waiting.remove();
    if (!on.signal.aborted) show(place, on, file);
  } catch (error) {
    waiting.remove();
    place.append(el('div', { class: 'none', role: 'alert' }, el('p', {}, error.detail ?? t('This could not be loaded.')),
      error.status === 404 ? null : el('button', { type: 'button', click: () => { place.replaceChildren(); fill(place, on, id); } }, t('Try again'))));
  }
}

function show(place, on, file) {
  const { summary, reports, decisions, record } = file;
  const decided = (now, words) => goOn(place, on, summary, now, words);
  place.replaceChildren(el('div', { class: 'moderation' },
    headOf(summary), thingOf(summary, () => on.again()), aboutOf(summary, record, on),
    decisions.length ? el('section', { 'aria-labelledby': 'case-decisions' }, el('h3', { id: 'case-decisions' }, t('Decided so far')),
      el('ul', { class: 'entries' }, ...decisions.map((one) => decisionOf(one, decided)))) : null,
    el('section', { 'aria-labelledby': 'case-reports' },
      el('h3', { id: 'case-reports' }, reports.length < summary.reporters ? plural(reports.length, 'The newest report', 'The newest {count} reports')
        : plural(reports.length, '{count} report', '{count} reports')),
      el('ul', { class: 'entries' }, ...reports.map(reportOf))),
    toDecide(summary, decided)));
}

function toDecide(summary, decided) {
  if (summary.person?.id === signedIn()?.id) return el('p', { class: 'hint' }, t('It is about you: another moderator decides.'));
  if (summary.state === 'open') {
    return el('section', { 'aria-labelledby': 'case-deciding' }, el('h3', { id: 'case-deciding' }, t('Your decision')), deciding(summary, decided));
  }
  return actionsFor(summary).length ? el('details', {}, el('summary', {}, t('Decide again')), deciding(summary, decided)) : null;
}

function headOf({ kind, reasons, reporters, reported_at: reportedAt }) {
  return el('header', { class: 'sum', tabindex: '-1' }, el('h3', {}, KINDS[kind] ?? t('Something')),
    el('p', { class: 'why' }, ...reasons.flatMap(({ reason, count }) => [el('span', {}, `${titleOf(reason)}\u00a0·\u00a0${numberOf(count)}`), ' '])),
    el('p', { class: 'hint' }, ...around(plural(reporters, 'Reported by {shown} person, last {when}', 'Reported by {shown} people, last {when}', { shown: numberOf(reporters), when: MARK }),
      el('time', { datetime: reportedAt }, ago(new Date(reportedAt), Date.now())))));
}

function aboutOf({ person }, record, on) {
  if (!person) return el('section', { class: 'whom', 'aria-label': t('Who it is about') }, el('p', { class: 'hint' }, t('It is a guest’s, or of somebody who is not here any more.')));
  const before = [
    [record.removals, (count) => plural(count, '{count} removal', '{count} removals')], [record.limits ?? 0, (count) => plural(count, '{count} limit', '{count} limits')],
    [record.warnings, (count) => plural(count, '{count} warning', '{count} warnings')], [record.suspensions, (count) => plural(count, '{count} suspension', '{count} suspensions')],
  ].filter(([count]) => count > 0).map(([count, words]) => words(count)).join(', ');
  return el('section', { class: 'whom', 'aria-label': t('Who it is about') }, nameOf(person, on),
    el('p', { class: 'hint' }, before ? t('So far: {before}.', { before }) : t('Nothing stood against them so far.'), record.is_suspended ? el('b', {}, ` ${t('Suspended now.')}`) : ''));
}

function nameOf(person, on) {
  const isKnown = hasProfile(person);
  return el(isKnown ? 'button' : 'span', { class: 'face', type: isKnown && 'button', click: isKnown && (() => on.goTo(profileOf(person.handle))) },
    faceOf(person),
    el('span', { class: 'who' }, el('strong', { dir: 'auto' }, person.name), el('span', {}, isKnown ? `@${person.handle}` : t('without an account'))));
}

function reportOf({ reporter, reason, note, created_at: createdAt, acted, dismissed }) {
  const others = acted + dismissed ? t('Other reports of theirs: {right} of {all} were right.', { right: numberOf(acted), all: numberOf(acted + dismissed) }) : t('Their first report.');
  return el('li', {}, el('p', { class: 'line' }, el('strong', {}, titleOf(reason)), ' ', el('time', { datetime: createdAt }, ago(new Date(createdAt), Date.now()))),
    note ? el('p', { class: 'said', dir: 'auto' }, note) : null,
    el('p', { class: 'hint' }, el('bdi', {}, reporter?.name ?? t('A guest')), `. ${others}`));
}

function decisionOf(one, decided) {
  const { decision, moderator, reviewer, can_review: canReview } = one;
  const { appeal, review, statement, state, reason, created_at: createdAt } = decision;
  return el('li', { 'data-decision': decision.id, 'data-state': state },
    el('p', { class: 'line' }, el('strong', {}, doneOf(decision)), ' ', el('time', { datetime: createdAt }, dateOf(createdAt))),
    el('p', { class: 'hint' }, ...around(t('{reason}. By {name}.', { reason: titleOf(reason), name: MARK }), el('bdi', {}, moderator?.name ?? t('somebody who is not here any more')))),
    statement ? el('p', { class: 'said', dir: 'auto' }, statement) : null,
    SINCE[state] ? el('p', { class: 'since' }, SINCE[state]) : null,
    appeal || review ? el('div', { class: 'appeal' },
      ...(appeal ? [el('h4', {}, t('The appeal')), el('p', { class: 'said', dir: 'auto' }, appeal.text)] : []),
      ...(review ? [el('h4', {}, OUTCOMES[review.outcome] ?? t('It is answered.')), el('p', { class: 'said', dir: 'auto' }, review.statement)] : [])) : null,
    reviewer ? el('p', { class: 'hint' }, ...around(t('Said by {name}.', { name: MARK }), el('bdi', {}, reviewer.name))) : null,
    canReview ? reviewing(decision, decided) : appeal && !review ? el('p', { class: 'hint' }, t('Another moderator has to answer it.')) : null);
}

/** To the next case of the same queue; what was closed before stays to be looked at. */
async function goOn(place, on, before, now, words) {
  if (before.state === 'closed' || now.summary.state === before.state) {
    show(place, on, now);
    on.say(words);
    place.querySelector('.sum').focus();
    return;
  }
  const next = await request('/moderation/cases', { query: { state: before.state, limit: 2 } })
    .then(({ items }) => items.find(({ id }) => id !== before.id), () => null);
  if (next) on.next(caseAt(next.id), `${words} ${t('This is the next case.')}`);
  else if (history.state?.depth > 0) on.back(`${words} ${t('There is no other one.')}`);
  else on.next(queueOf(before.state), `${words} ${t('There is no other one.')}`);
}

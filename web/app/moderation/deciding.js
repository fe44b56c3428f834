// What a moderator decides about a case: nothing, or something against it, for a reason, with words to whoever it is about.

import { el } from '../account/form.js';
import { randomKey, request, route } from '../api/api.js';
import { Sending } from '../report/sending.js';
import { Statement } from '../report/statement.js';
import { REASONS, titleOf } from '../report/words.js';
import { t } from '../words/words.js';
import { Attempts } from './attempts.js';

// As the contract has it.
const DAYS = [1, 365];
// Of somebody, what can be taken away is their picture.
const REMOVING = {
  clip: { hint: () => t('Nobody sees the clip any more.'), does: () => t('Remove the clip') },
  comment: { hint: () => t('Nobody sees the comment any more.'), does: () => t('Remove the comment') },
  person: { hint: () => t('Nobody sees the picture any more.'), does: () => t('Remove the picture') },
};
const ACTIONS = {
  dismiss: { title: () => t('Nothing against the rules'), hint: () => t('It stays, and whoever it is about hears nothing.'), does: () => t('Close the case') },
  remove: { title: () => t('Remove it'), hint: (kind) => REMOVING[kind].hint(), does: (kind) => REMOVING[kind].does() },
  age_limit: { title: () => t('For adults only'), hint: () => t('Nobody in restricted mode sees it.'), does: () => t('Limit it to adults') },
  limit_reach: { title: () => t('Limit its reach'), hint: () => t('It stays on the profile and by its link, and is recommended to nobody.'), does: () => t('Limit its reach') },
  warn: { title: () => t('Warn'), hint: () => t('They read why, and nothing else happens.'), does: () => t('Warn them') },
  suspend: { title: () => t('Suspend'), hint: () => t('They can watch and appeal, and nothing else.'), does: () => t('Suspend them') },
};

const session = () => {
  try { return globalThis.sessionStorage; } catch { return null; }
};
let attempts = null;

/** What can be decided about a case. What was decided against somebody is taken back by an answer to it. */
export const actionsFor = ({ kind, state, person, is_gone: isGone }) => [...(state === 'open' ? ['dismiss'] : []),
  ...((['clip', 'comment'].includes(kind) && !isGone) || (kind === 'person' && person?.picture) ? ['remove'] : []), ...(kind === 'clip' && !isGone ? ['age_limit', 'limit_reach'] : []),
  ...(person ? ['warn', 'suspend'] : [])];

/** The reason that most gave; of several the gravest, which comes first. */
export const likeliest = (reasons) => reasons.reduce((best, one) => (best && best.count >= one.count ? best : one), null)?.reason ?? 'other';

/** `decided(file, words)` hears what came of it. */
export function deciding(summary, decided) {
  const { id, kind } = summary;
  attempts ??= new Attempts(session(), randomKey);
  const name = `decision-${id}`;
  const statement = new Statement({ place: `case ${id}`, label: '' });
  const reason = el('select', { id: `${name}-reason` }, ...Object.keys(REASONS).map((value) => el('option', { value }, titleOf(value))));
  reason.value = likeliest(summary.reasons);
  const term = new Term(name);
  const sending = new Sending({
    label: t('Your decision'), submit: t('Decide'), busy: t('Deciding…'),
    check: () => {
      if (action()) return (action() !== 'suspend' || term.check()) && statement.check();
      sending.fail(t('Please choose what is to be done.'));
      return false;
    },
    send: async () => {
      const body = { action: action(), reason: reason.value, ...(statement.text && { statement: statement.text }),
        ...(action() === 'suspend' && term.days && { days: term.days }) };
      const file = await sent(id, body);
      statement.settle();
      await decided(file, body.action === 'dismiss' ? t('The case is closed.') : t('It is decided.'));
    },
  },
  el('fieldset', { class: 'what', change: ({ target }) => { if (target.name === `${name}-action`) ask(target.value); } },
    el('legend', {}, t('What is to be done?')), ...actionsFor(summary).map((value) => choice(`${name}-action`, value, ACTIONS[value].title(), ACTIONS[value].hint(kind)))),
  term.root,
  el('div', { class: 'field' }, el('label', { for: `${name}-reason` }, t('Reason')), reason), statement.root);
  const action = () => sending.root.querySelector(`[name="${CSS.escape(name)}-action"]:checked`)?.value;
  const ask = (value) => {
    term.root.hidden = value !== 'suspend';
    const isNote = !value || value === 'dismiss';
    statement.ask(isNote ? t('Note for other moderators') : t('What they are told'), isNote ? '' : t('Say what was wrong, in a sentence or two. They can appeal.'), isNote);
    sending.name(value ? ACTIONS[value].does(kind) : t('Decide'), value === 'remove' || value === 'suspend');
  };
  ask();
  return sending.root;
}

/** The same decision is sent by the same key until the server has said something. */
async function sent(id, body) {
  try {
    const file = await request(route`/moderation/cases/${id}/decisions`, { method: 'POST', body, key: attempts.keyFor(id, body), keepalive: true });
    attempts.settle(id);
    return file;
  } catch (error) {
    if (!error.mayHaveArrived) attempts.settle(id);
    throw error;
  }
}

export const choice = (name, value, title, hint) => el('label', {}, el('input', { type: 'radio', name, value }),
  el('span', {}, el('b', {}, title), hint ? el('small', {}, hint) : ''));

/** For how long an account is suspended. */
class Term {
  root;
  #field;
  #error;

  constructor(name) {
    this.#error = el('p', { class: 'error', id: `${name}-days-error`, hidden: true });
    this.#field = el('input', { type: 'number', id: `${name}-days`, inputmode: 'numeric', min: DAYS[0], max: DAYS[1], value: '7', 'aria-label': t('Days'),
      'aria-describedby': `${name}-days-error`, input: () => this.#mark('') });
    const some = choice(`${name}-term`, 'days', t('For some days'));
    const endless = choice(`${name}-term`, 'endless', t('Until it is taken back'));
    some.firstElementChild.checked = true;
    this.root = el('fieldset', { class: 'term', hidden: true, change: () => {
      this.#field.closest('.days').hidden = !some.firstElementChild.checked;
      this.#mark('');
    } }, el('legend', {}, t('For how long?')), some, el('p', { class: 'days' }, this.#field, ` ${t('days')}`), endless, this.#error);
  }

  /** Null: without an end. */
  get days() { return this.#field.closest('.days').hidden ? null : this.#field.valueAsNumber; }

  check() {
    const { days } = this;
    const isFine = days === null || (Number.isInteger(days) && days >= DAYS[0] && days <= DAYS[1]);
    this.#mark(isFine ? '' : t('Between {least} and {most} days.', { least: DAYS[0], most: DAYS[1] }));
    if (!isFine) this.#field.focus();
    return isFine;
  }

  #mark(words) {
    this.#error.textContent = words;
    this.#error.hidden = !words;
    if (words) this.#field.setAttribute('aria-invalid', 'true'); else this.#field.removeAttribute('aria-invalid');
  }
}

// What is said of webhooks: what they hear of, how they are, and what became of messages.

import { language, t } from '../words/words.js';

export const timeOf = (text) => new Intl.DateTimeFormat(language(), { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(text));

/** What can be chosen, by the names of the API. */
export const events = () => [
  ['generation.ready', t('A clip from words is ready')],
  ['generation.failed', t('A clip from words could not be made')],
  ['clip.published', t('A clip of yours is published')],
];

const PROBLEMS = {
  unreachable: () => t('no connection'), timeout: () => t('no answer in time'), address_refused: () => t('an address that is not on the open network'),
};

/** How an endpoint is. */
export function stateOf({ enabled, problem, delivered_at: delivered }) {
  if (problem === 'gone') return t('Off: it answered that it is gone.');
  if (problem === 'failing') return t('Off: it took nothing for three days.');
  if (!enabled) return t('Off');
  return delivered ? t('On. Took its last message on {time}.', { time: timeOf(delivered) }) : t('On. It has taken no message yet.');
}

/** What became of a message. */
export function outcomeOf({ state, status, problem, tries, next_at: next, took_ms: took }) {
  const answer = status ? t('answered {status}', { status: String(status) }) : PROBLEMS[problem]?.() ?? '';
  if (state === 'delivered') return t('Delivered: {answer} in {took} ms', { answer, took });
  if (state === 'failed') return answer ? t('Not delivered: {answer}', { answer }) : t('Not delivered');
  if (!tries) return t('About to be sent');
  return answer ? t('Tried: {answer}. Again on {time}.', { answer, time: timeOf(next) }) : t('Being tried. Again on {time}.', { time: timeOf(next) });
}

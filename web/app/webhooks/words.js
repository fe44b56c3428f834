// What is said of webhooks: what they hear of, how they are, and what became of messages.

const time = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

/** What can be chosen, by the names of the API. */
export const EVENTS = [
  ['generation.ready', 'A clip from words is ready'],
  ['generation.failed', 'A clip from words could not be made'],
  ['clip.published', 'A clip of yours is published'],
];

const PROBLEMS = { unreachable: 'no connection', timeout: 'no answer in time', address_refused: 'an address that is not on the open network' };

/** How an endpoint is. */
export function stateOf({ enabled, problem, delivered_at: delivered }) {
  if (problem === 'gone') return 'Off: it answered that it is gone.';
  if (problem === 'failing') return 'Off: it took nothing for three days.';
  if (!enabled) return 'Off';
  return delivered ? `On. Took its last message on ${time.format(new Date(delivered))}.` : 'On. It has taken no message yet.';
}

/** What became of a message. */
export function outcomeOf({ state, status, problem, tries, next_at: next, took_ms: took }) {
  const answer = status ? `answered ${status}` : PROBLEMS[problem] ?? '';
  if (state === 'delivered') return `Delivered: ${answer} in ${took} ms`;
  if (state === 'failed') return answer ? `Not delivered: ${answer}` : 'Not delivered';
  if (!tries) return 'About to be sent';
  return `${answer ? `Tried: ${answer}` : 'Being tried'}. Again on ${time.format(new Date(next))}.`;
}

export const timeOf = (text) => time.format(new Date(text));

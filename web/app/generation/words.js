// What is said of clips from words, in words alone: prices, how far one is, why there is none, and what a refusal asks for.
// It refuses to guess: a share and a time that is left are the server's.

import { language, plural, problemText, t } from '../words/words.js';

/** The contract's limit, in scalars. */
export const PROMPT_LENGTH = 4000;

const DAY_MS = 86_400_000;

export const styles = () => ({ none: t('None::style'), cinematic: t('Cinematic'), animation: t('Animation'), realistic: t('Realistic') });
const aspects = () => ({ '9:16': t('Upright'), '1:1': t('Square'), '16:9': t('Wide') });

const nameIn = (names, key) => (Object.hasOwn(names, key) ? names[key] : String(key));

export const aspectName = (aspect) => nameIn(aspects(), aspect);

/** As the contract counts them, without what stands around a prompt. */
export const lengthOf = (prompt) => [...prompt.trim()].length;

export const priceOf = (credits) => plural(credits, '{count} credit', '{count} credits');

/** Coarser the longer it is: seconds would pretend to know. */
export function lasting(ms) {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  if (seconds < 60) return t('{seconds} s', { seconds });
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? t('{minutes} min', { minutes }) : t('{hours} h', { hours: Math.ceil(minutes / 60) });
}

/** "10 s · Upright · Cinematic · 10 credits". */
export function factsOf({ seconds, aspect, style, credits }) {
  const look = style === 'none' ? [] : [nameIn(styles(), style)];
  return [t('{seconds} s', { seconds }), aspectName(aspect), ...look, priceOf(credits)].join(' · ');
}

/** When there are new credits: the server's days are those of UTC. */
export const renewalAfter = (now) => new Intl.DateTimeFormat(language(), { timeStyle: 'short' }).format(new Date((Math.floor(now / DAY_MS) + 1) * DAY_MS));

// MARK: how far

export const isUnderWay = ({ state }) => ['reserved', 'queued', 'in_progress', 'storing'].includes(state);
/** It is there, and nobody else sees it. */
export const isDraft = ({ state, is_published: isPublished }) => state === 'ready' && !isPublished;

export const percentOf = ({ permille }) => Math.floor(permille / 10);

const left = ({ remaining_ms: ms }) => (ms > 0 ? ` ${t('About {time} left.', { time: lasting(ms) })}` : '');

function inLine(place) {
  if (!(place > 1)) return t('It is next.');
  return plural(place - 1, 'In line: {count} goes before it at most.', 'In line: {count} go before it at most.');
}

/** How far one is that is under way. */
export function courseOf(generation) {
  switch (generation.state) {
    case 'reserved': return inLine(generation.place) + left(generation);
    case 'queued': return t('It begins in a moment.') + left(generation);
    case 'storing': return t('{percent} %. It becomes a clip now.', { percent: percentOf(generation) }) + left(generation);
    default: return t('{percent} % is made.', { percent: percentOf(generation) }) + left(generation);
  }
}

/** Who cannot see the bar hears of each quarter and of what changes, not of every step; null: nothing worth a word. */
export function spokenOf(before, now) {
  if (!isUnderWay(now)) return before && before.state === now.state ? null : stateOf(now);
  const quarter = ({ permille }) => Math.floor(permille / 250);
  const isSame = before && before.state === now.state && quarter(before) === quarter(now) && before.place === now.place;
  return isSame ? null : courseOf(now);
}

const problems = () => ({
  content_policy: t('It was refused: the prompt, or the picture it starts from, is against the rules of whoever makes videos here. Change the words and send it again.'),
  invalid_request: t('Whoever makes videos here does not take it as it is. Try other words, or another length or shape.'),
  rate_limited: t('Too much was asked for at once. Try it again in a few minutes.'),
  capacity: t('Nobody had room for it. Try it again later.'),
  provider_error: t('It could not be made. The same prompt may do next time.'),
  timeout: t('It took too long. The same prompt may do next time.'),
  expired: t('It was not made in time. Try it again when less is going on.'),
});

/** What became of one, in a sentence. */
export function stateOf(generation) {
  if (isUnderWay(generation)) return courseOf(generation);
  if (generation.state === 'ready') return generation.is_published ? t('Published.') : t('Your clip is made. Only you see it.');
  const back = plural(generation.credits, 'It cost nothing: {count} credit is back.', 'It cost nothing: {count} credits are back.');
  if (generation.state === 'cancelled') return `${t('Cancelled.')} ${back}`;
  const known = problems();
  return `${Object.hasOwn(known, generation.problem) ? known[generation.problem] : known.provider_error} ${back}`;
}

/** The same prompt again is of no use for these. */
export const asksForOtherWords = ({ state, problem }) => state === 'failed' && ['content_policy', 'invalid_request'].includes(problem);

/** A few words for a list. */
export function shortStateOf(generation) {
  switch (generation.state) {
    case 'reserved': return t('In line');
    case 'queued': return t('Begins soon');
    case 'in_progress': case 'storing': return t('{percent} %', { percent: percentOf(generation) });
    case 'ready': return generation.is_published ? t('Published') : t('Draft');
    case 'cancelled': return t('Cancelled');
    default: return t('Not made');
  }
}

// MARK: refusals

const refusals = () => ({
  prompt_empty: t('Say in some words what is to be seen.'),
  prompt_too_long: t('The prompt is too long. It has {number} characters at most.', { number: PROMPT_LENGTH }),
  generations_under_way: t('You have as many under way as you may. Wait for one, or cancel one.'),
  generation_unavailable: t('Clips cannot be made from words here at the moment.'),
  generation_not_possible: t('A video of this length or shape cannot be had here now. Choose another.'),
  generation_not_found: t('It is not there any more.'),
  clip_not_found: t('The clip is not there any more.'),
  picture_not_found: t('The picture is not there any more. Choose it again.'),
  clip_not_ready: t('The clip is not ready yet. Try again in a moment.'),
  idempotency_key_reused: t('Something got mixed up. Please try again.'),
});

/** What to say of a request that brought nothing. */
export function refusalOf(error, now = Date.now()) {
  const known = refusals();
  if (Object.hasOwn(known, error.code ?? '')) return known[error.code];
  // NB: for content_policy as well: which kind of rule it was, and which word, is said there.
  const words = problemText(error) || t('This did not work. Please try again.');
  // NB: it may be the limit of all people together: the server says which.
  if (error.code === 'insufficient_credits') return `${words} ${t('The next day begins at {time}.', { time: renewalAfter(now) })}`;
  return error.retryAfter > 1 ? `${words} ${t('Try again in {time}.', { time: lasting(error.retryAfter * 1000) })}` : words;
}

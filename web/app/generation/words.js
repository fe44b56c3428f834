// What is said of clips from words, in words alone: prices, how far one is, why there is none, and what a refusal asks for.
// It refuses to guess: a share and a time that is left are the server's.

/** The contract's limit, in scalars. */
export const PROMPT_LENGTH = 4000;

const number = new Intl.NumberFormat('en');
const clock = new Intl.DateTimeFormat('en', { timeStyle: 'short' });
const DAY_MS = 86_400_000;

export const STYLES = { none: 'None', cinematic: 'Cinematic', animation: 'Animation', realistic: 'Realistic' };
export const ASPECTS = { '9:16': 'Upright', '1:1': 'Square', '16:9': 'Wide' };

const nameIn = (names, key) => (Object.hasOwn(names, key) ? names[key] : String(key));

export const aspectName = (aspect) => nameIn(ASPECTS, aspect);

/** As the contract counts them, without what stands around a prompt. */
export const lengthOf = (prompt) => [...prompt.trim()].length;

export const priceOf = (credits) => `${number.format(credits)} ${credits === 1 ? 'credit' : 'credits'}`;

/** Coarser the longer it is: seconds would pretend to know. */
export function lasting(ms) {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
}

/** "10 s · Upright · Cinematic · 10 credits". */
export function factsOf({ seconds, aspect, style, credits }) {
  const look = style === 'none' ? [] : [nameIn(STYLES, style)];
  return [`${seconds} s`, aspectName(aspect), ...look, priceOf(credits)].join(' · ');
}

/** When there are new credits: the server's days are those of UTC. */
export const renewalAfter = (now) => clock.format(new Date((Math.floor(now / DAY_MS) + 1) * DAY_MS));

// MARK: how far

export const isUnderWay = ({ state }) => ['reserved', 'queued', 'in_progress', 'storing'].includes(state);
/** It is there, and nobody else sees it. */
export const isDraft = ({ state, is_published: isPublished }) => state === 'ready' && !isPublished;

export const percentOf = ({ permille }) => Math.floor(permille / 10);

const left = ({ remaining_ms: ms }) => (ms > 0 ? ` About ${lasting(ms)} left.` : '');

function inLine(place) {
  if (!(place > 1)) return 'It is next.';
  return `In line: ${number.format(place - 1)} ${place === 2 ? 'goes' : 'go'} before it at most.`;
}

/** How far one is that is under way. */
export function courseOf(generation) {
  switch (generation.state) {
    case 'reserved': return inLine(generation.place) + left(generation);
    case 'queued': return `It begins in a moment.${left(generation)}`;
    case 'storing': return `${percentOf(generation)} %. It becomes a clip now.${left(generation)}`;
    default: return `${percentOf(generation)} % is made.${left(generation)}`;
  }
}

/** Who cannot see the bar hears of each quarter and of what changes, not of every step; null: nothing worth a word. */
export function spokenOf(before, now) {
  if (!isUnderWay(now)) return before && before.state === now.state ? null : stateOf(now);
  const quarter = ({ permille }) => Math.floor(permille / 250);
  const isSame = before && before.state === now.state && quarter(before) === quarter(now) && before.place === now.place;
  return isSame ? null : courseOf(now);
}

const PROBLEMS = {
  content_policy: 'It was refused: the prompt, or the picture it starts from, is against the rules of whoever makes videos here. Change the words and send it again.',
  invalid_request: 'Whoever makes videos here does not take it as it is. Try other words, or another length or shape.',
  rate_limited: 'Too much was asked for at once. Try it again in a few minutes.',
  capacity: 'Nobody had room for it. Try it again later.',
  provider_error: 'It could not be made. The same prompt may do next time.',
  timeout: 'It took too long. The same prompt may do next time.',
  expired: 'It was not made in time. Try it again when less is going on.',
};

/** What became of one, in a sentence. */
export function stateOf(generation) {
  if (isUnderWay(generation)) return courseOf(generation);
  if (generation.state === 'ready') return generation.is_published ? 'Published.' : 'Your clip is made. Only you see it.';
  const back = `It cost nothing: ${priceOf(generation.credits)} ${generation.credits === 1 ? 'is' : 'are'} back.`;
  if (generation.state === 'cancelled') return `Cancelled. ${back}`;
  return `${Object.hasOwn(PROBLEMS, generation.problem) ? PROBLEMS[generation.problem] : PROBLEMS.provider_error} ${back}`;
}

/** The same prompt again is of no use for these. */
export const asksForOtherWords = ({ state, problem }) => state === 'failed' && ['content_policy', 'invalid_request'].includes(problem);

/** A few words for a list. */
export function shortStateOf(generation) {
  switch (generation.state) {
    case 'reserved': return 'In line';
    case 'queued': return 'Begins soon';
    case 'in_progress': case 'storing': return `${percentOf(generation)} %`;
    case 'ready': return generation.is_published ? 'Published' : 'Draft';
    case 'cancelled': return 'Cancelled';
    default: return 'Not made';
  }
}

// MARK: refusals

const REFUSALS = {
  prompt_empty: 'Say in some words what is to be seen.',
  prompt_too_long: `The prompt is too long. It has ${number.format(PROMPT_LENGTH)} characters at most.`,
  generations_under_way: 'You have as many under way as you may. Wait for one, or cancel one.',
  generation_unavailable: 'Clips cannot be made from words here at the moment.',
  generation_not_possible: 'A video of this length or shape cannot be had here now. Choose another.',
  generation_not_found: 'It is not there any more.',
  clip_not_found: 'The clip is not there any more.',
  clip_not_ready: 'The clip is not ready yet. Try again in a moment.',
  idempotency_key_reused: 'Something got mixed up. Please try again.',
};

/** What to say of a request that brought nothing. */
export function refusalOf(error, now = Date.now()) {
  if (Object.hasOwn(REFUSALS, error.code ?? '')) return REFUSALS[error.code];
  // NB: for content_policy as well: which kind of rule it was, and which word, is said there.
  const words = error.detail ?? 'This did not work. Please try again.';
  // NB: it may be the limit of all people together: the server says which.
  if (error.code === 'insufficient_credits') return `${words} The next day begins at ${renewalAfter(now)}.`;
  return error.retryAfter > 1 ? `${words} Try again in ${lasting(error.retryAfter * 1000)}.` : words;
}

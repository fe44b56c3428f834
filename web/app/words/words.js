// The sentences of the page in the language in use. English stands in the code and is the key; other languages have catalogues
// (web/words), which come in parts: `feed` beside the first clip, `screens` with the first screen, `problems` with the first refusal.
// A part that does not come leaves its sentences in English, and is asked for again (docs/design/words.md).

/** Those with catalogues, and English. */
export const LANGUAGES = ['en', 'de', 'es', 'ar'];
/** What the person chose in this browser; nothing for the first of the browser's languages that is among ours. */
export const LANGUAGE_KEY = 'clipfeed.language';

const RIGHT_TO_LEFT = ['ar'];
// A screen comes in English rather than later.
const PATIENCE_MS = 4000;
const RETRY_MS = 15_000;

// By key: a sentence, or one for each plural category.
let words = {};
// By code of the server's: a sentence.
let problems = {};
// By part: its promise, and when it was asked for.
const parts = new Map();
const listeners = new Set();
const formats = new Map();
let tried = null;

/** `en`, `de`, `es` or `ar`: what web/app/main.js found. */
export function language() {
  const found = tried ?? globalThis.document?.documentElement?.lang;
  return LANGUAGES.includes(found) ? found : 'en';
}

export const direction = () => (RIGHT_TO_LEFT.includes(language()) ? 'rtl' : 'ltr');

function formatOf(Format, options) {
  const key = `${Format.name} ${language()}`;
  if (!formats.has(key)) formats.set(key, new Format(language(), options));
  return formats.get(key);
}

/** A text is isolated (UAX #9) among what is written from right to left, or the `@` of a name would stand at its other end. */
function shown(value) {
  if (typeof value === 'number') return formatOf(Intl.NumberFormat).format(value);
  return direction() === 'rtl' ? `\u2068${value}\u2069` : String(value);
}

const filled = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => (Object.hasOwn(values, name) ? shown(values[name]) : whole));

/** The sentence behind an English one. What stands behind `::` tells two meanings of one English word apart. */
export function t(key, values = {}) {
  const found = Object.hasOwn(words, key) && words[key];
  return filled(typeof found === 'string' ? found : key.split('::')[0], values);
}

/** The sentence for a number of things; `{count}` is filled in. The key of catalogues is `other`. */
export function plural(count, one, other, values = {}) {
  const found = Object.hasOwn(words, other) && words[other];
  const text = found?.[formatOf(Intl.PluralRules).select(count)] ?? found?.other ?? (count === 1 ? one : other).split('::')[0];
  return filled(text, { count, ...values });
}

/** `work`, or as long as somebody who came for it then still waits. */
function inTime({ coming, since }) {
  let timer;
  const late = new Promise((resolve) => { timer = setTimeout(resolve, since + PATIENCE_MS - Date.now()); });
  return Promise.race([coming, late]).finally(() => clearTimeout(timer));
}

async function load(part) {
  const answer = await fetch(`/words/${language()}/${part}.json`, { priority: 'low' });
  if (!answer.ok) throw new Error(`${part}.json: ${answer.status}`);
  const sentences = await answer.json();
  if (part === 'problems') problems = sentences; else words = { ...words, ...sentences };
  for (const listener of listeners) listener(part);
}

/** Brings a part of the words, once, and is done no later than somebody can wait. What fails is tried again behind whoever comes
 *  later. Never rejects. */
export async function loadWords(name) {
  const part = name || 'feed';
  if (language() === 'en') return;
  const known = parts.get(part);
  if (known && !known.hasFailed) return inTime(known);
  if (known && Date.now() - known.since < RETRY_MS) return;
  const entry = { since: Date.now(), hasFailed: false };
  entry.coming = load(part).catch((error) => {
    entry.hasFailed = true;
    console.warn(error);
  });
  parts.set(part, entry);
  if (!known) await inTime(entry);
}

/** `listener(part)` runs when a part is there, however late. */
export const onWords = (listener) => listeners.add(listener);

/** What a refusal of the server means to people: its code's sentence in the language in use, or what the server says in English. */
export function problemText(error) {
  const found = Object.hasOwn(problems, error.code ?? '') && problems[error.code];
  return found || error.detail || '';
}

/** For tests: words of a language, as if they had come. */
export function useWords(name, sentences, ofProblems = {}) {
  tried = name;
  words = sentences;
  problems = ofProblems;
  parts.clear();
}

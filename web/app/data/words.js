// How an archive of one's data is told of, in words alone.

import { language, plural, t } from '../words/words.js';

const STEP = 1000;
const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'];

const dayOf = (date) => new Intl.DateTimeFormat(language(), { dateStyle: 'medium' }).format(new Date(date));

/** "1.4 GB". */
export function sizeOf(bytes) {
  let [left, unit] = [bytes, 0];
  while (left >= STEP && unit < UNITS.length - 1) {
    left /= STEP;
    unit += 1;
  }
  const digits = unit === 0 || left >= 100 ? 0 : 1;
  return new Intl.NumberFormat(language(), { style: 'unit', unit: UNITS[unit], unitDisplay: unit === 0 ? 'long' : 'short', useGrouping: false,
    minimumFractionDigits: digits, maximumFractionDigits: digits }).format(left);
}

/** Coarser the longer it takes: seconds would pretend to know. */
function remaining(ms) {
  const seconds = Math.ceil(ms / 1000);
  return seconds < 60 ? t('{seconds} s left', { seconds }) : t('{minutes} min left', { minutes: Math.ceil(seconds / 60) });
}

const PROBLEMS = {
  storage_full: () => t('The server has no room for it now. Please try again later.'),
};

/** What there is to say about an archive, in a sentence. */
export function sentenceOf({ state, permille, remaining_ms: left, size_bytes: size, records, files, expires_at: until, problem }) {
  if (state === 'waiting') return t('Waiting for its turn. You can leave this page.');
  if (state === 'working') {
    const done = new Intl.NumberFormat(language(), { style: 'percent' }).format(Math.floor(permille / 10) / 100);
    return left > 0 ? t('{done} is put together, {left}. You can leave this page.', { done, left: remaining(left) })
      : t('{done} is put together. You can leave this page.', { done });
  }
  if (state === 'ready') {
    return t('{size} with {records} and {files}. It can be downloaded until {day}.', {
      size: sizeOf(size), records: plural(records, '{count} entry', '{count} entries'), files: plural(files, '{count} file', '{count} files'), day: dayOf(until),
    });
  }
  return Object.hasOwn(PROBLEMS, problem) ? PROBLEMS[problem]() : t('It could not be put together. Please try again later.');
}

/** Whether it is being made. */
export const isUnderWay = ({ state }) => state === 'waiting' || state === 'working';

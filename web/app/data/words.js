// How an archive of one's data is told of, in words alone.

const STEP = 1000;
const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'];
const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });
const number = new Intl.NumberFormat('en');

/** "1.4 GB". */
export function sizeOf(bytes) {
  let [left, unit] = [bytes, 0];
  while (left >= STEP && unit < UNITS.length - 1) {
    left /= STEP;
    unit += 1;
  }
  return `${unit === 0 || left >= 100 ? Math.round(left) : left.toFixed(1)} ${UNITS[unit]}`;
}

/** Coarser the longer it takes: seconds would pretend to know. */
function remaining(ms) {
  const seconds = Math.ceil(ms / 1000);
  return seconds < 60 ? `${seconds} s left` : `${Math.ceil(seconds / 60)} min left`;
}

const PROBLEMS = {
  storage_full: 'The server has no room for it now. Please try again later.',
};

/** What there is to say about an archive, in a sentence. */
export function sentenceOf({ state, permille, remaining_ms: left, size_bytes: size, records, files, expires_at: until, problem }) {
  if (state === 'waiting') return 'Waiting for its turn. You can leave this page.';
  if (state === 'working') {
    return `${Math.floor(permille / 10)} % is put together${left > 0 ? `, ${remaining(left)}` : ''}. You can leave this page.`;
  }
  if (state === 'ready') {
    const inIt = [`${number.format(records)} ${records === 1 ? 'entry' : 'entries'}`, `${number.format(files)} ${files === 1 ? 'file' : 'files'}`];
    return `${sizeOf(size)} with ${inIt.join(' and ')}. It can be downloaded until ${day.format(new Date(until))}.`;
  }
  return Object.hasOwn(PROBLEMS, problem) ? PROBLEMS[problem] : 'It could not be put together. Please try again later.';
}

/** Whether it is being made. */
export const isUnderWay = ({ state }) => state === 'waiting' || state === 'working';

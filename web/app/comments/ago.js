// How long ago something was, in as few letters as there are.

import { language } from '../words/words.js';

let relative = null;
const UNITS = [['year', 31_536_000], ['month', 2_592_000], ['day', 86_400], ['hour', 3600], ['minute', 60]];

/** "3h ago"; what is younger than a minute, or of a clock that is ahead, is "now". */
export function ago(date, nowMs) {
  const seconds = (nowMs - date) / 1000;
  const unit = UNITS.find(([, size]) => seconds >= size);
  relative ??= new Intl.RelativeTimeFormat(language(), { style: 'narrow', numeric: 'auto' });
  return unit ? relative.format(-Math.floor(seconds / unit[1]), unit[0]) : relative.format(0, 'second');
}

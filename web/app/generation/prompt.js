// The field for a prompt: how long it is, what is refused, and what is wrong with it.

import { el } from '../account/form.js';
import { t } from '../words/words.js';
import { lengthOf, PROMPT_LENGTH } from './words.js';

// From here on it matters how many are left.
const NEAR_END = 500;
let fields = 0;

/** `{root, value, set(text), fail(words), focus()}`. */
export function promptField({ label, value, hint }) {
  fields += 1;
  const id = (part) => `prompt-${fields}-${part}`;
  const count = el('span', { id: id('count'), 'aria-hidden': 'true' });
  const error = el('p', { class: 'error', id: id('error'), role: 'alert', hidden: true });
  const area = el('textarea', { id: id('text'), rows: '4', dir: 'auto', 'aria-describedby': `${id('count')} ${id('hint')} ${id('error')}`, autocapitalize: 'sentences' });
  area.value = value;
  const show = () => {
    const left = PROMPT_LENGTH - lengthOf(area.value);
    const words = () => {
      if (left < 0) return t('{number} too many', { number: -left });
      return left < NEAR_END ? t('{number} left', { number: left }) : t('{part} of {whole}', { part: PROMPT_LENGTH - left, whole: PROMPT_LENGTH });
    };
    count.textContent = ` ${words()}`;
    count.toggleAttribute('data-over', left < 0);
  };
  const fail = (words) => {
    error.textContent = words;
    error.hidden = !words;
    if (words) area.setAttribute('aria-invalid', 'true'); else area.removeAttribute('aria-invalid');
    if (words) area.focus();
  };
  area.addEventListener('input', () => {
    show();
    fail('');
  });
  show();
  return {
    root: el('div', { class: 'field' }, el('label', { for: id('text') }, label, count), area,
      hint ? el('p', { class: 'hint', id: id('hint') }, hint) : el('span', { id: id('hint'), hidden: true }), error),
    get value() { return area.value; },
    set(text) {
      area.value = text;
      show();
    },
    fail,
    focus: () => area.focus(),
  };
}

// The names of the looks for people, and their tables out of studio.wasm.

import { t } from '../words/words.js';

export const looks = () => [
  t('Plain::look'), t('Clear::look'), t('Vivid::look'), t('Golden::look'), t('Dawn::look'), t('Dusk::look'), t('Frost::look'),
  t('Forest::look'), t('Harbour::look'), t('Desert::look'), t('Faded::look'), t('Film::look'), t('Berry::look'), t('Mint::look'),
  t('Silver::look'), t('Noir::look'), t('Sepia::look'), t('Moon::look'),
];
export const PLAIN = 0;
const ENTRIES = 33 ** 3;
const KEY = 'clipfeed.look';
const FULL = 100;

/** The table of a look at a strength of 0 to 100; null where it would change nothing. */
export function tableOf(studio, { look, strength }) {
  if (look === PLAIN || strength === 0) return null;
  const address = studio.look_bytes(look, strength);
  // NB: copied, since the next call writes over it and the memory may grow.
  return address ? new Uint8Array(studio.memory.buffer, address, ENTRIES * 4).slice() : null;
}

const within = (number, most) => (Number.isInteger(number) && number >= 0 && number <= most ? number : null);

/** The choice of last time: `{look, strength}`. */
export function rememberedLook() {
  let words = '';
  try { words = localStorage.getItem(KEY) ?? ''; } catch { /* storage may be off */ }
  return readLook(words);
}

/** What is no look at all is the plain one. */
export function readLook(words) {
  const [look, strength = FULL] = words.split(',').map(Number);
  return { look: within(look, looks().length - 1) ?? PLAIN, strength: within(strength, FULL) ?? FULL };
}

export function rememberLook({ look, strength }) {
  try { localStorage.setItem(KEY, `${look},${strength}`); } catch { /* storage may be off */ }
}

// What the account screen shows of how clips play on this device: a switch for each wish, and in which language the
// page speaks.

import { el } from '../account/form.js';
import { loadStyles } from '../screens/screens.js';
import { LANGUAGES, LANGUAGE_KEY, t } from '../words/words.js';
import { set, settings } from './settings.js';

const switches = () => [
  ['waits', t('Wait for each clip’s first picture'), t('A swipe never ends on a still picture. On a slow connection it may take longer.')],
  ['byHand', t('Play clips only when tapped'), t('Nothing starts by itself.')],
  ['saves', t('Save data'), t('Lower picture quality, and fewer clips loaded ahead.')],
  ['unlimited', t('My mobile data has no limit'), t('Full picture quality on mobile connections too.')],
];

/** Each by its own name, whatever language the page has. */
const NAMES = { en: 'English', de: 'Deutsch', es: 'Español', ar: 'العربية' };

/** Fills `place`, which is on the page already. */
export async function fill(place) {
  await loadStyles('/app/settings/page.css');
  const chosen = settings();
  place.append(el('ul', { class: 'switches' }, ...switches().map(([name, label, hint]) => {
    const box = el('input', { type: 'checkbox', role: 'switch', id: `playback-${name}`, 'aria-describedby': `playback-${name}-hint`,
      change: () => set(name, box.checked) });
    box.checked = chosen[name];
    return el('li', {}, el('label', { for: box.id }, label), box, el('small', { id: `playback-${name}-hint` }, hint));
  }), languageRow()));
}

/** The page begins anew in the language; texts that are being written are kept as when it is closed. */
function languageRow() {
  const options = [['', t('System')], ...LANGUAGES.map((name) => [name, NAMES[name]])];
  const field = el('select', { id: 'language', 'aria-describedby': 'language-hint', change: () => {
    try {
      if (field.value) localStorage.setItem(LANGUAGE_KEY, field.value); else localStorage.removeItem(LANGUAGE_KEY);
    } catch {
      return;
    }
    location.reload();
  } }, ...options.map(([value, name]) => el('option', { value, ...(value && { lang: value }) }, name)));
  try { field.value = localStorage.getItem(LANGUAGE_KEY) ?? ''; } catch { field.disabled = true; }
  return el('li', {}, el('label', { for: field.id }, t('Language')), field,
    el('small', { id: 'language-hint' }, t('The page is loaded again. System: as your browser prefers.')));
}

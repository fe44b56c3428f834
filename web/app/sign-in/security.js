// What happened that matters to the safety of the account.

import { el } from '../account/form.js';
import { listOf } from '../account/lists.js';
import { language, plural, t } from '../words/words.js';

const WORDS = {
  new_device: () => t('Signed in on a new device'),
  password_changed: () => t('Password changed'),
  password_reset: () => t('Password set by a link'),
  email_changed: () => t('E-mail address changed'),
  email_removed: () => t('E-mail address removed'),
  provider_connected: (provider) => t('{provider} connected', { provider }),
  provider_disconnected: (provider) => t('{provider} disconnected', { provider }),
  wrong_passwords: () => t('Wrong passwords were given'),
  signed_out_everywhere: () => t('Signed out everywhere'),
  code_app_on: () => t('Two-step sign-in turned on'),
  code_app_off: () => t('Two-step sign-in turned off'),
  recovery_code_used: () => t('Signed in by a recovery code'),
  recovery_codes_made: () => t('New recovery codes'),
  passkey_added: () => t('Passkey added'),
  passkey_removed: () => t('Passkey removed'),
  api_key_made: () => t('Key for a program made'),
  api_key_revoked: () => t('Key for a program revoked'),
  wrong_codes: () => t('Wrong codes were given'),
  decided: () => t('Moderators decided something about you'),
  decision_reviewed: () => t('Moderators answered about a decision'),
  export_ready: () => t('Your data was put together'),
};
// No device of the owner's did that: where to look instead.
const ELSEWHERE = { decided: () => t('See “Decisions”'), decision_reviewed: () => t('See “Decisions”'), export_ready: () => t('See “Your data”') };

// To the minute: whether it was oneself is a matter of when.
const momentOf = (date) => new Intl.DateTimeFormat(language(), { dateStyle: 'medium', timeStyle: 'short' }).format(date);

function notice({ kind, created_at: at, device, provider, times }) {
  // A newer server may tell of more.
  const words = Object.hasOwn(WORDS, kind) ? WORDS[kind](provider ?? t('A service')) : t('Something about signing in changed');
  return el('li', {}, el('span', { class: 'who' },
    el('strong', {}, times > 1 ? plural(times, '{what}, {count} time', '{what}, {count} times', { what: words }) : words),
    el('span', {}, `${Object.hasOwn(ELSEWHERE, kind) ? ELSEWHERE[kind]() : device ?? t('Unknown device')} · `, el('time', { datetime: at }, momentOf(new Date(at))))));
}

export const security = (on) => [
  el('p', { class: 'lead' }, t('If something here wasn’t you, change your password and sign out everywhere, under Devices.')),
  listOf({ path: '/account/notices', name: 'rows devices notices', label: t('Security'), none: t('Nothing has happened in the last 90 days.'),
    row: notice, signal: on.signal }),
];

// What happened that matters to the safety of the account.

import { el } from '../account/form.js';
import { listOf } from '../account/lists.js';

const WORDS = {
  new_device: () => 'Signed in on a new device',
  password_changed: () => 'Password changed',
  password_reset: () => 'Password set by a link',
  email_changed: () => 'E-mail address changed',
  email_removed: () => 'E-mail address removed',
  provider_connected: (provider) => `${provider} connected`,
  provider_disconnected: (provider) => `${provider} disconnected`,
  wrong_passwords: () => 'Wrong passwords were given',
  signed_out_everywhere: () => 'Signed out everywhere',
  code_app_on: () => 'Two-step sign-in turned on',
  code_app_off: () => 'Two-step sign-in turned off',
  recovery_code_used: () => 'Signed in by a recovery code',
  recovery_codes_made: () => 'New recovery codes',
  passkey_added: () => 'Passkey added',
  passkey_removed: () => 'Passkey removed',
  api_key_made: () => 'Key for a program made',
  api_key_revoked: () => 'Key for a program revoked',
  wrong_codes: () => 'Wrong codes were given',
  decided: () => 'Moderators decided something about you',
  decision_reviewed: () => 'Moderators answered about a decision',
  export_ready: () => 'Your data was put together',
};
// No device of the owner's did that: where to look instead.
const ELSEWHERE = { decided: 'See “Decisions”', decision_reviewed: 'See “Decisions”', export_ready: 'See “Your data”' };

// To the minute: whether it was oneself is a matter of when.
const moment = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

function notice({ kind, created_at: at, device, provider, times }) {
  // A newer server may tell of more.
  const words = Object.hasOwn(WORDS, kind) ? WORDS[kind](provider ?? 'A service') : 'Something about signing in changed';
  return el('li', {}, el('span', { class: 'who' },
    el('strong', {}, times > 1 ? `${words}, ${times} times` : words),
    el('span', {}, `${Object.hasOwn(ELSEWHERE, kind) ? ELSEWHERE[kind] : device ?? 'Unknown device'} · `, el('time', { datetime: at }, moment.format(new Date(at))))));
}

export const security = (on) => [
  el('p', { class: 'lead' }, 'If something here wasn’t you, change your password and sign out everywhere, under Devices.'),
  listOf({ path: '/account/notices', name: 'rows devices notices', label: 'Security', none: 'Nothing has happened in the last 90 days.',
    row: notice, signal: on.signal }),
];

// Fields that stand on several pages.

import { signedIn } from '../auth/auth.js';
import { t } from '../words/words.js';

export const passwordField = () => ({ name: 'password', label: t('Password'), type: 'password', autocomplete: 'current-password' });
export const newPasswordField = () => ({
  name: 'password', label: t('Password'), type: 'password', autocomplete: 'new-password',
  hint: t('At least 8 characters. Several words are better than one.'),
});

/** Password managers are to know whose password it is. */
export const owner = () => ({ name: 'username', type: 'text', autocomplete: 'username', value: signedIn()?.handle ?? '',
  readonly: true, hidden: true, optional: true });

// What is said while an account goes that had much in it.
export const deleting = () => t('Everything you left is being removed. With many clips and messages this takes a while; please stay here.');
export const DELETING_MS = 180_000;

// Fields that stand on several pages.

import { signedIn } from '../auth/auth.js';

export const PASSWORD = { name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' };
export const NEW_PASSWORD = {
  name: 'password', label: 'Password', type: 'password', autocomplete: 'new-password',
  hint: 'At least 8 characters. Several words are better than one.',
};

/** Password managers are to know whose password it is. */
export const owner = () => ({ name: 'username', type: 'text', autocomplete: 'username', value: signedIn()?.handle ?? '',
  readonly: true, hidden: true, optional: true });

// What is said while an account goes that had much in it.
export const DELETING = 'Everything you left is being removed. With many clips and messages this takes a while; please stay here.';
export const DELETING_MS = 180_000;

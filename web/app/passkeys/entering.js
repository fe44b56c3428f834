// Signing in by a passkey: by itself, or as the second step behind a password or a service.

import { requestAsAnybody } from '../api/api.js';
import { enter } from '../auth/entering.js';
import { sign } from './keys.js';

/** Answers the account. `challenge`: of a sign-in whose first step was another. */
export async function enterByKey(challenge = null) {
  const question = await requestAsAnybody('/sessions/passkey-questions', { method: 'POST' });
  const answer = await sign(question, challenge !== null);
  return enter('/sessions/passkeys', { ...answer, ...(challenge && { challenge }) });
}

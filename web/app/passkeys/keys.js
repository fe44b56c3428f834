// What a browser does with passkeys (WebAuthn): bytes in and out, as the API says them.
// It refuses to know whose they are, and what comes of an answer.

import { ApiError } from '../api/exchange.js';
import { t } from '../words/words.js';

// ES256, EdDSA and RS256, in the order in which they are wanted.
const ALGORITHMS = [-7, -8, -257];

export const bytesOf = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));

export const textOf = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');

const keyOf = (id) => ({ type: 'public-key', id: bytesOf(id) });

/** Whether this page has passkeys of that site. */
export const hasKeys = (site) => Boolean(site) && Boolean(globalThis.PublicKeyCredential)
  && (location.hostname === site || location.hostname.endsWith(`.${site}`));

/** What was given up, or what cannot be, in words; browsers say little of why. */
function refusedBy(error) {
  const words = error.name === 'InvalidStateError' ? t('This device has a passkey of this account already.')
    : error.name === 'NotAllowedError' ? t('No passkey was used. You can try again.') : t('This browser cannot use passkeys here.');
  return new ApiError({ status: 403, code: 'passkey_unused', detail: words }, error);
}

async function asked(work) {
  try {
    return await work();
  } catch (error) {
    throw refusedBy(error);
  }
}

/** Has the device make one. */
export async function make({ challenge, site, user, handle, name, known }) {
  const { response } = await asked(() => navigator.credentials.create({ publicKey: {
    challenge: bytesOf(challenge), rp: { id: site, name: site }, user: { id: bytesOf(user), name: handle, displayName: name },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })), excludeCredentials: known.map(keyOf), attestation: 'none',
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
  } }));
  return { client_data: textOf(response.clientDataJSON), attestation: textOf(response.attestationObject) };
}

/** Has the device sign. `isSecond`: somebody has shown the password already, so it need not know who holds it. */
export async function sign({ challenge, site }, isSecond) {
  const { rawId, response } = await asked(() => navigator.credentials.get({ publicKey: {
    challenge: bytesOf(challenge), rpId: site, userVerification: isSecond ? 'discouraged' : 'required',
  } }));
  const user = response.userHandle?.byteLength ? { user: textOf(response.userHandle) } : {};
  return {
    credential: textOf(rawId), client_data: textOf(response.clientDataJSON), authenticator_data: textOf(response.authenticatorData),
    signature: textOf(response.signature), ...user,
  };
}

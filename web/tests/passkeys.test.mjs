import assert from 'node:assert/strict';
import test from 'node:test';
import { bytesOf, hasKeys, make, sign, textOf } from '../app/passkeys/keys.js';

const buffer = (...bytes) => new Uint8Array(bytes).buffer;
const refusing = (name) => () => Promise.reject(Object.assign(new Error(name), { name }));

function withCredentials(context, credentials) {
  const before = Object.getOwnPropertyDescriptor(globalThis, 'navigator') ?? { configurable: true, value: undefined };
  context.after(() => Object.defineProperty(globalThis, 'navigator', before));
  Object.defineProperty(globalThis, 'navigator', { configurable: true, value: { credentials } });
}

test('bytes are written as the API reads them, and read back', () => {
  for (let length = 0; length < 40; length += 1) {
    const bytes = Uint8Array.from({ length }, (_, index) => (index * 97 + 251) % 256);
    const text = textOf(bytes.buffer);
    assert.match(text, /^[A-Za-z0-9_-]*$/);
    assert.equal(text, Buffer.from(bytes).toString('base64url'));
    assert.deepEqual([...bytesOf(text)], [...bytes]);
  }
});

test('a key is asked for that the device keeps, and knows its holder', async (context) => {
  let asked;
  withCredentials(context, { create: async ({ publicKey }) => {
    asked = publicKey;
    return { response: { clientDataJSON: buffer(1), attestationObject: buffer(255, 254) } };
  } });
  const made = await make({ challenge: 'AQI', site: 'clips.example', user: 'YWRh', handle: 'ada', name: 'Ada', known: ['AAE'] });
  assert.deepEqual(made, { client_data: 'AQ', attestation: '__4' });
  assert.deepEqual([...asked.challenge], [1, 2]);
  assert.deepEqual(asked.pubKeyCredParams.map(({ alg }) => alg), [-7, -8, -257]);
  assert.deepEqual([...asked.excludeCredentials[0].id], [0, 1]);
  assert.equal(asked.attestation, 'none');
  assert.equal(asked.authenticatorSelection.residentKey, 'required');
  assert.equal(asked.authenticatorSelection.userVerification, 'required');
});

test('behind a password a touch is enough', async (context) => {
  const asked = [];
  withCredentials(context, { get: async ({ publicKey }) => {
    asked.push(publicKey.userVerification);
    return { rawId: buffer(1), response: { clientDataJSON: buffer(2), authenticatorData: buffer(3), signature: buffer(4), userHandle: asked.length > 1 ? null : buffer(5) } };
  } });
  const question = { challenge: 'AQ', site: 'clips.example' };
  assert.deepEqual(await sign(question, false), { credential: 'AQ', client_data: 'Ag', authenticator_data: 'Aw', signature: 'BA', user: 'BQ' });
  assert.equal('user' in await sign(question, true), false);
  assert.deepEqual(asked, ['required', 'discouraged']);
});

test('whatever a browser refuses is said in words', async (context) => {
  const setup = { challenge: 'AQ', site: 'x', user: 'AQ', handle: 'ada', name: 'Ada', known: [] };
  for (const [name, words] of [['InvalidStateError', /already/], ['NotAllowedError', /try again/], ['SecurityError', /cannot use/]]) {
    withCredentials(context, { create: refusing(name), get: refusing(name) });
    await assert.rejects(make(setup), ({ detail }) => words.test(detail));
    await assert.rejects(sign(setup, false), ({ detail }) => words.test(detail));
  }
});

test('a page has passkeys of its own site alone', (context) => {
  context.after(() => { delete globalThis.PublicKeyCredential; delete globalThis.location; });
  globalThis.location = { hostname: 'clips.example' };
  assert.equal(hasKeys('clips.example'), false);
  globalThis.PublicKeyCredential = class {};
  assert.equal(hasKeys('clips.example'), true);
  assert.equal(hasKeys('example'), true);
  assert.equal(hasKeys('other.example'), false);
  assert.equal(hasKeys('lips.example'), false);
  assert.equal(hasKeys(undefined), false);
});

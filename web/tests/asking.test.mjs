import assert from 'node:assert/strict';
import test from 'node:test';

import { addressOf, again, generate, publish, refine } from '../app/generation/asking.js';
import { withDoors } from './doors.mjs';

// What hears that one is ready needs a page.
globalThis.document = Object.assign(new EventTarget(), { hidden: true, querySelector: () => null });
globalThis.addEventListener = () => {};

const WISH = { prompt: 'a fox', seconds: 5, style: 'none', aspect: '9:16' };
const told = { id: 'g/1', state: 'reserved' };

/** A server that answers one thing after the other, and keeps what it was asked. */
function serve(t, ...answers) {
  const asked = [];
  t.mock.method(globalThis, 'fetch', withDoors(async (url, { method, body, headers }) => {
    asked.push({ url, method, body: body && JSON.parse(body), key: headers['Idempotency-Key'] });
    return (answers.length > 1 ? answers.shift() : answers[0])();
  }));
  return asked;
}

const accepted = () => Response.json(told, { status: 202 });
const lost = () => { throw new TypeError('the connection broke'); };
const refused = () => Response.json({ code: 'content_policy', field: 'prompt', detail: 'No.' }, { status: 422 });

test('a try after a lost answer is the same one, and the next wish another', async (t) => {
  const asked = serve(t, lost, () => new Response('<html>', { status: 502 }), accepted);
  await assert.rejects(generate(WISH), { mayHaveArrived: true });
  await assert.rejects(generate(WISH), { status: 502 });
  assert.deepEqual(await generate(WISH), told);
  await generate(WISH);
  const keys = asked.map(({ key }) => key);
  assert.equal(new Set(keys.slice(0, 3)).size, 1);
  assert.notEqual(keys[3], keys[2]);
  assert.deepEqual(asked[0], { url: '/api/v1/generations', method: 'POST', body: WISH, key: keys[0] });
});

test('what was refused is tried again as another', async (t) => {
  const asked = serve(t, refused, accepted);
  await assert.rejects(generate(WISH), { code: 'content_policy', field: 'prompt' });
  await generate(WISH);
  assert.notEqual(asked[0].key, asked[1].key);
});

test('other words and the same once more are asked for as the contract has it', async (t) => {
  const asked = serve(t, accepted);
  await refine('g/1', 'two foxes');
  await again({ ...told, ...WISH, credits: 5, from_clip_id: 'c' });
  await again({ ...told, ...WISH, picture_id: 'p' });
  await again({ ...told, ...WISH });
  assert.deepEqual(asked.map(({ url, body }) => [url, body]), [
    ['/api/v1/generations/g%2F1/refinements', { prompt: 'two foxes' }],
    ['/api/v1/generations', { ...WISH, from_clip_id: 'c' }], ['/api/v1/generations', { ...WISH, picture_id: 'p' }], ['/api/v1/generations', WISH]]);
  assert.equal(new Set(asked.map(({ key }) => key)).size, 4);
});

test('publishing needs no key: any number of times is once', async (t) => {
  const asked = serve(t, () => Response.json({ ...told, state: 'ready', is_published: true }));
  assert.equal((await publish('g/1', { caption: 'x' })).is_published, true);
  assert.deepEqual(asked, [{ url: '/api/v1/generations/g%2F1/publication', method: 'PUT', body: { caption: 'x' }, key: undefined }]);
  assert.equal(addressOf('g/1'), '#account/generation/g%2F1');
});

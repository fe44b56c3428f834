// Parts that go straight to the storage: when the page leaves it alone and sends its bytes to the server instead.
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { Parts } from '../app/upload/direct/parts.js';
import { StorageRefusal, failureOf } from '../app/upload/errors.js';
import { REASON } from '../app/upload/wire.js';

const MB = 1 << 20;
const DIRECT = {
  part_bytes: 5 * MB, count: 3, stored: [2], valid_seconds: 900,
  addresses: [{ number: 1, url: 'https://bucket.example/1' }, { number: 3, url: 'https://bucket.example/3' }],
};
const FIELDS = [5 * MB, 900_000, 1, 2];
const body = new Uint8Array(10);

/** A storage in place of the network: `answers` of `{left, status}`; without a status the connection breaks. */
function storage(...answers) {
  const asked = [];
  globalThis.XMLHttpRequest = class extends EventTarget {
    upload = new EventTarget();
    open(...place) { asked.push(place); }
    setRequestHeader(name) { asked.push(name); }
    abort() { this.dispatchEvent(new Event('abort')); }
    send() {
      const { left = 0, status, hangs } = answers.shift();
      if (left) this.upload.dispatchEvent(Object.assign(new Event('progress'), { loaded: left }));
      if (hangs) return;
      this.status = status;
      this.dispatchEvent(new Event(status ? 'load' : 'error'));
      this.dispatchEvent(new Event('loadend'));
    }
  };
  return asked;
}

afterEach(() => { delete globalThis.XMLHttpRequest; });

const { signal } = new AbortController();
const outcome = (parts, part = 1) => parts.send(part, body, signal, () => {}).then(() => null, (error) => error);
const reasonOf = (error) => failureOf(error, () => 0).reason;

test('a part goes to its address without a header that the storage would have to allow', async () => {
  const asked = storage({ left: 10, status: 200 });
  const parts = new Parts();
  assert.deepEqual(parts.take(DIRECT), FIELDS);
  assert.equal(await outcome(parts), null);
  assert.deepEqual(asked, [['PUT', 'https://bucket.example/1']]);
  assert.equal(parts.take(undefined), null);
});

test('what the storage refuses is asked of the server, what passes waits, and no address is one that ended', async () => {
  storage({ status: 403 }, { status: 404 }, { status: 503 }, { status: 429 }, {});
  const parts = new Parts();
  parts.take(DIRECT);
  const reasons = [];
  for (let i = 0; i < 5; i += 1) reasons.push(reasonOf(await outcome(parts)));
  assert.deepEqual(reasons, [REASON.addressExpired, REASON.addressExpired, REASON.serverBusy, REASON.serverBusy, REASON.network]);
  const unknown = await outcome(parts, 2);
  assert.ok(unknown instanceof StorageRefusal);
  assert.equal(reasonOf(unknown), REASON.addressExpired);
});

test('after three rounds in which nothing got there the bytes go to the server', async () => {
  for (const closed of [{}, { left: 65_536 }, { status: 403 }]) {
    storage(...Array(4).fill(closed));
    const parts = new Parts();
    for (let round = 0; round < 3; round += 1) {
      assert.deepEqual(parts.take(DIRECT), FIELDS);
      await outcome(parts);
    }
    assert.equal(parts.take(DIRECT), null);
    // And stay there.
    assert.equal(parts.take(DIRECT), null);
  }
});

test('several parts that fall together are one round, and so are questions without an answer', async () => {
  storage(...Array(9).fill({}));
  const parts = new Parts();
  parts.take(DIRECT);
  for (let i = 0; i < 6; i += 1) await outcome(parts);
  assert.deepEqual(parts.take(DIRECT), FIELDS);
  assert.deepEqual(parts.take(DIRECT), FIELDS);
});

test('a connection that breaks on the way, and a part that gets there, are no reason to leave', async () => {
  const broken = { left: MB };
  storage({}, {}, broken, {}, {}, { left: 10, status: 200 }, {}, {}, { status: 503 }, {}, {});
  const parts = new Parts();
  for (let i = 0; i < 11; i += 1) {
    assert.deepEqual(parts.take(DIRECT), FIELDS);
    await outcome(parts);
  }
});

test('a part that is given up says so and counts for nothing', async () => {
  storage(...Array(5).fill({ hangs: true }));
  const parts = new Parts();
  for (let i = 0; i < 5; i += 1) {
    assert.deepEqual(parts.take(DIRECT), FIELDS);
    const leaving = new AbortController();
    const sent = parts.send(1, body, leaving.signal, () => {});
    leaving.abort();
    await assert.rejects(sent, { name: 'AbortError' });
  }
});

// The browser's host of the upload machine: what its parts decide of bytes, words and answers.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ApiError } from '../app/api/api.js';
import { CAPTION_LENGTH, captionFits, charactersIn, patchOf, tagsIn, wireDetails } from '../app/upload/details.js';
import { numbersOf } from '../app/core/core.js';
import { kindOf } from '../app/upload/file.js';
import { Sha256, hashOf } from '../app/upload/hash.js';
import { Codes, UnreadableFile, failureOf, isOfContent, secondsOf } from '../app/upload/errors.js';
import {
  COMMANDS, DOOR, EMPTY_SCREEN, KIND, PHASE, REASON, UPLOAD, hashWords, hexOf, wasPublishRequested,
} from '../app/upload/wire.js';
import { left, lineOf, paced, pillOf, shareOf, sized, sizedOf, troubleOf } from '../app/upload/strings.js';

const description = readFileSync(new URL('../../docs/design/upload.md', import.meta.url), 'utf8');
const numbers = (heading) => {
  const section = description.split(/^(?:## |\*\*)/m).find((part) => part.startsWith(heading));
  return Object.fromEntries([...section.matchAll(/^\| (\d+) \| `(\w+)` \|/gm)].map(([, number, name]) => [name, Number(number)]));
};

test('events, commands, phases and reasons have the numbers of the interface description', () => {
  assert.deepEqual({ ...UPLOAD }, numbers('Events'));
  assert.deepEqual({ ...numbersOf(COMMANDS) }, { wake: 34, ...numbers('Commands') });
  assert.deepEqual({ ...PHASE }, numbers('Phases'));
  assert.deepEqual({ ...REASON }, { none: 0, ...numbers('Failures') });
});

test('the screen has the fields of the description, in their order', () => {
  const [, fields] = description.match(/^\| 138 \| `show` \| ([^|]*) \|/m);
  assert.deepEqual(Object.keys(EMPTY_SCREEN), [...fields.matchAll(/`(\w+)`/g)].map(([, name]) => name));
});

test('keys and hashes keep every bit', () => {
  const bytes = createHash('sha256').update('clip').digest();
  const words = hashWords(new Uint8Array(bytes));
  assert.equal(hexOf(words.map(DOOR.read)), bytes.toString('hex'));
  assert.equal(hexOf([0, -1].map(BigInt)), '0000000000000000ffffffffffffffff');
});

test('what was stored says whether it was to be published', () => {
  assert.equal(wasPublishRequested([1, 2n ** 62n, 4, 0, 0b10000111]), true);
  assert.equal(wasPublishRequested([1, 2n ** 62n, 4, 0, 0b01111111]), false);
});

test('SHA-256 without the browser’s is the same, whatever the pieces', async () => {
  const bytes = Uint8Array.from({ length: 1000 }, (_, i) => (i * 31) % 251);
  const proven = (part) => createHash('sha256').update(part).digest('hex');
  for (const length of [0, 1, 55, 56, 63, 64, 65, 119, 120, 128, 1000]) {
    for (const piece of [1, 7, 64, 100, 1000]) {
      const hash = new Sha256();
      for (let at = 0; at < length; at += piece) hash.update(bytes.subarray(at, Math.min(length, at + piece)));
      assert.equal(Buffer.from(hash.end()).toString('hex'), proven(bytes.subarray(0, length)), `${length} by ${piece}`);
    }
  }
  const large = new Blob([new Uint8Array(700_001).fill(5)]);
  const shares = [];
  const { signal } = new AbortController();
  const one = await hashOf(large, signal, (share) => shares.push(share), null);
  assert.deepEqual(one, await hashOf(large, signal, () => {}));
  assert.equal(shares.length, 3);
  assert.equal(shares.at(-1), 1);
});

test('a hash that nobody waits for any more is given up, and a file that is gone is said to be', async () => {
  const aborted = AbortSignal.abort();
  await assert.rejects(hashOf(new Blob(['x']), aborted, () => {}, null), { name: 'AbortError' });
  const gone = { size: 1, arrayBuffer: () => Promise.reject(new Error('moved')), slice() { return this; } };
  for (const subtle of [null, {}]) {
    await assert.rejects(hashOf(gone, new AbortController().signal, () => {}, subtle), UnreadableFile);
  }
});

const head = (text, offset = 0) => Uint8Array.from({ length: 1024 }, (_, i) => text.charCodeAt(i - offset) || 0);

test('the container is told by the first bytes, whatever the name says', () => {
  assert.equal(kindOf(head('ftypisom', 4)), KIND.mp4);
  assert.equal(kindOf(head('ftypqt  ', 4)), KIND.mp4);
  assert.equal(kindOf(head('moov', 4)), KIND.mp4);
  assert.equal(kindOf(head('ftyp3gp5', 4)), KIND.threeGP);
  assert.equal(kindOf(Uint8Array.of(0x1a, 0x45, 0xdf, 0xa3, 1)), KIND.webm);
  const packets = new Uint8Array(1024);
  for (const at of [0, 188, 376]) packets[at] = 0x47;
  assert.equal(kindOf(packets), KIND.mpegTS);
  const stamped = new Uint8Array(1024);
  for (const at of [4, 196, 388]) stamped[at] = 0x47;
  assert.equal(kindOf(stamped), KIND.mpegTS);
  for (const other of [head('ftypheic', 4), head('ftypavif', 4), head('GIF89a'), head('#EXTM3U'), head('RIFF'), new Uint8Array(0)]) {
    assert.equal(kindOf(other), KIND.unknown);
  }
});

test('a failure is told by the code of the answer, else by its status', () => {
  const codes = new Codes();
  const saying = (headers) => ({ header: (name) => headers[name] ?? null });
  const reasonOf = (problem) => failureOf(new ApiError(problem), (code) => codes.numberOf(code));
  assert.deepEqual(reasonOf({ status: 409, code: 'upload_offset_mismatch', ...saying({ 'Upload-Offset': '7' }) }),
    { reason: REASON.offsetMismatch, detail: 7, retryAfter: 0 });
  assert.equal(reasonOf({ status: 409, code: 'upload_incomplete' }).detail, -1);
  assert.deepEqual(reasonOf({ status: 423, code: 'upload_busy', ...saying({ 'Retry-After': '1' }) }),
    { reason: REASON.serverBusy, detail: 0, retryAfter: 1000 });
  assert.deepEqual(reasonOf({ status: 429, code: 'upload_quota', ...saying({ 'Retry-After': '600' }) }),
    { reason: REASON.tooManyRequests, detail: 0, retryAfter: 600_000 });
  assert.equal(reasonOf({ status: 410, code: 'upload_expired' }).reason, REASON.gone);
  assert.equal(reasonOf({ status: 404, code: 'upload_not_found' }).reason, REASON.gone);
  assert.equal(reasonOf({ status: 422, code: 'upload_hash_mismatch' }).reason, REASON.hashMismatch);
  assert.equal(reasonOf({ status: 507, code: 'storage_full', ...saying({ 'Retry-After': '60' }) }).reason, REASON.storageFull);
  assert.equal(reasonOf({ status: 503 }).reason, REASON.serverBusy);
  assert.equal(reasonOf({ status: 401 }).reason, REASON.signInNeeded);
  // A page of something in between is no word of the server's.
  assert.equal(reasonOf({ status: 404 }).reason, REASON.rejected);
  const rejected = reasonOf({ status: 403, code: 'uploads_off' });
  assert.equal(rejected.reason, REASON.rejected);
  assert.equal(codes.codeOf(rejected.detail), 'uploads_off');
  assert.equal(codes.codeOf(0), '');
  assert.equal(failureOf(new TypeError('Failed to fetch')).reason, REASON.network);
  assert.equal(failureOf(new DOMException('', 'TimeoutError')).reason, REASON.timeout);
  assert.equal(reasonOf({}).reason, REASON.network);
  assert.equal(failureOf(new ApiError({}, new DOMException('', 'TimeoutError'))).reason, REASON.timeout);
  assert.ok(isOfContent(new ApiError({ status: 415, code: 'not_a_video' })));
  assert.ok(!isOfContent(new ApiError({ status: 403, code: 'uploads_off' })));
});

test('Retry-After is seconds or a date', () => {
  assert.equal(secondsOf('5'), 5);
  assert.equal(secondsOf('Thu, 01 Jan 1970 00:00:09 GMT', 2000), 7);
  for (const nothing of [null, '', 'soon', '-3', 'Thu, 01 Jan 1970 00:00:01 GMT']) assert.equal(secondsOf(nothing, 2000), 0);
});

test('tags are words, each once, as the server spells them', () => {
  assert.deepEqual(tagsIn('#Dawn, pier #dawn  Hafen-Rundfahrt; 夕焼け été'), ['dawn', 'pier', 'hafenrundfahrt', '夕焼け', 'été']);
  assert.deepEqual(tagsIn(' <script>, ../etc ☂ '), ['script', 'etc']);
  assert.equal(tagsIn(Array.from({ length: 40 }, (_, i) => `t${i}`).join(' ')).length, 30);
  assert.deepEqual(tagsIn('x'.repeat(51)), []);
});

test('a caption is counted in characters as people see them', () => {
  assert.equal(charactersIn('👩‍👩‍👧é'), 2);
  assert.ok(captionFits({ caption: '👩‍👩‍👧'.repeat(CAPTION_LENGTH) }));
  assert.ok(!captionFits({ caption: 'x'.repeat(CAPTION_LENGTH + 1) }));
});

test('only what differs is sent, and what was emptied is', () => {
  const wanted = wireDetails({ caption: ' At the pier ', tags: 'a b', visibility: 'odd' });
  assert.deepEqual(wanted, { caption: 'At the pier', tags: ['a', 'b'], visibility: 'public' });
  assert.equal(patchOf(wanted, wireDetails({ caption: 'At the pier', tags: 'a, b', visibility: 'public' })), null);
  assert.deepEqual(patchOf(wanted, { ...wanted, caption: '', tags: [] }), { caption: '', tags: [] });
  assert.deepEqual(patchOf(null, wanted), wanted);
  // A cover is said once it was chosen, also the first picture again.
  assert.equal('cover_ms' in wireDetails({ caption: '', tags: '', cover: null }), false);
  // Who takes the mark away says so.
  assert.deepEqual(patchOf({ ...wanted, for_adults: true }, { ...wanted, ...wireDetails({ ...wanted, tags: 'a b', adults: false }) }), { for_adults: false });
  assert.deepEqual(patchOf(wanted, { ...wanted, ...wireDetails({ ...wanted, tags: 'a b', cover: 0 }) }), { cover_ms: 0 });
});

const seen = (screen, more = {}) => ({ screen: { ...EMPTY_SCREEN, ...screen }, code: '', ...more });

test('numbers are as people read them', () => {
  assert.equal(sized(800), '1 KB');
  assert.equal(sized(50 * 1024 * 1024), '50.0 MB');
  assert.equal(sizedOf(3_250_000, 12_900_000), '3.1 of 12.3 MB');
  assert.equal(paced(12_000_000), '1.4 MB/s');
  assert.equal(left(13_200), '14 s left');
  assert.equal(left(150_000), '3 min left');
  const sending = { phase: PHASE.sending, acknowledged: 2 ** 20, inFlight: 2 ** 19, total: 2 ** 22, speed: 2 ** 23, remaining: 2500 };
  assert.equal(lineOf(seen(sending), 0), '1.5 of 4.0 MB · 1.0 MB/s · 3 s left');
  assert.equal(lineOf(seen({ ...sending, speed: 0, remaining: -1 }), 0), '1.5 of 4.0 MB');
  assert.equal(shareOf(seen(sending).screen), 0.375);
  assert.equal(lineOf(seen({ phase: PHASE.waiting, waitingUntil: 9400 }), 5000), 'The connection broke. It resumes in 5 s.');
  assert.equal(lineOf(seen({ phase: PHASE.waiting, waitingUntil: 605_000 }, { problem: { code: 'storage_full' } }), 5000),
    'The server is full. It resumes in 10 min.');
});

test('whatever ends an upload has a sentence that says what to do', () => {
  for (const phase of Object.values(PHASE)) assert.equal(typeof pillOf(seen({ phase, total: 1 })), 'string');
  for (const [name, reason] of Object.entries(REASON)) {
    for (const phase of [PHASE.failed, PHASE.refused]) {
      const [title, sentence] = troubleOf(seen({ phase, reason }));
      assert.ok(title && sentence.endsWith('.'), name);
    }
  }
  assert.match(troubleOf(seen({ phase: PHASE.refused, reason: REASON.tooLong }))[1], /Cut it/);
  assert.match(troubleOf(seen({ phase: PHASE.refused }, { code: 'too_long' }))[1], /Cut it/);
  assert.equal(troubleOf(seen({ phase: PHASE.refused }, { code: 'new_one', problem: { detail: 'It is upside down.' } }))[1],
    'It is upside down.');
  assert.equal(troubleOf(seen({ phase: PHASE.sending, reason: REASON.network })), null);
});

// What a source says of AI before another file is made of it: the page brings the bytes, the core says what they mean.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { box, words } from '../app/preparing/boxes.js';
import { sourceTypeOf, stronger } from '../app/preparing/marks.js';

const { instance: { exports } } = await WebAssembly.instantiate(readFileSync(new URL('../upload.wasm', import.meta.url)));

const [TRAINED, COMPOSITE] = ['trainedAlgorithmicMedia', 'compositeWithTrainedAlgorithmicMedia'];
const bytes = (text) => new TextEncoder().encode(text);
const XMP = Uint8Array.from('be7acfcb97a942e89c71999491e3afac'.match(/../g), (hex) => parseInt(hex, 16));
const packet = (type) => bytes(`<a Iptc4xmpExt:DigitalSourceType="http://cv.iptc.org/newscodes/digitalsourcetype/${type}"/>`);
const xmp = (type) => box('uuid', XMP, packet(type));
const START = box('ftyp', bytes('isomiso2'));

/** With what of it was read. */
async function look(...parts) {
  const file = new Blob(parts);
  const pieces = [];
  const counting = { size: file.size, slice: (from, to) => {
    pieces.push([from, Math.min(to, file.size)]);
    return file.slice(from, to);
  } };
  const found = await sourceTypeOf(counting, exports, new AbortController().signal);
  return { found, read: pieces.reduce((sum, [from, to]) => sum + to - from, 0), pieces };
}

test('a mark is found before and behind the media, and the media are not read', async () => {
  for (const type of [TRAINED, COMPOSITE]) {
    const media = box('mdat', new Uint8Array(20 << 20));
    for (const parts of [[START, xmp(type), media], [START, media, xmp(type)], [START, media, box('moov', box('udta', box('XMP_', packet(type))))]]) {
      const { found, read } = await look(...parts);
      assert.equal(found, type);
      assert.ok(read < 20_000, `${read}`);
    }
  }
});

test('another mark, none, and what is no video say nothing', async () => {
  for (const parts of [[START, xmp('digitalCapture')], [START], [], [bytes('GIF89a')], [new Uint8Array(500).fill(0x47)]]) {
    assert.equal((await look(...parts)).found, null);
  }
});

test('hostile sizes end the reading', async () => {
  const mark = xmp(TRAINED);
  for (const size of [2, 7, 8, 23, 2 ** 32 - 1]) assert.equal((await look(START, words(size), mark.slice(4))).found, null);
  for (const [high, low] of [[0x7fffffff, 0xffffffff], [0xffffffff, 0xffffffff], [0, 15], [1, 0]]) {
    assert.equal((await look(START, words(1), bytes('moov'), words(high, low), mark)).found, null);
  }
  // Nothing is read of what is larger than all that is read of a file.
  const { found, read } = await look(START, box('uuid', XMP, packet(TRAINED), new Uint8Array(2 << 20)));
  assert.deepEqual([found, read < 20_000], [null, true]);
});

test('a file that is cut while it is read says nothing', async () => {
  const whole = new Blob([START, xmp(TRAINED)]);
  const { signal } = new AbortController();
  for (let there = 0; there < whole.size; there += 7) {
    const file = { size: whole.size, slice: (from, to) => whole.slice(Math.min(from, there), Math.min(to, there)) };
    assert.equal(await sourceTypeOf(file, exports, signal), null);
  }
});

test('many small boxes are read in pieces, and one look ends for another', async () => {
  const free = box('free');
  const { found, pieces } = await look(START, ...Array(5000).fill(free), xmp(COMPOSITE));
  assert.equal(found, COMPOSITE);
  assert.ok(pieces.length < 20, `${pieces.length}`);
  const giveUp = new AbortController();
  const first = sourceTypeOf(new Blob([START, xmp(TRAINED)]), exports, giveUp.signal);
  giveUp.abort();
  const second = look(START, xmp(COMPOSITE));
  await assert.rejects(first, { name: 'AbortError' });
  assert.equal((await second).found, COMPOSITE);
});

test('a mark can only become stronger', () => {
  assert.equal(stronger(null, null), null);
  assert.equal(stronger(undefined, COMPOSITE), COMPOSITE);
  assert.equal(stronger(COMPOSITE, null), COMPOSITE);
  assert.equal(stronger(COMPOSITE, TRAINED), TRAINED);
  assert.equal(stronger(TRAINED, COMPOSITE), TRAINED);
});

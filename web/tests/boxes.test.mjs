import assert from 'node:assert/strict';
import test from 'node:test';
import { mediaStart, pictureCodecs, silenceInit, silenceSegment } from '../app/playback/source-buffer.js';

const text = (name) => [...name].map((c) => c.charCodeAt(0));
const word = (value) => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
const box = (type, ...content) => {
  const body = content.flat(Infinity);
  return [...word(body.length + 8), ...text(type), ...body];
};
const track = (number, handler) => box('trak',
  box('tkhd', word(0), word(0), word(0), word(number), word(0)),
  box('mdia', box('hdlr', word(0), word(0), text(handler), word(0))));
const trex = (number) => box('trex', word(0), word(number), word(1));
const traf = (number) => box('traf', box('tfhd', word(0x20000), word(number)), box('trun', word(0)));

const init = Uint8Array.from([
  box('ftyp', text('iso6')),
  box('moov', box('mvhd', word(0)), track(1, 'vide'), track(2, 'soun'), box('mvex', trex(1), trex(2))),
].flat());
const segment = Uint8Array.from([
  box('moof', box('mfhd', word(1)), traf(1), traf(2)), box('mdat', word(7)),
].flat());

/** The types of the boxes, those within others too, where they begin with a plausible size. */
function types(bytes, from = 0, to = bytes.length) {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const found = [];
  for (let at = from; at < to; at += view.getUint32(at)) {
    const type = String.fromCharCode(...bytes.slice(at + 4, at + 8));
    const inner = ['moov', 'mvex', 'moof'].includes(type);
    found.push(type, ...(inner ? types(bytes, at + 8, at + view.getUint32(at)) : []));
  }
  return found;
}

test('the sound is gone from init and segment, and nothing has moved', () => {
  const { bytes, silenced } = silenceInit(init);
  assert.deepEqual([...silenced], [2]);
  assert.equal(bytes.length, init.length);
  assert.deepEqual(types(bytes), ['ftyp', 'moov', 'mvhd', 'trak', 'free', 'mvex', 'trex', 'free']);
  const quiet = silenceSegment(segment, silenced);
  assert.equal(quiet.length, segment.length);
  assert.deepEqual(types(quiet), ['moof', 'mfhd', 'traf', 'free', 'mdat']);
});

test('the bytes in the store stay as they are', () => {
  const before = [init.slice(), segment.slice()];
  silenceSegment(segment, silenceInit(init).silenced);
  assert.deepEqual([init, segment], before);
});

test('bytes that are no boxes are passed on', () => {
  for (const size of [0, 1, 7, 8, 9, 200]) {
    for (const value of [0, 1, 255]) {
      const noise = new Uint8Array(size).fill(value);
      assert.deepEqual(silenceInit(noise).bytes, noise);
      assert.deepEqual(silenceSegment(noise, new Set([2])), noise);
    }
  }
  for (let cut = 0; cut < init.length; cut += 1) silenceInit(init.slice(0, cut));
  for (let cut = 0; cut < segment.length; cut += 1) silenceSegment(segment.slice(0, cut), new Set([2]));
});

test('only what is known to be a picture counts as one', () => {
  assert.equal(pictureCodecs('avc1.64001f,mp4a.40.2'), 'avc1.64001f');
  assert.equal(pictureCodecs('mp4a.40.2, hvc1.1.6.L93.B0'), 'hvc1.1.6.L93.B0');
  assert.equal(pictureCodecs('mp4a.40.2'), '');
  assert.equal(pictureCodecs('unknown.1,mp4a.40.2'), '');
});

test('the first bytes of a segment tell where its samples begin, once they reach so far', () => {
  const start = segment.length - 4;
  assert.equal(mediaStart(segment), start);
  assert.equal(mediaStart(segment.subarray(0, start)), start);
  for (let have = 0; have < start; have += 1) assert.equal(mediaStart(segment.subarray(0, have)), 0);
  assert.equal(mediaStart(new Uint8Array(40)), 0);
});

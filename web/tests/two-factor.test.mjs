import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import test from 'node:test';
import { qrOf } from '../app/two-factor/qr.js';

const textOf = (rows) => rows.map((row) => row.join(''));

// Made by another encoder of the standard, as are the digests below.
const ONE = [
  '111111100011101111111',
  '100000101110101000001',
  '101110100011101011101',
  '101110101100101011101',
  '101110100100101011101',
  '100000101001001000001',
  '111111101010101111111',
  '000000000100000000000',
  '111110111001010101010',
  '111010000011111001000',
  '001100110000101100000',
  '000100010111111001010',
  '111101111110100100100',
  '000000001100100100101',
  '111111101111010011110',
  '100000100110000110110',
  '101110101101010011100',
  '101110101011111001000',
  '101110101010101100000',
  '100000101101111001000',
  '111111101010100100110',
];

test('a short text is the code that others make of it', () => {
  assert.deepEqual(textOf(qrOf('a', 2)), ONE);
});

// The text, the mask, the version and the digest of the rows.
const DIGESTS = [
  ['a', 1, 1, 'cb0899d4a57bda7d0e7fedda392bcd04763d3c6e73390e6ad47527be147009c1'],
  ['otpauth://totp/clips.example:mara?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=clips.example', 5, 5, '980ffb7a01af9cd0e0cdfe33321b74b40869b80f80b3e5108d58f1f09126a3a1'],
  ['x'.repeat(150), 7, 7, '2255fd547913cca84f59b44f99ac5ccb5ec9441693d5591bb9555bc98c5ace20'],
  ['y'.repeat(271), 2, 10, 'd81f51e05b99bb293c1868547efbf0e6a193595867fbb768d6e352722c63a521'],
  ['z'.repeat(272), 3, 11, 'c6cdb38c431cdbd09f64593ad02a7a737c00d1dcd99026a2890e10a5a6bc391e'],
  ['é'.repeat(200), 5, 13, 'a942244cfded962345c3b3df1802a235e1bb10818f39fd0ad27f6690fee1bddc'],
  ['q'.repeat(700), 2, 18, '78eee12b2174cc3860660f3f3b8e2f74d9c8f092002bdc5f58e42aa3f20212d2'],
  ['w'.repeat(858), 4, 20, 'd0493ca21446971948a6f06b4a22630668a56d51b814f708daafb8a5fd19b611'],
];

for (const [text, mask, version, digest] of DIGESTS) {
  test(`version ${version} is the code that others make`, () => {
    const rows = textOf(qrOf(text, mask));
    assert.equal(rows.length, version * 4 + 17);
    assert.equal(createHash('sha256').update(rows.join('\n')).digest('hex'), digest);
  });
}

test('of eight masks one is taken', () => {
  const text = 'otpauth://totp/x:mara?secret=A';
  const all = [0, 1, 2, 3, 4, 5, 6, 7].map((mask) => textOf(qrOf(text, mask)).join('\n'));
  assert.equal(new Set(all).size, 8);
  assert.ok(all.includes(textOf(qrOf(text)).join('\n')));
});

test('what is too long has no code', () => {
  assert.ok(qrOf('w'.repeat(858), 0));
  assert.equal(qrOf('w'.repeat(859)), null);
  assert.equal(qrOf('é'.repeat(430)), null);
});

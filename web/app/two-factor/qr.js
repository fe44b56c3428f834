// A QR code (ISO/IEC 18004) of a short text: bytes, error correction L, versions 1 to 20.
// It refuses to know what the text is, and how its squares are drawn.

// By version: bytes of correction in a block, and blocks.
const CORRECTION = [7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28];
const BLOCKS = [1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8];
const MASKS = [
  (x, y) => (x + y) % 2, (x, y) => y % 2, (x) => x % 3, (x, y) => (x + y) % 3, (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2,
  (x, y) => ((x * y) % 2) + ((x * y) % 3), (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2, (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2,
];

const range = (count) => Array.from({ length: count }, (_, index) => index);
const bitsOf = (number, count) => range(count).map((index) => (number >>> (count - 1 - index)) & 1);

/** Squares that hold data or correction. */
function modulesIn(version) {
  const aligned = Math.floor(version / 7) + 2;
  return (16 * version + 128) * version + 64 - (version > 1 ? (25 * aligned - 10) * aligned - 55 : 0) - (version > 6 ? 36 : 0);
}
const bytesIn = (version) => Math.floor(modulesIn(version) / 8);
const dataIn = (version) => bytesIn(version) - CORRECTION[version - 1] * BLOCKS[version - 1];

/** In GF(2^8) by x^8 + x^4 + x^3 + x^2 + 1. */
function product(one, other) {
  let result = 0;
  for (let bit = 7; bit >= 0; bit -= 1) result = (result << 1) ^ ((result >>> 7) * 0x11d) ^ (((other >>> bit) & 1) * one);
  return result;
}

function divisorOf(degree) {
  const result = [...Array(degree - 1).fill(0), 1];
  let root = 1;
  for (let step = 0; step < degree; step += 1) {
    for (let place = 0; place < degree; place += 1) result[place] = product(result[place], root) ^ (result[place + 1] ?? 0);
    root = product(root, 2);
  }
  return result;
}

function correctionOf(data, divisor) {
  const rest = divisor.map(() => 0);
  for (const byte of data) {
    const factor = byte ^ rest.shift();
    rest.push(0);
    divisor.forEach((part, place) => { rest[place] ^= product(part, factor); });
  }
  return rest;
}

/** What is drawn: the blocks by turns, then their corrections. */
function codewordsOf(bytes, version) {
  const room = dataIn(version);
  const bits = [0, 1, 0, 0, ...bitsOf(bytes.length, version < 10 ? 8 : 16), ...[...bytes].flatMap((byte) => bitsOf(byte, 8))];
  bits.push(...range(Math.min(4, room * 8 - bits.length)).map(() => 0));
  while (bits.length % 8) bits.push(0);
  const data = range(bits.length / 8).map((place) => parseInt(bits.slice(place * 8, place * 8 + 8).join(''), 2));
  for (let pad = 0xec; data.length < room; pad ^= 0xec ^ 0x11) data.push(pad);
  const count = BLOCKS[version - 1];
  const short = Math.floor(room / count);
  // The last ones have a byte more.
  const blocks = range(count).map((index) => {
    const longer = (at) => Math.max(0, at - (count - room % count));
    return data.slice(index * short + longer(index), (index + 1) * short + longer(index + 1));
  });
  const divisor = divisorOf(CORRECTION[version - 1]);
  const byTurns = (lists) => range(Math.max(...lists.map(({ length }) => length))).flatMap((place) => lists.flatMap((list) => list.slice(place, place + 1)));
  return [...byTurns(blocks), ...byTurns(blocks.map((block) => correctionOf(block, divisor)))];
}

/** Bits of what the code says about itself, with their own correction. */
function guarded(value, bits, generator) {
  let rest = value << bits;
  for (let bit = 31; bit >= bits; bit -= 1) if ((rest >>> bit) & 1) rest ^= generator << (bit - bits);
  return (value << bits) | rest;
}

/** The rows of a code without its data: squares, and which of them are taken. */
function frame(version, mask) {
  const size = version * 4 + 17;
  const rows = range(size).map(() => Array(size).fill(null));
  const set = (x, y, isDark) => { if (rows[y]?.[x] !== undefined) rows[y][x] = isDark ? 1 : 0; };
  range(size).forEach((place) => { set(6, place, place % 2 === 0); set(place, 6, place % 2 === 0); });
  const around = (x, y, radius, isDark) => range(2 * radius + 1).forEach((dy) => range(2 * radius + 1).forEach((dx) =>
    set(x + dx - radius, y + dy - radius, isDark(Math.max(Math.abs(dx - radius), Math.abs(dy - radius))))));
  for (const [x, y] of [[3, 3], [size - 4, 3], [3, size - 4]]) around(x, y, 4, (far) => far !== 2 && far !== 4);
  const count = version > 1 ? Math.floor(version / 7) + 2 : 0;
  const step = Math.ceil((version * 4 + 4) / Math.max(1, count * 2 - 2)) * 2;
  const places = range(count).map((index) => (index ? size - 7 - (count - 1 - index) * step : 6));
  const isCorner = (x, y) => (x === 6 && (y === 6 || y === size - 7)) || (x === size - 7 && y === 6);
  for (const y of places) for (const x of places) if (!isCorner(x, y)) around(x, y, 2, (far) => far !== 1);
  // Level L is 1.
  const format = guarded((1 << 3) | mask, 10, 0x537) ^ 0x5412;
  const bit = (index) => (format >>> index) & 1;
  range(6).forEach((index) => { set(8, index, bit(index)); set(14 - index - 9, 8, bit(index + 9)); });
  set(8, 7, bit(6));
  set(8, 8, bit(7));
  set(7, 8, bit(8));
  range(8).forEach((index) => { set(size - 1 - index, 8, bit(index)); if (index < 7) set(8, size - 7 + index, bit(index + 8)); });
  set(8, size - 8, true);
  if (version > 6) {
    const word = guarded(version, 12, 0x1f25);
    range(18).forEach((index) => {
      const [long, wide] = [Math.floor(index / 3), size - 11 + index % 3];
      set(wide, long, (word >>> index) & 1);
      set(long, wide, (word >>> index) & 1);
    });
  }
  return rows;
}

/** Two columns at a time, from the right, up and down by turns. */
function fill(rows, codewords, mask) {
  const size = rows.length;
  const taken = rows.map((row) => row.map((square) => square !== null));
  const bits = codewords.flatMap((byte) => bitsOf(byte, 8));
  let isUp = true;
  for (let right = size - 1; right > 0; right -= 2, isUp = !isUp) {
    if (right === 6) right = 5;
    for (const step of range(size)) {
      const y = isUp ? size - 1 - step : step;
      for (const x of [right, right - 1]) if (!taken[y][x]) rows[y][x] = (bits.shift() ?? 0) ^ (MASKS[mask](x, y) === 0 ? 1 : 0);
    }
  }
  return rows;
}

/** How hard a code is to read: runs, squares, what looks like a corner, and more of one colour. */
function penaltyOf(rows) {
  const lines = [...rows, ...rows.map((_, x) => rows.map((row) => row[x]))].map((line) => line.join(''));
  let sum = 0;
  for (const line of lines) {
    for (const [run] of line.matchAll(/0{5,}|1{5,}/g)) sum += run.length - 2;
    for (const look of ['10111010000', '00001011101']) {
      for (let at = line.indexOf(look); at >= 0; at = line.indexOf(look, at + 1)) sum += 40;
    }
  }
  rows.slice(1).forEach((row, y) => row.slice(1).forEach((square, x) => {
    if (rows[y][x] === square && rows[y][x + 1] === square && row[x] === square) sum += 3;
  }));
  const dark = rows.flat().filter(Boolean).length / rows.length ** 2;
  return sum + Math.floor(Math.abs(dark * 20 - 10)) * 10;
}

/** Rows of 0 and 1, dark; null if the text is too long. `mask`: one of eight, else the one that is easiest to read. */
export function qrOf(text, mask = null) {
  const bytes = new TextEncoder().encode(text);
  const version = range(20).map((index) => index + 1).find((one) => bytes.length * 8 + (one < 10 ? 12 : 20) <= dataIn(one) * 8);
  if (!version) return null;
  const codewords = codewordsOf(bytes, version);
  const codes = (mask === null ? range(8) : [mask]).map((one) => fill(frame(version, one), codewords, one));
  const penalties = codes.map(penaltyOf);
  return codes[penalties.indexOf(Math.min(...penalties))];
}

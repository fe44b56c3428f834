// SHA-256 of a file. Browsers have it for pages that came over HTTPS or from this machine; for others it is
// reckoned here, a piece at a time, so that the page stays smooth.

import { UnreadableFile } from './errors.js';

// Some milliseconds of work; reading the next piece lets the page breathe in between.
const PIECE_BYTES = 256 << 10;
const BLOCK_BYTES = 64;
const PRIMES = 64;

/** The first 32 bits of the fractional parts of the roots of the first primes (FIPS 180-4, 4.2.2 and 5.3.3). */
function fractions(count, root) {
  const found = [];
  for (let candidate = 2; found.length < count; candidate += 1) {
    let isPrime = true;
    for (let i = 2; i * i <= candidate; i += 1) if (candidate % i === 0) isPrime = false;
    if (isPrime) found.push((candidate ** root % 1) * 2 ** 32);
  }
  return Uint32Array.from(found, Math.floor);
}

const turn = (word, by) => (word >>> by) | (word << (32 - by));

export class Sha256 {
  static #constants = fractions(PRIMES, 1 / 3);
  #state = fractions(8, 1 / 2);
  #words = new Uint32Array(PRIMES);
  #rest = new Uint8Array(BLOCK_BYTES);
  #length = 0;

  update(bytes) {
    let at = 0;
    const filled = this.#length % BLOCK_BYTES;
    this.#length += bytes.length;
    if (filled) {
      at = Math.min(BLOCK_BYTES - filled, bytes.length);
      this.#rest.set(bytes.subarray(0, at), filled);
      if (filled + at < BLOCK_BYTES) return;
      this.#block(new DataView(this.#rest.buffer), 0);
    }
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    for (; at + BLOCK_BYTES <= bytes.length; at += BLOCK_BYTES) this.#block(view, at);
    this.#rest.set(bytes.subarray(at));
  }

  /** The 32 bytes; nothing may follow. */
  end() {
    const length = this.#length;
    // A bit, zeros, and the length in eight bytes fill the last block.
    const padding = new Uint8Array(9 + ((119 - (length % BLOCK_BYTES)) % BLOCK_BYTES));
    padding[0] = 0x80;
    new DataView(padding.buffer).setBigUint64(padding.length - 8, BigInt(length) * 8n);
    this.update(padding);
    const bytes = new DataView(new ArrayBuffer(32));
    this.#state.forEach((word, i) => bytes.setUint32(i * 4, word));
    return new Uint8Array(bytes.buffer);
  }

  #block(view, at) {
    const w = this.#words;
    const k = Sha256.#constants;
    for (let i = 0; i < 16; i += 1) w[i] = view.getUint32(at + i * 4);
    for (let i = 16; i < PRIMES; i += 1) {
      const one = w[i - 15];
      const two = w[i - 2];
      w[i] = w[i - 16] + w[i - 7] + (turn(one, 7) ^ turn(one, 18) ^ (one >>> 3))
        + (turn(two, 17) ^ turn(two, 19) ^ (two >>> 10));
    }
    let [a, b, c, d, e, f, g, h] = this.#state;
    for (let i = 0; i < PRIMES; i += 1) {
      const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + k[i] + w[i]) | 0;
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + one) | 0;
      d = c;
      c = b;
      b = a;
      a = (one + two) | 0;
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => { this.#state[i] += word; });
  }
}

const read = (blob) => blob.arrayBuffer().catch(() => { throw new UnreadableFile(); });

/** The 32 bytes. `progressed(share)` is told where it takes long. */
export async function hashOf(file, signal, progressed, subtle = globalThis.crypto?.subtle) {
  if (subtle) {
    const bytes = await read(file);
    signal.throwIfAborted();
    return new Uint8Array(await subtle.digest('SHA-256', bytes));
  }
  const hash = new Sha256();
  for (let at = 0; at < file.size; at += PIECE_BYTES) {
    const bytes = await read(file.slice(at, at + PIECE_BYTES));
    signal.throwIfAborted();
    hash.update(new Uint8Array(bytes));
    progressed(Math.min(1, (at + PIECE_BYTES) / file.size));
  }
  return hash.end();
}

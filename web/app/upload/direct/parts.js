// The parts of an upload that may go straight to the storage: where each goes, and whether this browser gets there at
// all. A firewall, or a bucket that does not let this page in, would make the machine try in vain until it gives up.
// A connection that breaks on the way is no reason to leave the storage alone: parts are made for that.

import { timed } from '../../api/api.js';
import { isGood, sending } from '../server.js';
import { StorageRefusal } from '../errors.js';

// Rounds one behind the other in which the storage refused, or hardly a byte left, and after which the server answered.
const PATIENCE = 3;
// Less may lie in buffers of this device; and who never gets further gets no part through either.
const HARDLY_BYTES = 256 * 1024;
// Until a first byte leaves: less than the machine waits. Where packets are swallowed, a browser would go on for minutes.
const CONNECT_MS = 20_000;
const MS_PER_S = 1000;

export class Parts {
  #addresses = new Map();
  #rounds = 0;
  #isBarred = false;
  #isReached = false;

  /** The server takes bytes. The fields of `receivingParts`; null: they go through the server. */
  take(direct) {
    if (this.#isReached) this.#rounds = 0;
    else if (this.#isBarred) this.#rounds += 1;
    this.#isReached = false;
    this.#isBarred = false;
    if (!direct || this.#rounds >= PATIENCE) return null;
    this.#addresses = new Map(direct.addresses.map(({ number, url }) => [number, url]));
    return [direct.part_bytes, direct.valid_seconds * MS_PER_S, direct.stored.length, ...direct.stored];
  }

  async send(part, bytes, signal, sent) {
    const address = this.#addresses.get(part);
    // The server says a few at a time.
    if (!address) throw new StorageRefusal({ status: 403 });
    let left = 0;
    try {
      await put(address, bytes, signal, (count) => {
        left = count;
        sent(count);
      });
      this.#isReached = true;
    } catch (error) {
      if (signal.aborted) throw error;
      if (error instanceof StorageRefusal ? !error.isPassing : left < HARDLY_BYTES) this.#isBarred = true;
      else this.#isReached = true;
      throw error;
    }
  }
}

/** NB: without a header of ours, so that the storage has to allow none. */
async function put(address, bytes, signal, sent) {
  const time = timed(signal, CONNECT_MS, new TypeError('nothing leaves'));
  try {
    const call = await sending('PUT', address, {}, bytes, time.signal, (count) => {
      if (count > 0) time.stay();
      sent(count);
    });
    if (!isGood(call)) throw new StorageRefusal({ status: call.status });
  } finally {
    time.free();
  }
}

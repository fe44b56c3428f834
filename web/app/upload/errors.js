// What a request that brought nothing means to the upload machine, told by the stable `code` of the server's
// answer and never by its words. Codes have numbers on the machine's wire; the words are kept here.

import { ApiError } from '../api/api.js';
import { REASON } from './wire.js';

const MS_PER_S = 1000;

/** What the storage answered to a part. Beyond what passes, the server knows better: addresses end, and so do uploads. */
export class StorageRefusal extends ApiError {
  get isPassing() { return this.status === 429 || this.status >= 500; }
}

/** The bytes of the file cannot be read (any more). */
export class UnreadableFile extends Error {}

const BY_CODE = {
  upload_offset_mismatch: REASON.offsetMismatch,
  upload_incomplete: REASON.offsetMismatch,
  upload_busy: REASON.serverBusy,
  upload_expired: REASON.gone,
  upload_not_found: REASON.gone,
  upload_hash_mismatch: REASON.hashMismatch,
  too_many_requests: REASON.tooManyRequests,
  upload_quota: REASON.tooManyRequests,
  storage_full: REASON.storageFull,
  // Its state says what became of it, and the machine asks for that after an offset that was wrong.
  upload_closed: REASON.offsetMismatch,
};

const BY_STATUS = {
  401: REASON.signInNeeded, 408: REASON.timeout, 410: REASON.gone, 423: REASON.serverBusy,
  429: REASON.tooManyRequests, 460: REASON.serverBusy, 507: REASON.storageFull,
};

/** What was refused because of the content: the same file again is of no use. */
const OF_CONTENT = new Set([
  'not_a_video', 'unreadable', 'no_video_stream', 'too_long', 'too_short', 'dimensions_unsupported', 'truncated',
  'damaged', 'unsupported_codec', 'encrypted', 'empty_file', 'file_too_large',
]);

/** The server or the storage said it; nothing said anything where the network broke. */
export const isAnswer = (error) => error instanceof ApiError && error.status > 0;

export const isOfContent = (error) => isAnswer(error) && OF_CONTENT.has(error.code);

/** `{reason, detail, retryAfter}` as the fields of `failed`; `numberOf(code)` numbers what is rejected. */
export function failureOf(error, numberOf) {
  if (error.name === 'TimeoutError' || error.cause?.name === 'TimeoutError') return { reason: REASON.timeout, detail: 0, retryAfter: 0 };
  if (!isAnswer(error)) return { reason: REASON.network, detail: 0, retryAfter: 0 };
  if (error instanceof StorageRefusal) {
    return { reason: error.isPassing ? REASON.serverBusy : REASON.addressExpired, detail: 0, retryAfter: 0 };
  }
  const { status, code, header } = error;
  const reason = BY_CODE[code] ?? BY_STATUS[status] ?? (status >= 500 || status < 400 ? REASON.serverBusy : REASON.rejected);
  if (reason === REASON.offsetMismatch) return { reason, detail: offsetIn(header('Upload-Offset')), retryAfter: 0 };
  if (reason === REASON.rejected) return { reason, detail: numberOf(code), retryAfter: 0 };
  return { reason, detail: 0, retryAfter: secondsOf(header('Retry-After')) * MS_PER_S };
}

/** Where the server stands; −1 if it does not say. */
const offsetIn = (header) => (/^\d+$/.test(header ?? '') ? Number(header) : -1);

/** Numbers for codes, in the order in which they come; 0 is none. */
export class Codes {
  #codes = [''];

  numberOf(code) {
    const known = this.#codes.indexOf(code);
    return known >= 0 ? known : this.#codes.push(code) - 1;
  }

  codeOf(number) {
    return this.#codes[number] ?? '';
  }
}

/** Seconds of a `Retry-After` header, which may be a date; 0 if it says nothing. */
export function secondsOf(header, now = Date.now()) {
  if (!header) return 0;
  const seconds = Number(header);
  const wait = Number.isFinite(seconds) ? seconds : (Date.parse(header) - now) / MS_PER_S;
  return wait > 0 ? Math.ceil(wait) : 0;
}

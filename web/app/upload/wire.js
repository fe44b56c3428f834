// The door of the upload (docs/design/upload.md): its numbers, and what its rows say.

import { namesOf } from '../core.js';

export const UPLOAD = Object.freeze({
  woke: 50,
  opened: 120, restored: 121, fileChosen: 122, networkChanged: 123, signedIn: 124,
  publishRequested: 125, pauseTapped: 126, resumeTapped: 127, retryTapped: 128, cancelTapped: 129,
  workProgressed: 130, prepared: 131, prepareFailed: 132, hashed: 133, fileUnreadable: 134,
  receiving: 135, receivingParts: 136, bytesSent: 137, bytesTaken: 138, partTaken: 139,
  processing: 140, published: 141, refused: 142, terminated: 143, failed: 144,
  uplinkMeasured: 145,
});

export const COMMAND = Object.freeze({
  wake: 34,
  store: 120, forget: 121, findFile: 122, noticeOtherFile: 123, compress: 124, offerTrim: 125, hash: 126,
  stopWork: 127, dropFile: 128, create: 129, ask: 130, sendBytes: 131, sendPart: 132, commit: 133, poll: 134,
  terminate: 135, abandon: 136, askSignIn: 137, show: 138,
});

/** Keys, hashes and seeds are larger than a number can hold exactly, and stay as they are. */
function exactly(word) {
  const number = Number(word);
  return Number.isSafeInteger(number) ? number : word;
}

export const DOOR = {
  reserve: 'upload_reserve', handle: 'upload_handle', commands: 'upload_commands', names: namesOf(COMMAND),
  read: exactly,
};

export const PHASE = Object.freeze({
  empty: 0, findingFile: 1, trimOffered: 2, compressing: 3, hashing: 4, creating: 5, sending: 6, waiting: 7,
  offline: 8, signInNeeded: 9, paused: 10, complete: 11, committing: 12, processing: 13, failed: 14,
  cancelling: 15, published: 16, refused: 17, cancelled: 18,
});

export const REASON = Object.freeze({
  none: 0, network: 1, timeout: 2, serverBusy: 3, offsetMismatch: 4, gone: 5, hashMismatch: 6, tooManyRequests: 7,
  storageFull: 8, rejected: 9, signInNeeded: 10, addressExpired: 11,
  unreadable: 20, fileChanged: 21, empty: 22, tooShort: 23, tooLong: 24, tooLarge: 25, unknownKind: 26,
});

/** The containers that the server takes. */
export const KIND = Object.freeze({ unknown: 0, mp4: 1, webm: 2, mpegTS: 3, threeGP: 4 });

/** What a length is that cannot be known here. */
export const UNKNOWN_MS = -1;

const SCREEN = [
  'phase', 'acknowledged', 'inFlight', 'total', 'speed', 'remaining', 'attempt', 'waitingUntil', 'permille',
  'renditions', 'reason', 'code', 'canPause', 'canResume', 'canRetry', 'canCancel',
];
// Of the fields of `store`: what the person had asked for.
const FLAGS = 4;
const PUBLISH_BIT = 7;

/** The fields of `show` by their names. */
export const readScreen = (fields) => Object.fromEntries(SCREEN.map((name, i) => [name, fields[i]]));

/** Nothing has been shown yet. */
export const EMPTY_SCREEN = Object.freeze(readScreen(SCREEN.map(() => 0)));

/** Whether an upload that was stored like this is to be published when it is complete. */
export const wasPublishRequested = (words) => Math.floor(Number(words[FLAGS]) / 2 ** PUBLISH_BIT) % 2 === 1;

export const sourceFields = ({ number, size, duration, kind }) => [number, size, duration, kind];

const unsigned = (word) => BigInt.asUintN(64, BigInt(word)).toString(16).padStart(16, '0');

/** Words as hex digits, the first byte first. */
export const hexOf = (words) => words.map(unsigned).join('');

/** 32 bytes as the four words of a hash. */
export function hashWords(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, 32);
  return [0, 8, 16, 24].map((at) => view.getBigInt64(at));
}

/** 128 random bits as two words. */
export function randomWords() {
  return [...crypto.getRandomValues(new BigInt64Array(2))];
}

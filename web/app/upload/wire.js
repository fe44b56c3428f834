// The door of the upload (docs/design/upload.md): its numbers, and what its rows say.

import { numbersOf, tableOf } from '../core/core.js';

// Both are made of core/Sources/UploadWire/UploadProtocol.swift by scripts/wire-protocol.sh.
export const UPLOAD = numbersOf(tableOf(`50 woke 120 opened restored fileChosen networkChanged signedIn
  publishRequested pauseTapped resumeTapped retryTapped cancelTapped workProgressed prepared prepareFailed hashed
  fileUnreadable receiving receivingParts bytesSent bytesTaken partTaken processing published refused terminated
  failed uplinkMeasured`));
export const COMMANDS = tableOf(`34 wake:instant 120 store:…words forget findFile:size,product noticeOtherFile:file
  compress:call,file,target offerTrim:call,file,longest,largest hash:call,file stopWork:call dropFile:file
  create:call,keyHigh,keyLow,size,duration,kind,…hash ask:call sendBytes:call,file,offset,size
  sendPart:call,file,part,offset,size commit:call poll:call terminate:call abandon:call askSignIn
  show:phase,acknowledged,inFlight,total,speed,remaining,attempt,waitingUntil,permille,renditions,reason,code,canPause,canResume,canRetry,canCancel`);

/** Keys, hashes and seeds are larger than a number can hold exactly, and stay as they are. */
function exactly(word) {
  const number = Number(word);
  return Number.isSafeInteger(number) ? number : word;
}

export const DOOR = {
  reserve: 'upload_reserve', handle: 'upload_handle', commands: 'upload_commands', table: COMMANDS,
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

// Of the fields of `store`: what the person had asked for.
const FLAGS = 4;
const PUBLISH_BIT = 7;

/** What `show` says before it has said anything. */
export const EMPTY_SCREEN = Object.freeze(Object.fromEntries(
  [...COMMANDS.values()].find(({ name }) => name === 'show').fields.map((field) => [field, 0])));

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

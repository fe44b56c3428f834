// What the upload screen says: numbers as people read them, and for whatever went wrong a sentence that says what
// to do. It refuses to know when.

import { PHASE, REASON } from './wire.js';

// The limits count in these, too.
const KB = 1024;
const MB = 1024 * KB;
const BITS = 8;
const S = 1000;
const MINUTE = 60;

const inMB = (bytes) => (bytes / MB).toFixed(1);

/** 12_900_000 → "12.3 MB". */
export function sized(bytes) {
  return bytes < MB ? `${Math.ceil(bytes / KB)} KB` : `${inMB(bytes)} MB`;
}

/** "3.1 of 12.3 MB". */
export const sizedOf = (bytes, total) => (total < MB
  ? `${Math.floor(bytes / KB)} of ${sized(total)}` : `${inMB(bytes)} of ${sized(total)}`);

/** bits/s → "1.4 MB/s". */
export const paced = (speed) => `${sized(speed / BITS)}/s`;

/** 83_000 → "1:23"; with tenths below ten seconds. */
export function lasting(ms) {
  const seconds = ms / S;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / MINUTE)}:${String(Math.floor(seconds) % MINUTE).padStart(2, '0')}`;
}

/** A time to come, no more exactly than anybody can know. */
function about(ms) {
  const seconds = Math.ceil(ms / S);
  return seconds < MINUTE ? `${seconds} s` : `${Math.round(seconds / MINUTE)} min`;
}

export const left = (ms) => `${about(ms)} left`;

const TRIM = 'Cut it to a minute or less with the photo or video app of your device, then choose it again.';

const FILE_TROUBLE = {
  [REASON.unreadable]: ['The file cannot be read', 'It was moved, changed or removed. Choose it again.'],
  [REASON.fileChanged]: ['The file was changed',
    'It changed while it was uploading. Try again, or cancel and choose the file as it is now.'],
  [REASON.empty]: ['The file is empty', 'Choose another video.'],
  [REASON.tooShort]: ['Too short', 'A clip lasts at least a tenth of a second. Choose a longer video.'],
  [REASON.tooLong]: ['Too long', `A clip lasts 60 seconds at most. ${TRIM}`],
  [REASON.tooLarge]: ['Too large',
    'Files can have 50 MB at most. Trim it, or export it at 1080p or less, then choose it again.'],
  [REASON.unknownKind]: ['This file can’t be uploaded',
    'Clips can be MP4, MOV, WebM, Matroska or MPEG-TS. Export it as one of these, then choose it again.'],
};

const REQUEST_TROUBLE = {
  [REASON.network]: ['No connection', 'The network did not answer. What has arrived is safe; try again when you are online.'],
  [REASON.timeout]: ['No answer', 'The connection is too slow, or the server is busy. What has arrived is safe; try again.'],
  [REASON.serverBusy]: ['The server is busy', 'What has arrived is safe; try again in a moment.'],
  [REASON.gone]: ['The upload is gone', 'It waited too long. Try again; the file goes up from its start.'],
  [REASON.tooManyRequests]: ['Too many uploads', 'You’ve reached the limit for now. Try again later.'],
  [REASON.addressExpired]: ['The storage refused it', 'What has arrived is safe; try again later.'],
  [REASON.storageFull]: ['The server is full', 'There is no room for your clip now. Try again later.'],
};

const CODE_TROUBLE = {
  uploads_off: ['Uploads are off', 'Nobody can upload here at the moment.'],
  too_long: FILE_TROUBLE[REASON.tooLong],
  too_short: FILE_TROUBLE[REASON.tooShort],
  file_too_large: FILE_TROUBLE[REASON.tooLarge],
  empty_file: FILE_TROUBLE[REASON.empty],
  not_a_video: FILE_TROUBLE[REASON.unknownKind],
  truncated: ['The video is cut off', 'Its end is missing. Copy or export it again, then choose it again.'],
  damaged: ['The video is damaged', 'Parts of the picture cannot be shown. Export it again, then choose it again.'],
  encrypted: ['The video is protected', 'It is encrypted and cannot be shown here. Choose another one.'],
  unsupported_codec: ['An unknown encoding', 'Export the video as MP4 with H.264, then choose it again.'],
};

/** `[title, sentence]` of what stands in the way; null if nothing does. */
export function troubleOf({ screen: { phase, reason }, code, problem }) {
  if (phase !== PHASE.failed && phase !== PHASE.refused) return null;
  return CODE_TROUBLE[code] ?? FILE_TROUBLE[reason] ?? REQUEST_TROUBLE[reason]
    ?? ['That did not work', problem?.detail || 'The server refused it without saying why.'];
}

function sending({ acknowledged, inFlight, total, speed, remaining }) {
  const parts = [sizedOf(Math.min(total, acknowledged + inFlight), total)];
  if (speed > 0) parts.push(paced(speed));
  if (speed > 0 && remaining >= 0) parts.push(left(remaining));
  return parts.join(' · ');
}

function working(what, { permille, remaining }) {
  if (!permille) return `${what}…`;
  const parts = [`${what}… ${Math.floor(permille / 10)} %`];
  if (remaining > S) parts.push(left(remaining));
  return parts.join(' · ');
}

const renditions = (clip) => (clip?.renditions ?? [])
  .map(({ name, state }) => `${name}p ${{ ready: 'ready', running: 'in progress' }[state] ?? 'waiting'}`).join(' · ');

/** Why nothing moves at the moment, and until when. */
function waiting(problem, ms) {
  const cause = { storage_full: 'The server is full.', upload_quota: 'You’ve reached today’s limit.' }[problem?.code]
    ?? (problem ? 'The server is busy.' : 'The connection broke.');
  return ms > 0 ? `${cause} It resumes in ${about(ms)}.` : `${cause} Trying again…`;
}

/** The line under the progress bar. `now` is the machine's clock. */
export function lineOf({ screen, clip, problem }, now) {
  const { phase, permille, waitingUntil, acknowledged, total } = screen;
  switch (phase) {
    case PHASE.compressing: return working('Making it smaller', screen);
    case PHASE.trimOffered: return 'Nothing is uploaded yet.';
    case PHASE.hashing: return working('Checking the file', screen);
    case PHASE.creating: return 'Connecting…';
    case PHASE.sending: return sending(screen);
    case PHASE.waiting: return waiting(problem, waitingUntil - now);
    case PHASE.offline: return `No connection. It resumes by itself (${sizedOf(acknowledged, total)}).`;
    case PHASE.paused: return `Paused at ${sizedOf(acknowledged, total)}`;
    case PHASE.findingFile: return `${sizedOf(acknowledged, total)} are there already.`;
    case PHASE.signInNeeded: return 'Sign in to continue.';
    case PHASE.complete: return 'Uploaded. Publish it whenever you’re ready.';
    case PHASE.committing: return 'Publishing…';
    case PHASE.processing: return renditions(clip) || `Making your clip… ${Math.floor(permille / 10)} %`;
    case PHASE.cancelling: return 'Cancelling…';
    case PHASE.failed: return `Stopped at ${sizedOf(acknowledged, total)}`;
    default: return '';
  }
}

/** How far it is, 0 to 1. */
export function shareOf({ phase, acknowledged, inFlight, total, permille }) {
  if (phase === PHASE.published) return 1;
  if (phase === PHASE.processing || phase === PHASE.compressing) return permille / S;
  return total ? Math.min(1, (acknowledged + inFlight) / total) : 0;
}

const percent = (screen) => `${Math.floor(shareOf(screen) * 100)} %`;

/** The few words of the pill over the feed. */
export function pillOf({ screen, isPublishRequested }) {
  switch (screen.phase) {
    case PHASE.findingFile: return 'Upload waits';
    case PHASE.trimOffered: return 'Choose a part';
    case PHASE.compressing: return `Making smaller ${percent(screen)}`;
    case PHASE.paused: return `Paused ${percent(screen)}`;
    case PHASE.complete: return isPublishRequested ? 'Publishing…' : 'Publish it?';
    case PHASE.committing: return 'Publishing…';
    case PHASE.processing: return `Making ${percent(screen)}`;
    case PHASE.published: return 'Published';
    case PHASE.failed: case PHASE.refused: return 'Stopped';
    case PHASE.cancelling: return 'Cancelling…';
    default: return `Upload ${percent(screen)}`;
  }
}

/** What has changed, for those who do not see it; null if it is not worth a word. */
export function spokenOf(phase, isPublishRequested) {
  return {
    [PHASE.compressing]: 'Making it smaller', [PHASE.trimOffered]: 'Choose a part of the video', [PHASE.sending]: 'Uploading', [PHASE.paused]: 'Paused', [PHASE.offline]: 'No connection',
    [PHASE.complete]: isPublishRequested ? null : 'The upload is complete', [PHASE.processing]: 'Your clip is being made',
    [PHASE.published]: 'Your clip is published',
  }[phase] ?? null;
}

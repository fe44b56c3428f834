// What the upload screen says: numbers as people read them, and for whatever went wrong a sentence that says what
// to do. It refuses to know when.

import { language, problemText, t } from '../words/words.js';
import { PHASE, REASON } from './wire.js';

// The limits count in these, too.
const KB = 1024;
const MB = 1024 * KB;
const BITS = 8;
const S = 1000;
const MINUTE = 60;

const tenths = (number) => new Intl.NumberFormat(language(), { minimumFractionDigits: 1, maximumFractionDigits: 1, useGrouping: false }).format(number);
const inMB = (bytes) => tenths(bytes / MB);

/** 12_900_000 → "12.3 MB". */
export function sized(bytes) {
  return bytes < MB ? t('{size} KB', { size: Math.ceil(bytes / KB) }) : t('{size} MB', { size: inMB(bytes) });
}

/** "3.1 of 12.3 MB". */
export const sizedOf = (bytes, total) =>
  t('{part} of {whole}', { part: total < MB ? Math.floor(bytes / KB) : inMB(bytes), whole: sized(total) });

/** bits/s → "1.4 MB/s". */
export const paced = (speed) => t('{size}/s', { size: sized(speed / BITS) });

/** 83_000 → "1:23"; with tenths below ten seconds. */
export function lasting(ms) {
  const seconds = ms / S;
  if (seconds < 10) return t('{seconds} s', { seconds: tenths(seconds) });
  return `${Math.floor(seconds / MINUTE)}:${String(Math.floor(seconds) % MINUTE).padStart(2, '0')}`;
}

/** A time to come, no more exactly than anybody can know. */
function about(ms) {
  const seconds = Math.ceil(ms / S);
  return seconds < MINUTE ? t('{seconds} s', { seconds }) : t('{minutes} min', { minutes: Math.round(seconds / MINUTE) });
}

export const left = (ms) => t('{time} left', { time: about(ms) });

// `[title, sentence]`, said when they are wanted.
const FILE_TROUBLE = {
  [REASON.unreadable]: () => [t('The file cannot be read'), t('It was moved, changed or removed. Choose it again.')],
  [REASON.fileChanged]: () => [t('The file was changed'),
    t('It changed while it was uploading. Try again, or cancel and choose the file as it is now.')],
  [REASON.empty]: () => [t('The file is empty'), t('Choose another video.')],
  [REASON.tooShort]: () => [t('Too short'), t('A clip lasts at least a tenth of a second. Choose a longer video.')],
  [REASON.tooLong]: () => [t('Too long'),
    t('A clip lasts 60 seconds at most. Cut it to a minute or less with the photo or video app of your device, then choose it again.')],
  [REASON.tooLarge]: () => [t('Too large'),
    t('Files can have 50 MB at most. Trim it, or export it at 1080p or less, then choose it again.')],
  [REASON.unknownKind]: () => [t('This file can’t be uploaded'),
    t('Clips can be MP4, MOV, WebM, Matroska or MPEG-TS. Export it as one of these, then choose it again.')],
};

const REQUEST_TROUBLE = {
  [REASON.network]: () => [t('No connection'), t('The network did not answer. What has arrived is safe; try again when you are online.')],
  [REASON.timeout]: () => [t('No answer'), t('The connection is too slow, or the server is busy. What has arrived is safe; try again.')],
  [REASON.serverBusy]: () => [t('The server is busy'), t('What has arrived is safe; try again in a moment.')],
  [REASON.gone]: () => [t('The upload is gone'), t('It waited too long. Try again; the file goes up from its start.')],
  [REASON.tooManyRequests]: () => [t('Too many uploads'), t('You’ve reached the limit for now. Try again later.')],
  [REASON.addressExpired]: () => [t('The storage refused it'), t('What has arrived is safe; try again later.')],
  [REASON.storageFull]: () => [t('The server is full'), t('There is no room for your clip now. Try again later.')],
};

const CODE_TROUBLE = {
  uploads_off: () => [t('Uploads are off'), t('Nobody can upload here at the moment.')],
  too_long: FILE_TROUBLE[REASON.tooLong],
  too_short: FILE_TROUBLE[REASON.tooShort],
  file_too_large: FILE_TROUBLE[REASON.tooLarge],
  empty_file: FILE_TROUBLE[REASON.empty],
  not_a_video: FILE_TROUBLE[REASON.unknownKind],
  truncated: () => [t('The video is cut off'), t('Its end is missing. Copy or export it again, then choose it again.')],
  damaged: () => [t('The video is damaged'), t('Parts of the picture cannot be shown. Export it again, then choose it again.')],
  encrypted: () => [t('The video is protected'), t('It is encrypted and cannot be shown here. Choose another one.')],
  unsupported_codec: () => [t('An unknown encoding'), t('Export the video as MP4 with H.264, then choose it again.')],
};

/** `[title, sentence]` of what stands in the way; null if nothing does. */
export function troubleOf({ screen: { phase, reason }, code, problem }) {
  if (phase !== PHASE.failed && phase !== PHASE.refused) return null;
  const byCode = Object.hasOwn(CODE_TROUBLE, code ?? '') ? CODE_TROUBLE[code] : null;
  const known = byCode ?? FILE_TROUBLE[reason] ?? REQUEST_TROUBLE[reason];
  return known?.() ?? [t('That did not work'), (problem && problemText(problem)) || t('The server refused it without saying why.')];
}

function sending({ acknowledged, inFlight, total, speed, remaining }) {
  const parts = [sizedOf(Math.min(total, acknowledged + inFlight), total)];
  if (speed > 0) parts.push(paced(speed));
  if (speed > 0 && remaining >= 0) parts.push(left(remaining));
  return parts.join(' · ');
}

/** `begun` while nobody knows how far, then `going(percent)`. */
function working(begun, going, { permille, remaining }) {
  if (!permille) return begun;
  const parts = [going(Math.floor(permille / 10))];
  if (remaining > S) parts.push(left(remaining));
  return parts.join(' · ');
}

function renditionText({ name, state }) {
  if (state === 'ready') return t('{name}p ready', { name });
  return state === 'running' ? t('{name}p in progress', { name }) : t('{name}p waiting', { name });
}

const renditions = (clip) => (clip?.renditions ?? []).map(renditionText).join(' · ');

/** Why nothing moves at the moment, and until when. */
function waiting(problem, ms) {
  const cause = { storage_full: t('The server is full.'), upload_quota: t('You’ve reached today’s limit.') }[problem?.code]
    ?? (problem ? t('The server is busy.') : t('The connection broke.'));
  return `${cause} ${ms > 0 ? t('It resumes in {time}.', { time: about(ms) }) : t('Trying again…')}`;
}

/** The line under the progress bar. `now` is the machine's clock. */
export function lineOf({ screen, clip, problem }, now) {
  const { phase, permille, waitingUntil, acknowledged, total } = screen;
  switch (phase) {
    case PHASE.compressing: return working(t('Making it smaller…'), (percent) => t('Making it smaller… {percent} %', { percent }), screen);
    case PHASE.trimOffered: return t('Nothing is uploaded yet.');
    case PHASE.hashing: return working(t('Checking the file…'), (percent) => t('Checking the file… {percent} %', { percent }), screen);
    case PHASE.creating: return t('Connecting…');
    case PHASE.sending: return sending(screen);
    case PHASE.waiting: return waiting(problem, waitingUntil - now);
    case PHASE.offline: return t('No connection. It resumes by itself ({progress}).', { progress: sizedOf(acknowledged, total) });
    case PHASE.paused: return t('Paused at {progress}', { progress: sizedOf(acknowledged, total) });
    case PHASE.findingFile: return t('{progress} are there already.', { progress: sizedOf(acknowledged, total) });
    case PHASE.signInNeeded: return t('Sign in to continue.');
    case PHASE.complete: return t('Uploaded. Publish it whenever you’re ready.');
    case PHASE.committing: return t('Publishing…');
    case PHASE.processing: return renditions(clip) || t('Making your clip… {percent} %', { percent: Math.floor(permille / 10) });
    case PHASE.cancelling: return t('Cancelling…');
    case PHASE.failed: return t('Stopped at {progress}', { progress: sizedOf(acknowledged, total) });
    default: return '';
  }
}

/** How far it is, 0 to 1. */
export function shareOf({ phase, acknowledged, inFlight, total, permille }) {
  if (phase === PHASE.published) return 1;
  if (phase === PHASE.processing || phase === PHASE.compressing) return permille / S;
  return total ? Math.min(1, (acknowledged + inFlight) / total) : 0;
}

const percentOf = (screen) => Math.floor(shareOf(screen) * 100);

/** The few words of the pill over the feed. */
export function pillOf({ screen, isPublishRequested }) {
  const percent = percentOf(screen);
  switch (screen.phase) {
    case PHASE.findingFile: return t('Upload waits');
    case PHASE.trimOffered: return t('Choose a part');
    case PHASE.compressing: return t('Making smaller {percent} %', { percent });
    case PHASE.paused: return t('Paused {percent} %', { percent });
    case PHASE.complete: return isPublishRequested ? t('Publishing…') : t('Publish it?');
    case PHASE.committing: return t('Publishing…');
    case PHASE.processing: return t('Making {percent} %', { percent });
    case PHASE.published: return t('Published');
    case PHASE.failed: case PHASE.refused: return t('Stopped');
    case PHASE.cancelling: return t('Cancelling…');
    default: return t('Upload {percent} %', { percent });
  }
}

/** What has changed, for those who do not see it; null if it is not worth a word. */
export function spokenOf(phase, isPublishRequested) {
  return {
    [PHASE.compressing]: t('Making it smaller'), [PHASE.trimOffered]: t('Choose a part of the video'), [PHASE.sending]: t('Uploading'),
    [PHASE.paused]: t('Paused'), [PHASE.offline]: t('No connection'), [PHASE.complete]: isPublishRequested ? null : t('The upload is complete'),
    [PHASE.processing]: t('Your clip is being made'), [PHASE.published]: t('Your clip is published'),
  }[phase] ?? null;
}

// The door of the recording (docs/design/studio.md): its numbers, and what its rows say.

import { namesOf } from '../core.js';

export const RECORDING = Object.freeze({
  woke: 50,
  opened: 80, restored: 81, limitChosen: 82, countdownChosen: 83, speedChosen: 84, cameraReady: 85,
  pressed: 86, released: 87, flipTapped: 88, torchTapped: 89, undoTapped: 90, undoCancelled: 91,
  finishTapped: 92, closeTapped: 93, keepConfirmed: 94, discardConfirmed: 95,
  captureStarted: 96, captureFinished: 97, captureFailed: 98, obstacleChanged: 99,
  assembled: 100, assemblyFailed: 101, assemblyCancelled: 102, returned: 103,
});

export const COMMAND = Object.freeze({
  wake: 34,
  useCamera: 60, setTorch: 61, startCapture: 62, stopCapture: 63, dropClip: 64, storeList: 65,
  assemble: 66, cancelAssembly: 67, showControls: 68, tick: 69, askDiscard: 70, close: 71,
  noticeClipLost: 72, noticeTooShort: 73,
});

export const DOOR = {
  reserve: 'studio_reserve', handle: 'recording_handle', commands: 'studio_commands', names: namesOf(COMMAND),
};

export const STAGE = Object.freeze({
  closed: 0, ready: 1, counting: 2, starting: 3, capturing: 4, stopping: 5, assembling: 6, finished: 7,
});

export const OBSTACLE = Object.freeze({
  interruption: 1, background: 2, noCamera: 3, storageFull: 4, notPermitted: 5,
});

const CLIP = ['clip', 'captured', 'played', 'speed', 'camera', 'take'];
const CONTROLS = [
  'stage', 'played', 'limit', 'canRecord', 'canUndo', 'isUndoMarked', 'canFinish', 'secondsLeft',
  'countdown', 'speed', 'camera', 'hasTorch', 'isTorchOn', 'obstacles',
];

const named = (names, fields) => Object.fromEntries(names.map((name, i) => [name, fields[i]]));

/** The clips of `assemble`: their count, then the fields of each. */
export function readClips([count, ...fields]) {
  return Array.from({ length: count }, (_, i) => named(CLIP, fields.slice(i * CLIP.length, (i + 1) * CLIP.length)));
}

/** What `storeList` says: `{limit, clips}`, lengths in ms. */
export const readList = ([limit, ...rest]) => ({ limit, clips: readClips(rest) });

/** The fields of `restored`. */
export const listFields = ({ limit, clips }) =>
  [limit, clips.length, ...clips.flatMap((clip) => CLIP.map((name) => clip[name]))];

export const readControls = (fields) => named(CONTROLS, fields);

export const hasObstacle = (obstacles, obstacle) => Math.floor(obstacles / 2 ** obstacle) % 2 === 1;

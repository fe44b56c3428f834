// The door of the recording (docs/design/studio.md): its numbers, and what its rows say.

import { numbersOf, tableOf } from '../core/core.js';

// Both are made of core/Sources/StudioWire/RecordingProtocol.swift by scripts/wire-protocol.sh.
export const RECORDING = numbersOf(tableOf(`50 woke 80 opened restored limitChosen countdownChosen speedChosen
  cameraReady pressed released flipTapped torchTapped undoTapped undoCancelled finishTapped closeTapped
  keepConfirmed discardConfirmed captureStarted captureFinished captureFailed obstacleChanged assembled
  assemblyFailed assemblyCancelled returned`));
export const COMMANDS = tableOf(`34 wake:instant 60 useCamera:camera setTorch:on startCapture:clip,camera,longest
  stopCapture:clip dropClip:clip storeList:limit,count,…clips assemble:count,…clips cancelAssembly
  showControls:stage,played,limit,canRecord,canUndo,isUndoMarked,canFinish,secondsLeft,countdown,speed,camera,hasTorch,isTorchOn,obstacles
  tick:seconds askDiscard close noticeClipLost:clip noticeTooShort:clip`);

export const DOOR = {
  reserve: 'studio_reserve', handle: 'recording_handle', commands: 'studio_commands', table: COMMANDS,
};

export const STAGE = Object.freeze({
  closed: 0, ready: 1, counting: 2, starting: 3, capturing: 4, stopping: 5, assembling: 6, finished: 7,
});

export const OBSTACLE = Object.freeze({
  interruption: 1, background: 2, noCamera: 3, storageFull: 4, notPermitted: 5,
});

const CLIP = ['clip', 'captured', 'played', 'speed', 'camera', 'take'];

/** The clips of `assemble` and `storeList`, one behind the other. */
export function readClips({ count, clips }) {
  return Array.from({ length: count }, (_, i) =>
    Object.fromEntries(CLIP.map((name, field) => [name, clips[i * CLIP.length + field]])));
}

/** What `storeList` says: `{limit, clips}`, lengths in ms. */
export const readList = (list) => ({ limit: list.limit, clips: readClips(list) });

/** The fields of `restored`. */
export const listFields = ({ limit, clips }) =>
  [limit, clips.length, ...clips.flatMap((clip) => CLIP.map((name) => clip[name]))];

export const hasObstacle = (obstacles, obstacle) => Math.floor(obstacles / 2 ** obstacle) % 2 === 1;

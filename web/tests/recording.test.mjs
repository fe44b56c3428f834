import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { Core } from '../app/core/core.js';
import { bestPicture, obstacleOf } from '../app/studio/camera.js';
import { found } from '../app/studio/files.js';
import { fileName, recordedType } from '../app/filming/format.js';
import { coverOf, marksOf, uprightSize } from '../app/studio/geometry.js';
import { looks, readLook, tableOf } from '../app/studio/looks.js';
import { Recorder, SOUND_RATE, videoRate } from '../app/studio/recorder.js';
import { withDuration } from '../app/filming/webm.js';
import {
  DOOR, OBSTACLE, RECORDING, STAGE, hasObstacle, listFields, readClips, readList,
} from '../app/studio/wire.js';

const module = new WebAssembly.Module(readFileSync(new URL('../studio.wasm', import.meta.url)));
const load = () => new WebAssembly.Instance(module, {}).exports;

/** A recording without a host: what it commands, in order. */
function recording() {
  const commands = [];
  const core = new Core(load(), (command) => commands.push(command), DOOR);
  const last = (name) => commands.findLast((command) => command.name === name);
  return { report: (...event) => core.report(...event), commands, last };
}

const clip = (number, changes = {}) =>
  ({ clip: number, captured: 2000, played: 1000, speed: 200, camera: 1, take: number, ...changes });
const list = { limit: 30_000, clips: [clip(1), clip(4, { take: 1 })] };

test('a list comes back from its fields as it was', () => {
  const fields = listFields(list);
  assert.deepEqual(fields.slice(0, 8), [30_000, 2, 1, 2000, 1000, 200, 1, 1]);
  const [limit, count, ...clips] = fields;
  assert.deepEqual(readList({ limit, count, clips }), list);
  assert.deepEqual(readClips({ count, clips }), list.clips);
  assert.deepEqual(readList({ limit: 60_000, count: 0, clips: [] }), { limit: 60_000, clips: [] });
});

test('the core takes a stored list back word for word', () => {
  const { report, last } = recording();
  report(RECORDING.opened);
  report(RECORDING.restored, ...listFields(list));
  assert.deepEqual(readList(last('storeList')), list);
  const controls = last('showControls');
  assert.equal(controls.stage, STAGE.ready);
  assert.deepEqual([controls.played, controls.limit, controls.canUndo], [2000, 30_000, 1]);
});

test('the core records through its own door', () => {
  const { report, commands, last } = recording();
  report(RECORDING.opened);
  assert.equal(last('useCamera').camera, 0);
  report(RECORDING.cameraReady, 0, 0);
  report(RECORDING.pressed);
  const names = commands.map(({ name }) => name);
  assert.ok(names.indexOf('storeList') < names.indexOf('startCapture'));
  report(RECORDING.obstacleChanged, OBSTACLE.background, 1);
  assert.equal(last('stopCapture').clip, 1);
  const { obstacles } = last('showControls');
  assert.ok(hasObstacle(obstacles, OBSTACLE.background));
  assert.ok(!hasObstacle(obstacles, OBSTACLE.noCamera));
});

test('a stored list loses the clips without files and gains the length of the one that broke off', async () => {
  const files = { file: async (number) => (number === 2 ? null : { number }) };
  const stored = { limit: 15_000, clips: [clip(1), clip(2), clip(3, { captured: 0, played: 0 })] };
  const { limit, clips } = await found(stored, files, async ({ number }) => number * 700);
  assert.equal(limit, 15_000);
  assert.deepEqual(clips.map(({ clip: number, captured }) => [number, captured]), [[1, 2000], [3, 2100]]);
});

test('a clip whose length the browser cannot tell in time counts as long as it was recorded', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  t.mock.method(console, 'error', () => {});
  let clock = 1000;
  t.mock.method(performance, 'now', () => clock);
  globalThis.MediaRecorder = class extends EventTarget {
    state = 'inactive';
    start() {
      this.state = 'recording';
      queueMicrotask(() => this.dispatchEvent(new Event('start')));
    }
    stop() {
      this.state = 'inactive';
      this.dispatchEvent(Object.assign(new Event('dataavailable'), { data: new Blob(['picture']) }));
      this.dispatchEvent(new Event('stop'));
    }
  };
  t.after(() => { delete globalThis.MediaRecorder; });
  const reports = [];
  const files = { append: async () => {}, file: async () => new Blob(['picture']) };
  const busy = () => Promise.reject(new Error('no loadedmetadata in time'));
  const recorder = new Recorder(files, 'video/webm', (...event) => reports.push(event), assert.fail, busy);
  const stream = { getVideoTracks: () => [{ getSettings: () => ({ width: 1280, height: 720 }) }] };
  recorder.start(7, stream, 60_000, Promise.resolve());
  while (!reports.length) await Promise.resolve();
  clock += 2500;
  recorder.stop(7);
  await recorder.finished();
  assert.deepEqual(reports, [[RECORDING.captureStarted, 7], [RECORDING.captureFinished, 7, 2500]]);
});

test('a picture covers the whole of a frame, and only its edges are lost', () => {
  assert.deepEqual(coverOf({ width: 1280, height: 720 }, { width: 360, height: 720 }),
    { x: (1 - 0.28125) / 2, y: 0, width: 0.28125, height: 1 });
  assert.deepEqual(coverOf({ width: 100, height: 400 }, { width: 100, height: 200 }),
    { x: 0, y: 0.25, width: 1, height: 0.5 });
});

test('a video is upright, never larger than what the camera gave, and even', () => {
  assert.deepEqual(uprightSize({ width: 720, height: 1280 }), { width: 720, height: 1280 });
  assert.deepEqual(uprightSize({ width: 1280, height: 720 }), { width: 406, height: 720 });
  assert.deepEqual(uprightSize({ width: 2160, height: 3840 }), { width: 1080, height: 1920 });
  assert.deepEqual(uprightSize({ width: 300, height: 900 }), { width: 300, height: 534 });
});

test('a camera is asked for 1080p and 60 frames a second where the device can encode that in time', async () => {
  const encoder = (supported) => ({ isConfigSupported: async () => ({ supported }) });
  const frames = async (processors, VideoEncoder) => {
    const { height, frameRate } = await bestPicture({ navigator: { hardwareConcurrency: processors }, VideoEncoder });
    return [height, frameRate];
  };
  assert.deepEqual(await frames(4, encoder(true)), [1080, 60]);
  assert.deepEqual(await frames(8, undefined), [1080, 60]);
  assert.deepEqual(await frames(4, encoder(false)), [720, 30]);
  assert.deepEqual(await frames(4, undefined), [720, 30]);
  assert.deepEqual(await frames(undefined, { isConfigSupported: () => Promise.reject(new TypeError('new')) }), [720, 30]);
});

test('a minute of any picture stays below what an upload may have', () => {
  for (const size of [{ width: 1280, height: 720 }, { width: 1080, height: 1920 }]) {
    assert.ok((videoRate(size) + SOUND_RATE) * 60 / 8 < 50_000_000);
  }
});

test('the progress bar has a mark for each clip, and knows the last take', () => {
  const clips = [clip(1), clip(2, { played: 2000 }), clip(3, { take: 2, played: 500 })];
  assert.deepEqual(marksOf({ limit: 10_000, clips }), [
    { start: 0, length: 0.1, isLast: false },
    { start: 0.1, length: 0.2, isLast: true },
    { start: 0.3, length: 0.05, isLast: true },
  ]);
  assert.deepEqual(marksOf({ limit: 10_000, clips: [] }), []);
});

test('MP4 is recorded where it can be, else WebM, else nothing', () => {
  const browser = (...types) => ({ isTypeSupported: (type) => types.includes(type) });
  assert.match(recordedType(browser('video/webm', 'video/mp4;codecs=avc1.42E01F,mp4a.40.2')), /^video\/mp4/);
  assert.equal(recordedType(browser('video/webm', 'video/mp4')), 'video/webm');
  assert.equal(recordedType(browser()), null);
  assert.equal(recordedType(undefined), null);
});

test('a saved file is called after its day and time', () => {
  const at = new Date(2026, 0, 31, 9, 5);
  assert.equal(fileName('video/mp4;codecs=avc1', at), 'clipfeed-2026-01-31-0905.mp4');
  assert.equal(fileName('video/webm', at), 'clipfeed-2026-01-31-0905.webm');
});

test('a choice of look that makes no sense is the plain one at full strength', () => {
  assert.deepEqual(readLook('3,80'), { look: 3, strength: 80 });
  for (const words of ['', 'x', '99,50', '-1,50', '1.5']) assert.equal(readLook(words).look, 0, words);
  assert.deepEqual(readLook('3,101'), { look: 3, strength: 100 });
});

test('there is a table for each look that has a name, and none where nothing changes', () => {
  const studio = load();
  looks().forEach((name, look) => {
    const table = tableOf(studio, { look, strength: 100 });
    assert.equal(table?.length, look ? 33 ** 3 * 4 : undefined, name);
  });
  assert.equal(studio.look_bytes(looks().length, 100), 0);
  assert.equal(tableOf(studio, { look: 3, strength: 0 }), null);
});

test('each reason why there is no camera is an obstacle with its own sentence', () => {
  const names = ['NotAllowedError', 'NotFoundError', 'NotReadableError'];
  assert.deepEqual(names.map((name) => obstacleOf(name)[0]),
    [OBSTACLE.notPermitted, OBSTACLE.noCamera, OBSTACLE.interruption]);
  assert.equal(new Set(names.map((name) => obstacleOf(name)[1])).size, 3);
});

// EBML head, a segment of unknown size, its information (time scale, 1 ms), a cluster.
const HEAD = [0x1a, 0x45, 0xdf, 0xa3, 0x84, 0x42, 0x86, 0x81, 1];
const ENDLESS = [0x18, 0x53, 0x80, 0x67, 0x01, 255, 255, 255, 255, 255, 255, 255];
const SCALE = [0x2a, 0xd7, 0xb1, 0x83, 0x0f, 0x42, 0x40];
const CLUSTER = [0x1f, 0x43, 0xb6, 0x75, 0x82, 1, 2];
const info = (...inside) => [0x15, 0x49, 0xa9, 0x66, 0x80 | inside.length, ...inside];
const bytesOf = async (blob) => [...new Uint8Array(await blob.arrayBuffer())];
const webm = (...parts) => new Blob([Uint8Array.from(parts.flat())], { type: 'video/webm' });

test('a WebM stream gets its length, and nothing else of it changes', async () => {
  const file = await withDuration(webm(HEAD, ENDLESS, info(...SCALE), CLUSTER), 2900);
  const duration = [0x44, 0x89, 0x88, ...new Uint8Array(Float64Array.of(2900).buffer).reverse()];
  assert.deepEqual(await bytesOf(file), [
    ...HEAD, ...ENDLESS, 0x15, 0x49, 0xa9, 0x66, 1, 0, 0, 0, 0, 0, 0, SCALE.length + 11, ...SCALE, ...duration,
    ...CLUSTER,
  ]);
  assert.equal(file.type, 'video/webm');
  assert.deepEqual(await bytesOf(await withDuration(file, 5000)), await bytesOf(file));
});

test('a file that is no such stream stays as it was, wherever it breaks off', async () => {
  const known = [0x18, 0x53, 0x80, 0x67, 0x80 | 20];
  const whole = [HEAD, ENDLESS, info(...SCALE)].flat();
  const files = [webm(HEAD, known, info(...SCALE), CLUSTER), webm([]), webm([0, 0, 0]), webm(Array(5000).fill(255))];
  for (let length = 1; length < whole.length; length += 1) files.push(webm(whole.slice(0, length)));
  for (const file of files) assert.deepEqual(await bytesOf(await withDuration(file, 1000)), await bytesOf(file));
});

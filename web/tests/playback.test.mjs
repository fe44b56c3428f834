import assert from 'node:assert/strict';
import test from 'node:test';
import { EVENT } from '../app/core/core.js';
import { conditionFields } from '../app/settings/conditions.js';
import { watchFrames } from '../app/settings/frames.js';

const calm = { reducedData: false, reducedMotion: false, autoplay: true };

test('what a browser does not tell sets no limit', () => {
  assert.deepEqual(conditionFields(calm), [-1, false, 0, 0, 0, false, false, true]);
});

test('battery, network and wishes are told together', () => {
  const fields = conditionFields({
    battery: { level: 0.07, charging: true }, connection: { type: 'cellular', saveData: false },
    reducedData: false, reducedMotion: true, autoplay: false,
  });
  assert.deepEqual(fields.map(Number).map(Math.round), [7, 1, 0, 0, 1, 0, 1, 0]);
});

test('who asks to save data is heard on any network', () => {
  assert.equal(conditionFields({ ...calm, connection: { type: 'wifi', saveData: true } })[4], 2);
  assert.equal(conditionFields({ ...calm, reducedData: true })[4], 2);
  assert.equal(conditionFields({ ...calm, connection: { type: 'wifi', saveData: false } })[4], 0);
});

test('a mobile link is metered unless it is 5G or the person says that it has no limit', () => {
  const network = (connection, preferences) => conditionFields({ ...calm, connection, preferences })[4];
  assert.equal(network({ type: 'cellular', downlinkMax: 100 }), 1);
  assert.equal(network({ type: 'cellular', downlinkMax: Infinity }), 1);
  assert.equal(network({ type: 'cellular', downlinkMax: 2000 }), 3);
  const unlimited = { waits: false, saves: false, byHand: false, unlimited: true };
  assert.equal(network({ type: 'cellular' }, unlimited), 3);
  assert.equal(network({ type: 'cellular', saveData: true }, unlimited), 2);
});

test('a processor under pressure is a warm device', () => {
  assert.deepEqual(['nominal', 'fair', 'serious', 'critical', undefined, 'new'].map((pressure) =>
    conditionFields({ ...calm, pressure })[3]), [0, 0, 1, 2, 0, 0]);
});

test('what the person wishes is told with the rest', () => {
  const preferences = { waits: true, saves: true, byHand: true, unlimited: false };
  assert.deepEqual(conditionFields({ ...calm, preferences }).slice(5), [true, false, false]);
});

/** A video that plays, and the frames that a test says it had. */
function counted() {
  globalThis.document = new EventTarget();
  document.hidden = false;
  const video = Object.assign(new EventTarget(), {
    paused: false, seeking: false, playbackRate: 1, videoWidth: 720, videoHeight: 1280, frames: [0, 0],
    getVideoPlaybackQuality() {
      return { totalVideoFrames: this.frames[0], droppedVideoFrames: this.frames[1] };
    },
  });
  const rows = [];
  watchFrames([video, new EventTarget()], (kind, ...fields) => rows.push([kind, ...fields]));
  const play = (total, dropped) => {
    video.frames = [total, dropped];
    video.dispatchEvent(new Event('timeupdate'));
  };
  return { video, rows, play };
}

test('frames are told sixty by sixty, and from where they were told last', () => {
  const { rows, play } = counted();
  for (const [total, dropped] of [[100, 7], [130, 9], [160, 10], [219, 30], [221, 30]]) play(total, dropped);
  assert.deepEqual(rows, [[EVENT.framesShown, 720, 57, 3], [EVENT.framesShown, 720, 41, 20]]);
});

test('frames before a break are not those behind it', () => {
  for (const type of ['emptied', 'pause', 'seeking', 'seeked', 'ratechange']) {
    const { video, rows, play } = counted();
    play(0, 0);
    video.dispatchEvent(new Event(type));
    play(90, 90);
    assert.deepEqual(rows, [], type);
    play(150, 100);
    assert.deepEqual(rows, [[EVENT.framesShown, 720, 50, 10]], type);
  }
});

test('nobody counts frames that nobody sees, or that have to be passed over', () => {
  for (const state of [{ paused: true }, { seeking: true }, { playbackRate: 2 }]) {
    const { video, rows, play } = counted();
    Object.assign(video, state);
    for (const total of [0, 90, 180]) play(total, 0);
    assert.deepEqual(rows, [], JSON.stringify(state));
  }
  const { rows, play } = counted();
  play(0, 0);
  document.hidden = true;
  document.dispatchEvent(new Event('visibilitychange'));
  play(90, 90);
  document.hidden = false;
  play(180, 180);
  assert.deepEqual(rows, []);
});

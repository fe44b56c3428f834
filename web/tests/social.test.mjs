import assert from 'node:assert/strict';
import test from 'node:test';
import { deviceOf } from '../app/sign-in/strings.js';
import { sentenceOf } from '../app/live/live.js';

for (const [client, device] of [
  ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0 Safari/537.36', 'Chrome on Linux'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0 Safari/537.36 Edg/120.0', 'Edge on Windows'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1 Version/17.0 Mobile/15E148 Safari/604.1', 'Safari on iPhone'],
  ['Mozilla/5.0 (Android 14; Mobile; rv:120.0) Gecko/120.0 Firefox/120.0', 'Firefox on Android'],
  ['clipfeed-ios/1.0', 'clipfeed-ios/1.0'],
  ['  ', 'Unknown device'],
]) {
  test(`a session is called ${device}`, () => { assert.equal(deviceOf(client), device); });
}

for (const [events, sentence] of [
  [[['like', 'Ada']], 'Ada likes your clip.'],
  [[['like', 'Ada'], ['like', 'Bob']], 'Ada and Bob like your clips.'],
  [[['like', 'Ada'], ['like', 'Ada'], ['like', 'Bob']], 'Ada and 2 more like your clips.'],
  [[['like'], ['follow', 'Ada']], 'Somebody likes your clip. Ada follows you.'],
  [[['dance', 'Ada']], ''],
]) {
  test(`a moment's events are one notice: ${sentence}`, () => {
    assert.equal(sentenceOf(events.map(([kind, name]) => ({ kind, ...(name && { actor: { name } }) }))), sentence);
  });
}

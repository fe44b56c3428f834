import assert from 'node:assert/strict';
import test from 'node:test';

import { entriesOf } from '../app/foreign/foreign.js';
import { attributesOf, fileOf, isPlaylist, variantsOf } from '../app/foreign/playlists.js';

const MEDIA = `#EXTM3U
#EXT-X-MAP:URI="a.mp4",BYTERANGE="100@0"
#EXTINF:1.0006,
#EXT-X-BYTERANGE:50@100
a.mp4
#EXTINF:2,
#EXT-X-BYTERANGE:25
a.mp4
#EXT-X-ENDLIST
`;

test('a master playlist says what the core has to know', () => {
  const text = '\ufeff#EXTM3U\r\n#EXT-X-STREAM-INF:BANDWIDTH=900,CODECS="avc1.64001e,mp4a.40.2",RESOLUTION=360x640\r\n a.m3u8 \r\n'
    + '#EXT-X-STREAM-INF:BANDWIDTH=800\nb.m3u8\n#EXT-X-STREAM-INF:BANDWIDTH=x,CODECS="a",RESOLUTION=1x1\nc.m3u8\n';
  assert.ok(isPlaylist(text));
  assert.deepEqual(variantsOf(text), [
    { uri: 'a.m3u8', codecs: 'avc1.64001e,mp4a.40.2', width: 360, height: 640, peak: 900, average: 900 }]);
  assert.deepEqual(attributesOf('A="b,c",D=e'), { A: 'b,c', D: 'e' });
});

test('a stream in one file is ranges of it', () => {
  assert.deepEqual(fileOf(MEDIA), {
    uri: 'a.mp4', init: { offset: 0, size: 100 },
    segments: [{ offset: 100, size: 50, duration_ms: 1001 }, { offset: 150, size: 25, duration_ms: 2000 }],
  });
});

test('every other stream is refused in words', () => {
  for (const [from, to, words] of [
    ['#EXT-X-ENDLIST', '', 'no end'], ['a.mp4\n#EXTINF', 'b.mp4\n#EXTINF', 'one file'], ['50@100', 'x', 'one file'],
    ['#EXT-X-BYTERANGE:50@100\n', '', 'one file'], ['1.0006', '-1', 'too long'], ['1.0006', 'NaN', 'too long'],
    ['1.0006', '1e9', 'too long'], ['50@100', '99999999999999', 'one file'], ['100@0', '0@0', 'one file'],
    ['#EXTINF:2', '#EXT-X-KEY:METHOD=AES-128,URI="k"\n#EXTINF:2', 'encrypted'],
  ]) {
    assert.notEqual(MEDIA.replace(from, to), MEDIA);
    assert.throws(() => fileOf(MEDIA.replace(from, to)), new RegExp(words), `${from} → ${to}`);
  }
  assert.throws(() => fileOf('#EXTM3U\n#EXT-X-ENDLIST\n'), /nothing/);
});

test('a list names streams from where it lies', () => {
  const at = 'https://a.example/x/list.json';
  assert.deepEqual(entriesOf('{"videos": ["b.m3u8", {"url": "/c.m3u8", "caption": "C"}, 3, null]}', at).map(({ url }) => url), [
    'https://a.example/x/b.m3u8', 'https://a.example/c.m3u8', 'https://a.example/x/3', 'https://a.example/x/null']);
  assert.deepEqual(entriesOf('#EXTM3U\n', at), [{ url: at, caption: '' }]);
  for (const wrong of ['{}', 'null', '"a"', '<html>']) assert.throws(() => entriesOf(wrong, at));
});

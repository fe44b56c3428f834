import assert from 'node:assert/strict';
import test from 'node:test';
import { linkTo, loadClip, readdress, remember, renew, share } from '../app/clip-link/clip.js';
import { loadFirst } from '../app/clip-link/first.js';
import { EVENT, REASON } from '../app/core/core.js';
import { Downloads, Store } from '../app/playback/downloads.js';
import { Feed, clipFrom } from '../app/feed/feed.js';

const SECRET = '0123456789abcdef0123456789abcdef';
const FEED = '/api/v1/feed?tab=for_you&limit=5';

const item = (id, folder = '/media') => ({
  id, width: 9, height: 16, poster: { url: `${folder}/p.jpg` },
  playback: {
    duration_ms: 1000, hls_url: `${folder}/h.m3u8`,
    renditions: [{ url: `${folder}/a.mp4`, codecs: 'x', init: { offset: 0, size: 2 }, segments: [{ offset: 2, size: 2 }] }],
  },
});

/** A server that answers by address; what it is not told of is not there. */
function serve(t, answers, path = '/') {
  const asked = [];
  t.mock.method(globalThis, 'fetch', async (url) => {
    asked.push(url);
    const answer = answers[url];
    if (answer instanceof Error) throw answer;
    return answer ? Response.json(answer) : Response.json({ code: 'clip_not_found' }, { status: 404 });
  });
  const [pathname, hash = ''] = path.split('#');
  globalThis.location = { origin: 'https://clips.example', pathname, hash: hash && `#${hash}` };
  t.after(() => delete globalThis.location);
  return asked;
}

/** The ids that a feed at that address shows, page by page. */
async function shown(load, pages = 1) {
  const ids = [];
  const feed = new Feed(() => {}, () => true, load);
  feed.onAppended((clip) => ids.push(clip.id));
  for (let page = 0; page < pages; page += 1) await feed.requestPage();
  return ids;
}

test('the clip of the address comes first, and then the feed without it', async (t) => {
  const asked = serve(t, {
    '/api/v1/clips/b': item('b'),
    [FEED]: { items: [item('a'), item('b')], next_cursor: 'n' },
    '/api/v1/feed?tab=for_you&limit=10&cursor=n': { items: [item('c'), item('b'), item('d')], next_cursor: null },
  }, '/c/b#upload');
  assert.deepEqual(await shown(loadFirst(() => assert.fail()), 2), ['b', 'a', 'c', 'd']);
  assert.equal(asked.filter((url) => url.includes('clips')).length, 1);
});

test('a private clip is asked for by its upload, which no page address but its own names', async (t) => {
  serve(t, { [`/api/v1/uploads/${SECRET}/clip`]: item('p'), [FEED]: { items: [], next_cursor: null } }, `/c/p#${SECRET}`);
  assert.deepEqual(await shown(loadFirst(() => assert.fail())), ['p']);
  assert.equal(linkTo('p', true), `https://clips.example/c/p#${SECRET}`);
  assert.equal(linkTo('p', false), 'https://clips.example/c/p');
  assert.equal(linkTo('q/?', true), 'https://clips.example/c/q%2F%3F');
  assert.equal(linkTo('p', false, 'a&b'), 'https://clips.example/c/p?comment=a%26b');
  assert.equal(linkTo('p', true, 'a'), `https://clips.example/c/p?comment=a#${SECRET}`);
});

test('without its clip the page is the feed, and says so', async (t) => {
  const notices = [];
  serve(t, { [FEED]: { items: [item('a')], next_cursor: null } }, '/c/%FF');
  assert.deepEqual(await shown(loadFirst((text) => notices.push(text))), ['a']);
  serve(t, { [FEED]: { items: [item('a')], next_cursor: null } }, '/c/gone');
  assert.deepEqual(await shown(loadFirst((text) => notices.push(text))), ['a']);
  // The words come behind the page.
  await import('../app/words/words.js');
  await new Promise(setImmediate);
  assert.deepEqual(notices, ['This clip is gone, or not for everyone.']);
});

test('a connection that fails is tried again, with the clip', async (t) => {
  const answers = { '/api/v1/clips/b': new TypeError('net'), [FEED]: { items: [item('a')], next_cursor: null } };
  serve(t, answers, '/c/b');
  const load = loadFirst(() => assert.fail());
  await assert.rejects(load(FEED));
  answers['/api/v1/clips/b'] = item('b');
  assert.deepEqual(await shown(load), ['b', 'a']);
});

test('new addresses are given to the files that are known, by their names', () => {
  const clip = clipFrom(item('a', '/sealed/a/1-x'), 0, () => true);
  const fresh = item('a', '/sealed/a/2-y');
  fresh.playback.renditions.unshift({ url: '/sealed/a/2-y/other.mp4' });
  readdress(clip, fresh);
  assert.equal(clip.renditions[0].url, '/sealed/a/2-y/a.mp4');
  assert.equal(clip.hls, '/sealed/a/2-y/h.m3u8');
  assert.equal(clip.poster.url, '/sealed/a/2-y/p.jpg');
});

test('a download whose address is over asks for the clip, and the next one goes to the new address', async (t) => {
  const clip = clipFrom(item('a', '/sealed/a/1-x'), 0, () => true);
  const asked = serve(t, { '/api/v1/clips/a': item('a', '/sealed/a/2-y') });
  const known = globalThis.fetch;
  t.mock.method(globalThis, 'fetch', (url) => {
    if (url.includes('1-x')) return Promise.resolve(new Response('{}', { status: 403 }));
    if (!url.includes('2-y')) return known(url);
    return Promise.resolve(new Response(new Uint8Array(4), { status: 206, headers: { 'Content-Range': 'bytes 0-3/4' } }));
  });
  const events = [];
  const downloads = new Downloads(() => clip, new Store(), (kind, ...fields) => events.push([kind, ...fields]));
  await downloads.fetch({ request: 1, item: 0, rendition: 0, first: 0, count: 1, init: 1, offset: 0, size: 4 });
  assert.deepEqual(events, [[EVENT.fetchFailed, 1, REASON.network]]);
  assert.deepEqual(asked, ['/api/v1/clips/a']);
  events.length = 0;
  await downloads.fetch({ request: 2, item: 0, rendition: 0, first: 0, count: 1, init: 1, offset: 0, size: 4 });
  assert.deepEqual(events.map(([kind]) => kind), [EVENT.segmentStored, EVENT.segmentStored, EVENT.fetchFinished]);
});

test('a clip that became private meanwhile is gone', async (t) => {
  const clip = clipFrom(item('a', '/sealed/a/1-x'), 0, () => true);
  serve(t, {});
  await assert.rejects(renew(clip), { reason: REASON.gone });
  remember('z', SECRET);
  await assert.rejects(loadClip('z'), { reason: REASON.gone });
});

// A proxy answers so for a server that is away, and what is kept of a clip goes where it is gone.
test('only the server says that a clip is gone', async (t) => {
  const reasonOf = async (body, status) => {
    t.mock.method(globalThis, 'fetch', async () => new Response(body, { status }));
    const error = await loadClip('a').catch((thrown) => thrown);
    assert.equal(error.status, status);
    return error.reason;
  };
  for (const status of [403, 404, 410, 502]) {
    for (const body of ['', '<html>', 'null', '7', '{}', '{"code":"route_not_found"}']) {
      assert.equal(await reasonOf(body, status), REASON.network, `${status} ${body}`);
    }
  }
  for (const [code, status] of [
    ['clip_not_found', 404], ['author_blocked', 403], ['clip_for_adults', 403], ['upload_not_found', 404], ['upload_expired', 410],
  ]) assert.equal(await reasonOf(JSON.stringify({ code }), status), REASON.gone, code);
});

test('captions get their new addresses by their language, and those that are gone keep theirs', () => {
  const track = (language, folder) => ({ language, url: `${folder}/${language}.vtt` });
  const old = item('a', '/sealed/a/1-x');
  old.playback.captions = [track('en', '/sealed/a/1-x'), track('de', '/sealed/a/1-x')];
  const clip = clipFrom(old, 0, () => true);
  const [english] = clip.captions;
  const fresh = item('a', '/sealed/a/2-y');
  readdress(clip, fresh);
  assert.equal(english.url, '/sealed/a/1-x/en.vtt');
  fresh.playback.captions = [track('fr', '/sealed/a/2-y'), { language: 'en', url: '/sealed/a/2-y/corrected.vtt' }];
  readdress(clip, fresh);
  assert.deepEqual(clip.captions.map(({ url }) => url), ['/sealed/a/2-y/corrected.vtt', '/sealed/a/1-x/de.vtt']);
  assert.equal(clip.captions[0], english);
});

test('the address of a private clip is not handed on', async () => {
  const notices = [];
  await share({ id: 'a', visibility: 'private' }, (text) => notices.push(text));
  assert.deepEqual(notices, ['Only you can see this clip.']);
});

// What the page makes of a track of captions: cues, their times over a loop, harmless pieces, the right language.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';

import { cuesAt, cuesIn, nextChange, piecesOf, trackFor } from '../app/captions/track.js';
import { fakeDocument } from './fake-document.mjs';
import './pages.mjs';

// What the server made of fixtures/captions/people.srt.
const FILE = readFileSync(new URL('../../fixtures/captions/one-form.vtt', import.meta.url), 'utf8');
const cues = cuesIn(FILE);

test('a file becomes its cues', () => {
  assert.deepEqual(cues, [
    { start: 500, end: 2000, markup: 'Hello\n<b>th</b><b><i>er</i></b><b>e</b>' },
    { start: 1000, end: 3500, markup: 'Grüße -&gt; 👋 &lt;ok&gt;' },
    { start: 1000, end: 60_250, markup: 'Over &amp; &lt;3' },
  ]);
  assert.deepEqual(piecesOf(cues[1].markup), [{ text: 'Grüße -> 👋 <ok>', tags: [] }]);
  assert.deepEqual(cuesIn(''), []);
  assert.deepEqual(cuesIn('<html>\n\nnothing\n\n00:00 --> x\ny'), []);
});

test('a cue is due from its start until right before its end', () => {
  const due = (position) => cuesAt(cues, position).map(({ start }) => start);
  assert.deepEqual([499, 500, 999, 1000, 1999, 2000].map(due), [[], [500], [500], [500, 1000, 1000], [500, 1000, 1000], [1000, 1000]]);
});

test('the next change is an edge of a cue, or the start of the next loop', () => {
  assert.deepEqual([0, 500, 1000, 2000].map((position) => nextChange(cues, position, 3000)), [500, 1000, 2000, 3000]);
});

test('only text and emphasis come out, whatever goes in', () => {
  assert.deepEqual(piecesOf('a <b>b <i>c</b> d</i>'), [
    { text: 'a ', tags: [] }, { text: 'b ', tags: ['b'] }, { text: 'c', tags: ['b', 'i'] }, { text: ' d', tags: ['i'] },
  ]);
  assert.deepEqual(piecesOf('<v Ann &amp; Bo>&amp;lt; &lt;&gt;</v>'), [{ text: '&lt; <>', tags: [] }]);
  for (const markup of ['<script>x</script>', '<img src=x>y', '<', '<b', '</b>z', '<b><b></b></b>q', '']) {
    for (const { tags } of piecesOf(markup)) assert.ok(tags.every((tag) => 'biu'.includes(tag)), markup);
  }
});

test('the track is in a language that the person reads, and a person wrote it', () => {
  const track = (language, automatic = false) => ({ language, automatic });
  const pick = (tracks, languages) => {
    const { track: found, isRead } = trackFor(tracks, languages);
    return [found?.language ?? null, isRead];
  };
  const all = [track('de', true), track('en'), track('pt-BR')];
  assert.deepEqual(pick(all, ['fr', 'de-AT', 'en']), ['de', true]);
  assert.deepEqual(pick(all, ['pt-br']), ['pt-BR', true]);
  assert.deepEqual(pick(all, ['pt']), ['pt-BR', true]);
  assert.deepEqual(pick([track('en-US', true), track('en-GB')], ['en']), ['en-GB', true]);
  assert.deepEqual(pick(all, ['ja']), ['en', false]);
  assert.deepEqual(pick([], ['ja']), [null, false]);
});

let pages = 0;

/** Captions over a clip whose seal is over, as somebody sees them who reads English; `newer` is what its new address answers. */
async function sealed(t, newer) {
  pages += 1;
  const track = (seal) => ({ language: 'en', label: 'English', automatic: false, url: `/sealed/a/${seal}/en.vtt` });
  const clip = { id: 'a', duration: 60_250, renditions: [], captions: [track('1-x')] };
  const known = ['document', 'Option', 'navigator'].map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]);
  t.after(() => known.forEach(([name, before]) => (before ? Object.defineProperty(globalThis, name, before) : delete globalThis[name])));
  const page = fakeDocument();
  Object.assign(globalThis, { document: page, Option: class {} });
  Object.defineProperty(globalThis, 'navigator', { configurable: true, value: { languages: ['en'] } });
  t.mock.method(console, 'warn', () => {});
  const asked = [];
  t.mock.method(globalThis, 'fetch', async (url) => {
    asked.push(url);
    if (url === '/api/v1/clips/a') return Response.json({ poster: {}, playback: { renditions: [], captions: [track('2-y')] } });
    return url.includes('2-y') ? newer() : Response.json({ code: 'media_address_expired' }, { status: 403 });
  });
  const { attach } = await import(`../app/captions/captions.js?page=captions-${pages}`);
  // Nothing is due to change soon, so that no timer runs on.
  attach(page.createElement('main'), () => clip, () => 1500);
  return { asked, text: page.made.find(({ name }) => name === 'p') };
}

async function until(holds) {
  for (const end = Date.now() + 20_000; !holds();) {
    assert.ok(Date.now() < end, String(holds));
    await new Promise((go) => { setTimeout(go, 2); });
  }
}

const ALL = ['/sealed/a/1-x/en.vtt', '/api/v1/clips/a', '/sealed/a/2-y/en.vtt'];

test('captions whose address is over come from the one that holds now', async (t) => {
  const { asked, text } = await sealed(t, () => new Response(FILE));
  await until(() => text.children.length);
  assert.deepEqual(asked, ALL);
});

test('a clip is asked once for the address of its captions', async (t) => {
  const { asked } = await sealed(t, () => new Response('', { status: 403 }));
  await until(() => asked.length === ALL.length);
  // As long as one more request takes.
  await new Promise((go) => { setTimeout(go, 20); });
  assert.deepEqual(asked, ALL);
});

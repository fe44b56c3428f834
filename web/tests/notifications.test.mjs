import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import vm from 'node:vm';

import { SETTINGS, sentenceOf, textOf } from '../app/notifications/words.js';

const person = (name) => ({ id: name, handle: name.toLowerCase(), name });
const [ann, ben, cleo] = ['Ann', 'Ben', 'Cleo'].map(person);
const says = (kind, people, count = people.length) => textOf(sentenceOf({ kind, people, count }));

test('a row says who did what', () => {
  assert.equal(says('like', [ann]), 'Ann liked your clip');
  assert.equal(says('like', [ann, ben]), 'Ann and Ben liked your clip');
  assert.equal(says('like', [ann, ben, cleo], 3), 'Ann, Ben and 1 other liked your clip');
  assert.equal(says('follow', [ann, ben, cleo], 12), 'Ann, Ben and 10 others followed you');
  assert.equal(says('comment_like', [ann, ben, cleo], 100), 'Ann, Ben and 98+ others liked your comment');
  assert.equal(says('reply', [], 1), 'A guest replied to you');
  assert.equal(says('published', [], 0), 'Your clip is published');
  assert.equal(says('failed', [], 0), 'Your clip could not be published');
  const decided = (decision) => textOf(sentenceOf({ kind: 'decision', people: [], count: 0, decision }));
  assert.equal(decided({ kind: 'clip' }), 'A moderator decided something about your clip');
  assert.equal(decided({ kind: 'person' }), 'A moderator decided something about you');
  assert.equal(decided({ kind: 'clip', outcome: 'upheld' }), 'A moderator answered your appeal');
  assert.equal(decided({ kind: 'clip', outcome: 'reversed' }), 'A moderator took a decision back');
  assert.equal(says('new_clip', [ann], 1), 'Ann published a clip');
  assert.equal(says('new_clip', [ann], 3), 'Ann published 3 clips');
  assert.equal(says('new_clip', [ann], 10), 'Ann published 10+ clips');
  assert.equal(says('generated', [], 0), 'Your clip is made: have a look');
  assert.equal(says('generation_failed', [], 0), 'Your clip could not be made');
  assert.equal(says('webhook_off', [], 0), 'A webhook of yours was switched off');
});

test('a kind of a newer version is no row', () => {
  assert.equal(sentenceOf({ kind: 'of tomorrow', people: [ann], count: 1 }), null);
  assert.equal(sentenceOf({ kind: 'constructor', people: [ann], count: 1 }), null);
});

test('every kind of the contract can be switched', () => {
  const contract = readFileSync(new URL('../../contract/Sources/Contract/NotificationEntry.swift', import.meta.url), 'utf8');
  const kinds = [...contract.matchAll(/static let \w+ = "(\w+)"/g)].map(([, kind]) => kind);
  assert.ok(kinds.length > 5);
  assert.deepEqual(SETTINGS.flatMap((setting) => setting.kinds).sort(), kinds.sort());
});

/** push.js in a service worker that remembers what it is told. */
function worker(pages = []) {
  const listeners = {};
  const shown = [];
  const opened = [];
  const self = {
    location: new URL('https://clips.example.org/worker.js'),
    addEventListener: (name, listener) => { listeners[name] = listener; },
    registration: { showNotification: async (title, options) => { shown.push({ title, ...options }); } },
    clients: { matchAll: async () => pages, openWindow: async (url) => { opened.push(url); } },
  };
  vm.runInNewContext(readFileSync(new URL('../push.js', import.meta.url), 'utf8'), { self, URL });
  const fire = async (name, event) => {
    const waits = [];
    listeners[name]({ ...event, waitUntil: (wait) => waits.push(wait) });
    await Promise.all(waits);
  };
  return { fire, shown, opened };
}

const push = (text) => ({ data: { json: () => JSON.parse(text) } });

test('a push is shown as the server says it', async () => {
  const { fire, shown } = worker();
  await fire('push', push('{"title":"Mara","body":"hello","tag":"message/1","url":"/#messages/mara"}'));
  assert.equal(shown[0].title, 'Mara');
  assert.equal(shown[0].body, 'hello');
  assert.equal(shown[0].tag, 'message/1');
  assert.equal(shown[0].data.url, 'https://clips.example.org/#messages/mara');
});

test('each push shows something, whatever came', async () => {
  const { fire, shown } = worker();
  for (const event of [{ data: null }, push('[]'), push('null'), push('{"title":1}'), push('{')]) await fire('push', event);
  assert.deepEqual(shown.map(({ title }) => title), Array(5).fill('Clipfeed'));
});

test('a tap leads to a place of this site alone', async () => {
  for (const [url, place] of [
    ['/c/one', 'https://clips.example.org/c/one'], ['https://evil.example/x', 'https://clips.example.org/#notifications'],
    ['//evil.example/x', 'https://clips.example.org/#notifications'], ['javascript:alert(1)', 'https://clips.example.org/#notifications'],
    [undefined, 'https://clips.example.org/#notifications'],
  ]) {
    const { fire, opened } = worker();
    await fire('notificationclick', { notification: { close() {}, data: { url } } });
    assert.deepEqual(opened, [place]);
  }
});

test('a page that is open is brought there instead of a new one', async () => {
  const said = [];
  const page = (name, visibilityState) => ({ visibilityState, postMessage: (what) => said.push([name, what.url]), focus: async () => said.push([name, 'focus']) });
  const { fire, opened } = worker([page('hidden', 'hidden'), page('seen', 'visible')]);
  await fire('notificationclick', { notification: { close() {}, data: { url: '/c/one' } } });
  assert.deepEqual(said, [['seen', 'https://clips.example.org/c/one'], ['seen', 'focus']]);
  assert.deepEqual(opened, []);
});

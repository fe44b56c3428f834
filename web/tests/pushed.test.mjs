import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import vm from 'node:vm';

import { sentences } from '../app/offline/pushed.js';

/** What push.js shows of these payloads, where the page left such `words`. */
async function shownOf(words, ...payloads) {
  const listeners = {};
  const shown = [];
  const self = {
    location: new URL('https://clips.example.org/worker.js'),
    addEventListener: (name, listener) => { listeners[name] = listener; },
    registration: { showNotification: async (title, { body }) => { shown.push([title, body]); } },
    caches: { match: async (place) => (place === '/words/pushed' && words ? Response.json(words) : undefined) },
  };
  vm.runInNewContext(readFileSync(new URL('../push.js', import.meta.url), 'utf8'), { self, URL });
  for (const payload of payloads) {
    const waits = [];
    listeners.push({ data: { json: () => payload }, waitUntil: (wait) => waits.push(wait) });
    await Promise.all(waits);
  }
  return shown;
}

const follow = { title: 'Guest', body: 'in English', tag: 'follow', url: '/' };
const german = {
  language: 'de', sentences: { '%1$@ and %2$@ others follow you': '%1$@ und %2$d weitere folgen dir', Guest: 'Gast', 'Something happened.': 'Es ist etwas passiert.' },
};

test('what the server says as a sentence is shown in the language that the page left', async () => {
  const many = { ...follow, sentence: '%1$@ and %2$@ others follow you', arguments: ['%2$d 007', '1200'], title_sentence: 'Guest' };
  assert.deepEqual(await shownOf(german, many, null), [
    ['Gast', '%2$d 007 und 1.200 weitere folgen dir'], ['Clipfeed', 'Es ist etwas passiert.']]);
  assert.deepEqual(await shownOf(null, many), [['Guest', 'in English']]);
});

test('what is no sentence that is known is shown as the server wrote it', async () => {
  // A person may be called Guest.
  const payloads = [follow, { ...follow, sentence: 'constructor' }, { ...follow, sentence: 7, title_sentence: {} }];
  assert.deepEqual(await shownOf(german, ...payloads), Array(3).fill(['Guest', 'in English']));
  assert.deepEqual(await shownOf(german, { ...follow, sentence: '%1$@ and %2$@ others follow you', arguments: 7 }),
    [['Guest', ' und  weitere folgen dir']]);
});

test('the page leaves all sentences of the contract, with as many places as they have', () => {
  const contract = readFileSync(new URL('../../contract/Sources/Contract/PushDevice.swift', import.meta.url), 'utf8');
  const all = [...contract.match(/enum PushSentence[^]*/)[0].matchAll(/case \w+ = "([^"]+)"/g)].map(([, sentence]) => sentence);
  const { 'Something happened.': nothing, ...left } = sentences();
  assert.ok(nothing);
  assert.deepEqual(Object.keys(left).sort(), all.sort());
  const places = (text) => (text.match(/%(\d\$)?[@d]/g) ?? []).length;
  for (const [sentence, words] of Object.entries(left)) assert.equal(places(words), places(sentence), sentence);
});

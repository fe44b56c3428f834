import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { direction, language, loadWords, onWords, plural, problemText, t, useWords } from '../app/words/words.js';

afterEach(() => {
  useWords('en', {});
  delete globalThis.fetch;
});

const catalogue = (name, sentences) => {
  const asked = [];
  globalThis.fetch = async (address) => {
    asked.push(address);
    return sentences ? Response.json(sentences) : new Response('', { status: 503 });
  };
  useWords(name, {});
  return asked;
};

test('without words the sentences are English', () => {
  assert.equal(language(), 'en');
  assert.equal(direction(), 'ltr');
  assert.equal(t('Send message'), 'Send message');
  assert.equal(t('Blocked {name}.', { name: '<b>' }), 'Blocked <b>.');
  assert.equal(t('Following::state'), 'Following');
});

test('English has one form for one and another for all else', () => {
  assert.equal(plural(1, '{count} like', '{count} likes'), '1 like');
  assert.equal(plural(0, '{count} like', '{count} likes'), '0 likes');
  assert.equal(plural(1200, '{count} like', '{count} likes'), '1,200 likes');
});

test('a catalogue gives sentences by their English', async () => {
  const asked = catalogue('de', { 'Send message': 'Nachricht senden', '{count} likes': { one: '{count} Like', other: '{count} Likes' } });
  await loadWords();
  await loadWords();
  assert.deepEqual(asked, ['/words/de/feed.json']);
  assert.equal(t('Send message'), 'Nachricht senden');
  assert.equal(t('Unknown'), 'Unknown');
  assert.equal(plural(1, '{count} like', '{count} likes'), '1 Like');
  assert.equal(plural(1200, '{count} like', '{count} likes'), '1.200 Likes');
});

test('a language has as many forms as it needs', () => {
  useWords('ar', { '{count} likes': { zero: 'z', one: 'o', two: 't', few: 'f', many: 'm', other: 'x' } });
  assert.deepEqual([0, 1, 2, 5, 11, 100].map((count) => plural(count, '{count} like', '{count} likes')), ['z', 'o', 't', 'f', 'm', 'x']);
  assert.equal(direction(), 'rtl');
});

test('a name that is written from left to right keeps its sides among Arabic', () => {
  useWords('ar', { 'Blocked {name}.': 'تم حظر {name}.' });
  assert.equal(t('Blocked {name}.', { name: '@ada' }), 'تم حظر \u2068@ada\u2069.');
  useWords('de', {});
  assert.equal(t('Blocked {name}.', { name: '@ada' }), 'Blocked @ada.');
});

test('words that do not come leave English', async (context) => {
  context.mock.method(console, 'warn', () => {});
  context.mock.timers.enable({ apis: ['Date'] });
  const asked = catalogue('es', null);
  await loadWords('screens');
  assert.equal(t('Send message'), 'Send message');
  await loadWords('screens');
  assert.equal(asked.length, 1);
  globalThis.fetch = async () => Response.json({ 'Send message': 'Enviar mensaje' });
  context.mock.timers.tick(16_000);
  const arrival = new Promise(onWords);
  await loadWords('screens');
  assert.equal(await arrival, 'screens');
  assert.equal(t('Send message'), 'Enviar mensaje');
});

test('nobody waits long for words', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  useWords('de', {});
  globalThis.fetch = () => new Promise(() => {});
  let isDone = false;
  const waiting = loadWords('feed').then(() => { isDone = true; });
  await Promise.resolve();
  assert.equal(isDone, false);
  context.mock.timers.tick(4000);
  await waiting;
  const later = loadWords('feed');
  context.mock.timers.tick(1);
  await later;
});

test('a value that names a property of every object is no value', () => {
  assert.equal(t('{toString}'), '{toString}');
  assert.equal(t('constructor'), 'constructor');
});

test('a refusal is shown by its code', () => {
  useWords('de', {}, { unauthorized: 'Bitte melde dich an.' });
  assert.equal(problemText({ code: 'unauthorized', detail: 'Sign in first.' }), 'Bitte melde dich an.');
  assert.equal(problemText({ code: 'other', detail: 'Sign in first.' }), 'Sign in first.');
});

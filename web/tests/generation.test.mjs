import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';

import { clipFrom } from '../app/feed/feed.js';
import { itemsFrom } from '../app/feed/last-visit.js';
import { follow, hasMoved, newer, waitAfter, waitAfterTrouble } from '../app/generation/course.js';
import { Drafts } from '../app/generation/drafts.js';
import { aspectChoices, choiceFor, isEmpty, lengthChoices, obstacleTo, termsOf } from '../app/generation/offer.js';
import { changesIn, familyOf } from '../app/generation/versions.js';
import {
  asksForOtherWords, courseOf, factsOf, isDraft, isUnderWay, lasting, lengthOf, PROMPT_LENGTH, refusalOf, renewalAfter, shortStateOf, spokenOf, stateOf,
} from '../app/generation/words.js';

const contract = (file) => readFileSync(new URL(`../../contract/Sources/Contract/${file}.swift`, import.meta.url), 'utf8');
const made = (changes) => ({ id: 'a', state: 'in_progress', prompt: 'a fox', seconds: 10, style: 'none', aspect: '9:16', credits: 10,
  created_at: '2026-11-01T10:00:00Z', permille: 0, is_published: false, ...changes });

// MARK: words

test('how far one is, is what the server says, with what is left where that is known', () => {
  assert.equal(courseOf(made({ state: 'reserved', place: 1 })), 'It is next.');
  assert.equal(courseOf(made({ state: 'reserved', place: 2, remaining_ms: 95_000 })), 'In line: 1 goes before it at most. About 2 min left.');
  assert.equal(courseOf(made({ state: 'reserved', place: 1201 })), 'In line: 1,200 go before it at most.');
  assert.equal(courseOf(made({ state: 'queued', permille: 0, remaining_ms: 4000 })), 'It begins in a moment. About 4 s left.');
  assert.equal(courseOf(made({ permille: 428, remaining_ms: 11_200 })), '42 % is made. About 12 s left.');
  assert.equal(courseOf(made({ state: 'storing', permille: 990 })), '99 %. It becomes a clip now.');
  // A state of tomorrow.
  assert.equal(isUnderWay(made({ state: 'dreaming' })), false);
});

test('a time is coarser the longer it is', () => {
  assert.deepEqual([0, 999, 59_000, 59_001, 3_540_000, 3_600_001].map(lasting), ['1 s', '1 s', '59 s', '1 min', '59 min', '2 h']);
});

test('whoever listens hears of each quarter and of each change, not of each step', () => {
  assert.equal(spokenOf(made({ permille: 10 }), made({ permille: 240 })), null);
  assert.equal(spokenOf(made({ permille: 240 }), made({ permille: 250 })), '25 % is made.');
  assert.match(spokenOf(made({ state: 'reserved', place: 3 }), made({ state: 'reserved', place: 2 })), /^In line/);
  assert.match(spokenOf(made(), made({ state: 'ready', permille: 1000 })), /^Your clip is made/);
  assert.equal(spokenOf(made({ state: 'ready' }), made({ state: 'ready' })), null);
});

test('why there is none is said in our words, with what it cost', () => {
  const problems = [...contract('Generation').match(/enum GenerationProblem[^}]*/)[0].matchAll(/case (\w+)(?: = "(\w+)")?/g)].map(([, name, raw]) => raw ?? name);
  assert.ok(problems.length >= 7);
  const said = new Set(problems.map((problem) => stateOf(made({ state: 'failed', problem }))));
  assert.equal(said.size, problems.length);
  for (const words of said) assert.match(words, /It cost nothing: 10 credits are back\.$/);
  for (const problem of [undefined, 'of tomorrow', 'constructor']) assert.match(stateOf(made({ state: 'failed', problem, credits: 1 })), /^It could not be made\..* 1 credit is back\.$/);
  assert.match(stateOf(made({ state: 'cancelled' })), /^Cancelled\./);
  assert.equal(asksForOtherWords(made({ state: 'failed', problem: 'content_policy' })), true);
  assert.equal(asksForOtherWords(made({ state: 'failed', problem: 'capacity' })), false);
});

test('a draft is what is ready and nobody else sees', () => {
  assert.equal(isDraft(made({ state: 'ready' })), true);
  assert.equal(isDraft(made({ state: 'ready', is_published: true })), false);
  assert.deepEqual(['reserved', 'queued', 'in_progress', 'storing', 'ready', 'failed', 'cancelled', 'expired'].map((state) => shortStateOf(made({ state, permille: 305 }))),
    ['In line', 'Begins soon', '30 %', '30 %', 'Draft', 'Not made', 'Cancelled', 'Not made']);
  assert.equal(factsOf(made({ style: 'cinematic', credits: 1 })), '10 s · Upright · Cinematic · 1 credit');
  assert.equal(factsOf(made({ aspect: '4:5', style: 'constructor' })), '10 s · 4:5 · constructor · 10 credits');
});

test('every refusal of the contract has words of its own', () => {
  const codes = ['prompt_empty', 'prompt_too_long', 'generations_under_way', 'generation_unavailable', 'generation_not_possible',
    'generation_not_found', 'clip_not_found', 'picture_not_found', 'clip_not_ready', 'idempotency_key_reused'];
  for (const code of codes) {
    assert.match(contract('ErrorCode'), new RegExp(`"${code}"`));
    assert.notEqual(refusalOf({ code, detail: 'Theirs.' }), 'Theirs.');
  }
  // By which rule nothing is made of a prompt, the server knows.
  const refused = { code: 'content_policy', field: 'prompt', detail: 'This site does not take “gun”. Change it and send it again.' };
  assert.equal(refusalOf(refused), refused.detail);
  assert.equal(refusalOf({ code: 'unavailable', detail: 'Prompts cannot be checked now.', retryAfter: 5 }),
    'Prompts cannot be checked now. Try again in 5 s.');
  // Whose credits they are as well.
  const now = Date.parse('2026-11-01T10:00:00Z');
  assert.equal(refusalOf({ code: 'insufficient_credits', detail: 'Used up.' }, now), `Used up. The next day begins at ${renewalAfter(now)}.`);
  assert.equal(refusalOf({ code: 'of_tomorrow', detail: 'Theirs.', retryAfter: 90 }), 'Theirs. Try again in 2 min.');
  assert.equal(refusalOf(new Error('a fault of ours')), 'This did not work. Please try again.');
  assert.equal(refusalOf({ code: 'constructor', detail: 'Theirs.' }), 'Theirs.');
});

test('a prompt is as long as the contract counts it', () => {
  assert.match(contract('Limits'), new RegExp(`promptScalars = 1\\.\\.\\.${PROMPT_LENGTH}$`, 'm'));
  assert.equal(lengthOf('  \n '), 0);
  assert.equal(lengthOf(' 👩‍🚀 '), 3);
  assert.equal(lengthOf('שלום'), 4);
});

test('credits are new when the day of UTC begins', () => {
  const shown = (at) => new Intl.DateTimeFormat('en', { timeStyle: 'short' }).format(new Date(at));
  assert.equal(renewalAfter(Date.parse('2026-11-01T23:59:59Z')), shown('2026-11-02T00:00:00Z'));
  assert.equal(renewalAfter(Date.parse('2026-11-02T00:00:00Z')), shown('2026-11-03T00:00:00Z'));
});

// MARK: the offer

const offer = (changes) => ({ credits_left: 45, credits_per_day: 60, under_way: 0, most_under_way: 3, starts_from_clips: false, aspects: ['9:16', '16:9'],
  lengths: [{ seconds: 5, credits: 5, usual_ms: 31_000 }, { seconds: 10, credits: 10, usual_ms: null }, { seconds: 60, credits: 60 }], ...changes });
const NOW = Date.parse('2026-11-01T10:00:00Z');

test('only what is offered can be chosen, and what was wanted stays if it is', () => {
  assert.deepEqual(choiceFor(offer()), { seconds: 5, aspect: '9:16', style: 'none' });
  assert.deepEqual(choiceFor(offer(), { seconds: 10, aspect: '16:9', style: 'animation' }), { seconds: 10, aspect: '16:9', style: 'animation' });
  assert.deepEqual(choiceFor(offer({ aspects: ['1:1'] }), { seconds: 15, aspect: '9:16', style: 'baroque' }), { seconds: 5, aspect: '1:1', style: 'none' });
  assert.deepEqual(lengthChoices(offer())[0], [5, '5 s', '5 credits']);
  assert.deepEqual(aspectChoices(offer()), [['9:16', 'Upright', '9:16'], ['16:9', 'Wide', '16:9']]);
  for (const none of [null, {}, offer({ lengths: [] }), offer({ aspects: [] })]) assert.equal(isEmpty(none), true);
});

test('the price, what is left and how long it takes are said before anybody asks', () => {
  assert.equal(termsOf(offer(), 5, NOW), '5 credits. You have 45 of 60 credits left today. It usually takes 31 s.');
  assert.equal(termsOf(offer(), 10, NOW), '10 credits. You have 45 of 60 credits left today. Nobody knows yet how long it takes.');
  assert.equal(termsOf(offer(), 7, NOW), '');
});

test('what is in the way says what helps', () => {
  assert.equal(obstacleTo(offer(), 5), null);
  assert.equal(obstacleTo(offer(), 60), 'credits');
  assert.match(termsOf(offer(), 60, NOW), /which is not enough\. Choose a shorter one, or come back after /);
  assert.match(termsOf(offer({ credits_left: 4 }), 5, NOW), /which is not enough\. Come back after /);
  assert.equal(obstacleTo(offer({ under_way: 3 }), 60), 'busy');
  assert.match(termsOf(offer({ under_way: 3 }), 5, NOW), /3 are being made for you.*wait for one, or cancel one\.$/);
});

// MARK: what is written

class Storage {
  values = new Map();
  getItem(key) { return this.values.get(key) ?? null; }
  setItem(key, value) { this.values.set(key, value); }
  removeItem(key) { this.values.delete(key); }
}

function keys() {
  let last = 0;
  return () => `key ${last += 1}`;
}

test('what is written is there after a reload, and nobody else reads it', () => {
  const storage = new Storage();
  new Drafts(storage, 'ada', keys()).write('new', { prompt: 'שלום עולם', seconds: 10 });
  assert.deepEqual(new Drafts(storage, 'ada', keys()).fields('new'), { prompt: 'שלום עולם', seconds: 10 });
  assert.deepEqual(new Drafts(storage, 'ada', keys()).fields('refine a'), {});
  assert.deepEqual(new Drafts(storage, 'bob', keys()).fields('new'), {});
});

test('a second tap and a try after a lost answer have the same key, also after a reload', () => {
  const storage = new Storage();
  const drafts = new Drafts(storage, 'ada', keys());
  drafts.write('new', { prompt: 'a fox' });
  assert.equal(drafts.keyFor('new', { prompt: 'a fox' }), 'key 1');
  assert.equal(drafts.keyFor('new', { prompt: 'a fox' }), 'key 1');
  assert.equal(new Drafts(storage, 'ada', () => 'another').keyFor('new', { prompt: 'a fox' }), 'key 1');
  // Writing on is no new wish, until it is sent.
  drafts.write('new', { prompt: 'a fox', seconds: 5 });
  assert.equal(drafts.keyFor('new', { prompt: 'a fox' }), 'key 1');
  assert.equal(drafts.keyFor('new', { prompt: 'two foxes' }), 'key 2');
});

test('what was refused and what was asked for gets another key', () => {
  const drafts = new Drafts(new Storage(), 'ada', keys());
  drafts.write('new', { prompt: 'a fox' });
  drafts.keyFor('new', { prompt: 'a fox' });
  drafts.refused('new');
  assert.deepEqual(drafts.fields('new'), { prompt: 'a fox' });
  assert.equal(drafts.keyFor('new', { prompt: 'a fox' }), 'key 2');
  drafts.forget('new');
  assert.deepEqual(drafts.fields('new'), {});
  assert.equal(drafts.keyFor('new', { prompt: 'a fox' }), 'key 3');
  drafts.refused('never');
});

test('two tabs do not write over each other', () => {
  const storage = new Storage();
  const [one, other] = [1, 2].map(() => new Drafts(storage, 'ada', keys()));
  one.write('new', { prompt: 'a fox' });
  other.write('refine a', { prompt: 'two foxes' });
  assert.deepEqual(one.fields('refine a'), { prompt: 'two foxes' });
  assert.deepEqual(new Drafts(storage, 'ada', keys()).fields('new'), { prompt: 'a fox' });
});

test('twenty drafts are kept, and of nothing nothing', () => {
  const storage = new Storage();
  const drafts = new Drafts(storage, 'ada', keys());
  for (let at = 0; at < 25; at += 1) drafts.write(`refine ${at}`, { prompt: String(at) });
  assert.deepEqual(drafts.fields('refine 4'), {});
  assert.deepEqual(drafts.fields('refine 5'), { prompt: '5' });
  for (let at = 0; at < 25; at += 1) drafts.forget(`refine ${at}`);
  assert.equal(storage.values.size, 0);
});

test('a storage that is off, full or has nonsense in it loses nothing of this page', () => {
  const full = { getItem: () => null, setItem: () => { throw new DOMException('full', 'QuotaExceededError'); }, removeItem: () => {} };
  for (const storage of [null, full]) {
    const drafts = new Drafts(storage, 'ada', keys());
    drafts.write('new', { prompt: 'a fox' });
    assert.deepEqual(drafts.fields('new'), { prompt: 'a fox' });
    assert.equal(drafts.keyFor('new', {}), drafts.keyFor('new', {}));
  }
  for (const nonsense of ['{', 'null', '[]', '{"of":"ada"}', '{"of":"ada","drafts":[1]}', '{"of":"ada","drafts":[["new",null]]}', '{"of":"ada","drafts":{}}']) {
    const storage = new Storage();
    storage.setItem('clipfeed.generation', nonsense);
    assert.deepEqual(new Drafts(storage, 'ada', keys()).fields('new'), {}, nonsense);
  }
});

// MARK: following

test('nothing that is shown goes back', () => {
  assert.equal(newer(made({ permille: 500 }), made({ permille: 400 })).permille, 500);
  assert.equal(newer(made({ permille: 500 }), made({ permille: 600, remaining_ms: 5 })).remaining_ms, 5);
  const ready = made({ state: 'ready', permille: 1000 });
  assert.equal(newer(ready, made({ permille: 900 })), ready);
  assert.equal(newer(made({ state: 'failed', permille: 300 }), made({ state: 'reserved', permille: 0 })).state, 'reserved');
  assert.equal(newer(made({ permille: 500 }), made({ id: 'b', permille: 1 })).permille, 1);
  assert.equal(newer(undefined, ready), ready);
  assert.equal(hasMoved(made(), made({ remaining_ms: 7 })), false);
  assert.equal(hasMoved(made(), made({ permille: 1 })), true);
});

test('what stands still is asked after less and less, and trouble longer than the server asks for', () => {
  let wait = 2000;
  const waits = Array.from({ length: 7 }, () => { wait = waitAfter(wait, false); return wait; });
  assert.deepEqual(waits, [3000, 4500, 6750, 10_125, 15_000, 15_000, 15_000]);
  assert.equal(waitAfter(15_000, true), 2000);
  assert.equal(waitAfterTrouble(2000, {}), 4000);
  assert.equal(waitAfterTrouble(50_000, {}), 60_000);
  assert.equal(waitAfterTrouble(2000, { retryAfter: 120 }), 120_000);
});

/** A page that can be hidden. */
class Page extends EventTarget {
  hidden = false;
  hide(is) {
    this.hidden = is;
    this.dispatchEvent(new Event('visibilitychange'));
  }
}

const turns = async () => { for (let turn = 0; turn < 5; turn += 1) await null; };

test('it is asked while somebody looks, and no more once it is over', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const answers = [true, false, null];
  let asked = 0;
  const page = new Page();
  const begin = follow(async () => answers[asked++], { signal: new AbortController().signal, page });
  begin();
  t.mock.timers.tick(1999);
  assert.equal(asked, 0);
  for (const [ms, count] of [[1, 1], [2000, 2], [3000, 3], [600_000, 3]]) {
    t.mock.timers.tick(ms);
    await turns();
    assert.equal(asked, count);
  }
  page.hide(false);
  await turns();
  assert.equal(asked, 3);
});

test('a hidden page asks nothing, and one that comes back asks at once', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let asked = 0;
  const page = new Page();
  const leaving = new AbortController();
  const begin = follow(async () => { asked += 1; return true; }, { signal: leaving.signal, page });
  begin();
  page.hide(true);
  t.mock.timers.tick(600_000);
  assert.equal(asked, 0);
  page.hide(false);
  await turns();
  assert.equal(asked, 1);
  leaving.abort();
  t.mock.timers.tick(600_000);
  page.hide(false);
  await turns();
  assert.equal(asked, 1);
});

test('what fails is asked again later, and is over where somebody is signed out', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const errors = [new Error('cut'), Object.assign(new Error('busy'), { retryAfter: 30 }), Object.assign(new Error('out'), { isOver: true })];
  const heard = [];
  let asked = 0;
  const begin = follow(async () => { throw errors[asked++]; }, { signal: new AbortController().signal, page: new Page(), trouble: ({ message }) => heard.push(message) });
  begin();
  for (const [ms, count] of [[2000, 1], [3999, 1], [1, 2], [29_999, 2], [1, 3], [600_000, 3]]) {
    t.mock.timers.tick(ms);
    await turns();
    assert.equal(asked, count, `${ms}`);
  }
  assert.deepEqual(heard, ['cut', 'busy', 'out']);
});

// MARK: versions

const version = (id, refines, at) => ({ id, refines_id: refines, created_at: `2026-11-01T10:0${at}:00Z` });

test('versions of the same first one belong together, the oldest first', () => {
  const items = [version('d', 'b', 4), version('x', null, 3), version('c', 'a', 2), version('b', 'a', 1), version('a', undefined, 0), version('y', 'x', 5)];
  for (const id of ['a', 'b', 'c', 'd']) assert.deepEqual(familyOf(id, items).map((one) => one.id), ['a', 'b', 'c', 'd']);
  assert.deepEqual(familyOf('y', items).map(({ id }) => id), ['x', 'y']);
  assert.deepEqual(familyOf('nobody', items), []);
});

test('those whose first was discarded still know each other, and a circle has an end', () => {
  assert.deepEqual(familyOf('c', [version('b', 'gone', 1), version('c', 'gone', 2), version('x', null, 3)]).map(({ id }) => id), ['b', 'c']);
  const circle = [version('a', 'b', 0), version('b', 'a', 1)];
  assert.ok(familyOf('a', circle).some(({ id }) => id === 'a'));
});

test('what a version says otherwise is marked, and nothing of it is lost', () => {
  assert.deepEqual(changesIn('a red fox in deep snow', 'a fox in snow'), [
    { text: 'a', isNew: false }, { text: ' red', isNew: true }, { text: ' fox in', isNew: false }, { text: ' deep', isNew: true }, { text: ' snow', isNew: false }]);
  assert.deepEqual(changesIn('a fox', 'a fox'), [{ text: 'a fox', isNew: false }]);
  assert.deepEqual(changesIn('b', 'a'), [{ text: 'b', isNew: true }]);
  for (const [prompt, before] of [['שלום גדול עולם', 'שלום עולם'], ['a\n\n b  c ', 'a c'], ['x '.repeat(500), 'y'], ['a', ''], ['', 'a']]) {
    assert.equal(changesIn(prompt, before).map(({ text }) => text).join(''), prompt);
  }
});

// MARK: the label

test('a clip keeps that it was made by AI, also into the next visit', () => {
  const item = { id: 'a', ai_generated: true, width: 9, height: 16, author: { name: 'Ada' },
    playback: { duration_ms: 1000, renditions: [{ codecs: 'x', segments: [] }] } };
  const clip = clipFrom(item, 0, () => true);
  assert.equal(clip.aiGenerated, true);
  const [left] = itemsFrom({ list: { order: [0] }, clip: () => clip }, clip);
  assert.equal(clipFrom(JSON.parse(JSON.stringify(left)), 0, () => true).aiGenerated, true);
  assert.equal(clipFrom({ ...item, ai_generated: undefined }, 0, () => true).aiGenerated, undefined);
});

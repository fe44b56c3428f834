import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Attempts } from '../app/moderation/attempts.js';
import { actionsFor, likeliest } from '../app/moderation/deciding.js';
import { leftOf } from '../app/report/statement.js';
import { whyOf } from '../app/report/sending.js';
import { KINDS, OUTCOMES, REASONS, SINCE, STATES, doneOf, titleOf, headingOf } from '../app/report/words.js';

const contract = readFileSync(new URL('../../contract/Sources/Contract/Moderation.swift', import.meta.url), 'utf8');
const limits = readFileSync(new URL('../../contract/Sources/Contract/Limits.swift', import.meta.url), 'utf8');

/** What an enumeration of the contract can be, as it is written on the wire; the first of that name. */
function casesOf(name) {
  const [, body] = new RegExp(`enum ${name}: String[^{]*\\{([^}]*)\\}`).exec(contract);
  return [...body.replace(/\/\/.*$/gm, '').matchAll(/\bcase ([^\n]*)/g)].flatMap(([, row]) => row.split(',')
    .map((one) => /= "(.*)"/.exec(one)?.[1] ?? one.trim()));
}

class FakeStorage {
  rows = new Map();
  getItem(key) { return this.rows.get(key) ?? null; }
  setItem(key, text) { this.rows.set(key, text); }
}

const counting = () => {
  let last = 0;
  return () => { last += 1; return `key-${last}`; };
};

test('everything that the contract can say has words', () => {
  assert.deepEqual(casesOf('ReportedKind').sort(), Object.keys(KINDS).sort());
  assert.deepEqual(casesOf('ReportReason').sort(), Object.keys(REASONS).sort());
  assert.deepEqual(casesOf('ReviewOutcome').sort(), Object.keys(OUTCOMES).sort());
  const [reports, decisions] = [...contract.matchAll(/enum State: String[^{]*\{([^}]*)\}/g)].map(([, body]) => body);
  for (const state of Object.keys(STATES)) assert.match(reports, new RegExp(`case ${state}\\b`));
  for (const state of Object.keys(SINCE)) assert.match(decisions, new RegExp(`\\b${state}\\b`));
  const told = casesOf('ModerationAction').flatMap((action) => casesOf('ReportedKind').map((kind) => headingOf({ kind, action })));
  assert.ok(told.every((words) => words.length > 5 && !words.includes('undefined')));
  assert.equal(new Set(casesOf('ModerationAction').map((action) => doneOf({ action }))).size, 6);
});

test('what a newer server says is not nothing', () => {
  assert.equal(titleOf('a reason of next year'), 'Something else');
  // Not what every object has.
  assert.equal(titleOf('toString'), 'Something else');
});

test('a suspension says until when, where there is an end', () => {
  assert.equal(headingOf({ kind: 'person', action: 'suspend' }), 'Your account was suspended');
  assert.equal(headingOf({ kind: 'person', action: 'remove' }), 'Your picture was removed');
  assert.match(headingOf({ kind: 'clip', action: 'suspend', until: '2026-12-24T12:00:00Z' }), /until Dec 24, 2026/);
  assert.equal(doneOf({ action: 'suspend' }), 'Suspended until it is taken back');
});

test('a text may be as long as the contract says, however it is counted', () => {
  assert.match(limits, /statementLength = 1000\b/);
  assert.match(limits, /statementScalars = 8000\b/);
  assert.equal(leftOf(''), 1000);
  assert.equal(leftOf('👩‍👩‍👧'.repeat(10)), 990);
  assert.equal(leftOf('x'.repeat(1001)), -1);
  // Few to a person, and many to a computer.
  assert.equal(leftOf(`e${'\u0301'.repeat(8999)}`), -1000);
});

test('what can be decided depends on what is reported', () => {
  const person = { id: 'a' };
  const state = 'open';
  assert.deepEqual(actionsFor({ state, kind: 'clip', person }), ['dismiss', 'remove', 'age_limit', 'limit_reach', 'warn', 'suspend']);
  assert.deepEqual(actionsFor({ state, kind: 'comment' }), ['dismiss', 'remove']);
  assert.deepEqual(actionsFor({ state, kind: 'clip', person, is_gone: true }), ['dismiss', 'warn', 'suspend']);
  assert.deepEqual(actionsFor({ state, kind: 'message', person }), ['dismiss', 'warn', 'suspend']);
  assert.deepEqual(actionsFor({ state, kind: 'person' }), ['dismiss']);
  // Of somebody, what can be taken away is their picture, where they have one.
  assert.deepEqual(actionsFor({ state, kind: 'person', person }), ['dismiss', 'warn', 'suspend']);
  assert.deepEqual(actionsFor({ state, kind: 'person', person: { ...person, picture: {} } }), ['dismiss', 'remove', 'warn', 'suspend']);
  // What is decided already is taken back by an answer to that.
  assert.deepEqual(actionsFor({ state: 'closed', kind: 'clip', person }), ['remove', 'age_limit', 'limit_reach', 'warn', 'suspend']);
  assert.deepEqual(actionsFor({ state: 'appealed', kind: 'message' }), []);
});

test('the reason of most is chosen first, and the gravest of several', () => {
  assert.equal(likeliest([{ reason: 'minors', count: 1 }, { reason: 'spam', count: 2 }]), 'spam');
  assert.equal(likeliest([{ reason: 'minors', count: 2 }, { reason: 'spam', count: 2 }]), 'minors');
  assert.equal(likeliest([]), 'other');
});

test('the same decision keeps its key until an answer has come, over a reload too', () => {
  const storage = new FakeStorage();
  const random = counting();
  const attempts = new Attempts(storage, random);
  const body = { action: 'warn', reason: 'spam', statement: 'No.' };
  assert.equal(attempts.keyFor('one', body), 'key-1');
  assert.equal(attempts.keyFor('two', body), 'key-2');
  assert.equal(new Attempts(storage, random).keyFor('one', { ...body }), 'key-1');
  // Another decision is none that was sent before.
  assert.equal(attempts.keyFor('one', { ...body, action: 'remove' }), 'key-3');
  assert.equal(attempts.keyFor('one', { ...body, action: 'remove' }), 'key-3');
  attempts.settle('one');
  assert.equal(attempts.keyFor('one', { ...body, action: 'remove' }), 'key-4');
  assert.equal(attempts.keyFor('two', body), 'key-2');
});

test('keys are kept where a browser keeps nothing, and damage is no key', () => {
  const attempts = new Attempts(null, counting());
  assert.equal(attempts.keyFor('one', {}), 'key-1');
  assert.equal(attempts.keyFor('one', {}), 'key-1');
  const storage = new FakeStorage();
  for (const damage of ['{', '3', '{"one":{"text":"{}","key":5}}', '{"one":null}', '[]', '"x"']) {
    storage.setItem('clipfeed.decisions', damage);
    assert.equal(new Attempts(storage, () => 'fresh').keyFor('one', {}), 'fresh', damage);
  }
  assert.equal(new Attempts(new FakeStorage(), () => 'fresh').keyFor('constructor', {}), 'fresh');
});

test('a failure says when to try again', () => {
  assert.equal(whyOf({ detail: 'Slow down.', retryAfter: 30 }), 'Slow down. Try again in 30 seconds.');
  assert.equal(whyOf({ detail: 'Slow down.', retryAfter: 600 }), 'Slow down. Try again in 10 minutes.');
  assert.equal(whyOf({ detail: 'No.', retryAfter: 0 }), 'No.');
});

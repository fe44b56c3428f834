import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';

import { events, outcomeOf, stateOf } from '../app/webhooks/words.js';

const contract = readFileSync(new URL('../../contract/Sources/Contract/Webhook.swift', import.meta.url), 'utf8');

test('every event of the contract can be chosen, and no other', () => {
  const [, body] = /enum WebhookEvent[^{]*\{([^}]*)\}/.exec(contract);
  assert.deepEqual(events().map(([name]) => name), [...body.matchAll(/case \w+ = "([^"]*)"/g)].map(([, name]) => name));
});

test('how an endpoint is, is said', () => {
  assert.match(stateOf({ enabled: true }), /^On\. It has taken no message yet/);
  assert.match(stateOf({ enabled: true, delivered_at: '2026-11-01T10:00:00Z' }), /^On\. Took its last message on .*2026/);
  assert.equal(stateOf({ enabled: false }), 'Off');
  for (const problem of ['gone', 'failing']) assert.match(stateOf({ enabled: false, problem }), /^Off: /);
});

test('what became of a message is said, with every problem of the contract', () => {
  assert.equal(outcomeOf({ state: 'delivered', status: 204, tries: 1, took_ms: 12 }), 'Delivered: answered 204 in 12 ms');
  assert.equal(outcomeOf({ state: 'failed', status: 410, tries: 1 }), 'Not delivered: answered 410');
  assert.equal(outcomeOf({ state: 'failed', tries: 0 }), 'Not delivered');
  assert.equal(outcomeOf({ state: 'waiting', tries: 0, next_at: '2026-11-01T10:00:00Z' }), 'About to be sent');
  const [, body] = /enum WebhookDeliveryProblem[^{]*\{([^}]*)\}/.exec(contract);
  const problems = [...body.matchAll(/case (\w+)(?: = "([^"]*)")?/g)].map(([, name, wire]) => wire ?? name);
  assert.deepEqual(problems, ['unreachable', 'timeout', 'address_refused']);
  for (const problem of problems) {
    assert.match(outcomeOf({ state: 'waiting', problem, tries: 1, next_at: '2026-11-01T10:00:00Z' }), /^Tried: \w.*\. Again on .*2026/);
  }
  assert.match(outcomeOf({ state: 'waiting', tries: 1, next_at: '2026-11-01T10:00:00Z' }), /^Being tried\. Again on /);
});

// Signing up, in and out.

import { exchange, randomKey, request } from '../api/api.js';
import { begin, forget, whileLeaving } from './auth.js';

// The key of what is being tried.
let tried = {};

/** Signing up and in. Answers the account; where there is none yet, what came instead. The same again after a lost answer
 *  makes no second account. */
export async function enter(path, body) {
  const text = JSON.stringify(body);
  tried = { [text]: tried[text] ?? randomKey() };
  const { answer, response } = await exchange(path, { method: 'POST', body: { ...body, transport: 'cookie' }, key: tried[text] });
  tried = {};
  const session = answer.session ?? answer;
  return session.account ? begin(session, response) : answer;
}

/** Signs in and does `arrived(account)`; where the account asks for a second step, the page does first. */
export async function enterBySteps(on, path, body, arrived) {
  let answer;
  try {
    answer = await enter(path, body);
  } catch (error) {
    if (!error.challenge) throw error;
    return (await import('../two-factor/step.js')).ask(on, error.challenge, arrived);
  }
  return arrived(answer);
}

/** Ends all of the account's sessions, this one too; without an answer they go on. */
export async function leaveEverywhere() {
  // NB: a session that is over already has ended none of the others.
  await request('/sessions', { method: 'DELETE' });
  forget();
}

/** Ends this session; without an answer it goes on. */
export async function leave() {
  try {
    await whileLeaving(request('/sessions/current', { method: 'DELETE' }));
  } catch (error) {
    if (!error.isOver && error.status !== 404) throw error;
  }
  forget();
}

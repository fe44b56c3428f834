// Comments and reactions on the server.

import { freshen } from '../identity/identity.js';

const PATIENCE_MS = 15_000;
// Why a message failed, as the core counts it.
const REASON = { network: 1, refused: 2, server: 3 };
// The same request may succeed later.
const LATER = new Set([408, 425, 429]);

const address = (clip, ...what) => ['/api/v1/clips', encodeURIComponent(clip), ...what].join('/');

/** `{reason, code, detail}`: for the core, for us, for a person. */
async function failureOf(response) {
  const problem = await response.json().catch(() => ({}));
  const later = response.status >= 500 || LATER.has(response.status);
  return Object.assign(new Error(problem.code), {
    reason: later ? REASON.server : REASON.refused, code: problem.code, detail: problem.detail ?? '',
  });
}

async function ask(url, options) {
  let response;
  try {
    response = await fetch(url, options);
    if (response.ok) return await response.json();
  } catch (error) {
    throw Object.assign(error, { reason: REASON.network, detail: '' });
  }
  throw await failureOf(response);
}

async function post(url, body, { headers, ...options } = {}) {
  await freshen();
  return ask(url, {
    method: 'POST', body: JSON.stringify(body), headers: { 'Content-Type': 'application/json', ...headers },
    // A page that is closed meanwhile does not take the message with it.
    keepalive: true, ...options,
  });
}

export const sendComment = (clip, text, key, signal) =>
  post(address(clip, 'comments'), { text }, { headers: { 'Idempotency-Key': key }, signal });

export const sendReaction = (clip, reaction) => post(address(clip, 'reactions'), { reaction });

/** How many of each a clip has now. */
export const loadCounts = async (clip) =>
  (await ask(address(clip), { signal: AbortSignal.timeout(PATIENCE_MS) })).counts;

/** One page, newest first. */
export const loadComments = (clip, cursor, limit) => ask(
  `${address(clip, 'comments')}?limit=${limit}${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`,
  { signal: AbortSignal.timeout(PATIENCE_MS) });

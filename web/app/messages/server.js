// Messages and reactions on the server.

import { request, route } from '../api/api.js';
import { deliver } from '../outbox/outbox.js';
import { t } from '../words/words.js';

// Why something failed, as the core counts it.
const REASON = { network: 1, refused: 2, server: 3 };
// The same request may succeed later.
const LATER = new Set([408, 425, 429]);

// A little more than the core waits for a text, so that its own clock is for what hangs in here.
const PATIENCE_MS = 21_000;

/** Asks as whoever is signed in; an error has a `reason` for the core, `code` for us and `detail` for a person. */
export async function tell(path, options) {
  try {
    return await request(path, options);
  } catch (error) {
    const { status = 0 } = error;
    const later = status >= 500 || LATER.has(status);
    throw Object.assign(error, { reason: !status ? REASON.network : later ? REASON.server : REASON.refused });
  }
}

// NB: `keepalive`: a page that is closed meanwhile does not take it with it.
const make = (path, body, key, signal) =>
  tell(path, { method: 'POST', body, key, keepalive: true, ...(signal && { signal, patience: PATIENCE_MS }) });

/** A text, which without a network is kept for later: see `deliver`, which also says what more `entry` has. */
export const makeOnce = (path, body, key, signal, entry) =>
  deliver({ ...entry, path, method: 'POST', body, key, signal }, () => make(path, body, key, signal));

const conversation = (peer, what) => route`/conversations/${peer}/${what}`;

/** By what messages to somebody wait for each other. */
export const placeOf = (peer) => `conversation ${peer}`;

export const sendMessage = (peer, text, clip, key, signal) =>
  makeOnce(conversation(peer, 'messages'), { text, ...(clip && { clip_id: clip }) }, key, signal, {
    place: placeOf(peer), failed: t('Your message was not sent.'),
    ...(clip ? { book: 'clipfeed.messages', draft: clip, clip, waits: t('It is waiting at its clip.') }
      : { book: 'clipfeed.conversations', draft: peer, address: `#messages/${encodeURIComponent(peer)}`, waits: t('It is waiting in its conversation.') }),
  });

export const sendReaction = (clip, reaction, key) =>
  make(route`/clips/${clip}/reactions`, { reaction }, key);

export const paged = (path, cursor, limit) => tell(path, { query: { limit, cursor } });

export const loadConversations = (cursor, limit) => paged('/conversations', cursor, limit);
export const loadMessages = (peer, cursor, limit) => paged(conversation(peer, 'messages'), cursor, limit);
export const markRead = (peer, message) =>
  tell(conversation(peer, 'read'), { method: 'PUT', body: { up_to: message }, keepalive: true });
export const loadUnread = async () => (await tell('/unread-messages')).unread;

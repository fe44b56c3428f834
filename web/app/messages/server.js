// Messages and reactions on the server.

import { request, route } from '../api/api.js';

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
export const make = (path, body, key, signal) =>
  tell(path, { method: 'POST', body, key, keepalive: true, ...(signal && { signal, patience: PATIENCE_MS }) });

const conversation = (peer, what) => route`/conversations/${peer}/${what}`;

export const sendMessage = (peer, text, clip, key, signal) =>
  make(conversation(peer, 'messages'), { text, ...(clip && { clip_id: clip }) }, key, signal);

export const sendReaction = (clip, reaction, key) =>
  make(route`/clips/${clip}/reactions`, { reaction }, key);

export const paged = (path, cursor, limit) => tell(path, { query: { limit, cursor } });

export const loadConversations = (cursor, limit) => paged('/conversations', cursor, limit);
export const loadMessages = (peer, cursor, limit) => paged(conversation(peer, 'messages'), cursor, limit);
export const markRead = (peer, message) =>
  tell(conversation(peer, 'read'), { method: 'PUT', body: { up_to: message }, keepalive: true });
export const loadUnread = async () => (await tell('/unread-messages')).unread;

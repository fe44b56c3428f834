// Messages and reactions on the server.

import { ask } from '../identity/identity.js';

// Why something failed, as the core counts it.
const REASON = { network: 1, refused: 2, server: 3 };
// The same request may succeed later.
const LATER = new Set([408, 425, 429]);

/** Asks as whoever is signed in; an error has a `reason` for the core, `code` for us and `detail` for a person. */
export async function tell(path, options) {
  try {
    return await ask(path, options);
  } catch (error) {
    const { status = 0 } = error;
    const later = status >= 500 || LATER.has(status);
    throw Object.assign(error, { reason: !status ? REASON.network : later ? REASON.server : REASON.refused });
  }
}

// NB: `keepalive`: a page that is closed meanwhile does not take it with it.
export const make = (path, body, key, signal) =>
  tell(path, { method: 'POST', body, headers: { 'Idempotency-Key': key }, keepalive: true, ...(signal && { signal }) });

const conversation = (peer, what) => `/conversations/${encodeURIComponent(peer)}/${what}`;

export const sendMessage = (peer, text, clip, key, signal) =>
  make(conversation(peer, 'messages'), { text, ...(clip && { clip_id: clip }) }, key, signal);

export const sendReaction = (clip, reaction, key) =>
  make(`/clips/${encodeURIComponent(clip)}/reactions`, { reaction }, key);

const paged = (path, cursor, limit) =>
  tell(`${path}?limit=${limit}${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`);

export const loadConversations = (cursor, limit) => paged('/conversations', cursor, limit);
export const loadMessages = (peer, cursor, limit) => paged(conversation(peer, 'messages'), cursor, limit);
export const markRead = (peer, message) =>
  tell(conversation(peer, 'read'), { method: 'PUT', body: { up_to: message }, keepalive: true });
export const loadUnread = async () => (await tell('/unread-messages')).unread;

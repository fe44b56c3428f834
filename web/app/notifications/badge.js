// How many entries of the list are new, for the badge of the inbox.

import { request } from '../api/api.js';
import { signedIn } from '../auth/auth.js';

// Kinds of live events behind which the list has something new.
const KINDS = new Set(['like', 'follow', 'comment', 'reply', 'mention', 'notification']);

/** Whether the list may be longer by what the event tells. */
export const isOfList = ({ kind }) => KINDS.has(kind);

/** Null where it could not be asked. */
export async function loadUnseen() {
  if (!signedIn()) return 0;
  try { return (await request('/unseen-notifications')).unseen; } catch { return null; }
}

// Whose a clip is.

import { request } from '../api/api.js';
import { signedIn } from '../auth/auth.js';

const OWN_LIMIT = 50;

/** "own", "other", or nothing where that could not be found out. All guests are of one author: whose theirs are is in their list. */
export async function ownership(clip) {
  if (clip.author.id === signedIn()?.id) return 'own';
  if (clip.author.handle !== 'guest') return 'other';
  try {
    const { items } = await request('/account/clips', { query: { limit: OWN_LIMIT } });
    return items.some(({ clip_id: id }) => id === clip.id) ? 'own' : 'other';
  } catch {
    return null;
  }
}

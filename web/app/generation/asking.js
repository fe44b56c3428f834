// How clips from words are asked for, wherever that is: one tap makes one, however often its answer gets lost.

import { el } from '../account/form.js';
import { randomKey, request, route } from '../api/api.js';
import { signedIn } from '../auth/auth.js';
import { t } from '../words/words.js';
import { Drafts } from './drafts.js';

const PATH = '/generations';
// A server with much to do answers late, and nobody knows what became of a request that was given up.
const PATIENCE_MS = 30_000;

let kept = null;

function storage() {
  try { return localStorage; } catch { return null; }
}

/** Of whoever is signed in. */
export function drafts() {
  const { id = '' } = signedIn() ?? {};
  if (kept?.of !== id) kept = { of: id, drafts: new Drafts(storage(), id, randomKey) };
  return kept.drafts;
}

export const loadOffer = (signal) => request('/generation-offer', { signal });
export const load = (id, signal) => request(route`/generations/${id}`, { signal });
export const end = (id) => request(route`/generations/${id}`, { method: 'DELETE' });
export const publish = (id, details) => request(route`/generations/${id}/publication`, { method: 'PUT', body: details });
export const addressOf = (id) => `#account/generation/${encodeURIComponent(id)}`;

/** Has one made. `name`: under which its draft is; it is forgotten once it is asked for. `notice(text, …)` tells when it is ready.
 *  Throws an `ApiError`. */
async function ask(path, body, name, notice) {
  const all = drafts();
  const key = all.keyFor(name, body);
  let generation;
  try {
    generation = await request(path, { method: 'POST', body, key, patience: PATIENCE_MS });
  } catch (error) {
    // What may have arrived is tried again under its key.
    if (error.mayHaveArrived === false) all.refused(name);
    throw error;
  }
  all.forget(name);
  import('./arrivals.js').then(({ expect }) => expect(generation.id, notice)).catch(console.warn);
  return generation;
}

export const generate = (wish, notice) => ask(PATH, wish, 'new', notice);

export const refine = (id, prompt, notice) => ask(route`/generations/${id}/refinements`, { prompt }, `refine ${id}`, notice);

/** The same prompt once more, and all else as it was. */
export const again = ({ id, prompt, seconds, style, aspect, from_clip_id: from, picture_id: picture }, notice) =>
  ask(PATH, { prompt, seconds, style, aspect, ...(from && { from_clip_id: from }), ...(picture && { picture_id: picture }) }, `again ${id}`, notice);

/** Nothing here is for guests: an allowance for whoever makes a new guest would be none. */
export const signInFirst = (on) => el('div', { class: 'none' },
  el('p', {}, t('With an account you have clips made from your words. What you write stays on this device while you sign in.')),
  el('button', { type: 'button', click: () => on.home('') }, t('Sign in')));

export const turning = () => el('div', { class: 'turning', role: 'img', 'aria-label': t('Loading') });

export const failure = (words, again) => el('div', { class: 'none', role: 'alert' }, el('p', {}, words),
  again ? el('button', { type: 'button', click: again }, t('Try again')) : null);

/** A button that is not pressed twice while what it does is on its way; what fails is said. `act()` may throw an `ApiError`. */
export function tap(words, className, act, failed) {
  const button = el('button', { type: 'button', class: className, click: async () => {
    if (button.getAttribute('aria-disabled') === 'true') return;
    // NB: not `disabled`, which would take the focus away.
    button.setAttribute('aria-disabled', 'true');
    try {
      await act(button);
    } catch (error) {
      failed(error);
    }
    button.removeAttribute('aria-disabled');
  } }, words);
  return button;
}

// How often it is asked after what is being made, and which of two answers counts.

import { isUnderWay } from './words.js';

// What moves is looked at soon again; what stands still, and what cannot be reached, less and less often.
const FIRST_MS = 2000;
const MOST_MS = 15_000;
const MOST_IN_TROUBLE_MS = 60_000;

/** Answers may come in another order than they were given: nothing that is shown goes back. */
export function newer(known, told) {
  if (known?.id !== told.id) return told;
  if (known.state === 'ready' && isUnderWay(told)) return known;
  // NB: one that failed may begin anew, by the operator.
  return isUnderWay(known) && isUnderWay(told) ? { ...told, permille: Math.max(known.permille, told.permille) } : told;
}

/** Whether somebody who looks sees another thing. */
export const hasMoved = (known, told) => ['state', 'permille', 'place', 'is_published'].some((name) => known?.[name] !== told[name]);

export const waitAfter = (waitMs, moved) => (moved ? FIRST_MS : Math.min(waitMs * 1.5, MOST_MS));

export const waitAfterTrouble = (waitMs, { retryAfter = 0 } = {}) => Math.max(Math.min(waitMs * 2, MOST_IN_TROUBLE_MS), retryAfter * 1000);

/** Calls `ask()` again and again while the page is looked at: it answers whether something has moved, or null once nothing is to be
 *  waited for. Answers what begins that, for somebody who has just looked. `trouble(error)` hears of what failed. */
export function follow(ask, { signal, trouble = () => {}, page = document }) {
  let timer = 0;
  let waitMs = FIRST_MS;
  let isAsking = false;
  let isWanted = false;

  const plan = () => {
    clearTimeout(timer);
    if (isWanted && !signal.aborted && !page.hidden) timer = setTimeout(look, waitMs);
  };

  async function look() {
    if (isAsking || signal.aborted) return;
    isAsking = true;
    try {
      const moved = await ask();
      isWanted = moved !== null;
      waitMs = waitAfter(waitMs, moved);
    } catch (error) {
      // Whoever is signed out has nothing here.
      isWanted = !error.isOver;
      waitMs = waitAfterTrouble(waitMs, error);
      if (!signal.aborted) trouble(error);
    }
    isAsking = false;
    plan();
  }

  page.addEventListener('visibilitychange', () => {
    clearTimeout(timer);
    // Whoever comes back wants to know now.
    if (isWanted && !page.hidden) look();
  }, { signal });
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  return () => {
    isWanted = true;
    waitMs = FIRST_MS;
    plan();
  };
}

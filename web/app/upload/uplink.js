// How fast bytes left this device the last time, from visit to visit.

const NAME = 'clipfeed.uplink';

/** bits/s; 0 if nobody knows. */
export function lastUplink() {
  try {
    const rate = Number(localStorage.getItem(NAME));
    return Number.isSafeInteger(rate) && rate > 0 ? rate : 0;
  } catch {
    return 0;
  }
}

export function rememberUplink(rate) {
  try {
    localStorage.setItem(NAME, String(rate));
  } catch { /* it is guessed the next time */ }
}

// Whether this browser's guest has written to anybody, and so may get answers. It is no secret; the guest's token is in a
// cookie that no script can read.

const KEY = 'clipfeed.wrote';
let inMemory = false;

export function hasWritten() {
  try { return localStorage.getItem(KEY) === '1'; } catch { return inMemory; }
}

export function noteWritten() {
  inMemory = true;
  try { localStorage.setItem(KEY, '1'); } catch { /* storage may be off */ }
}

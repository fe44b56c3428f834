// Has the browser wake the page's worker now and then, so that the beginning of the next visit is here already (web/sync.js). Only
// browsers that know how, and only where the page is installed: they allow it to nobody else. Never where somebody saves data.

import { onSettings, settings } from '../settings/settings.js';

// By web/sync.js.
const TAG = 'clipfeed-feed';
const STORE = 'clipfeed-ahead-1';
// The browser makes it longer for those who seldom come.
const EVERY_MS = 12 * 3_600_000;

async function arrange(worker) {
  if (settings().saves) {
    await worker.periodicSync.unregister(TAG);
    await caches.delete(STORE);
    return;
  }
  const { state } = await navigator.permissions.query({ name: 'periodic-background-sync' });
  if (state === 'granted') await worker.periodicSync.register(TAG, { minInterval: EVERY_MS });
}

/** `worker`: the registration of the page's. */
export async function watch(worker) {
  const again = () => arrange(worker).catch((error) => console.info('nothing is brought ahead', error.message));
  onSettings(again);
  await again();
}

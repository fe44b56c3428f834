// Starts the page's worker (web/worker.js), behind whatever the first clips need. Where web/shell.js is not there, or workers are
// not allowed, nothing comes of it and the page works without one.

import { settings } from '../settings/settings.js';
import { language } from '../words/words.js';

// By then the first clips have what they need, or somebody is waiting for them on a slow link.
const LATER_MS = 20_000;

const isSlow = ({ saveData, effectiveType = '4g', downlink = 10 } = {}) => Boolean(saveData) || effectiveType !== '4g' || downlink < 1.5;

// NB: its scripts change without another name.
export const start = (container = navigator.serviceWorker) => container.register('/worker.js', { updateViaCache: 'none' });

export async function register(container = navigator.serviceWorker) {
  if (!container) return;
  const { connection } = navigator;
  const later = new Promise((resolve) => { setTimeout(resolve, LATER_MS); });
  if (isSlow(connection)) await later;
  try {
    await start(container);
    await later;
    // What notifications say is English where nothing else was left for the worker.
    if (language() === 'en') await caches.delete('clipfeed-words-1'); else await (await import('./pushed.js')).keepSentences();
    // Whoever saves data gets a screen when they open it.
    const worker = await container.ready;
    if (!settings().saves && !connection?.saveData) worker.active.postMessage(`rest ${document.documentElement.lang}`);
    if (worker.periodicSync) await (await import('./ahead.js')).watch(worker);
  } catch (error) {
    console.info('no worker', error.message);
  }
}

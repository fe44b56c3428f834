// How much of this device the page takes, of what, and what can be given back.

import { el } from '../account/form.js';
import { EVENT } from '../core/core.js';
import { language, plural, t } from '../words/words.js';

const UNITS = [
  (size) => plural(size, '{count} byte', '{count} bytes'), (size) => t('{size} KB', { size }), (size) => t('{size} MB', { size }),
  (size) => t('{size} GB', { size }),
];

/** 1_234_567 → "1.2 MB". */
export function sizeText(bytes) {
  let [size, unit] = [Math.max(0, bytes), 0];
  for (; size >= 999.5 && unit < UNITS.length - 1; unit += 1) size /= 1000;
  const digits = size < 9.95 && unit > 1 ? 1 : 0;
  if (!unit) return UNITS[0](Math.round(size));
  return UNITS[unit](new Intl.NumberFormat(language(), { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(size));
}

/** What clips take that were loaded without anybody's keeping them, by web/app/playback/disk.js. */
async function cacheSize() {
  const cache = await caches.open('clipfeed-media-1');
  const entries = await (await cache.match('/media/index'))?.json().catch(() => null) ?? [];
  return entries.reduce((sum, [, { parts }]) => sum + parts.reduce((all, { size }) => all + size, 0), 0);
}

/** `{elements, show(records)}`. @param {App} app */
export function room(app) {
  const kept = el('strong');
  const cached = el('strong');
  const status = el('span', { role: 'status' });
  const whole = el('p', { class: 'hint' });
  const clear = el('button', { type: 'button', click: () => clearCache() }, t('Clear'));
  const safe = el('button', { type: 'button', hidden: true, click: () => protect() }, t('Protect'));
  const bar = el('div', { class: 'bar', 'aria-hidden': 'true' }, el('i'), el('i'));
  let records = [];

  async function show(now = records) {
    records = now;
    const bytes = records.reduce((sum, record) => sum + (record.isWhole ? record.bytes : 0), 0);
    const loaded = await cacheSize().catch(() => 0);
    const { quota = 0, usage = 0 } = await navigator.storage.estimate().catch(() => ({}));
    kept.textContent = sizeText(bytes);
    cached.textContent = sizeText(loaded);
    clear.disabled = !loaded;
    const all = Math.max(1, bytes + loaded);
    [...bar.children].forEach((part, at) => { part.style.width = `${100 * [bytes, loaded][at] / all}%`; });
    whole.textContent = quota ? t('With the page itself {used}. This browser gives up to {most}.', { used: sizeText(usage), most: sizeText(quota) }) : '';
    safe.hidden = !records.length || (await navigator.storage.persisted?.().catch(() => true) ?? true);
  }

  async function clearCache() {
    // The core gives up what it counts; behind it goes what earlier visits left.
    app.report(EVENT.clearRequested);
    await app.disk?.evictUnknown(Infinity);
    // And what the worker brought for the next visit.
    await caches.delete('clipfeed-ahead-1');
    status.textContent = t('Cleared.');
    await show();
  }

  async function protect() {
    const isSafe = await navigator.storage.persist().catch(() => false);
    status.textContent = isSafe ? t('The browser leaves kept clips alone now.') : t('The browser did not agree. It may when the page is installed.');
    await show();
  }

  const row = (name, hint, size, ...more) => el('li', {}, el('span', {}, name, hint ? el('small', {}, hint) : ''), size, ...more);
  return {
    show,
    elements: [
      el('h3', {}, t('Room on this device')), bar,
      el('ul', { class: 'room' }, row(t('Kept clips'), t('Until you remove them'), kept, safe),
        row(t('Clips loaded ahead'), t('They start at once; old ones go by themselves'), cached, clear)),
      status, whole,
    ],
  };
}

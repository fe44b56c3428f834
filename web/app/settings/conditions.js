// Tells the core what the browser knows of battery, network, warmth and frames, and what the person wishes. Comes after the
// first clip. It refuses to know what follows from that.

import { EVENT } from '../core/core.js';
import { watchFrames } from './frames.js';
import { NONE, onSettings, settings } from './settings.js';

// Unknown to a browser: whether the device saves power.
const LOW_POWER = 0;
const NETWORK = { unmetered: 0, metered: 1, asksToSave: 2, fastMobile: 3 };
// More than LTE gives, in Mbit/s, by the table of the Network Information API (WICG): only 5G is faster.
const FASTEST_LTE = 100;
// States of the Compute Pressure API (W3C) as Foundation's `ThermalState`, whose numbers the core knows. One less each: the
// processor may be busy with something else, and a device that is busy is not yet too hot to play a clip.
const WARMTH = { serious: 1, critical: 2 };
const PRESSURE_MS = 10_000;

function networkOf(connection, saves, unlimited) {
  if (saves) return NETWORK.asksToSave;
  if (connection?.type !== 'cellular') return NETWORK.unmetered;
  // NB: infinite means unknown.
  const isFast = Number.isFinite(connection.downlinkMax) && connection.downlinkMax > FASTEST_LTE;
  return isFast || unlimited ? NETWORK.fastMobile : NETWORK.metered;
}

/** The fields of `conditionsChanged`. What is not known sets no limit. */
export function conditionFields({ battery, connection, pressure, reducedData, reducedMotion, autoplay, preferences = NONE }) {
  const level = battery ? 100 * battery.level : -1;
  const network = networkOf(connection, connection?.saveData || reducedData, preferences.unlimited);
  const warmth = WARMTH[pressure] ?? 0;
  return [level, battery?.charging ?? false, LOW_POWER, warmth, network, preferences.saves, reducedMotion, autoplay && !preferences.byHand];
}

/** Hears how hard the processor has to work, where a browser tells: a device that is hot is held back. */
async function watchPressure(changed) {
  const { PressureObserver } = globalThis;
  if (!PressureObserver?.knownSources?.includes('cpu')) return;
  const observer = new PressureObserver((records) => changed(records.at(-1).state));
  await observer.observe('cpu', { sampleInterval: PRESSURE_MS }).catch(() => {});
}

/** Reports them now and whenever one of them changes. */
export async function watchConditions(report, videos) {
  watchFrames(videos, report);
  const battery = await navigator.getBattery?.().catch(() => null);
  const { connection } = navigator;
  const data = matchMedia('(prefers-reduced-data: reduce)');
  const motion = matchMedia('(prefers-reduced-motion: reduce)');
  let pressure;
  let last = '';
  let waits = false;
  const tell = () => {
    const preferences = settings();
    const fields = conditionFields({
      battery, connection, pressure, preferences, reducedData: data.matches, reducedMotion: motion.matches,
      autoplay: navigator.getAutoplayPolicy?.('mediaelement') !== 'disallowed',
    });
    const row = fields.join();
    if (row !== last) report(EVENT.conditionsChanged, ...fields);
    last = row;
    if (preferences.waits !== waits) report(EVENT.firstFrameRequired, preferences.waits);
    waits = preferences.waits;
  };
  battery?.addEventListener('levelchange', tell);
  battery?.addEventListener('chargingchange', tell);
  for (const source of [connection, data, motion]) source?.addEventListener?.('change', tell);
  onSettings(tell);
  tell();
  await watchPressure((state) => {
    pressure = state;
    tell();
  });
}

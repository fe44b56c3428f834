// Tells the core what the browser knows of battery, network and the person's wishes, and lets the
// page's own animations rest when the core asks for it. Comes after the first clip.
// It refuses to know what follows from that.

import { EVENT } from './core.js';

// Unknown to a browser: whether the device saves power, and how warm it is.
const LOW_POWER = 0;
const WARMTH = 0;
const NETWORK = { unmetered: 0, metered: 1, asksToSave: 2 };

/** The fields of `conditionsChanged`. What is not known sets no limit. */
export function conditionFields({ battery, connection, reducedData, reducedMotion, autoplay }) {
  const level = battery ? 100 * battery.level : -1;
  const saves = connection?.saveData || reducedData;
  const metered = connection?.type === 'cellular';
  const network = saves ? NETWORK.asksToSave : metered ? NETWORK.metered : NETWORK.unmetered;
  return [level, battery?.charging ?? false, LOW_POWER, WARMTH, network, false, reducedMotion, autoplay];
}

/** Reports them now and whenever one of them changes. */
export async function watchConditions(report) {
  const battery = await navigator.getBattery?.().catch(() => null);
  const { connection } = navigator;
  const data = matchMedia('(prefers-reduced-data: reduce)');
  const motion = matchMedia('(prefers-reduced-motion: reduce)');
  let last = '';
  const tell = () => {
    const fields = conditionFields({
      battery, connection, reducedData: data.matches, reducedMotion: motion.matches,
      autoplay: navigator.getAutoplayPolicy?.('mediaelement') !== 'disallowed',
    });
    const said = fields.join();
    if (said !== last) report(EVENT.conditionsChanged, ...fields);
    last = said;
  };
  battery?.addEventListener('levelchange', tell);
  battery?.addEventListener('chargingchange', tell);
  for (const source of [connection, data, motion]) source?.addEventListener?.('change', tell);
  tell();
}

// Tells the person what could not be sent, and leads to where its text is again.

import { loadClip } from '../clip-link/clip.js';
import { EVENT } from '../core/core.js';
import { goTo } from '../screens/screens.js';

/** @param {App} app */
export function tell(app, entries) {
  const [{ failed, refused }] = entries;
  const text = entries.find(({ book }) => book);
  const words = entries.length > 1 ? `${entries.length} things that you did without a network were not taken.` : failed;
  const all = [words, refused, text?.waits].filter(Boolean).join(' ');
  app.notice(all, ...(text ? [' ', wayTo(app, text)] : []));
}

function wayTo(app, { address, clip }) {
  const button = Object.assign(document.createElement('button'), { type: 'button', textContent: 'Look' });
  button.addEventListener('click', () => {
    if (address) goTo(address); else showClip(app, clip).catch(() => app.notice('This clip is gone.'));
  });
  return button;
}

async function showClip(app, id) {
  const item = app.feed.insert(await loadClip(id));
  if (item !== undefined) app.report(EVENT.jumpedToItem, item);
}

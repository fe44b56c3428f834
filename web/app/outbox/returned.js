// Tells the person what could not be sent, and leads to where its text is again.

import { loadClip } from '../clip-link/clip.js';
import { EVENT } from '../core/core.js';
import { goTo } from '../screens/screens.js';
import { loadWords, plural, problemText, t } from '../words/words.js';

/** @param {App} app */
export async function tell(app, entries) {
  await Promise.all([loadWords('screens'), loadWords('problems')]);
  const [{ failed, refused, code }] = entries;
  const text = entries.find(({ book }) => book);
  const words = entries.length > 1 ? plural(entries.length, '{count} thing that you did without a network was not taken.',
    '{count} things that you did without a network were not taken.') : failed;
  // What queue.js writes where the server gave no reason.
  const why = code || refused !== 'It was not accepted.' ? problemText({ code, detail: refused }) : t('It was not accepted.');
  const all = [words, why, text?.waits].filter(Boolean).join(' ');
  app.notice(all, ...(text ? [' ', wayTo(app, text)] : []));
}

function wayTo(app, { address, clip }) {
  const button = Object.assign(document.createElement('button'), { type: 'button', textContent: t('Look::verb') });
  button.addEventListener('click', () => {
    if (address) goTo(address); else showClip(app, clip).catch(() => app.notice(t('This clip is gone.')));
  });
  return button;
}

async function showClip(app, id) {
  const item = app.feed.insert(await loadClip(id));
  if (item !== undefined) app.report(EVENT.jumpedToItem, item);
}

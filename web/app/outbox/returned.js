// Tells the person what could not be sent, and leads to where its text is again.

import { loadClip } from '../clip-link/clip.js';
import { EVENT } from '../core/core.js';
import { goTo } from '../screens/screens.js';
import { loadWords, plural, problemText, t } from '../words/words.js';

/** What queue.js and outbox.js write where it is not the server's reason, and the server's by its code. */
const reasonText = ({ refused, code }) => ({
  'It was not accepted.': t('It was not accepted.'), 'It waited for a week.': t('It waited for a week.'),
  'You have signed in since.': t('You have signed in since.'),
}[refused] ?? problemText({ code, detail: refused }));

/** @param {App} app */
export async function tell(app, entries) {
  await Promise.all([loadWords('screens'), loadWords('problems')]);
  const [first] = entries;
  const text = entries.find(({ book }) => book);
  const words = entries.length > 1 ? plural(entries.length, '{count} thing that you did without a network was not taken.',
    '{count} things that you did without a network were not taken.') : first.failed;
  const all = [words, reasonText(first), text?.waits].filter(Boolean).join(' ');
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

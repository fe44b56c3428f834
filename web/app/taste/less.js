// Wanting less of a clip, an author, a tag or a sound, from the clip on the screen. It shows at once and can be taken back where it is
// said; what fails is taken back and said.
// It refuses to know what For you makes of it: the server leaves out what is not wanted.

import { EVENT } from '../core/core.js';
import { attach } from '../tabs/tabs.js';
import { problemText, t } from '../words/words.js';
import { dismiss } from './server.js';

const spelled = (tag) => tag.normalize('NFC').toLowerCase();

/** Whether a wish is about a clip. */
export function concerns({ kind, subject }, clip) {
  if (kind === 'clip') return clip.id === subject;
  if (kind === 'author') return clip.author.id === subject;
  if (kind === 'sound') return clip.soundId === subject;
  return (clip.tags ?? []).some((tag) => spelled(tag) === spelled(subject));
}

/** `said` is what is noted, for people.
 *  @param {App} app */
export async function wantLess(app, dismissal, said) {
  const clip = app.current();
  const tabs = await attach(app);
  const putBack = tabs.leaveOut((other) => concerns(dismissal, other));
  app.report(EVENT.stepped, 1);
  const undo = Object.assign(document.createElement('button'), { type: 'button', textContent: t('Undo'), onclick: async () => {
    undo.disabled = true;
    try {
      await dismiss(dismissal, false);
      app.notice(t('Taken back.'));
      putBack();
      if (app.feed.list.order.includes(clip.item)) app.report(EVENT.jumpedToItem, clip.item);
    } catch (error) {
      app.notice(`${t('This was not taken back.')} ${problemText(error)}`);
    }
  } });
  app.notice(said, ' ', undo);
  try {
    await dismiss(dismissal, true);
  } catch (error) {
    putBack();
    app.notice(`${t('This was not saved.')} ${problemText(error)}`);
  }
}

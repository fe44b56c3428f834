// What can be done with one comment beside what its own buttons do, and what becomes of that.

import { ask, attach as attachBlocking, blockAfterAsking } from '../blocking/blocking.js';
import { copy, linkTo, uploadOf } from '../clip-link/clip.js';
import { signedIn } from '../auth/auth.js';
import { ownership } from '../menu/ownership.js';
import { el, openSheet } from '../menu/sheet.js';
import { goTo } from '../screens/screens.js';
import { t } from '../words/words.js';
import { nameOf } from './row.js';
import { deleteComment, pinComment } from './server.js';

const isOther = (author) => Boolean(author?.id) && author.id !== signedIn()?.id && author.handle !== 'guest';

/** `on`: the `app`, the `list` that the row is in, its `clip`, `reply(row)`, `leave()`, which closes the comments. Answers once it is
 *  closed and done. */
export async function openMenu(row, { app, list, clip, reply, leave }) {
  attachBlocking(app);
  const { comment } = row;
  const isPrivate = clip.visibility === 'private';
  // The feed is held by the comments already, or not at all.
  const place = { stage: app.stage, report: () => {} };
  await openSheet(place, t('Comment of {name}', { name: nameOf(comment) }), (item) => {
    const rest = el('div');
    const remove = () => item(t('Delete'), () => askAndDelete(row, app, list, clip), true);
    if (comment.own) rest.append(remove());
    // What only the clip's creator may: as soon as it is known who that is.
    ownership(clip).then((whose) => {
      if (whose !== 'own') return;
      if (!comment.parent_id && !comment.held) rest.prepend(item(comment.pinned ? t('Unpin') : t('Pin to the top'), () => pin(comment, app, list)));
      if (!comment.own) rest.append(remove());
    });
    return [
      clip.takesComments && !comment.held && item(t('Reply'), () => reply(row)),
      !comment.held && (!isPrivate || uploadOf(clip.id)) && item(t('Copy link'), async () => {
        await copy(linkTo(clip.id, isPrivate, comment.id));
        app.notice(t('The link is copied.'));
      }),
      rest,
      !comment.own && item(t('Report'), () => report(comment, app, list, leave), true),
      isOther(comment.author) && item(t('Block {name}', { name: nameOf(comment) }), () => block(comment.author, list), true),
    ];
  });
}

async function report({ id, author }, app, list, leave) {
  const { openReport } = await import('../report/report.js');
  await openReport({ kind: 'comment', id }, { app, block: isOther(author) ? () => block(author, list) : null, toList: async () => {
    await leave();
    goTo('#account/reports');
  } });
}

async function block(author, list) {
  list.hide(author, await blockAfterAsking(author, () => list.hide(author, true)));
}

async function pin(comment, app, list) {
  try {
    const pinned = await pinComment(comment.id, !comment.pinned);
    list.pinned(pinned);
    app.notice(pinned.pinned ? t('The comment is pinned.') : t('The comment is not pinned any more.'));
  } catch (error) {
    app.notice(`${t('The comment was not pinned.')} ${error.detail ?? ''}`);
  }
}

/** It is out of sight at once; what fails is put back and said. */
async function askAndDelete(row, app, list, clip) {
  const { comment } = row;
  const text = comment.replies ? t('Its replies go with it. Nobody can bring it back.') : t('Nobody can bring it back.');
  if (!await ask(app.stage, { title: t('Delete the comment?'), text, yes: t('Delete') })) return;
  const putBack = list.remove(row);
  list.root.focus({ preventScroll: true });
  try {
    await deleteComment(comment.id);
    app.notice(t('The comment is deleted.'));
    list.recount(clip);
  } catch (error) {
    putBack();
    app.notice(`${t('The comment was not deleted.')} ${error.detail ?? ''}`);
  }
}

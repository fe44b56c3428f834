// Likes of comments: they show at once and are told to the server behind it, by the machine that does so for clips.

import { loadActivity } from '../activity/activity.js';
import { t } from '../words/words.js';
import { likeComment } from './server.js';

let activity = null;

const nameOf = ({ id }) => `comment-like ${id}`;

/** Whether whoever asks likes it, as far as they turned it, and how many do then. NB: reckoned from what the server said last, so
 *  that no answer counts a like twice. */
export function likesOf(comment) {
  const isLiked = activity?.isOn(nameOf(comment)) ?? comment.liked;
  return { isLiked, likes: Math.max(0, comment.likes + Number(isLiked) - Number(comment.liked)) };
}

/** Turns it. `paint()` shows what holds now; `notice(text)` tells the person what was not saved. */
export async function turn(comment, paint, notice) {
  activity ??= await loadActivity();
  const { isLiked } = likesOf(comment);
  activity.toggle(nameOf(comment), !isLiked, isLiked, {
    send: (on) => likeComment(nameOf(comment), comment.id, on),
    confirm: (on, { likes, liked, isKept }) => {
      // Without a network nobody has counted it.
      if (isKept) return;
      Object.assign(comment, { likes, liked });
      paint();
    },
    revert: (on, error) => {
      paint();
      notice(`${t('The like was not saved.')} ${error.detail ?? ''}`);
    },
  });
  paint();
}

// Comments on the server.

import { request, route } from '../api/api.js';
import { deliver } from '../outbox/outbox.js';
import { makeOnce, paged, tell } from '../messages/server.js';
import { t } from '../words/words.js';

const PEOPLE = 6;

const address = (clip) => route`/clips/${clip}`;
const one = (comment) => route`/comments/${comment}`;
// A page that is closed meanwhile does not take the wish with it.
const wish = (path, on) => tell(path, { method: on ? 'PUT' : 'DELETE', keepalive: true });

/** By what comments on a clip wait for each other. */
export const placeOf = (clip) => `comments ${clip}`;

/** `replyTo`: the comment that it answers; null for one that stands under the clip. */
export const sendComment = (clip, text, key, replyTo = null) =>
  makeOnce(`${address(clip)}/comments`, { text, ...(replyTo && { reply_to: replyTo }) }, key, undefined, {
    place: placeOf(clip), failed: t('Your comment was not posted.'), book: 'clipfeed.drafts', clip,
    draft: replyTo ? `${clip} ${replyTo}` : clip, waits: t('It is waiting under its clip.'),
  });

/** How many of each a clip has now. */
export const loadCounts = async (clip) => (await tell(address(clip))).counts;

/** One page of those under a clip, `newest` or `top` first. */
export const loadComments = (clip, order, cursor, limit) =>
  tell(`${address(clip)}/comments`, { query: { order, limit, cursor } });

export const loadComment = (comment) => tell(one(comment));
/** One page, oldest first. */
export const loadReplies = (comment, cursor, limit) => paged(`${one(comment)}/replies`, cursor, limit);
export const deleteComment = (comment) => wish(one(comment), false);
/** `name` of the toggle. */
export const likeComment = (name, comment, on) => deliver({
  place: name, path: `${one(comment)}/like`, method: on ? 'PUT' : 'DELETE', isState: true, failed: t('The like was not saved.'),
});
export const pinComment = (comment, on) => wish(`${one(comment)}/pin`, on);

/** People whose name or handle begins like that. */
export const findPeople = async (text, signal) =>
  (await request('/search/people', { query: { q: text, limit: PEOPLE }, signal })).items.map(({ author }) => author);

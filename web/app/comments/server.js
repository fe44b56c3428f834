// Comments on the server.

import { make, tell } from '../messages/server.js';

const address = (clip) => `/clips/${encodeURIComponent(clip)}`;

export const sendComment = (clip, text, key) => make(`${address(clip)}/comments`, { text }, key);

/** How many of each a clip has now. */
export const loadCounts = async (clip) => (await tell(address(clip))).counts;

/** One page, newest first. */
export const loadComments = (clip, cursor, limit) => tell(
  `${address(clip)}/comments?limit=${limit}${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`);

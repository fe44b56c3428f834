// Comments on the server.

import { route } from '../api/api.js';
import { make, paged, tell } from '../messages/server.js';

const address = (clip) => route`/clips/${clip}`;

export const sendComment = (clip, text, key) => make(`${address(clip)}/comments`, { text }, key);

/** How many of each a clip has now. */
export const loadCounts = async (clip) => (await tell(address(clip))).counts;

/** One page, newest first. */
export const loadComments = (clip, cursor, limit) => paged(`${address(clip)}/comments`, cursor, limit);

// What is said at the address of a clip for adults to somebody in restricted mode: that it is there, and what leads to it.

import { el } from '../account/form.js';
import { request, route } from '../api/api.js';
import { signedIn } from '../auth/auth.js';
import { goTo } from '../screens/screens.js';
import { t } from '../words/words.js';

/** `id`: of the clip that was refused; nothing is said where that was for another reason. */
export async function offer(id, notice) {
  const code = await request(route`/clips/${id}`).then(() => null, (error) => error.code);
  if (code !== 'clip_for_adults') return;
  const isKnown = Boolean(signedIn());
  notice(t('This clip is for adults.'), el('button', { type: 'button', click: () => goTo(isKnown ? '#account/restricted' : '#account') },
    isKnown ? t('Restricted mode') : t('Sign in')));
}

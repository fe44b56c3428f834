// Whom somebody has blocked, in the account: each until the button is tapped, which shows at once.

import { el } from '../account/form.js';
import { listOf } from '../account/lists.js';
import { faceOf } from '../profile-link/face.js';
import { forgive, tell } from './blocking.js';
import { problemText, t } from '../words/words.js';

export const fill = (place, on) => place.append(listOf({
  path: '/account/blocks', name: 'people', label: t('People you have blocked'),
  none: t('You haven’t blocked anyone. Block people by the dots beside their name.'), row: (author) => rowOf(author, on.say), signal: on.signal,
}));

function rowOf(author, said) {
  let isBlocked = true;
  let isBusy = false;
  const button = el('button', { type: 'button', 'aria-label': t('Block {name}', { name: author.name }) });
  const show = () => {
    button.setAttribute('aria-pressed', String(isBlocked));
    button.textContent = isBlocked ? t('Unblock') : t('Block');
  };
  button.addEventListener('click', async () => {
    if (isBusy) return;
    isBusy = true;
    isBlocked = !isBlocked;
    show();
    try {
      await tell(author.id, isBlocked);
      if (!isBlocked) forgive(author.id);
    } catch (error) {
      isBlocked = !isBlocked;
      show();
      said(problemText(error) || t('This was not saved. Please try again.'));
    }
    isBusy = false;
  });
  show();
  return el('li', {}, faceOf(author),
    el('span', { class: 'who' }, el('strong', { dir: 'auto' }, author.name), el('span', {}, `@${author.handle}`)), button);
}

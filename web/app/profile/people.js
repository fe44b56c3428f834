// Who follows somebody, or whom they follow, with a field to look for one of them.

import { route } from '../api/api.js';
import { el } from '../account/form.js';
import { listOf, personOf } from '../account/lists.js';
import { addressOf } from '../profile-link/address.js';
import { t } from '../words/words.js';

// Typing rests for so long before it is asked for.
const REST_MS = 250;
const noneOf = (side) => ({
  followers: [t('Nobody follows them yet.'), t('Nobody of this name follows them.')],
  following: [t('They follow nobody yet.'), t('They follow nobody of this name.')],
})[side];

export function fill(place, on, handle, side) {
  // Left while this module was fetched: its end has been told already, and nothing of the list would ever end.
  if (on.signal.aborted) return;
  const what = side === 'followers' ? t('Followers of @{handle}', { handle }) : t('Followed by @{handle}', { handle });
  const lists = el('div');
  let view = new AbortController();
  let timer = 0;
  const show = (text) => {
    view.abort();
    view = new AbortController();
    lists.replaceChildren(listOf({
      path: route`/profiles/${handle}/` + side, query: text ? { q: text } : {}, name: 'people', label: what, none: noneOf(side)[text ? 1 : 0],
      signal: view.signal,
      row: ({ author, following }) => personOf(author, on, following, () => on.goTo(addressOf(author.handle))),
    }));
  };
  const field = el('input', { type: 'search', 'aria-label': t('Find somebody'), placeholder: t('Find somebody'), autocomplete: 'off',
    autocapitalize: 'none', spellcheck: 'false', dir: 'auto', maxlength: 200, input: () => {
      clearTimeout(timer);
      timer = setTimeout(() => show(field.value.trim()), REST_MS);
    } });
  on.signal.addEventListener('abort', () => {
    clearTimeout(timer);
    view.abort();
  });
  place.append(el('h3', {}, what), field, lists);
  show('');
}

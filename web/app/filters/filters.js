// Which comments wait under one's clips, who may write there, and those that wait: a page of the account screen.

import { request } from '../api/api.js';
import { el, Form, switchOf } from '../account/form.js';
import { loadStyles } from '../screens/screens.js';
import { t } from '../words/words.js';
import { heldList } from './held.js';
import { wordsIn } from './words.js';

const PATH = '/account/comment-filters';
const switches = () => [
  ['hold_links', t('Hold comments with links'), t('Addresses of the web and of e-mail.')],
  ['followers_only', t('Only followers may comment'), t('Everybody else is told so.')],
];

/** `on`: the account screen. */
export async function fill(place, on) {
  const [filters] = await Promise.all([request(PATH), loadStyles('/app/settings/page.css')]);
  if (on.signal.aborted) return;
  const saving = new Saving(filters);
  place.className = 'filters';
  place.append(
    heldList(on), el('h3', {}, t('Filters')),
    el('p', { class: 'hint' }, t('They hold for new comments on all your clips. Whoever writes one that waits is told that you look at it first. Nobody else sees it or hears of it until you let it in.')),
    el('ul', { class: 'switches' }, ...switches().map(([name, label, hint]) => switchOf({
      id: `filters-${name}`, label, hint, isOn: filters[name], save: (wanted) => saving.save({ [name]: wanted }), say: on.say,
    }))), formOf(saving, on));
}

/** What is kept, one change after the other: each goes with all the rest. */
class Saving {
  filters;
  #last = Promise.resolve();

  constructor(filters) {
    this.filters = filters;
  }

  save(change) {
    const saved = this.#last.then(async () => {
      this.filters = await request(PATH, { method: 'PUT', body: { ...this.filters, ...change } });
    });
    this.#last = saved.catch(() => {});
    return saved;
  }
}

function formOf(saving, on) {
  const form = new Form({
    label: t('Words'), submit: t('Save the words'), busy: t('Saving…'),
    fields: [{
      name: 'words', label: t('Hold comments with these words'), type: 'lines', rows: 6, optional: true, value: saving.filters.words.join('\n'),
      hint: t('A word or phrase on each line, 200 at most. Capitals, accents and letters that look alike make no difference.'),
    }],
    send: async ({ words }) => {
      await saving.save({ words: wordsIn(words) });
      form.root.elements.words.value = saving.filters.words.join('\n');
      on.say(t('The words are saved.'));
    },
  });
  return form.root;
}

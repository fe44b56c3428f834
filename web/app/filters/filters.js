// Which comments wait under one's clips, who may write there, and those that wait: a page of the account screen.

import { request } from '../api/api.js';
import { el, Form, switchOf } from '../account/form.js';
import { loadStyles } from '../screens/screens.js';
import { heldList } from './held.js';
import { wordsIn } from './words.js';

const PATH = '/account/comment-filters';
const SWITCHES = [
  ['hold_links', 'Hold comments with links', 'Addresses of the web and of e-mail.'],
  ['followers_only', 'Only followers may comment', 'Everybody else is told so.'],
];

/** `on`: the account screen. */
export async function fill(place, on) {
  const [filters] = await Promise.all([request(PATH), loadStyles('/app/settings/page.css')]);
  if (on.signal.aborted) return;
  const saving = new Saving(filters);
  place.className = 'filters';
  place.append(
    heldList(on), el('h3', {}, 'Filters'),
    el('p', { class: 'hint' }, 'They hold for new comments on all your clips. Whoever writes one that waits is told that you look at it first. Nobody else sees it or hears of it until you let it in.'),
    el('ul', { class: 'switches' }, ...SWITCHES.map(([name, label, hint]) => switchOf({
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
    label: 'Words', submit: 'Save the words', busy: 'Saving…',
    fields: [{
      name: 'words', label: 'Hold comments with these words', type: 'lines', rows: 6, optional: true, value: saving.filters.words.join('\n'),
      hint: 'A word or phrase on each line, 200 at most. Capitals, accents and letters that look alike make no difference.',
    }],
    send: async ({ words }) => {
      await saving.save({ words: wordsIn(words) });
      form.root.elements.words.value = saving.filters.words.join('\n');
      on.say('The words are saved.');
    },
  });
  return form.root;
}

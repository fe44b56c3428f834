// What was found, page by page: clips as a grid, people, tags. What to try is said where nothing was.

import { el } from '../account/form.js';
import { counted, listOf, personOf, tileOf, withViews } from '../account/lists.js';

function clip(found, on, clips) {
  clips.push(found);
  return withViews(tileOf(found, () => on.open(found, clips)), found);
}

function person({ author, followers, following }, on) {
  const row = personOf(author, on, following, on.profile);
  row.querySelector('.who').append(el('span', {}, counted(followers, 'follower', 'followers')));
  return row;
}

const tag = (found, on) => el('li', {}, el('button', { type: 'button', click: () => on.ask(`#${found.tag}`) },
  el('span', { dir: 'auto' }, `#${found.tag}`), el('small', {}, counted(found.clips, 'clip', 'clips'))));

export const TABS = {
  clips: { name: 'Clips', list: 'grid', row: clip },
  people: { name: 'People', list: 'people', row: person },
  tags: { name: 'Tags', list: 'rows', row: tag },
};

function nothing({ tab, text }, on) {
  const others = Object.keys(TABS).filter((other) => other !== tab);
  return el('div', {}, el('p', {}, 'Nothing found for “', el('bdi', {}, text), '”.'),
    el('p', { class: 'hint' }, 'Try fewer or other words, or the beginning of one.'),
    el('p', { class: 'ways' }, ...others.map((other) => el('button', { type: 'button', click: () => on.ask(text, other) },
      `Look for ${TABS[other].name.toLowerCase()}`))));
}

/** `on`: `app`, `signal` ends it, `say(text)`, `open(clip, clips)`, `profile(author)`, `ask(text, tab)`. */
export function resultsOf(place, on) {
  const { list, name, row } = TABS[place.tab];
  const clips = [];
  return listOf({
    path: `/search/${place.tab}`, query: { q: place.text }, name: list, label: name, none: nothing(place, on), signal: on.signal,
    row: (found) => row(found, on, clips),
  });
}

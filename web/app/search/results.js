// What was found, page by page: clips as a grid, people, tags, sounds. What to try is said where nothing was.

import { el } from '../account/form.js';
import { compact, listOf, personOf, pictureOf, tileOf, withViews } from '../account/lists.js';
import { addressOf as addressOfSound, nameOf } from '../sounds/sounds.js';
import { plural, t } from '../words/words.js';

const clipsText = (clips) => plural(clips, '{number} clip', '{number} clips', { number: compact(clips) });

function clip(found, on, clips) {
  clips.push(found);
  return withViews(tileOf(found, () => on.open(found, clips)), found);
}

function person({ author, followers, following }, on) {
  const row = personOf(author, on, following, on.profile);
  row.querySelector('.who').append(el('span', {}, plural(followers, '{number} follower', '{number} followers', { number: compact(followers) })));
  return row;
}

const tag = (found, on) => el('li', {}, el('button', { type: 'button', click: () => on.ask(`#${found.tag}`) },
  el('span', { dir: 'auto' }, `#${found.tag}`), el('small', {}, clipsText(found.clips))));

const sound = ({ id, clips, author, caption, poster }) => el('li', {}, el('a', { href: addressOfSound(id) },
  el('span', { class: 'picture' }, ...pictureOf(poster)),
  el('span', { class: 'who' }, el('strong', { dir: 'auto' }, nameOf(author)), el('span', { dir: 'auto' }, caption), el('span', {}, clipsText(clips)))));

export const TABS = {
  clips: { name: () => t('Clips'), lookFor: () => t('Look for clips'), list: 'grid', row: clip },
  people: { name: () => t('People'), lookFor: () => t('Look for people'), list: 'people', row: person },
  tags: { name: () => t('Tags'), lookFor: () => t('Look for tags'), list: 'rows', row: tag },
  sounds: { name: () => t('Sounds'), lookFor: () => t('Look for sounds'), list: 'rows sounds', row: sound },
};

// Stands for what was looked for until the sentence is cut there: no sentence has one.
const PLACE = '\0';

function nothing({ tab, text }, on) {
  const others = Object.keys(TABS).filter((other) => other !== tab);
  const [before, after = ''] = t('Nothing found for “{words}”.', { words: PLACE }).split(PLACE);
  return el('div', {}, el('p', {}, before, el('bdi', {}, text), after),
    el('p', { class: 'hint' }, t('Try fewer or other words, or the beginning of one.')),
    el('p', { class: 'ways' }, ...others.map((other) => el('button', { type: 'button', click: () => on.ask(text, other) },
      TABS[other].lookFor()))));
}

/** `on`: `app`, `signal` ends it, `say(text)`, `open(clip, clips)`, `profile(author)`, `ask(text, tab)`. */
export function resultsOf(place, on) {
  const { list, name, row } = TABS[place.tab];
  const clips = [];
  return listOf({
    path: `/search/${place.tab}`, query: { q: place.text }, name: list, label: name(), none: nothing(place, on), signal: on.signal,
    row: (found) => row(found, on, clips),
  });
}

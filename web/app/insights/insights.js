// How one's own clip does, on a page of the account screen: what was counted, how long people stay, where they come upon it, and its
// last days. It refuses to know what counts as what: the server does.

import { request, route } from '../api/api.js';
import { el } from '../account/form.js';
import { loadClip } from '../clip-link/clip.js';
import { language, plural, t } from '../words/words.js';
import { bars, curve } from './charts.js';

const WAYS = {
  for_you: () => t('For you'), following: () => t('Following'), latest: () => t('Latest'), feed: () => t('The feed'), trending: () => t('Trending'),
  similar: () => t('More like this'), search: () => t('Search'), link: () => t('Its link'), likes: () => t('Their likes'),
  bookmarks: () => t('Their bookmarks'), author: () => t('Your page'), own: () => t('Your own list'),
};
const counts = () => [['impressions', t('Shown')], ['views', t('Views')], ['viewers', t('Viewers')], ['likes', t('Likes')], ['bookmarks', t('Bookmarks')],
  ['shares', t('Shares')], ['comments', t('Comments')]];

const numberOf = (count) => new Intl.NumberFormat(language()).format(count);
// The server's days are those of UTC.
const dayOf = (text) => new Intl.DateTimeFormat(language(), { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(new Date(text));
const dateOf = (text) => new Intl.DateTimeFormat(language(), { dateStyle: 'medium' }).format(new Date(text));
const shown = (impressions, views) => t('Shown {times}, {views}', {
  times: plural(impressions, '{count} time', '{count} times'), views: plural(views, '{count} view', '{count} views') });
const shareOf = (millionths) => new Intl.NumberFormat(language(), { style: 'percent', maximumFractionDigits: 0 }).format(millionths / 1e6);
const visits = (count) => plural(count, '{count} visit', '{count} visits');

/** `token`: the clip's id, as it stands in an address. */
export async function fill(place, on, token) {
  let id = '';
  try { id = decodeURIComponent(token); } catch { /* it is no clip's, and the server says so */ }
  place.className = 'insights';
  place.replaceChildren(el('p', { class: 'turning', role: 'img', 'aria-label': t('Loading') }));
  try {
    const found = await request(route`/clips/${id}/insights`);
    if (on.signal.aborted) return;
    show(place, found);
    name(place, id, on.signal);
  } catch (error) {
    if (error.isOver || on.signal.aborted) return;
    if (error.detail === undefined) console.error(error);
    const isGone = error.status === 404;
    place.replaceChildren(el('div', { class: 'none', role: 'alert' },
      el('p', {}, isGone ? t('This is none of your clips, or it is not there any more.') : error.detail ?? t('This could not be loaded.')),
      isGone ? null : el('button', { type: 'button', click: () => fill(place, on, token) }, t('Try again'))));
  }
}

/** Which clip it is; without that the figures stand for themselves. */
async function name(place, id, signal) {
  const clip = await loadClip(id, signal).catch(() => null);
  if (clip?.caption && !signal.aborted) place.prepend(el('p', { class: 'lead', dir: 'auto' }, clip.caption));
}

function show(place, found) {
  place.replaceChildren(
    el('dl', { class: 'figures' }, ...counts().map(([key, words]) => el('div', {}, el('dt', {}, words),
      el('dd', {}, numberOf(found[key]))))),
    ...staying(found), ...ways(found), ...days(found));
}

const part = (id, title) => el('h3', { id: `insights-${id}` }, title);
const hint = (words) => el('p', { class: 'hint' }, words);

/** Numbers that a picture shows, for who cannot see it or wants them exactly. */
function numbers(label, heads, rows) {
  const row = (cells, cell) => el('tr', {}, ...cells.map((words, at) => el(at || cell === 'th' ? cell : 'th',
    { scope: cell === 'th' ? 'col' : at ? null : 'row' }, words)));
  return el('details', {}, el('summary', {}, t('In numbers')),
    el('div', { class: 'table', role: 'region', 'aria-label': label, tabindex: '0' },
      el('table', {}, el('thead', {}, row(heads, 'th')), el('tbody', {}, ...rows.map((cells) => row(cells, 'td'))))));
}

function staying({ staying: known, starts, starts_needed: needed, duration_ms: lengthMs }) {
  const head = part('staying', t('How long people stay'));
  if (!known) {
    return [head, hint(t('The curve is drawn from {needed} visits on. So far it is {visits}.', { needed, visits: visits(starts) }))];
  }
  const { retention: shares, watched_share: watched, completion_share: completed } = known;
  const end = lengthMs / 1000;
  const isLooped = shares.length - 1 > end;
  return [head,
    el('p', {}, t('On average people watch {watched} of it. {completed} watch it to the end.', { watched: shareOf(watched), completed: shareOf(completed) })),
    el('figure', {}, el('div', { class: 'curve' }, curve(shares, end)),
      el('figcaption', {}, ...[0, shares.length - 1].map((count) => el('bdi', {}, t('{seconds} s', { seconds: count }))))),
    hint([t('How many of those who start it are still there, from {visits}.', { visits: visits(starts) }),
      isLooped ? t('The line across marks its end: behind it people watch it again.') : ''].join(' ').trim()),
    numbers(t('How many are still there'), [t('Second'), t('Still there')], shares.map((share, second) => [numberOf(second), shareOf(share)]))];
}

function ways({ found, counted_since: since }) {
  const head = part('found', t('Where people come upon it'));
  if (!found.length) return [head, hint(t('Nobody has come upon it yet.')), ...sinceWhen(since)];
  const all = found.reduce((sum, { impressions }) => sum + impressions, 0) || 1;
  return [head,
    el('ul', { class: 'ways-in', 'aria-labelledby': head.id }, ...found.map(({ source, impressions, views }) => {
      const bar = el('span', { class: 'bar', 'aria-hidden': 'true' });
      bar.style.setProperty('--share', String(impressions / all));
      return el('li', {}, el('strong', {}, WAYS[source]?.() ?? t('Elsewhere')),
        el('span', {}, shown(impressions, views)), bar);
    })),
    ...sinceWhen(since)];
}

const sinceWhen = (since) => (since
  ? [hint(t('Where, how often and on which days it was shown is counted since {day}.', { day: dateOf(since) }))] : []);

function days({ days: all }) {
  const head = part('days', plural(all.length, 'The last day', 'The last {count} days'));
  if (!all.some(({ impressions, views }) => impressions > 0 || views > 0)) return [head, hint(t('It was not shown on any of them.'))];
  const sum = (key) => all.reduce((total, day) => total + day[key], 0);
  const ends = [all[0], all.at(-1)].map(({ day }) => dayOf(day));
  return [head,
    el('p', {}, `${shown(sum('impressions'), sum('views'))}.`),
    el('figure', {}, el('div', { class: 'days' }, bars(all.map(({ impressions, views }) => ({ whole: impressions, part: views })))),
      el('figcaption', {}, ...ends.map((words) => el('span', {}, words)))),
    hint(t('Pale: how often it was shown. Bright: views. A day is one of UTC.')),
    numbers(t('Day by day'), [t('Day'), t('Shown'), t('Views'), t('Likes'), t('Bookmarks'), t('Shares'), t('Comments')],
      all.toReversed().map((day) => [dayOf(day.day),
        ...['impressions', 'views', 'likes', 'bookmarks', 'shares', 'comments'].map((key) => numberOf(day[key]))]))];
}

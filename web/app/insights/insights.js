// How one's own clip does, on a page of the account screen: what was counted, how long people stay, where they come upon it, and its
// last days. It refuses to know what counts as what: the server does.

import { request, route } from '../api/api.js';
import { el } from '../account/form.js';
import { loadClip } from '../clip-link/clip.js';
import { bars, curve } from './charts.js';

const WAYS = {
  for_you: 'For you', following: 'Following', latest: 'Latest', feed: 'The feed', trending: 'Trending', similar: 'More like this',
  search: 'Search', link: 'Its link', likes: 'Their likes', bookmarks: 'Their bookmarks', author: 'Your page', own: 'Your own list',
};
const COUNTS = [['impressions', 'Shown'], ['views', 'Views'], ['viewers', 'Viewers'], ['likes', 'Likes'], ['bookmarks', 'Bookmarks'],
  ['shares', 'Shares'], ['comments', 'Comments']];

const number = new Intl.NumberFormat('en');
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 0 });
// The server's days are those of UTC.
const dayName = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const dateName = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });
const shown = (impressions, views) => `Shown ${counted(impressions, 'time', 'times')}, ${counted(views, 'view', 'views')}`;
const shareOf = (millionths) => percent.format(millionths / 1e6);
const counted = (count, one, many) => `${number.format(count)} ${count === 1 ? one : many}`;

/** `token`: the clip's id, as it stands in an address. */
export async function fill(place, on, token) {
  let id = '';
  try { id = decodeURIComponent(token); } catch { /* it is no clip's, and the server says so */ }
  place.className = 'insights';
  place.replaceChildren(el('p', { class: 'turning', role: 'img', 'aria-label': 'Loading' }));
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
      el('p', {}, isGone ? 'This is none of your clips, or it is not there any more.' : error.detail ?? 'This could not be loaded.'),
      isGone ? null : el('button', { type: 'button', click: () => fill(place, on, token) }, 'Try again')));
  }
}

/** Which clip it is; without that the figures stand for themselves. */
async function name(place, id, signal) {
  const clip = await loadClip(id, signal).catch(() => null);
  if (clip?.caption && !signal.aborted) place.prepend(el('p', { class: 'lead', dir: 'auto' }, clip.caption));
}

function show(place, found) {
  place.replaceChildren(
    el('dl', { class: 'figures' }, ...COUNTS.map(([key, words]) => el('div', {}, el('dt', {}, words),
      el('dd', {}, number.format(found[key]))))),
    ...staying(found), ...ways(found), ...days(found));
}

const part = (id, title) => el('h3', { id: `insights-${id}` }, title);
const hint = (words) => el('p', { class: 'hint' }, words);

/** Numbers that a picture shows, for who cannot see it or wants them exactly. */
function numbers(label, heads, rows) {
  const row = (cells, cell) => el('tr', {}, ...cells.map((words, at) => el(at || cell === 'th' ? cell : 'th',
    { scope: cell === 'th' ? 'col' : at ? null : 'row' }, words)));
  return el('details', {}, el('summary', {}, 'In numbers'),
    el('div', { class: 'table', role: 'region', 'aria-label': label, tabindex: '0' },
      el('table', {}, el('thead', {}, row(heads, 'th')), el('tbody', {}, ...rows.map((cells) => row(cells, 'td'))))));
}

function staying({ staying: known, starts, starts_needed: needed, duration_ms: lengthMs }) {
  const head = part('staying', 'How long people stay');
  if (!known) {
    return [head, hint(`The curve is drawn from ${needed} visits on. So far it is ${counted(starts, 'visit', 'visits')}.`)];
  }
  const { retention: shares, watched_share: watched, completion_share: completed } = known;
  const end = lengthMs / 1000;
  const isLooped = shares.length - 1 > end;
  return [head,
    el('p', {}, `On average people watch ${shareOf(watched)} of it. ${shareOf(completed)} watch it to the end.`),
    el('figure', {}, el('div', { class: 'curve' }, curve(shares, end)),
      el('figcaption', {}, el('bdi', {}, '0 s'), el('bdi', {}, `${shares.length - 1} s`))),
    hint(`How many of those who start it are still there, from ${counted(starts, 'visit', 'visits')}.`
      + (isLooped ? ' The line across marks its end: behind it people watch it again.' : '')),
    numbers('How many are still there', ['Second', 'Still there'], shares.map((share, second) => [String(second), shareOf(share)]))];
}

function ways({ found, counted_since: since }) {
  const head = part('found', 'Where people come upon it');
  if (!found.length) return [head, hint('Nobody has come upon it yet.'), ...sinceWhen(since)];
  const all = found.reduce((sum, { impressions }) => sum + impressions, 0) || 1;
  return [head,
    el('ul', { class: 'ways-in', 'aria-labelledby': head.id }, ...found.map(({ source, impressions, views }) => {
      const bar = el('span', { class: 'bar', 'aria-hidden': 'true' });
      bar.style.setProperty('--share', String(impressions / all));
      return el('li', {}, el('strong', {}, WAYS[source] ?? 'Elsewhere'),
        el('span', {}, shown(impressions, views)), bar);
    })),
    ...sinceWhen(since)];
}

const sinceWhen = (since) => (since
  ? [hint(`Where, how often and on which days it was shown is counted since ${dateName.format(new Date(since))}.`)] : []);

function days({ days: all }) {
  const head = part('days', `The last ${all.length} days`);
  if (!all.some(({ impressions, views }) => impressions > 0 || views > 0)) return [head, hint('It was not shown on any of them.')];
  const sum = (key) => all.reduce((total, day) => total + day[key], 0);
  const ends = [all[0], all.at(-1)].map(({ day }) => dayName.format(new Date(day)));
  return [head,
    el('p', {}, `${shown(sum('impressions'), sum('views'))}.`),
    el('figure', {}, el('div', { class: 'days' }, bars(all.map(({ impressions, views }) => ({ whole: impressions, part: views })))),
      el('figcaption', {}, ...ends.map((words) => el('span', {}, words)))),
    hint('Pale: how often it was shown. Bright: views. A day is one of UTC.'),
    numbers('Day by day', ['Day', 'Shown', 'Views', 'Likes', 'Bookmarks', 'Shares', 'Comments'],
      all.toReversed().map((day) => [dayName.format(new Date(day.day)),
        ...['impressions', 'views', 'likes', 'bookmarks', 'shares', 'comments'].map((key) => number.format(day[key]))]))];
}

// A list of streams as the feed, for demonstrations: `/?manifest=ADDRESS`, of this site alone, as the policy of the page has it.
// The streams play by the same core and players. They are no clips of the server, so nobody likes or comments on them.

import { loadStyles } from '../screens/screens.js';
import { t } from '../words/words.js';
import { fileOf, isPlaylist, variantsOf } from './playlists.js';

const PATIENCE_MS = 15_000;
const LARGEST = 4_000_000;
const MOST_STREAMS = 1000;
// Streams of one page of the feed.
const PAGE = 5;

/** Nothing of what people do with clips is loaded. */
export const isForeign = true;

function addressOf(reference, base) {
  try { return new URL(reference, base).href; } catch { return null; }
}

/** The addresses that a list names, with their captions; it is like that of `clipfeed import`. */
export function entriesOf(text, address) {
  if (isPlaylist(text)) return [{ url: address, caption: '' }];
  const list = JSON.parse(text);
  const videos = Array.isArray(list) ? list : list?.videos;
  if (!Array.isArray(videos)) throw new Error(t('The list has no "videos".'));
  return videos.slice(0, MOST_STREAMS).map((entry) => ({
    url: addressOf(entry?.url ?? entry, address), caption: String(entry?.caption ?? '').slice(0, 1500) }));
}

async function textAt(url) {
  // The page's policy says the same; this can be said in words.
  if (!url || new URL(url).origin !== location.origin) throw new Error(t('Only streams of this site play here.'));
  const response = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) });
  if (!response.ok || Number(response.headers.get('Content-Length')) > LARGEST) throw new Error(`${url}: ${response.status}`);
  return response.text();
}

/** An item of the feed. */
export function itemOf({ url, caption }, number, renditions) {
  const best = renditions.at(-1);
  const length = best.segments.reduce((sum, { duration_ms }) => sum + duration_ms, 0);
  return {
    id: `foreign-${number}`, caption, author: { name: new URL(url).host }, comments: 'off', width: best.width, height: best.height,
    playback: { duration_ms: length, hls_url: url, renditions },
  };
}

async function load(entry, number) {
  const variants = variantsOf(await textAt(entry.url)).sort((a, b) => a.height - b.height || a.peak - b.peak);
  if (!variants.length) throw new Error(t('It is no master playlist that says sizes and codecs.'));
  const renditions = await Promise.all(variants.map(async ({ uri, codecs, width, height, peak, average }) => {
    const playlist = new URL(uri, entry.url);
    const file = fileOf(await textAt(playlist.href));
    const { href, origin } = new URL(file.uri, playlist);
    if (origin !== location.origin) throw new Error(t('Only streams of this site play here.'));
    return { url: href, codecs, width, height, peak_bps: peak, average_bps: average, init: file.init, segments: file.segments };
  }));
  return itemOf(entry, number, renditions);
}

/** As `loadPage`, of the list that the address names. `notice(text)` says what does not play. */
export function loadFirst(notice) {
  document.documentElement.dataset.foreign = '';
  loadStyles('/app/foreign/foreign.css').catch(console.warn);
  let entries = null;
  let next = 0;
  return async () => {
    if (!entries) {
      try {
        const address = new URL(new URLSearchParams(location.search).get('manifest'), location.href).href;
        entries = entriesOf(await textAt(address), address);
      } catch (error) {
        console.warn(error);
        notice(`${t('This list cannot be played.')} ${error.message}`);
        return { items: [], next_cursor: null };
      }
    }
    const items = [];
    while (items.length < PAGE && next < entries.length) {
      const number = next;
      next += 1;
      try {
        items.push(await load(entries[number], number));
      } catch (error) {
        console.warn(entries[number].url, error);
        notice(t('Stream {number} of the list cannot be played here.', { number: number + 1 }));
      }
    }
    return { items, next_cursor: next < entries.length ? String(next) : null };
  };
}

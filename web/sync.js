// What a service worker does while no page is open (docs/design/offline.md): it sends what somebody did without a network, and brings the
// beginning of their next visit. A classic script, for `importScripts`, behind web/app/outbox/queue.js. Where a page is open it
// leaves both to that: who is signed in changes in pages alone.

(() => {
  const { all, drain } = self.clipfeedQueue;
  const API = '/api/v1';
  const JSON_TYPE = { 'Content-Type': 'application/json' };
  const PATIENCE_MS = 15_000;
  // By the page: what it registers them as.
  const OUTBOX = 'clipfeed-outbox';
  const AHEAD = 'clipfeed-feed';

  // MARK: who

  const pages = () => self.clients.matchAll({ type: 'window', includeUncontrolled: true });

  /** Whose session this browser has: the id of an account; empty, a guest's. A token that has ended would make a guest of whoever
   *  is signed in, so a fresh one comes first, and its answer says whose it is. */
  async function whoIsHere() {
    const refresh = () => fetch(`${API}/sessions/refresh`, {
      method: 'POST', headers: JSON_TYPE, body: '{}', cache: 'no-store', signal: AbortSignal.timeout(PATIENCE_MS),
    });
    // A token is good for one refresh: a page that is just being opened waits, as web/app/api/api.js does.
    const answer = await (self.navigator.locks?.request('clipfeed-session', refresh) ?? refresh());
    if (answer.status === 401) return '';
    if (!answer.ok) throw new Error(`a session: ${answer.status}`);
    return (await answer.json()).account.id;
  }

  // MARK: what waits

  async function send({ path, method, body, key }) {
    const answer = await fetch(API + path, {
      method, cache: 'no-store', signal: AbortSignal.timeout(PATIENCE_MS), headers: { ...(body && JSON_TYPE), ...(key && { 'Idempotency-Key': key }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (answer.ok) return;
    const { detail, code } = await answer.json().catch(() => ({}));
    throw Object.assign(new Error(detail), { status: answer.status, detail, code });
  }

  async function sendWhatWaits() {
    const open = await pages();
    for (const page of open) page.postMessage({ kind: 'outbox' });
    if (open.length || (await all()).every(({ refused }) => refused)) return;
    const me = await whoIsHere();
    const isDone = await drain({ who: async () => ((await pages()).length ? null : me), send });
    // So the browser comes again.
    if (!isDone) throw new Error('some of it has to wait');
  }

  self.addEventListener('sync', (event) => { if (event.tag === OUTBOX) event.waitUntil(sendWhatWaits()); });

  // MARK: the next visit

  // As web/app/feed/feed.js asks for it.
  const FEED = `${API}/feed?tab=for_you&limit=5`;
  const STORE = 'clipfeed-ahead-1';
  const PAGE = '/ahead/feed';
  const DAYS = 3;
  // As web/app/playback/disk.js keeps media; `INIT` as in downloads.js.
  const MEDIA = 'clipfeed-media-1';
  const INDEX = '/media/index';
  const INIT = -1;
  // For all clips together. About what a minute of the smallest picture takes.
  const BYTES = 3_000_000;
  // As many segments as the core reads back of the next clip and of those beyond (core/Sources/MediaCache).
  const [OF_NEXT, OF_THOSE_BEYOND] = [3, 1];
  // Played everywhere. Of another kind a worker cannot know which of a clip's files its page will play.
  const PLAYS = /^avc1\./;

  const addressOf = ({ url, offset, size }) => `${url}?bytes=${offset}-${offset + size - 1}`;

  function isFree() {
    const { saveData, type } = self.navigator.connection ?? {};
    return !saveData && type !== 'cellular';
  }

  async function bringAhead() {
    if (!isFree() || (await pages()).length) return;
    await whoIsHere();
    const answer = await fetch(FEED, { cache: 'no-store', signal: AbortSignal.timeout(PATIENCE_MS) });
    if (!answer.ok) return;
    const { items, next_cursor: cursor } = await answer.json();
    // What is not for everybody does not stay behind on the device, nor what this person has to do with a clip.
    const open = items.filter(({ visibility }) => !visibility).map(({ viewer, reason, ...item }) => item);
    const kept = { until: Date.now() + DAYS * 86_400_000, items: open, next_cursor: cursor };
    await (await caches.open(STORE)).put(PAGE, Response.json(kept));
    await bringMedia(open);
  }

  async function bringMedia(items) {
    const cache = await caches.open(MEDIA);
    const index = new Map(await (await cache.match(INDEX))?.json().catch(() => []) ?? []);
    let left = BYTES;
    for (const [place, { playback }] of items.entries()) {
      const [rendition] = playback?.renditions ?? [];
      if (!rendition || !PLAYS.test(rendition.codecs)) continue;
      const parts = [{ segment: INIT, ...rendition.init }, ...rendition.segments.slice(0, place ? OF_THOSE_BEYOND : OF_NEXT)
        .map((segment, number) => ({ ...segment, segment: number }))].map(({ segment, offset, size }) => ({ url: rendition.url, segment, offset, size }));
      const entry = index.get(rendition.url) ?? { parts: [] };
      const missing = parts.filter((part) => !entry.parts.some((one) => addressOf(one) === addressOf(part)));
      if (!missing.length) continue;
      const from = Math.min(...missing.map(({ offset }) => offset));
      const end = Math.max(...missing.map(({ offset, size }) => offset + size));
      if (end - from > left) return;
      left -= end - from;
      const bytes = await bytesOf(rendition.url, from, end);
      // A page that is open has an index of its own.
      if (!bytes || (await pages()).length) return;
      for (const part of missing) await cache.put(addressOf(part), new Response(bytes.slice(part.offset - from, part.offset - from + part.size)));
      index.set(rendition.url, { used: Date.now(), parts: [...entry.parts, ...missing] });
      await cache.put(INDEX, Response.json([...index]));
    }
  }

  /** Null if they do not come whole. */
  async function bytesOf(url, from, end) {
    const answer = await fetch(url, { headers: { Range: `bytes=${from}-${end - 1}` }, priority: 'low', signal: AbortSignal.timeout(PATIENCE_MS) });
    if (answer.status !== 206) {
      answer.body?.cancel().catch(() => {});
      return null;
    }
    const bytes = await answer.arrayBuffer();
    return bytes.byteLength === end - from ? bytes : null;
  }

  self.addEventListener('periodicsync', (event) => { if (event.tag === AHEAD) event.waitUntil(bringAhead()); });

  /** What was brought ahead, where the network brings nothing. */
  async function pageAhead(error) {
    const kept = await (await caches.open(STORE)).match(PAGE).then((answer) => answer?.json()).catch(() => null);
    if (!(kept?.until > Date.now())) throw error;
    return Response.json({ items: kept.items, next_cursor: kept.next_cursor });
  }

  self.addEventListener('fetch', (event) => {
    const { origin, pathname, search } = new URL(event.request.url);
    if (event.request.method !== 'GET' || origin !== self.location.origin || pathname + search !== FEED) return;
    event.respondWith(fetch(event.request).catch(pageAhead));
  });
})();

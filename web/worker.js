// The page's worker keeps whole versions of the page: a page gets the files of the one version with which it was opened, whatever
// the server has by then, and opens without a network (docs/design/offline.md). What fails in here is asked of the network, as if
// there were no worker. It refuses to know what the page does, and brings no clips.

// `SHELL`, the version that came with this worker, by scripts/web-shell.sh. Other tasks of a worker have a line each here.
importScripts('/shell.js');
importScripts('/push.js', '/app/outbox/queue.js', '/sync.js');

const CACHE = 'clipfeed-shell-1';
// Pictures and captions of clips that are kept, by web/app/offline/kept.js.
const KEPT = 'clipfeed-kept-1';
const STATE = '/shell/state';
// A network that takes longer is one that is not there. Once for what is new and once for what is missing.
const PATIENCE_MS = 2500;
// Until then files that were looked through for a page wait in memory for it.
const READY_MS = 10_000;
// A page that is being opened is not among the clients yet.
const NEWBORN_MS = 60_000;
// Pages that were open at some time: then it is looked who still is.
const MANY = 20;
const GONE = Symbol('no shell.js');

const placeOf = (path, hash) => `${path}?v=${hash}`;
const isApp = ({ pathname }) => pathname === '/' || /^\/c\/[^/]+$/.test(pathname);
const isFile = ({ pathname, search }) => !search && (pathname in SHELL.files || /^\/app\/.*\.(js|css)$/.test(pathname));
const isPicture = ({ pathname }) => /^\/media\/.*\.(jpg|vtt)$/.test(pathname);
const within = (work, otherwise) => Promise.race([work, new Promise((resolve) => { setTimeout(resolve, PATIENCE_MS, otherwise); })]);

async function hashOf(bytes) {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest.subarray(0, 8), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

// MARK: what is known

// `{newest, versions, clients}`: the last version that was there whole, manifests by version, and by client which it has.
let state = null;
let saving = Promise.resolve();
// Being brought: nothing of them is in the way.
const coming = new Set();

const isManifest = (one) => Boolean(one && typeof one.version === 'string' && Array.isArray(one.first) && one.files?.['/']);

function load() {
  state ??= (async () => {
    const kept = await (await caches.open(CACHE)).match(STATE).then((answer) => answer?.json()).catch(() => null);
    const versions = Object.entries(kept?.versions ?? {}).filter(([, manifest]) => isManifest(manifest));
    return { newest: kept?.newest ?? null, versions: Object.fromEntries(versions), clients: kept?.clients ?? {} };
  })().catch(() => ({ newest: null, versions: {}, clients: {} }));
  return state;
}

/** What is not written down is known until the worker ends, and asked of the server again then. */
function save(known) {
  saving = saving.then(async () => (await caches.open(CACHE)).put(STATE, Response.json(known))).catch(() => {});
  return saving;
}

/** `SHELL` where nothing else is known: it lies beside the worker, not in the cache. */
const newestOf = ({ newest, versions }) => versions[newest] ?? SHELL;

// MARK: files

// By place: `{bytes, headers}`.
const ready = new Map();

const answerOf = ({ bytes, headers }) => new Response(bytes, { headers });

/** From the cache, and only if it is what was put there. */
async function stored(path, hash) {
  try {
    const cache = await caches.open(CACHE);
    const answer = await cache.match(placeOf(path, hash));
    if (!answer) return null;
    const bytes = await answer.arrayBuffer();
    if (await hashOf(bytes) === hash) return { bytes, headers: answer.headers };
    await cache.delete(placeOf(path, hash));
  } catch { /* a cache that cannot be read holds nothing */ }
  return null;
}

/** From the network: what the browser has of the page's own requests first. Null if the server has another file there now. */
async function fetched(path, hash, options = {}) {
  for (const cache of ['force-cache', 'no-cache']) {
    const answer = await fetch(path, { ...options, cache });
    if (!answer.ok) continue;
    const bytes = await answer.arrayBuffer();
    if (await hashOf(bytes) !== hash) continue;
    const headers = new Headers(answer.headers);
    // They are of how it was sent.
    for (const name of ['Content-Encoding', 'Content-Length', 'Transfer-Encoding']) headers.delete(name);
    const file = { bytes, headers };
    const isStored = await caches.open(CACHE).then((open) => open.put(placeOf(path, hash), answerOf(file))).then(() => true, () => false);
    return { ...file, isStored };
  }
  return null;
}

const fileOf = async (path, hash, options) =>
  ready.get(placeOf(path, hash)) ?? await stored(path, hash) ?? await fetched(path, hash, options).catch(() => null);

/** Lays out all that a page of this version needs to open. Whether it is there, from the cache or freshly brought, which `signal`
 *  ends. */
async function layOut({ version, first, files }, signal) {
  coming.add(version);
  try {
    const found = await Promise.all(first.map(async (path) => {
      const file = await fileOf(path, files[path], { signal });
      if (file) ready.set(placeOf(path, files[path]), file);
      return file;
    }));
    setTimeout(() => first.forEach((path) => ready.delete(placeOf(path, files[path]))), READY_MS);
    return found.every(Boolean);
  } finally {
    coming.delete(version);
  }
}

/** Once it is there whole, it is what pages are opened with. */
async function adopt(manifest) {
  const isWhole = await layOut(manifest).catch(() => false);
  if (!isWhole) return false;
  const known = await load();
  known.versions[manifest.version] = manifest;
  known.newest = manifest.version;
  await save(known);
  return true;
}

// MARK: pages

/** The manifest as the server has it now; null if it does not answer, or with something else. */
async function ask() {
  try {
    const answer = await fetch('/shell.js', { cache: 'no-cache' });
    if (answer.status === 404) return GONE;
    const text = await answer.text();
    const manifest = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
    return answer.ok && isManifest(manifest) ? manifest : null;
  } catch {
    return null;
  }
}

/** The version that a page is opened with: the server's, if it is here in time, else the last one that was. */
async function choose(event) {
  const fresh = await within(ask(), null);
  if (fresh === GONE) return { fresh };
  const last = newestOf(await load());
  if (fresh && fresh.version !== last.version) {
    const adopted = adopt(fresh);
    event.waitUntil(adopted);
    if (await within(adopted, false)) return { fresh, manifest: fresh };
  }
  // A slow disk is waited for: what it has is one version, what the network has may be another.
  const isThere = await layOut(last, AbortSignal.timeout(PATIENCE_MS));
  return { fresh, manifest: isThere ? last : null };
}

async function openPage(event, url) {
  // A clip's own page is the same document with another head.
  const page = url.pathname === '/' ? null : fetch(event.request).catch(() => null);
  const { fresh, manifest } = await choose(event);
  if (fresh === GONE) event.waitUntil(retire());
  if (!manifest) return await page ?? fetch(event.request);
  const known = await load();
  known.versions[manifest.version] = manifest;
  known.clients[event.resultingClientId] = { version: manifest.version, since: Date.now() };
  event.waitUntil(save(known).then(() => (Object.keys(known.clients).length > MANY ? tidy() : null)).catch(() => {}));
  const told = manifest.version === fresh?.version && page ? await within(page, null) : null;
  return told && told.status < 500 ? told : answerOf(await fileOf('/', manifest.files['/']));
}

/** The operator took shell.js away: pages come from the server again. */
async function retire() {
  await registration.unregister();
  await caches.delete(CACHE);
}

async function bring(event, { pathname: path }) {
  const known = await load();
  const client = known.clients[event.clientId];
  const hash = known.versions[client?.version]?.files[path];
  const file = hash && await fileOf(path, hash);
  if (file) return answerOf(file);
  try {
    return await fetch(event.request);
  } catch (error) {
    // A page that was opened before there was a worker: what is kept is most likely what it has.
    const spare = !client && newestOf(known).files[path];
    const found = spare && await stored(path, spare);
    if (found) return answerOf(found);
    throw error;
  }
}

// MARK: the rest

/** Brings what is left of the newest version, one file after the other and behind everything else; of words only those of `language`. */
async function bringRest(language) {
  // The page has registered it again.
  if (await ask() === GONE) return retire();
  const { files } = newestOf(await load());
  const cache = await caches.open(CACHE);
  for (const [path, hash] of Object.entries(files)) {
    if (path.startsWith('/words/') && path.split('/')[2] !== language) continue;
    if (await cache.match(placeOf(path, hash))) continue;
    const file = await fetched(path, hash, { priority: 'low' });
    // There is no room for the next one.
    if (file && !file.isStored) break;
  }
  return tidy();
}

/** A version goes once nobody has it and it is not the newest. */
async function tidy() {
  const known = await load();
  const alive = new Set((await clients.matchAll({ includeUncontrolled: true, type: 'all' })).map(({ id }) => id));
  for (const [id, { since }] of Object.entries(known.clients)) {
    if (!alive.has(id) && Date.now() - since > NEWBORN_MS) delete known.clients[id];
  }
  const used = new Set([newestOf(known).version, ...coming, ...Object.values(known.clients).map(({ version }) => version)]);
  for (const version of Object.keys(known.versions)) if (!used.has(version)) delete known.versions[version];
  await save(known);
  const places = new Set([STATE, ...[SHELL, ...Object.values(known.versions)]
    .flatMap(({ files }) => Object.entries(files).map(([path, hash]) => placeOf(path, hash)))]);
  const cache = await caches.open(CACHE);
  for (const request of await cache.keys()) {
    const { pathname, search } = new URL(request.url);
    // What is just coming is of a version that is not known yet.
    if (coming.size) return;
    if (!places.has(pathname + search)) await cache.delete(request);
  }
}

// MARK: clips that are kept

// Addresses; null until they are wanted.
let pictures = null;

async function picture(request) {
  try {
    const cache = await caches.open(KEPT);
    pictures ??= new Set((await cache.keys()).map(({ url }) => url));
    const found = pictures.has(request.url) && await cache.match(request.url);
    if (found) return found;
  } catch { /* then the network has it */ }
  return fetch(request);
}

// MARK: events

addEventListener('install', (event) => {
  skipWaiting();
  // Without room the worker does without.
  event.waitUntil(adopt(SHELL).catch(() => {}));
});

addEventListener('activate', (event) => event.waitUntil(clients.claim().then(tidy).catch(() => {})));

addEventListener('message', (event) => {
  const [what, language] = String(event.data).split(' ');
  if (what === 'rest') event.waitUntil(bringRest(language).catch(() => {}));
  if (event.data === 'kept') pictures = null;
});

addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET') return;
  if (url.origin === location.origin && request.mode === 'navigate') {
    if (isApp(url)) event.respondWith(openPage(event, url).catch(() => fetch(request)));
  } else if (url.origin === location.origin && isFile(url)) event.respondWith(bring(event, url));
  else if (isPicture(url) && pictures?.has(request.url) !== false) event.respondWith(picture(request));
});

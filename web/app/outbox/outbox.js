// What this person did without a network: kept on this device, sent once there is one, and given back where the server refuses it
// (docs/design/offline.md). It decides nothing of what is written or turned, and refuses to know where that is shown.

import { request } from '../api/api.js';
import { onChanged, signedIn } from '../auth/auth.js';
import { Drafts, storage } from '../messages/drafts.js';
import { t } from '../words/words.js';
import './queue.js';

const queue = globalThis.clipfeedQueue;
// Whether there may be something, for tabs and visits to come. What the worker has sent meanwhile shows at the first look.
const MARK = 'clipfeed.outbox';
// By `web/sync.js`.
const TAG = 'clipfeed-outbox';
// What was meant for a day is not sent weeks later.
const DAYS = 7;
const [FIRST_PAUSE_MS, LAST_PAUSE_MS] = [2000, 60_000];

/** In place of the server's answer. */
export const KEPT = Object.freeze({ isKept: true });
export const waits = () => t('Not sent yet. It goes by itself.');

let app = null;
let isMarked = false;
let running = null;
let timer = 0;
let failures = 0;
const sent = new Set();
const refused = new Set();
// By book of drafts: who has such texts at hand.
const books = new Map();

const isOffline = () => globalThis.navigator?.onLine === false;
// A guest has no name, and is over with the first sign-in.
const whoIsHere = () => signedIn()?.id ?? '';

function mark(isAny) {
  isMarked = isAny;
  try { if (isAny) localStorage.setItem(MARK, '1'); else localStorage.removeItem(MARK); } catch { /* storage may be off */ }
}

function mayWait() {
  try { return isMarked || localStorage.getItem(MARK) !== null; } catch { return isMarked; }
}

/** `listener(entry, answer)` runs for each that the server has now. */
export const onSent = (listener, signal) => listen(sent, listener, signal);
/** `listener(entry)` runs for each that it refused, `entry.refused` being why. */
export const onRefused = (listener, signal) => listen(refused, listener, signal);

function listen(listeners, listener, signal) {
  listeners.add(listener);
  signal?.addEventListener('abort', () => listeners.delete(listener));
}

/** `take(place, part)` puts a text of this book back where it is shown, and answers false if it cannot be kept there. */
export function holdBook(book, take, signal) {
  books.set(book, take);
  signal?.addEventListener('abort', () => { if (books.get(book) === take) books.delete(book); });
}

/** What of this person's waits, the oldest first. */
export async function waiting() {
  if (!mayWait()) return [];
  const who = whoIsHere();
  return (await queue.all().catch(() => [])).filter((entry) => entry.who === who && !entry.refused);
}

const ask = ({ path, method, body, key }) => request(path, { method, body, key, keepalive: true });

/** Asks the server for an `entry`: `place` (what must not overtake each other have the same one), `path`, `method`, `body?`, `key?`;
 *  `isState`: only the last one counts; `failed`: what to say of it then, and for a text `waits`, `book`, `draft`. `now()` asks. Without a
 *  network it is kept, and the answer is `KEPT`. */
export async function deliver({ signal, ...entry }, now = () => ask(entry)) {
  const who = whoIsHere();
  const keep = () => {
    signal?.throwIfAborted();
    return add({ ...entry, who, since: Date.now() });
  };
  if (mayWait()) {
    await run();
    if ((await waiting()).some(({ place }) => place === entry.place)) return keep();
  }
  try {
    return await now();
  } catch (error) {
    if (error.status !== 0 || error.isOver || !isOffline() || signal?.aborted) throw error;
    // Where there is no room either, it is as it was without an outbox.
    return keep().catch(() => { throw error; });
  }
}

async function add(entry) {
  await queue.add(entry);
  mark(true);
  callWorker();
  // The network may have come back meanwhile, and nobody would hear of that again.
  if (!isOffline() && failures === 0) run();
  return KEPT;
}

/** The browser wakes it when there is a network, where it knows how. */
function callWorker() {
  globalThis.navigator?.serviceWorker?.ready.then((worker) => worker.sync?.register(TAG)).catch(() => {});
}

const isAny = async () => (await queue.all()).length > 0;

/** Sends what waits, and gives back what may not go. */
export function run() {
  clearTimeout(timer);
  running ??= work().catch((error) => console.warn('outbox', error.message)).finally(() => { running = null; });
  return running;
}

async function work() {
  await giveUp();
  const isDone = isOffline() || await queue.drain({
    who: whoIsHere,
    send: (entry) => (entry.who === whoIsHere() ? ask(entry) : Promise.reject(new Error('somebody else'))),
    sent: (entry, answer) => sent.forEach((listener) => listener(entry, answer)),
  });
  await queue.alone(giveBack);
  mark(await isAny());
  // Something may have come between the look and the mark.
  if (!isMarked && await isAny()) mark(true);
  failures = isDone ? 0 : failures + 1;
  if (isDone) return;
  timer = setTimeout(run, Math.min(LAST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1)));
  callWorker();
}

/** What a guest did is no account's, and nothing waits for ever. */
async function giveUp(now = Date.now()) {
  for (const { number, who, since, refused: isOver } of await queue.all()) {
    if (isOver) continue;
    if (who === '' && signedIn()) await queue.refuse(number, 'You have signed in since.');
    else if (who === whoIsHere() && now - since > DAYS * 86_400_000) await queue.refuse(number, 'It waited for a week.');
  }
}

async function giveBack() {
  const back = [];
  for (const entry of await queue.all()) {
    if (!entry.refused || (entry.who !== whoIsHere() && entry.who !== '')) continue;
    // NB: a text that nobody can keep stays here.
    if (entry.book && !take(entry)) continue;
    await queue.remove(entry.number);
    refused.forEach((listener) => listener(entry));
    back.push(entry);
  }
  if (back.length && app) import('./returned.js').then(({ tell }) => tell(app, back)).catch(console.warn);
}

function take({ book, draft, body: { text }, key }) {
  const inStorage = (place, part) => new Drafts(storage(), TAG, book).takeBack(place, part);
  return (books.get(book) ?? inStorage)(draft, { text, key }) !== false;
}

/** @param {App} context */
export function attach(context) {
  if (app) return;
  app = context;
  const look = () => { if (mayWait()) run(); };
  // NB: behind one that is under way, which may have found no network.
  addEventListener('online', () => { Promise.resolve(running).then(look); });
  document.addEventListener('visibilitychange', () => { if (!document.hidden) look(); });
  navigator.serviceWorker?.addEventListener('message', ({ data }) => { if (data?.kind === 'outbox') look(); });
  onChanged((isOther) => { if (isOther) look(); });
  look();
}

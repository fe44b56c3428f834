// What a service worker does while no page is open (docs/design/offline.md): it sends what somebody did without a network. A classic script,
// for `importScripts`, behind web/app/outbox/queue.js. Where a page is open it leaves that to it: who is signed in changes in pages
// alone.

(() => {
  const { all, drain } = self.clipfeedQueue;
  const API = '/api/v1';
  const JSON_TYPE = { 'Content-Type': 'application/json' };
  const PATIENCE_MS = 15_000;
  // By the page: what it registers it as.
  const OUTBOX = 'clipfeed-outbox';

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
    const { detail } = await answer.json().catch(() => ({}));
    throw Object.assign(new Error(detail), { status: answer.status, detail });
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
})();

// What people did without a network, until the server has it (docs/design/offline.md): kept in IndexedDB and sent in the order in
// which it was done, one after the other. A classic script: the page imports it for its effect, and its worker, which takes no
// modules, sends by it when no page is open. It refuses to know what is asked for, and under which token.

(() => {
  const NAME = 'clipfeed-outbox';
  const ENTRIES = 'entries';
  // More than a person does without a network, and no reason to fill a disk.
  const MOST = 300;
  // Refusals that say nothing about what was asked for: another time, or by whoever is signed in then.
  const LATER = new Set([401, 408, 425, 429]);

  let opened = null;
  let turn = Promise.resolve();

  function open() {
    opened ??= new Promise((resolve, reject) => {
      const request = indexedDB.open(NAME, 1);
      request.onupgradeneeded = () => request.result.createObjectStore(ENTRIES, { keyPath: 'number', autoIncrement: true });
      request.onerror = () => reject(request.error);
      request.onsuccess = () => {
        const db = request.result;
        db.onclose = () => { opened = null; };
        // A newer version of the page must not be held up.
        db.onversionchange = () => {
          db.close();
          opened = null;
        };
        resolve(db);
      };
    }).catch((error) => {
      opened = null;
      throw error;
    });
    return opened;
  }

  /** One transaction; answered when all of it is on the disk. */
  async function within(mode, act) {
    const transaction = (await open()).transaction(ENTRIES, mode, { durability: 'strict' });
    return new Promise((resolve, reject) => {
      let answer;
      transaction.oncomplete = () => resolve(answer);
      transaction.onabort = () => reject(transaction.error ?? new DOMException('aborted', 'AbortError'));
      act(transaction.objectStore(ENTRIES), (given) => { answer = given; });
    });
  }

  /** Everybody's, the oldest first. */
  const all = () => within('readonly', (entries, answer) => {
    entries.getAll().onsuccess = ({ target }) => answer(target.result);
  });

  /** Answers once it outlives the page. Of a state, only what was wished last is asked for; what makes something is there once by
   *  its key. Throws where there is no room. */
  const add = (entry) => within('readwrite', (entries) => {
    entries.getAll().onsuccess = ({ target: { result: known } }) => {
      const older = known.filter(({ who, place }) => entry.isState && who === entry.who && place === entry.place);
      if (entry.key && known.some(({ key }) => key === entry.key)) return;
      if (known.length - older.length >= MOST) {
        entries.transaction.abort();
        return;
      }
      for (const { number } of older) entries.delete(number);
      entries.add(entry);
    };
  });

  const remove = (number) => within('readwrite', (entries) => { entries.delete(number); });

  /** It is sent no more. Why stays with it, in the server's words and by its code, until the person has been told. */
  const refuse = (number, why, code) => within('readwrite', (entries) => {
    entries.get(number).onsuccess = ({ target: { result: entry } }) => {
      if (entry) entries.put({ ...entry, refused: why || 'It was not accepted.', ...(code && { code }) });
    };
  });

  /** One after the other, in all tabs and in the worker. */
  function alone(work) {
    if (navigator.locks) return navigator.locks.request(NAME, work);
    const done = turn.then(work);
    turn = done.catch(() => {});
    return done;
  }

  /** A guest who has to sign in cannot do it as a guest. */
  const isRefusal = ({ status = 0 }, { who }) => status >= 400 && status < 500 && (!LATER.has(status) || (status === 401 && who === ''));

  /** Sends what is `who()`'s, asked anew for each. `send(entry)` throws what has a `status`, as an `ApiError`; `sent(entry, answer)` hears
   *  of each. Answers whether nothing is left to send: what can still go later holds up everything behind it, so that nothing overtakes. */
  const drain = ({ who, send, sent = () => {} }) => alone(async () => {
    for (;;) {
      const me = await who();
      const entry = (await all()).find((one) => one.who === me && !one.refused);
      if (!entry) return true;
      try {
        const answer = await send(entry);
        await remove(entry.number);
        sent(entry, answer);
      } catch (error) {
        if (!isRefusal(error, entry)) return false;
        await refuse(entry.number, error.detail, error.code);
      }
    }
  });

  globalThis.clipfeedQueue = { all, add, remove, refuse, alone, drain };
})();

// What a service worker does with notifications (docs/design/push.md): it shows what the server sends, and brings whoever
// taps one to its place. A classic script, for `importScripts`. It refuses to know why something is sent: the server says all of it, and
// the page leaves the sentences of its language here.

(() => {
  const ICON = '/icons/icon-192.png';
  // Shown where nothing that can be read came: a browser wants each push to be seen.
  const NOTHING = { title: 'Clipfeed', body: 'Something happened.', sentence: 'Something happened.', url: '/#notifications', tag: 'other' };
  // By web/app/offline/pushed.js, where the page is in another language than English.
  const CACHE = 'clipfeed-words-1';
  const PLACE = '/words/pushed';

  function read(data) {
    try {
      const { title, body, url, tag, sentence, arguments: values, title_sentence: titleSentence } = data.json();
      if (![title, body, url, tag].every((text) => typeof text === 'string')) return NOTHING;
      return { title, body, url, tag, sentence, values, titleSentence };
    } catch {
      return NOTHING;
    }
  }

  /** `{language, sentences}`; nothing in English, and where they cannot be read. */
  async function wordsOfPage() {
    try {
      const answer = await self.caches.match(PLACE, { cacheName: CACHE });
      return await answer.json();
    } catch {
      return { sentences: {} };
    }
  }

  /** A sentence of the server's in the language of the page; else as the server wrote it out. */
  function inLanguage({ language, sentences }, key, values, otherwise) {
    if (typeof key !== 'string' || !Object.hasOwn(sentences, key)) return otherwise;
    return sentences[key].replace(/%(\d)\$([@d])/g, (_, place, kind) => {
      const value = String((Array.isArray(values) ? values : [])[place - 1] ?? '');
      return kind === 'd' && /^\d{1,15}$/.test(value) ? new Intl.NumberFormat(language).format(Number(value)) : value;
    });
  }

  async function show({ title, body, url, tag, sentence, values, titleSentence }) {
    const words = await wordsOfPage();
    await self.registration.showNotification(inLanguage(words, titleSentence, [], title), {
      body: inLanguage(words, sentence, values, body), tag, icon: ICON, badge: ICON, data: { url: placeOf(url) },
    });
  }

  /** The place on this site; whatever else was named leads to the list. */
  function placeOf(url) {
    try {
      const place = new URL(url, self.location.origin);
      if (place.origin === self.location.origin) return place.href;
    } catch { /* no address */ }
    return new URL(NOTHING.url, self.location.origin).href;
  }

  self.addEventListener('push', (event) => event.waitUntil(show(read(event.data))));

  self.addEventListener('notificationclick', (event) => {
    event.notification.close();
    event.waitUntil(open(placeOf(event.notification.data?.url ?? NOTHING.url)));
  });

  /** In a page that is open already, which goes there by itself; else in a new one. */
  async function open(url) {
    const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
    const page = pages.find(({ visibilityState }) => visibilityState === 'visible') ?? pages[0];
    if (!page) return self.clients.openWindow(url);
    page.postMessage({ kind: 'open', url });
    return page.focus().catch(() => {});
  }

  /** A browser that makes its subscription anew tells the server at the next visit; until then this one is quiet. */
  self.addEventListener('pushsubscriptionchange', (event) => {
    event.waitUntil(self.clients.matchAll({ type: 'window', includeUncontrolled: true })
      .then((pages) => pages.forEach((page) => page.postMessage({ kind: 'subscribe' }))));
  });
})();

// What a service worker does with notifications (docs/design/push.md): it shows what the server sends, and brings whoever
// taps one to its place. A classic script, for `importScripts`. It refuses to know why something is sent: the server says all of it.

(() => {
  const ICON = '/icons/icon-192.png';
  // Shown where nothing that can be read came: a browser wants each push to be seen.
  const NOTHING = { title: 'Clipfeed', body: 'Something happened.', url: '/#notifications', tag: 'other' };

  function read(data) {
    try {
      const { title, body, url, tag } = data.json();
      if (![title, body, url, tag].every((text) => typeof text === 'string')) return NOTHING;
      return { title, body, url, tag };
    } catch {
      return NOTHING;
    }
  }

  /** The place on this site; whatever else was named leads to the list. */
  function placeOf(url) {
    try {
      const place = new URL(url, self.location.origin);
      if (place.origin === self.location.origin) return place.href;
    } catch { /* no address */ }
    return new URL(NOTHING.url, self.location.origin).href;
  }

  self.addEventListener('push', (event) => {
    const { title, body, url, tag } = read(event.data);
    event.waitUntil(self.registration.showNotification(title, {
      body, tag, icon: ICON, badge: ICON, data: { url: placeOf(url) },
    }));
  });

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

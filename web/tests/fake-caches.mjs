// Cache Storage where there is no browser.

/** `isFull`: nothing can be put. */
export class Storage {
  caches = new Map();
  isFull = false;
  #origin;

  constructor(origin) { this.#origin = origin; }

  async open(name) {
    if (!this.caches.has(name)) this.caches.set(name, new Map());
    const entries = this.caches.get(name);
    const key = (request) => new URL(request.url ?? request, this.#origin).href;
    return {
      match: async (request) => entries.get(key(request))?.clone(),
      put: async (request, answer) => {
        if (this.isFull) throw new DOMException('full', 'QuotaExceededError');
        const bytes = await answer.arrayBuffer();
        entries.set(key(request), new Response(bytes, { headers: answer.headers }));
      },
      delete: async (request) => entries.delete(key(request)),
      keys: async () => [...entries.keys()].map((url) => ({ url })),
    };
  }

  async delete(name) { return this.caches.delete(name); }
  places(name = 'clipfeed-shell-1') { return [...this.caches.get(name)?.keys() ?? []].map((url) => url.slice(this.#origin.length)); }
}

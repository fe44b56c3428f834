import assert from 'node:assert/strict';
import { createHash, webcrypto } from 'node:crypto';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import vm from 'node:vm';
import { Storage } from './fake-caches.mjs';

const script = new vm.Script(readFileSync(new URL('../worker.js', import.meta.url), 'utf8'), { filename: 'worker.js' });
const ORIGIN = 'https://clips.example';
const hashOf = (text) => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** A version of the page: `page(2)` differs from `page(1)` in all files but one. */
const page = (number) => ({
  '/': `<html>${number}`, '/app/main.js': `main ${number}`, '/app/same.js': 'the same', '/app/late.js': `late ${number}`,
});
const manifestOf = (files) => ({
  version: hashOf(JSON.stringify(files)), first: ['/', '/app/main.js'],
  files: Object.fromEntries(Object.entries(files).map(([path, text]) => [path, hashOf(text)])),
});

/** A site, a browser's storage and the tabs that are open; workers come and go in front of them. */
class Browser {
  storage = new Storage(ORIGIN);
  tabs = new Set();
  asked = [];
  // What the server has; null: there is no network. `hangs`: paths that are never answered.
  site = page(1);
  hasShell = true;
  hangs = new Set();
  isUnregistered = false;
  #opened = 0;
  #hanging = 0;
  #patient = [];

  #loseOnePatience() {
    for (; this.#hanging && this.#patient.length; this.#hanging -= 1) this.#patient.pop()();
  }

  async #fetch(request, { signal } = {}) {
    const path = new URL(request.url ?? request, ORIGIN).pathname;
    this.asked.push(path);
    if (this.hangs.has(path)) {
      this.#hanging += 1;
      this.#loseOnePatience();
      return new Promise((_, reject) => { signal?.addEventListener('abort', () => reject(signal.reason)); });
    }
    if (!this.site) throw new TypeError('no network');
    const text = path === '/shell.js' ? this.hasShell && `self.SHELL = ${JSON.stringify(manifestOf(this.site))};\n`
      : path.startsWith('/c/') ? `<html>a clip, ${this.site['/']}` : this.site[path];
    return text ? new Response(text, { headers: { 'X-Kept': 'yes' } }) : new Response('', { status: 404 });
  }

  /** Starts the worker, as a browser does again and again; `isNew`: installs and activates it too. */
  async start(isNew = true) {
    const listeners = new Map();
    const context = {
      addEventListener: (name, listener) => listeners.set(name, listener), skipWaiting: () => {},
      caches: this.storage, crypto: webcrypto, location: new URL(ORIGIN), Response, Headers, URL, TypeError, DOMException, Date,
      clients: { claim: async () => {}, matchAll: async () => [...this.tabs].map((id) => ({ id })) },
      registration: { unregister: async () => { this.isUnregistered = true; } },
      fetch: (...given) => this.#fetch(...given), console,
      AbortSignal: { timeout: (ms) => {
        const abort = new AbortController();
        context.setTimeout(() => abort.abort(), ms);
        return abort.signal;
      } },
      // Patience ends as soon as something hangs, and nothing else waits for a clock.
      setTimeout: (end, ms, ...given) => {
        if (ms < 5000) this.#patient.push(() => end(...given));
        this.#loseOnePatience();
      },
    };
    context.self = context;
    if (isNew) this.shell = manifestOf(this.site);
    context.importScripts = () => { context.SHELL = this.shell; };
    vm.createContext(context);
    script.runInContext(context);
    this.worker = listeners;
    if (isNew) for (const name of ['install', 'activate']) await this.#dispatch(name, {});
  }

  async #dispatch(name, event) {
    const waits = [];
    let answer;
    this.worker.get(name)({ ...event, waitUntil: (work) => waits.push(work), respondWith: (work) => { answer = work; } });
    const given = await answer;
    // What a worker does behind an answer, unless that hangs.
    if (!this.hangs.size) await Promise.allSettled(waits);
    return { given, isAnswered: answer !== undefined };
  }

  async #ask(event) {
    const { given, isAnswered } = await this.#dispatch('fetch', event);
    return (isAnswered ? given : await this.#fetch(event.request)).text();
  }

  /** Opens a tab; answers its id and its document. */
  async open(path = '/') {
    this.#opened += 1;
    const id = `tab ${this.#opened}`;
    const text = await this.#ask({ request: { url: ORIGIN + path, method: 'GET', mode: 'navigate' }, resultingClientId: id, clientId: '' });
    this.tabs.add(id);
    return [id, text];
  }

  ask(tab, path) { return this.#ask({ request: { url: ORIGIN + path, method: 'GET', mode: 'cors' }, clientId: tab, resultingClientId: '' }); }
  post(data) { return this.#dispatch('message', { data }); }
}

async function visited() {
  const browser = new Browser();
  await browser.start();
  return browser;
}

test('opens without a network after one visit', async () => {
  const browser = await visited();
  browser.site = null;
  await browser.start(false);
  const [tab, text] = await browser.open();
  assert.equal(text, '<html>1');
  assert.equal(await browser.ask(tab, '/app/main.js'), 'main 1');
  assert.equal((await browser.open('/c/some-clip'))[1], '<html>1');
});

test('what a screen needs is there once the rest was brought, and not before', async () => {
  const browser = await visited();
  const [tab] = await browser.open();
  assert.deepEqual(browser.storage.places().filter((place) => place.includes('late')), []);
  await browser.post('rest');
  browser.site = null;
  assert.equal(await browser.ask(tab, '/app/late.js'), 'late 1');
});

test('of words those of the language in use are brought with the rest', async () => {
  const browser = new Browser();
  browser.site = { ...page(1), '/words/de/feed.json': 'German', '/words/es/feed.json': 'Spanish' };
  await browser.start();
  const [tab] = await browser.open();
  await browser.post('rest de');
  assert.ok(!browser.asked.includes('/words/es/feed.json'));
  browser.site = null;
  assert.equal(await browser.ask(tab, '/words/de/feed.json'), 'German');
  await assert.rejects(browser.ask(tab, '/words/es/feed.json'));
});

test('asks the server for one small file where nothing is new', async () => {
  const browser = await visited();
  browser.asked = [];
  const [tab] = await browser.open();
  await browser.ask(tab, '/app/main.js');
  assert.deepEqual(browser.asked, ['/shell.js']);
});

test('a page keeps its version while the next one that is opened has the new one', async () => {
  const browser = await visited();
  const [old] = await browser.open();
  await browser.post('rest');
  browser.site = page(2);
  const [fresh, text] = await browser.open();
  assert.equal(text, '<html>2');
  for (const restart of [() => {}, () => browser.start(false), () => browser.start()]) {
    await restart();
    assert.equal(await browser.ask(old, '/app/main.js'), 'main 1');
    assert.equal(await browser.ask(old, '/app/late.js'), 'late 1');
    assert.equal(await browser.ask(fresh, '/app/main.js'), 'main 2');
    assert.equal(await browser.ask(fresh, '/app/late.js'), 'late 2');
  }
});

test('a version goes once its last page is closed', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: 1e12 });
  const browser = await visited();
  const [old] = await browser.open();
  browser.site = page(2);
  await browser.open();
  t.mock.timers.tick(100_000);
  const first = `/app/main.js?v=${hashOf('main 1')}`;
  await browser.post('rest');
  assert.ok(browser.storage.places().includes(first));
  browser.tabs.delete(old);
  await browser.start();
  assert.ok(!browser.storage.places().includes(first));
  assert.ok(browser.storage.places().includes(`/app/main.js?v=${hashOf('main 2')}`));
});

test('a version that does not come in time is left for the next page', async () => {
  const browser = await visited();
  browser.site = page(2);
  browser.hangs.add('/app/main.js');
  assert.equal((await browser.open())[1], '<html>1');
  browser.hangs.clear();
  await browser.start(false);
  assert.equal((await browser.open())[1], '<html>2');
});

test('a server that does not answer holds nothing up for long', async () => {
  const browser = await visited();
  for (const path of ['/', '/shell.js', '/app/main.js']) browser.hangs.add(path);
  const [tab, text] = await browser.open();
  assert.equal(text, '<html>1');
  assert.equal(await browser.ask(tab, '/app/main.js'), 'main 1');
});

test('a broken entry is brought anew, and never handed out', async () => {
  const browser = await visited();
  const cache = await browser.storage.open('clipfeed-shell-1');
  const place = `/app/main.js?v=${hashOf('main 1')}`;
  for (const broken of ['', 'main 2', 'main 1 and more']) {
    await cache.put(place, new Response(broken));
    await browser.start(false);
    const [tab] = await browser.open();
    assert.equal(await browser.ask(tab, '/app/main.js'), 'main 1');
    assert.equal(await (await cache.match(place)).text(), 'main 1');
  }
});

test('a broken entry without a network is no page of two versions', async () => {
  const browser = await visited();
  await (await browser.storage.open('clipfeed-shell-1')).put(`/app/main.js?v=${hashOf('main 1')}`, new Response('?'));
  browser.site = null;
  await browser.start(false);
  await assert.rejects(browser.open(), /no network/);
});

test('what it knows may be lost or nonsense', async () => {
  const browser = await visited();
  const cache = await browser.storage.open('clipfeed-shell-1');
  for (const nonsense of ['', '{', 'null', '[]', '{"versions":{"a":1},"clients":null,"newest":"a"}', '{"versions":[null],"newest":{}}']) {
    await cache.put('/shell/state', new Response(nonsense));
    const { site } = browser;
    for (const there of [null, site]) {
      browser.site = there;
      await browser.start(false);
      const [tab, text] = await browser.open();
      assert.equal(text, '<html>1', nonsense);
      assert.equal(await browser.ask(tab, '/app/main.js'), 'main 1');
    }
  }
});

test('a storage that is full changes nothing for the page', async () => {
  const browser = new Browser();
  browser.storage.isFull = true;
  await browser.start();
  for (const number of [1, 2]) {
    browser.site = page(number);
    await browser.start(false);
    const [tab, text] = await browser.open();
    assert.equal(text, `<html>${number}`);
    assert.equal(await browser.ask(tab, '/app/main.js'), `main ${number}`);
    assert.equal(await browser.ask(tab, '/app/late.js'), `late ${number}`);
    await browser.post('rest');
  }
});

test('a storage that fails changes nothing for the page', async () => {
  const browser = new Browser();
  browser.storage.open = async () => { throw new DOMException('no', 'SecurityError'); };
  await browser.start();
  const [tab, text] = await browser.open();
  assert.equal(text, '<html>1');
  assert.equal(await browser.ask(tab, '/app/late.js'), 'late 1');
});

test('a page that came past the worker gets what the server has, and what is kept where that is silent', async () => {
  const browser = await visited();
  browser.site = page(2);
  assert.equal(await browser.ask('some tab', '/app/main.js'), 'main 2');
  browser.site = null;
  assert.equal(await browser.ask('some tab', '/app/main.js'), 'main 1');
  await assert.rejects(browser.ask('some tab', '/app/late.js'), /no network/);
});

test('a file that was changed without a new shell.js comes as it is', async () => {
  const browser = await visited();
  const [tab] = await browser.open();
  const { site } = browser;
  browser.site = { ...site, '/app/late.js': 'mended' };
  assert.equal(await browser.ask(tab, '/app/late.js'), 'mended');
});

test('a clip has its own page while there is a network', async () => {
  const browser = await visited();
  assert.equal((await browser.open('/c/some-clip'))[1], '<html>a clip, <html>1');
});

test('without shell.js on the server the worker goes', async () => {
  const browser = await visited();
  browser.hasShell = false;
  assert.equal((await browser.open())[1], '<html>1');
  assert.ok(browser.isUnregistered);
  assert.deepEqual([...browser.storage.caches.keys()], []);
});

test('requests that are not for the page’s files are left alone', async () => {
  const browser = await visited();
  const [tab] = await browser.open();
  browser.site = { ...browser.site, '/api/v1/feed': 'the feed', '/app/main.js': 'main, asked for with a query' };
  assert.equal(await browser.ask(tab, '/api/v1/feed'), 'the feed');
  assert.equal(await browser.ask(tab, '/app/main.js?fresh'), 'main, asked for with a query');
});

test('pictures of kept clips come from the device', async () => {
  const browser = await visited();
  const kept = await browser.storage.open('clipfeed-kept-1');
  const [tab] = await browser.open();
  browser.site = { ...browser.site, '/media/b.jpg': 'from the server' };
  assert.equal(await browser.ask(tab, '/media/b.jpg'), 'from the server');
  await kept.put('/media/a.jpg', new Response('kept'));
  await browser.post('kept');
  assert.equal(await browser.ask(tab, '/media/a.jpg'), 'kept');
  assert.equal(await browser.ask(tab, '/media/b.jpg'), 'from the server');
});

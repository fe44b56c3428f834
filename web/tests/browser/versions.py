"""The page in one version after the other, served from a folder of its own, by a server that goes away and comes back."""

import shutil
import subprocess

from clips import ROOT
from server import Server

# What shows which version a page has: the document, what it begins with, and two screens that are fetched when they are wanted.
MARKED = {
    "index.html": ('<html lang="en"', ' data-document="%d"'),
    "app/main.js": ("boot();\n", "document.documentElement.dataset.main = %d;\n"),
    "app/search/search.js": ("", "document.documentElement.dataset.search = %d;\n"),
    "app/account/account.js": ("", "document.documentElement.dataset.account = %d;\n"),
}
# Where a test's browser takes a busy machine for a slow link, the worker would come later.
ON_A_FAST_LINK = "Object.defineProperty(navigator, 'connection', { value: undefined });"


class Site:
    """As a server is for `open_page`."""

    def __init__(self, data, folder):
        self._data = data
        self._web = shutil.copytree(ROOT / "web", folder / "web", ignore=shutil.ignore_patterns("tests"))
        self.publish(1)
        self._server = Server(data, web=self._web)
        self.url, self._port = self._server.url, self._server.port

    def publish(self, number):
        """Another version, for whoever opens the page from now on."""
        for name, (place, mark) in MARKED.items():
            text = (ROOT / "web" / name).read_text()
            at = text.rindex(place) + len(place) if place else len(text)
            (self._web / name).write_text(text[:at] + mark % number + text[at:])
        subprocess.run(["bash", ROOT / "scripts/web-shell.sh", self._web], check=True)

    def wait_longer(self):
        """Before anybody opens the page: its worker takes a server of a busy machine for one that is there."""
        worker = self._web / "worker.js"
        text, usual = worker.read_text(), "PATIENCE_MS = 2500;"
        assert usual in text
        worker.write_text(text.replace(usual, "PATIENCE_MS = 20_000;"))

    def take_shell_away(self):
        (self._web / "shell.js").unlink()

    def feed(self):
        return self._server.feed()

    def cut(self):
        """Nothing answers any more."""
        self._server.kill()

    def come_back(self):
        self._server = Server(self._data, port=self._port, web=self._web)

    def stop(self):
        self._server.stop()


def mark(viewer, name):
    return viewer.page.evaluate("(name) => Number(document.documentElement.dataset[name] ?? 0)", name)


def keep_page(viewer, whole=True):
    """Waits until the worker has what a page needs to open; with all its screens if `whole`, in English."""
    missing = viewer.page.evaluate("""async (whole) => {
      const { active } = await navigator.serviceWorker.ready;
      if (whole) active.postMessage('rest');
      const text = await (await fetch('/shell.js')).text();
      const { first, files } = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
      const cache = await caches.open('clipfeed-shell-1');
      const rest = Object.keys(files).filter((path) => !path.startsWith('/words/'));
      const wanted = [...(whole ? rest : first).map((path) => `${path}?v=${files[path]}`), '/shell/state'];
      // Some 270 files come one after the other: a busy machine takes longer for them than for anything else.
      for (const end = Date.now() + 60_000; wanted.length && Date.now() < end;) {
        if (await cache.match(wanted[0])) wanted.shift(); else await new Promise((resolve) => { setTimeout(resolve, 50); });
      }
      return wanted;
    }""", whole)
    assert not missing, f"not in the worker's cache: {missing}; the page is {viewer.facts()}"


def open_anew(viewer):
    """Leaves the page and opens it as a new visit does."""
    viewer.page.goto("about:blank")
    viewer.page.goto(viewer.server.url)


def limit_storage(viewer, bytes_):
    viewer.cdp.send("Storage.overrideQuotaForOrigin", {"origin": viewer.server.url, "quotaSize": bytes_})

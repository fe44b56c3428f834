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
    viewer.page.evaluate("""async (whole) => {
      const { active } = await navigator.serviceWorker.ready;
      if (whole) active.postMessage('rest');
    }""", whole)
    viewer.until(lambda: viewer.page.evaluate("""async (whole) => {
      const text = await (await fetch('/shell.js')).text();
      const { first, files } = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
      const cache = await caches.open('clipfeed-shell-1');
      const rest = Object.keys(files).filter((path) => !path.startsWith('/words/'));
      for (const path of whole ? rest : first) if (!await cache.match(`${path}?v=${files[path]}`)) return false;
      return Boolean(await cache.match('/shell/state'));
    }""", whole), "the page in the worker's cache")


def open_anew(viewer):
    """Leaves the page and opens it as a new visit does."""
    viewer.page.goto("about:blank")
    viewer.page.goto(viewer.server.url)


def limit_storage(viewer, bytes_):
    viewer.cdp.send("Storage.overrideQuotaForOrigin", {"origin": viewer.server.url, "quotaSize": bytes_})

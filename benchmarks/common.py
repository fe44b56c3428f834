"""What the benchmarks share: the links, the server, the browser, tables."""

import hashlib
import os
import re
import shutil
import sys
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[1]
CACHE = ROOT / ".build-bench"
sys.path.insert(0, str(ROOT / "web/tests/browser"))
from clips import SERVER as SERVER_PROGRAM  # noqa: E402
from server import Server  # noqa: E402

# Down and up in bits per second, round trip in milliseconds; 0: as it is.
LINKS = {"unshaped": (0, 0, 0), "4G": (9_000_000, 9_000_000, 85), "3G": (1_600_000, 768_000, 300)}
# Two device pixels per CSS pixel: 720 device pixels wide, so that 720 is the best a clip can look.
PHONE = {"viewport": {"width": 360, "height": 640}, "device_scale_factor": 2}
PATIENCE_MS = 30_000


def digest(*parts):
    whole = hashlib.sha256()
    for part in parts:
        whole.update(part if isinstance(part, bytes) else str(part).encode())
    return whole.hexdigest()[:12]


@contextmanager
def serving(data, more={}):
    """Serves that library and our page, and beside it the files of `more`, by their paths."""
    with TemporaryDirectory() as folder:
        web = Path(folder) / "web"
        shutil.copytree(ROOT / "web", web, ignore=shutil.ignore_patterns("tests"))
        for path, file in more.items():
            (web / path).parent.mkdir(exist_ok=True)
            shutil.copy(file, web / path)
        server = Server(data, web=web)
        try:
            yield server
        finally:
            server.stop()


@contextmanager
def browser():
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=os.environ.get("CLIPFEED_CHROMIUM", "/usr/bin/chromium"), args=["--no-sandbox"])
        try:
            yield chromium
        finally:
            chromium.close()


@contextmanager
def fresh_page(chromium, link, script=None, **options):
    """A page with an empty cache on that link, and its protocol session with the network watched; `options` of its context."""
    context = chromium.new_context(**(PHONE | options))
    try:
        # What else the machine does must not look like a device that is warm.
        context.add_init_script("delete globalThis.PressureObserver;")
        if script:
            context.add_init_script(script)
        page = context.new_page()
        cdp = context.new_cdp_session(page)
        # Room for the bodies is not needed, only the events.
        cdp.send("Network.enable", {"maxTotalBufferSize": 0, "maxResourceBufferSize": 0})
        down, up, round_trip = LINKS[link]
        if down:
            cdp.send("Network.emulateNetworkConditions", {
                "offline": False, "latency": round_trip,
                "downloadThroughput": down / 8, "uploadThroughput": up / 8})
        yield page, cdp
    finally:
        context.close()


def adapter(name):
    """The path of a player page, and the script that watches it."""
    here = Path(__file__).parent
    text = (here / f"adapters/{name}.js").read_text()
    return re.search(r"path: '([^']+)'", text)[1], text + (here / "probe.js").read_text()


def percentile(values, share):
    """The smallest value that at least this share of the values does not exceed."""
    ordered = sorted(values)
    return ordered[max(0, -(-len(ordered) * share // 100) - 1)] if ordered else 0


def table(head, rows):
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)

"""The real server on real clips, and a browser in front of it. Each test gets a page of its own."""

import os
import re
import shutil

import pytest
from playwright.sync_api import Page, expect, sync_playwright

import clips
from server import Server
from viewer import Viewer

HAS_FAILED = pytest.StashKey[bool]()
PHONE = {"width": clips.WIDTH, "height": clips.HEIGHT}
# A busy machine gets nearly twice the time that is usual. NB: not ten seconds, after which a page looks by itself for what it
# is to hear at once (web/app/comments/arrivals.js).
expect.set_options(timeout=9_000)

wait_for_function = Page.wait_for_function


def wait_for_plain_function(page, expression, **options):
    """The pages' policy has text evaluated at the first look alone: what is no function is an error if it is not true by then. And a
    promise, which an async one answers, counts as true."""
    assert re.match(r"\s*(\([^()]*\)|\w+)\s*=>", expression), f"not a plain function: {expression}"
    return wait_for_function(page, expression, **options)


Page.wait_for_function = wait_for_plain_function


def pytest_configure(config):
    config.addinivalue_line("markers", "long: asked by make proof-browser and not by make test, which would take too long with it")


@pytest.fixture(scope="session")
def chromium():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("CLIPFEED_CHROMIUM", "/usr/bin/chromium"),
            # Two cameras that need no hardware; whether a page may use them is for its context to say.
            args=["--no-sandbox", "--use-fake-device-for-media-stream=device-count=2"])
        yield browser
        browser.close()


def serve(data):
    server = Server(data)
    yield server
    server.stop()


@pytest.fixture(scope="session")
def server():
    """Serves a feed of 32 clips. Read only."""
    yield from serve(clips.library("all", list(range(clips.COUNT))))


@pytest.fixture(scope="session")
def small_server():
    """Serves a feed of 4 clips. Read only."""
    yield from serve(clips.library("small", [0, 10, 20, 30]))


@pytest.fixture
def own_data(tmp_path):
    """A copy of the small library that a test may damage."""
    return shutil.copytree(clips.library("small", [0, 10, 20, 30]), tmp_path / "data")


@pytest.fixture
def own_server(own_data):
    """A server whose accounts, comments and likes belong to one test."""
    server = Server(own_data)
    yield server
    server.stop()


@pytest.fixture
def data_of_all(tmp_path):
    """A copy of the large library."""
    return shutil.copytree(clips.library("all", list(range(clips.COUNT))), tmp_path / "data")


# What was watched does not come first again, also in a page that a test loads a second time.
UNWATCHED = """(() => {
  const real = fetch;
  globalThis.fetch = (url, options) => (url === '/api/v1/events'
    ? Promise.resolve(Response.json({ accepted: 0 }, { status: 202 })) : real(url, options));
  navigator.sendBeacon = () => true;
})();"""


# What comes in For you is for the server to choose; tests that know which clip comes next look at the newest first.
IN_TAB = "try { localStorage['clipfeed.tab'] ??= '%s'; } catch { /* a page without storage */ }"


# The tests keep the processor busy, which is no reason to fetch and store less.
CALM = "delete globalThis.PressureObserver;"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    item.stash[HAS_FAILED] = report.failed
    return report


@pytest.fixture
def open_page(chromium, request):
    """Opens a server's page as a viewer would: open_page(server, **options of the context). The server hears what is
    watched only of those who are `watched`; the feed begins with that `tab`."""
    contexts = []
    viewers = []

    def open_page(server, script=None, watched=False, tab="latest", **options):
        # A worker would answer in front of what a test routes; test_worker.py and test_offline.py allow it.
        context = chromium.new_context(**({"viewport": PHONE, "service_workers": "block"} | options))
        contexts.append(context)
        context.add_init_script(CALM)
        context.add_init_script(IN_TAB % tab)
        if not watched:
            context.add_init_script(UNWATCHED)
        if script:
            context.add_init_script(script)
        viewers.append(Viewer(context.new_page(), server))
        return viewers[-1].open()

    yield open_page
    if request.node.stash.get(HAS_FAILED, False):
        for viewer in viewers:
            print(viewer.last_facts())
    for context in contexts:
        context.close()


@pytest.fixture
def viewer(open_page, server):
    return open_page(server)


@pytest.fixture(scope="session")
def feed(server):
    """The clips in the order of the feed, as the API tells them."""
    return server.feed()

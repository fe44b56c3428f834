"""The page in engines other than Chromium's: WebKit's, which is Safari's, and Firefox's. Run by scripts/e2e.sh.

What an engine cannot do is in CANNOT, with its reason; nothing is left out without one."""

import shutil
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "browser"))
import clips  # noqa: E402
from server import Server  # noqa: E402

from firefox import Firefox  # noqa: E402
from webkit import WebKit  # noqa: E402

ENGINES = {"webkit": WebKit, "firefox": Firefox}
# By engine and test: why it cannot be run there.
CANNOT = {
    ("firefox", "test_a_managed_source_alone_is_enough"): "Firefox has no ManagedMediaSource; it plays by MediaSource",
    ("firefox", "test_without_media_source_the_engine_plays_hls_itself"): "Firefox on the desktop plays no HLS by itself",
}


@pytest.fixture(params=ENGINES)
def engine(request, tmp_path):
    """Somebody who has never been here: what was watched does not come first again."""
    if reason := CANNOT.get((request.param, request.function.__name__)):
        pytest.skip(f"{request.param}: {reason}")
    profile = tmp_path / "profile"
    profile.mkdir()
    engine = ENGINES[request.param](profile)
    yield engine
    engine.close()


# What comes in For you is for the server to choose; these tests know which clip comes next.
NEWEST_FIRST = "try { localStorage['clipfeed.tab'] ??= 'latest'; } catch { /* a page without storage */ }\n"


def web_with(place, *lines):
    """A copy of the web client that begins with these lines."""
    web = shutil.copytree(clips.ROOT / "web", place / "web", ignore=shutil.ignore_patterns("tests"))
    # The first module of all.
    core = web / "app/core/core.js"
    core.write_text("".join(lines) + core.read_text())
    return web


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """Serves a feed of 32 clips. Read only."""
    web = web_with(tmp_path_factory.mktemp("newest"), NEWEST_FIRST)
    server = Server(clips.library("all", list(range(clips.COUNT))), web=web)
    yield server
    server.stop()


@pytest.fixture
def own_server(tmp_path):
    """A server whose accounts, comments and likes belong to one test."""
    data = shutil.copytree(clips.library("small", [0, 10, 20, 30]), tmp_path / "data")
    server = Server(data, web=web_with(tmp_path, NEWEST_FIRST))
    yield server
    server.stop()


@pytest.fixture
def without(tmp_path):
    """without("MediaSource"): a server whose page finds these missing, as in browsers that lack them."""
    servers = []

    def without(*names):
        web = web_with(tmp_path, NEWEST_FIRST, *(f"delete globalThis.{name};\n" for name in names))
        servers.append(Server(clips.library("small", [0, 10, 20, 30]), web=web))
        return servers[-1]

    yield without
    for server in servers:
        server.stop()


@pytest.fixture(scope="session")
def feed(server):
    """The clips in the order of the feed, as the API tells them."""
    return server.feed()

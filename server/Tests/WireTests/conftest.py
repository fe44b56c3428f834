"""The real server, and files that are only bytes: nothing here decodes them."""

import hashlib
import os
import random
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "web/tests/browser"))
from server import Server  # noqa: E402

# The proof of `make proof-uploads`; without it a smaller one of the same kind, which is part of the tests.
FULL = os.environ.get("CLIPFEED_PROOF") == "full"
MEGABYTES, CUTS = (50, 20) if FULL else (12, 6)
# What stands for a rendition; a few of nginx's slices of a megabyte, and a bit.
MEDIA = os.urandom(3_400_000)


@pytest.fixture(scope="session")
def file(tmp_path_factory):
    """Bytes that pass for an MP4 as far as its first box."""
    path = tmp_path_factory.mktemp("files") / "clip.mp4"
    body = random.Random(1).randbytes(MEGABYTES * 1024 * 1024 - 4096)
    path.write_bytes(b"\0\0\0\x18ftypmp42" + body)
    return path


@pytest.fixture
def server(tmp_path):
    """Serves an empty data folder, and can be killed and started again on the same port."""
    running = Server(tmp_path / "data")
    running.again = lambda: restart(running)
    yield running
    running.stop()


@pytest.fixture
def media(server):
    """The address of a blob of these bytes."""
    digest = hashlib.sha256(MEDIA).hexdigest()
    folder = server.data / "media" / digest[:2]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{digest}.mp4").write_bytes(MEDIA)
    return f"/media/{digest}.mp4"


def restart(server):
    server.kill()
    server.__init__(server.data, port=server.port)


def stored(server, file):
    """Whether the server holds exactly this file as a source."""
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    source = server.data / "sources" / digest[:2] / f"{digest}.bin"
    return source.exists() and hashlib.sha256(source.read_bytes()).hexdigest() == digest

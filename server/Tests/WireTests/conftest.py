"""The real server, and files that are only bytes: nothing here decodes them."""

import hashlib
import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest
import requests

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "web/tests/browser"))
import clips  # noqa: E402
from blobs import put_blob  # noqa: E402
from cluster import make_database  # noqa: E402
from described import Asking  # noqa: E402
from issuer import Issuer, apples  # noqa: E402
from server import Server, held  # noqa: E402
from signing_in import NUMBER, Person  # noqa: E402
from wrong_issuers import WRONG_DOCUMENTS  # noqa: E402

# The proof of `make proof-uploads`; without it a smaller one of the same kind, which is part of the tests.
FULL = os.environ.get("CLIPFEED_PROOF") == "full"
MEGABYTES, CUTS = (50, 20) if FULL else (12, 6)
# Of the people that tests make.
PASSWORD = "one of a kind"
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
    """The address of a blob of these bytes, which a public clip needs."""
    return put_blob(server, MEDIA, public=True)


@pytest.fixture
def stray(server):
    """The address of a blob of these bytes, which no clip needs, so that nobody may have it."""
    return put_blob(server, MEDIA)


def restart(server):
    server.kill()
    server.__init__(server.data, port=server.port)


def stored(server, file):
    """Whether the server holds exactly this file as a source."""
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    source = server.data / "sources" / digest[:2] / f"{digest}.bin"
    return source.exists() and hashlib.sha256(source.read_bytes()).hexdigest() == digest


ENGINES = ["sqlite", "postgresql"]


def mainly_on(engine):
    """For what takes long: asked of one engine by `make test`, of both by `make proof-uploads`."""
    return pytest.mark.parametrize("running", ENGINES if FULL else [engine], indirect=True)


@pytest.fixture(scope="session", params=ENGINES)
def running(request, tmp_path_factory):
    """A server with two clips, each with two comments; one of them came by an upload. On each engine: what one of them
    takes as text or as a number is not what the other does."""
    data = tmp_path_factory.mktemp("openapi") / "data"
    settings = make_database() if request.param == "postgresql" else {}
    server = Server(data, workers=1, environment=settings | {"CLIPFEED_PROXIES": "1"})
    try:
        clips.add(data, clips.sources([3]), settings)
        server.upload = published(server, clips.sources([4])[0].read_bytes())
        server.clips = [clip["id"] for clip in server.feed()]
        assert len(server.clips) == 2
        server.tokens = [moderator(server, f"person{number}", settings) for number in range(8)]
        server.author = server.feed()[0]["author"]["id"]
        for number, clip in enumerate(server.clips * 2):
            answer = requests.post(
                f"{server.url}/api/v1/clips/{clip}/comments", json={"text": "Hello"}, timeout=20,
                headers={"Idempotency-Key": f"comment-{number}"})
            assert answer.status_code == 201
        yield server
    finally:
        server.stop()


def signed_up(server, handle, headers=None):
    """The access token of a new account."""
    answer = requests.post(
        f"{server.url}/api/v1/accounts", timeout=20, headers=headers,
        json={"handle": handle, "password": PASSWORD, "transport": "token"})
    assert answer.status_code == 201
    return answer.json()["access_token"]


def moderator(server, handle, settings):
    """The access token of a new account to which every operation is open."""
    signed_up(server, handle)
    subprocess.run(
        [clips.SERVER, "accounts", "role", handle, "moderator", "--data", server.data], env=os.environ | settings, check=True, timeout=60)
    end = time.monotonic() + 60
    while True:
        answer = requests.post(
            f"{server.url}/api/v1/sessions", timeout=20, json={"handle": handle, "password": PASSWORD, "transport": "token"})
        assert answer.status_code == 200
        token = answer.json()["access_token"]
        # What was made in the moment of the change does not count.
        asked = requests.get(f"{server.url}/api/v1/moderation/cases", timeout=20, headers={"Authorization": f"Bearer {token}"})
        if asked.status_code == 200:
            return token
        assert time.monotonic() < end
        time.sleep(0.05)


def published(server, file):
    """The id of an upload that became a clip."""
    tus = {"Tus-Resumable": "1.0.0", "Content-Type": "application/offset+octet-stream"}
    made = requests.post(
        f"{server.url}/api/v1/uploads", data=file, headers=tus | {"Upload-Length": str(len(file))}, timeout=60)
    assert made.status_code == 201
    address = server.url + made.headers["Location"]
    end = time.monotonic() + 240
    while requests.get(address, timeout=20).json()["state"] != "published":
        assert time.monotonic() < end
        time.sleep(0.05)
    return address.rsplit("/", 1)[1]


@pytest.fixture(scope="session")
def document(running):
    return requests.get(f"{running.url}/openapi.json", timeout=20).json()


@pytest.fixture
def asking(running, document):
    """Sends requests that are wrong, and remembers what was answered as it must not be."""
    return Asking(running, document)


# Signing in by others


HELD = []


def free_port():
    """Nobody else gets it to the end of the run; who allows that (SO_REUSEADDR) may listen there."""
    HELD.append(held())
    return HELD[-1].getsockname()[1]


@pytest.fixture(scope="session")
def issuer():
    issuer = Issuer()
    issuer.realm("plain")
    issuer.realm("post", alg="ES256", method="client_secret_post")
    issuer.realm("public", alg="PS256", method="none")
    issuer.realm("apple", apple=apples())
    issuer.realm("apart").tells_apart = True
    # Its keys come to be wrong, and are remembered.
    issuer.realm("failing", alg="ES256")
    for name in WRONG_DOCUMENTS:
        issuer.realm(name.replace(" ", "")[:20])
    yield issuer
    issuer.shutdown()


@pytest.fixture(scope="session")
def served(issuer, tmp_path_factory):
    """A server by which people can sign in at all of the issuer's realms."""
    port, folder = free_port(), tmp_path_factory.mktemp("sign-in")
    environment = issuer.settings(f"http://127.0.0.1:{port}", folder) | {"CLIPFEED_PROXIES": "1"}
    server = Server(folder / "data", port=port, environment=environment)
    yield server
    server.stop()


@pytest.fixture
def person(issuer, served):
    """Somebody whom no realm has seen. Every test leaves the realms as it found them."""
    for realm in issuer.realms.values():
        realm.person = {
            "sub": f"person-{next(NUMBER)}", "name": "Ada Lovelace", "email": "ada@example.org", "email_verified": True}
        realm.complaints.clear()
    yield Person(served)
    for realm in issuer.realms.values():
        realm.claims, realm.forge, realm.names_itself = (lambda claims: claims), None, True

"""Whatever a field holds, the server answers the next request. `make proof-extremes` sends everything, on files and on a
bucket, with and without nginx; without it one of so many, always the same."""

import os
import zlib

import pytest
import requests

import clips
import extremes
from bucket import Bucket
from conftest import published, signed_up
from described import Asking
from front import nginx
from server import Server

FULL = os.environ.get("CLIPFEED_PROOF") == "extremes"
PART = 1 if FULL else 97
PLACES = ["files", "files behind nginx", "bucket", "bucket behind nginx"] if FULL else ["files behind nginx"]


@pytest.fixture(params=PLACES)
def attacked(request, tmp_path):
    """A server with two clips, and its address."""
    bucket = Bucket() if "bucket" in request.param else None
    settings = {"CLIPFEED_PROXIES": "1"} | (bucket.settings() if bucket else {})
    data = tmp_path / "data"
    clips.add(data, clips.sources([3]), settings)
    server = Server(data, workers=1, environment=settings)
    try:
        if bucket is None:
            server.upload = published(server, clips.sources([4])[0].read_bytes())
        else:
            server.upload = "none"
        server.clips = [clip["id"] for clip in server.feed()]
        if "nginx" in request.param:
            with nginx(tmp_path / "nginx", server.port) as url:
                yield server, url
        else:
            yield server, server.url
    finally:
        server.stop()
        if bucket:
            bucket.close()


def test_whatever_a_field_holds_the_next_request_is_answered(attacked):
    server, url = attacked
    described = Asking(server, requests.get(f"{server.url}/openapi.json", timeout=20).json())

    def address(path):
        return described.address(path)[len(server.url):]
    attacker = extremes.Attacker(
        server, url, 120 if FULL else 8, lambda handle, address: signed_up(server, handle, {"X-Forwarded-For": address}))
    for request in extremes.requests(described.table, address):
        if zlib.crc32(request.what.encode()) % PART == 0:
            attacker.send(request)
    limited = attacker.limited.total()
    print(f"{attacker.count} requests, {limited} of them too many")
    assert not attacker.faults, f"{len(attacker.faults)} faults\n" + "\n".join(attacker.faults[:40])
    assert attacker.count > 500
    assert limited < attacker.count / 10, f"limits hid what was to be tried: {attacker.limited.most_common(10)}"


def test_the_headers_that_are_tried_are_those_that_are_read():
    names = extremes.headers()
    for name in ("range", "if-none-match", "upload-offset", "x-forwarded-for", "user-agent", "idempotency-key", "origin"):
        assert name in names

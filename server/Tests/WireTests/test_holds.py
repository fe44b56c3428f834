"""No request holds an event loop or the database for long, whatever is in it. The only tests with a clock: they hold what the server's
own metrics tell of the worst requests that are known against what a harmless one does, each as the least of some attempts.
`make proof-attack` sends all of them to the release build, with the limit that the design names; `make test` one of so many to whatever is
built, with one that is five times as wide."""

import json
import os
import zlib

import pytest
import requests

import clips
import holds
from conftest import published, signed_up
from described import Asking
from server import Server

FULL = os.environ.get("CLIPFEED_PROOF") == "attack"
# In milliseconds. NB: more than a debug build on a busy machine takes for 90 KB, and less than any of the bombs took.
LIMIT = 50 if FULL else 250
PART = 1 if FULL else 11
ATTEMPTS = 3
# Whatever is sent, each of these is tried.
ALWAYS = ("named by marks", "of marks", "cookies", "slashes", "cue", "parameters")


@pytest.fixture(scope="module")
def held(tmp_path_factory):
    """A server that is measured, with two clips and somebody's upload, and a sender."""
    data = tmp_path_factory.mktemp("held") / "data"
    clips.add(data, clips.sources([3]))
    server = Server(data, workers=1, environment={"CLIPFEED_PROXIES": "1", "CLIPFEED_METRICS_PORT": "0"})
    try:
        server.upload = published(server, clips.sources([4])[0].read_bytes())
        server.clips = [clip["id"] for clip in server.feed()]
        tokens = [signed_up(server, f"held{number}", {"X-Forwarded-For": f"10.7.{number}.1"}) for number in range(20)]
        watch, sender = holds.Watch(server), holds.Sender(server, tokens)
        for _ in range(20):
            sender.send("GET", "/api/v1/feed")
        yield server, watch, sender
    finally:
        server.stop()


def overlong(watch, sender, tried):
    """Those that hold longer than they may, and a table of the longest."""
    harmless = holds.measured(watch, lambda: sender.send("GET", "/api/v1/feed?limit=2"), 10)
    found = []
    for what, *request in tried:
        def measured(attempts):
            return holds.measured(watch, lambda: sender.send(*request), attempts)

        peaks = measured(ATTEMPTS)
        if any(peaks[kind] - harmless[kind] > LIMIT for kind in peaks):
            # What is in a request holds the server each time, however often it is tried.
            more = measured(4 * ATTEMPTS)
            peaks = {kind: min(value, more[kind]) for kind, value in peaks.items()}
        found.append((max(peaks[kind] - harmless[kind] for kind in peaks), what, peaks))
    found.sort(key=lambda one: -one[0])
    print(f"\n{len(found)} requests; a harmless one: {shown(harmless)}")
    for excess, what, peaks in found[:12]:
        print(f"{excess:8.1f} ms  {what[:90]}  {shown(peaks)}")
    return [f"{excess:.0f} ms: {what} ({shown(peaks)})" for excess, what, peaks in found if excess > LIMIT]


def shown(peaks):
    return ", ".join(f"{kind} {value:.1f}" for kind, value in peaks.items())


def test_no_request_holds_a_loop_or_the_database_whatever_is_in_it(held):
    server, watch, sender = held
    asking = Asking(server, requests.get(f"{server.url}/openapi.json", timeout=20).json())

    def address(path):
        return asking.address(path)[len(server.url):]
    everything = [
        *holds.heads(), *holds.addresses(asking.table, address), *holds.bodies(asking.table, address), *holds.files(address)]
    assert len(everything) > 300
    tried = [
        one for one in everything
        if zlib.crc32(one[0].encode()) % PART == 0 or (PART > 1 and any(one[0].endswith(word) for word in ALWAYS)
                                                       and zlib.crc32(one[0].encode()) % 5 == 0)]
    too_long = overlong(watch, sender, tried)
    assert not too_long, "\n".join(too_long)
    assert server.lives()


def test_a_page_of_the_longest_texts_holds_no_loop(held):
    server, watch, sender = held
    clip = server.clips[0]
    # As many scalars as a comment may have, of four bytes each.
    text = json.dumps({"text": ("\U0001f468" + "\u200d\U0001f468" * 3) * 500}, ensure_ascii=False).encode()
    for _ in range(50):
        assert sender.send("POST", f"/api/v1/clips/{clip}/comments", [holds.JSON], text) == 201
    tried = [
        (f"50 comments{what}", "GET", f"/api/v1/clips/{clip}/comments?limit=50", headers)
        for what, headers in (("", []), (", packed", [("Accept-Encoding", b"gzip")]))]
    assert all(sender.send(*request) == 200 for _, *request in tried)
    too_long = overlong(watch, sender, tried)
    assert not too_long, "\n".join(too_long)

"""Uploads by an independent tus client, over links that are as bad as they get."""

import random
import subprocess
import sys
import time
from pathlib import Path

import requests
from tusclient.client import TusClient
from tusclient.exceptions import TusCommunicationError, TusUploadFailed

from conftest import CUTS, stored
from hostile_link import Fault, HostileLink

PART = 1024 * 1024
# Headers, and the questions for the offset after each cut.
OVERHEAD = 64 * 1024


def go_on(link, file, url=None, until=None):
    """Sends as a client does that never gives up: after each failure it asks for the offset and goes on."""
    client = TusClient(f"{link.url}/api/v1/uploads")
    uploader = None
    for _ in range(400):
        try:
            if uploader is None:
                uploader = client.uploader(
                    str(file), chunk_size=PART, url=url, metadata={"filename": "clip.mp4", "filetype": "video/mp4"})
            while uploader.offset < uploader.get_file_size():
                uploader.upload_chunk()
                url = uploader.url
                if until and uploader.offset >= until:
                    return url
            return url
        except (TusCommunicationError, TusUploadFailed, requests.RequestException):
            url = uploader.url if uploader else url
            uploader = None
            time.sleep(0.05)
    raise AssertionError("the upload does not get through")


def on_the_link(link, url):
    """The address of an upload as this link's clients see it."""
    return f"{link.url}/api/v1/uploads/{url.rsplit('/', 1)[1]}"


def state(server, url):
    return requests.get(f"{server.url}/api/v1/uploads/{url.rsplit('/', 1)[1]}", timeout=20).json()


def test_cuts_stalls_and_repetitions_cost_one_part_each_at_most(server, file):
    chance = random.Random(2)
    kinds = ["cut"] * CUTS + ["stall", "slow", "twice", "twice"]
    chance.shuffle(kinds)
    link = HostileLink(server.port, [Fault(chance.randrange(20_000, PART), kind) for kind in kinds])
    url = go_on(link, file)
    assert link.cuts == CUTS and not link.faults
    assert state(server, url)["state"] == "processing"
    assert stored(server, file)
    # What arrived before a cut is kept, so not even the part that was cut comes again as a whole.
    assert link.bytes_up < file.stat().st_size + CUTS * PART + OVERHEAD
    link.close()


def test_a_killed_server_and_a_killed_client_lose_nothing(server, file):
    link = HostileLink(server.port)
    url = go_on(link, file, until=3 * PART)
    before = state(server, url)["offset"]
    server.again()
    assert state(server, url)["offset"] == before
    # A client that is killed while it sends.
    sender = subprocess.Popen(
        [sys.executable, Path(__file__), str(link.port), str(file), on_the_link(link, url)],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while state(server, url)["offset"] < before + 2 * PART:
        assert sender.poll() is None
        time.sleep(0.01)
    sender.kill()
    sender.wait()
    url = go_on(link, file, url=on_the_link(link, url))
    assert state(server, url)["state"] == "processing"
    assert stored(server, file)
    assert link.bytes_up < file.stat().st_size + 2 * PART + OVERHEAD
    link.close()


class Existing:
    """A link that is there already, in another process."""
    def __init__(self, port):
        self.url = f"http://127.0.0.1:{port}"


def slowly():
    """What the killed client runs: parts that are small enough to be killed between."""
    global PART
    PART = 128 * 1024
    go_on(Existing(sys.argv[1]), Path(sys.argv[2]), url=sys.argv[3])


if __name__ == "__main__":
    slowly()

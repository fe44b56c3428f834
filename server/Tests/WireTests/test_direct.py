"""`clipfeed upload` straight into a bucket, over a link that cuts, past a killed server and after its own death. The
server carries none of the bytes."""

import random
import socket
from contextlib import suppress
from threading import Thread

import pytest
import requests

from bucket import Bucket
from conftest import CUTS, FULL
from hostile_link import Fault, HostileLink
from server import Server
from test_command import begin, wait
from test_limits import make

# What S3 asks of all parts but the last.
PART = 5 * 1024 * 1024
# Parts that are under way at a time: what dies with a client.
AT_ONCE = 3
# Headers, and the questions of client and server.
OVERHEAD = 256 * 1024


@pytest.fixture(scope="module")
def bucket():
    running = Bucket()
    yield running
    running.close()


@pytest.fixture
def serve(tmp_path):
    """Starts a server on the bucket, again on the same port if it is killed."""
    started = []

    def serve(settings, port=0):
        started.append(Server(tmp_path / "data", port=port, environment=settings))
        return started[-1]
    yield serve
    for server in started:
        server.stop()


def test_an_upload_past_the_server_outlives_cuts_a_killed_server_and_its_own_death(bucket, serve, file, tmp_path):
    chance = random.Random(5)
    size = file.stat().st_size
    kinds = ["cut"] * CUTS + ["stall", "slow", "twice", "twice"]
    chance.shuffle(kinds)
    # Each is met before a part is through, and no more at a time than a client has patience for without a success.
    faults = [Fault(chance.randrange(20_000, 2 * 1024 * 1024), kind) for kind in kinds]
    at_once = len(faults) if CUTS < 10 else len(faults) // 3
    # The way to the bucket: all that is sent there, by whomever, goes over it.
    storage = HostileLink(bucket.port, faults[:at_once])
    settings = bucket.settings(storage.url)
    server = serve(settings)
    to_server = HostileLink(server.port)
    upload = begin(to_server, file, tmp_path)
    wait(lambda: storage.bytes_up > size / 3 and not storage.faults, upload, "a third of the bytes")
    # Parts go on moving; who is cut meanwhile asks until there is an answer.
    server.kill()
    storage.faults += faults[at_once:2 * at_once]
    server = serve(settings, port=server.port)
    wait(lambda: storage.bytes_up > size * 2 / 3 and not storage.faults, upload, "two thirds of the bytes")
    upload.kill()
    upload.wait()
    storage.faults += faults[2 * at_once:]
    upload = begin(to_server, file, tmp_path)
    wait(lambda: bucket.holds(file, settings), upload, "the whole file")
    upload.kill()
    again = storage.bytes_up - size
    print(f"{storage.cuts} cuts, 2 kills: {again / 1024:.0f} KiB came twice, {to_server.bytes_up} bytes to the server")
    assert storage.cuts == CUTS
    # A part for each cut, and those that were under way when the client was killed. (What the link itself sends twice
    # is not counted there.)
    assert again < (CUTS + AT_ONCE) * PART + OVERHEAD
    assert to_server.bytes_up < OVERHEAD
    assert list((server.data / "uploads").iterdir()) == []
    storage.close()
    to_server.close()


def test_a_server_that_is_killed_while_it_publishes_makes_one_clip(bucket, serve, file):
    settings = bucket.settings()
    server = serve(settings)
    data = file.read_bytes()
    upload = make(server, data).json()
    for part in upload["direct"]["addresses"]:
        at = (part["number"] - 1) * PART
        assert requests.put(part["url"], data=data[at:at + PART], timeout=60).ok
    answers = []

    def commit():
        with suppress(requests.RequestException):
            answers.append(requests.post(f"{server.url}/api/v1/uploads/{upload['id']}/commit", timeout=60))
    for kill in range(30 if FULL else 6):
        sender = Thread(target=commit)
        sender.start()
        # A little later each time, whatever it does then.
        sender.join(0.1 * (kill + 1))
        server.kill()
        sender.join()
        server = serve(settings, port=server.port)
        if answers:
            break
    commit()
    state = answers[-1].json()
    assert state["state"] == "processing" and {answer.status_code for answer in answers} == {200}
    assert bucket.holds(file, settings)
    # The same file again is the same clip.
    again = make(server, data, key="another-key").json()
    for part in again["direct"]["addresses"]:
        at = (part["number"] - 1) * PART
        assert requests.put(part["url"], data=data[at:at + PART], timeout=60).ok
    upload = again
    commit()
    assert answers[-1].json()["clip"]["id"] == state["clip"]["id"]
    print(f"published after {kill + 1} kills")


class Guard(HostileLink):
    """Lets nobody put anything into the bucket by an address that was handed out, as a company's proxy may."""
    refused = 0

    def _carry(self, client):
        if b"X-Amz-Signature=" not in client.recv(2048, socket.MSG_PEEK).split(b"\r\n")[0]:
            return super()._carry(client)
        self.refused += 1
        client.sendall(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        client.shutdown(socket.SHUT_WR)
        while client.recv(65_536):
            pass
        client.close()


def test_where_nothing_gets_into_the_bucket_the_bytes_go_through_the_server(bucket, serve, tmp_path):
    file = tmp_path / "clip.mp4"
    file.write_bytes(b"\0\0\0\x18ftypmp42" + random.Random(6).randbytes(3 << 20))
    storage = Guard(bucket.port)
    settings = bucket.settings(storage.url)
    server = serve(settings)
    to_server = HostileLink(server.port)
    upload = begin(to_server, file, tmp_path)
    wait(lambda: bucket.holds(file, settings), upload, "the file")
    upload.kill()
    upload.wait()
    assert storage.refused >= 3 and to_server.bytes_up > file.stat().st_size
    storage.close()
    to_server.close()

"""Media as it leaves the server: by the kernel, in any number of ranges at once."""

import os
import re
import socket
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import requests

from conftest import MEDIA


def ask(path, first, last):
    return f"GET {path} HTTP/1.1\r\nHost: clipfeed\r\nRange: bytes={first}-{last}\r\n\r\n".encode()


def answer(stream):
    """Status and body of the next answer on a connection."""
    status, length = int(stream.readline().split()[1]), 0
    while (line := stream.readline().strip()):
        name, value = line.split(b": ", 1)
        assert name.lower() != b"x-file-follows"
        length = int(value) if name.lower() == b"content-length" else length
    return status, stream.read(length)


def test_many_ranges_in_flight_on_one_connection_come_in_order(server, media):
    ranges = [(at, at + 50_000 + at % 977) for at in range(0, 3_300_000, 40_000)]
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as connection:
        with ThreadPoolExecutor(1) as beside:
            beside.submit(connection.sendall, b"".join(
                ask(media, *part) + b"GET /healthz HTTP/1.1\r\nHost: clipfeed\r\n\r\n" for part in ranges))
            stream = connection.makefile("rb")
            for first, last in ranges:
                assert answer(stream) == (206, MEDIA[first:last + 1])
                # An answer that is no file, between two that are.
                assert answer(stream)[0] == 200


def test_many_connections_get_their_own_bytes(server, media):
    def one(number):
        first = number * 31_337
        got = requests.get(server.url + media, headers={"Range": f"bytes={first}-{first + 400_000}"}, timeout=30)
        return got.status_code == 206 and got.content == MEDIA[first:first + 400_001]

    with ThreadPoolExecutor(40) as people:
        assert all(people.map(one, range(80)))


def is_traced(pid):
    """Whether each thread is looked at; those that begin later are looked at from their start."""
    try:
        states = [file.read_text() for file in Path(f"/proc/{pid}/task").glob("*/status")]
    except OSError:  # One has ended meanwhile.
        return False
    return all(re.search(r"^TracerPid:\s+[1-9]", state, re.M) for state in states)


def test_the_kernel_sends_the_file_and_the_process_never_reads_it(server, media, tmp_path):
    assert requests.get(server.url + media, timeout=20).content == MEDIA
    log = tmp_path / "calls"
    with open(tmp_path / "said", "w+") as said:
        trace = subprocess.Popen(
            ["strace", "-f", "-y", "-e", "trace=sendfile,read,pread64", "-o", log, "-p", str(server.pid)],
            stderr=said, stdout=said)
        # It attaches to one thread after the other, and says so after the first.
        while not is_traced(server.pid):
            assert trace.poll() is None
            time.sleep(0.02)
        assert requests.get(server.url + media, headers={"Range": "bytes=100-2000099"}, timeout=20).content == MEDIA[100:2000100]
        # The last bytes may be here before the end of the call that sent them is written down.
        end = time.monotonic() + 60
        while sent(log) < 2_000_000 and time.monotonic() < end:
            time.sleep(0.05)
        trace.terminate()
        trace.wait(60)
    assert sent(log) == 2_000_000
    # The database is read meanwhile, and the request; the file is not.
    file = media.rsplit("/", 1)[1]
    assert sum(count for name, call, count in calls(log) if name in ("read", "pread64") and file in call) < 5_000


def sent(log):
    return sum(count for name, _, count in calls(log) if name.startswith("sendfile"))


def calls(log):
    """Of each call that has ended: its name, the line that began it, which names the file, and what it returned. Where
    another thread had its turn in between, a call is written in two parts."""
    begun, ended = {}, []
    for line in log.read_text().splitlines():
        thread, _, call = line.partition(" ")
        call = call.lstrip()
        if "<unfinished ...>" in call:
            begun[thread] = call
        elif (end := re.search(r" = (\d+)$", call)):
            if call.startswith("<... "):
                call = begun.pop(thread, "")
            ended.append((call.split("(")[0], call, int(end[1])))
    return ended


def test_who_leaves_in_the_middle_leaves_no_open_file(server, media):
    for _ in range(60):
        with socket.create_connection(("127.0.0.1", server.port), timeout=20) as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            connection.sendall(ask(media, 0, 3_000_000) * 3)
            connection.recv(1000)

    def handles():
        folder = f"/proc/{server.pid}/fd"
        found = 0
        for name in os.listdir(folder):
            # One may be closed while it is looked at.
            with suppress(FileNotFoundError):
                found += os.readlink(f"{folder}/{name}").endswith(media.rsplit("/", 1)[1])
        return found

    # One is kept for the next who asks.
    end = time.monotonic() + 120
    while handles() > 1 and time.monotonic() < end:
        time.sleep(0.05)
    assert handles() <= 1
    assert requests.get(server.url + media, timeout=20).content == MEDIA


def test_a_removed_blob_is_gone_though_it_was_read_a_moment_ago(server, media):
    assert requests.get(server.url + media, timeout=20).status_code == 200
    name = media.rsplit("/", 1)[1]
    file = server.data / "media" / name[:2] / name
    file.unlink()
    assert requests.get(server.url + media, timeout=20).status_code == 404
    file.write_bytes(MEDIA)
    assert requests.get(server.url + media, timeout=20).content == MEDIA

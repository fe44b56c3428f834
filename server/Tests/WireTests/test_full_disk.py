"""SQLite on a disk that fills up and gets room again, under load, while one server runs all the time."""

import hashlib
import itertools
import os
import sqlite3
import subprocess
import time
import uuid
from collections import Counter
from contextlib import closing
from threading import Event, Thread

import pytest
import requests

from clips import SERVER, add, sources
from server import Server

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a small disk")

CODES = {503: "unavailable", 507: "storage_full"}
WRITERS = ("comments", "likes", "accounts", "events", "uploads", "shares")


@pytest.fixture
def small(tmp_path):
    """A server whose whole data folder lies on a disk of its own."""
    data = tmp_path / "data"
    data.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=620m", "tmpfs", data], check=True)
    try:
        server = Server(data, environment={"CLIPFEED_PROXIES": "1"})
        try:
            yield server
        finally:
            server.stop()
    finally:
        subprocess.run(["umount", data], check=True)


class Load:
    """People of many addresses who write, and who read, until they are told to stop."""

    def __init__(self, server, clips):
        self._server, self._clips = server, clips
        self._over = Event()
        self.kept = {kind: set() for kind in WRITERS}
        self.answers = {kind: Counter() for kind in (*WRITERS, "reads")}
        self.wrong = []
        self._threads = [Thread(target=self._run, args=(kind, number), daemon=True)
                         for number, kind in enumerate((*WRITERS, "reads"))]
        for thread in self._threads:
            thread.start()

    def stop(self):
        self._over.set()
        for thread in self._threads:
            thread.join(60)
            assert not thread.is_alive()

    def count(self, kind, *statuses):
        return sum(self.answers[kind][status] for status in statuses)

    def _run(self, kind, number):
        session = requests.Session()
        for turn in itertools.count():
            if self._over.is_set():
                return
            # Each time from somewhere else, since one may not write as much as this.
            session.headers["X-Forwarded-For"] = f"10.{number}.{turn >> 8 & 255}.{turn & 255}"
            session.cookies.clear()
            try:
                answer, key = getattr(self, f"_{kind}")(session, turn)
            except requests.RequestException as error:
                self.wrong.append(f"{kind}: {error}")
                continue
            self.answers[kind][answer.status_code] += 1
            if answer.ok:
                if kind != "reads":
                    self.kept[kind].add(key)
            elif (kind == "reads" or CODES.get(answer.status_code) != answer.json()["code"]
                    or int(answer.headers.get("Retry-After", 0)) <= 0):
                self.wrong.append(f"{kind}: {answer.status_code} {answer.headers} {answer.text}")

    def _ask(self, session, method, path, **more):
        return session.request(method, f"{self._server.url}/api/v1/{path}", timeout=30, **more)

    def _comments(self, session, turn):
        text = f"{turn} " + "x" * 400
        answer = self._ask(session, "POST", f"clips/{self._clips[turn % len(self._clips)]}/comments",
                           json={"text": text}, headers={"Idempotency-Key": uuid.uuid4().hex})
        return answer, text

    def _likes(self, session, turn):
        answer = self._ask(session, "PUT", f"clips/{self._clips[turn % len(self._clips)]}/like")
        return answer, session.cookies.get("clipfeed_guest", turn)

    def _accounts(self, session, turn):
        handle = f"person{turn}"
        return self._ask(session, "POST", "accounts", json={
            "handle": handle, "password": "correct horse battery", "transport": "token"}), handle

    def _events(self, session, turn):
        one = uuid.uuid4().hex
        events = [{"id": f"{one}{n}", "clip_id": self._clips[n % len(self._clips)], "kind": "impression",
                   "at_ms": int(time.time() * 1000)} for n in range(20)]
        return self._ask(session, "POST", "events", json={"events": events}), one

    def _uploads(self, session, turn):
        data = b"\0\0\0\x18ftypmp42" + os.urandom(2000)
        made = self._ask(session, "POST", "uploads", headers={"Idempotency-Key": uuid.uuid4().hex}, json={
            "size_bytes": len(data), "sha256": hashlib.sha256(data).hexdigest(), "type": "video/mp4", "details": {}})
        if not made.ok:
            return made, None
        upload = made.json()["id"]
        return self._ask(session, "PATCH", f"uploads/{upload}", data=data, headers={
            "Upload-Offset": "0", "Content-Type": "application/offset+octet-stream"}), upload

    def _shares(self, session, turn):
        key = uuid.uuid4().hex
        return self._ask(session, "POST", f"clips/{self._clips[turn % len(self._clips)]}/shares",
                         headers={"Idempotency-Key": key}), key

    def _reads(self, session, turn):
        path = ["feed", f"clips/{self._clips[0]}/comments", f"clips/{self._clips[0]}"][turn % 3]
        return self._ask(session, "GET", path), None


def ready(server):
    answer = requests.get(f"{server.url}/readyz", timeout=20)
    return answer.status_code, answer.json()


def wait(condition, what, load):
    end = time.monotonic() + 120
    while time.monotonic() < end:
        if condition():
            return
        assert not load.wrong, load.wrong[:3]
        time.sleep(0.05)
    raise AssertionError(f"never: {what}: {load.answers} {load.wrong[:3]}")


def test_a_full_disk_under_load_loses_nothing_and_all_goes_on_once_there_is_room(small):
    add(small.data, sources([3]))
    load = Load(small, [clip["id"] for clip in small.feed()])
    kept = {}

    def all_write(more):
        return lambda: all(len(load.kept[kind]) > kept.get(kind, 0) + more for kind in WRITERS)
    filler = small.data / "filler"
    try:
        for round in range(2):
            wait(all_write(5), "everybody writes", load)
            with filler.open("wb", buffering=0) as file:
                # To the last page. What the server frees meanwhile it takes again.
                for size in (1 << 20, 4096):
                    try:
                        while True:
                            file.write(b"x" * size)
                    except OSError:
                        pass
            before = {kind: load.count(kind, 503, 507) for kind in WRITERS}
            reads = load.count("reads", 200)
            wait(lambda: all(load.count(kind, 503, 507) > before[kind] + 5 for kind in WRITERS),
                 "everybody is told that there is no room", load)
            wait(lambda: load.count("reads", 200) > reads + 20, "people read", load)
            # Nobody is to be sent away from what can be watched.
            full = {"status": "degraded", "checks": {"database": "ok", "disk": "failed", "storage": "full"}}
            # A look that takes longer than it may, beside all who write, is no answer.
            wait(lambda: ready(small) == (200, full), "it is ready and says that the disk is full", load)
            kept = {kind: len(load.kept[kind]) for kind in WRITERS}
            filler.unlink()
        wait(all_write(5), "everybody writes again", load)
    finally:
        load.stop()
    assert load.wrong == []
    wait(lambda: ready(small)[0] == 200, "it is ready", load)
    # One that looks at this moment has one.
    wait(lambda: not list(small.data.rglob("probe-*")), "what was written to look is removed", load)
    small.kill()
    with closing(sqlite3.connect(small.data / "clipfeed.sqlite")) as database:
        def all_of(sql):
            return {row[0] for row in database.execute(sql)}
        assert all_of("PRAGMA integrity_check") == {"ok"}
        assert not list(database.execute("PRAGMA foreign_key_check"))
        assert load.kept["comments"] <= all_of("SELECT text FROM comments")
        assert load.kept["accounts"] <= all_of("SELECT handle FROM accounts")
        assert load.kept["shares"] <= all_of("SELECT idempotency_key FROM shares")
        assert load.kept["uploads"] <= all_of("SELECT id FROM uploads")
        assert {f"{one}{n}" for one in load.kept["events"] for n in range(20)} <= all_of("SELECT id FROM watch_events")
        assert len(load.kept["likes"]) <= len(all_of("SELECT id FROM likes"))


def test_whoever_starts_on_a_full_disk_is_told_so(tmp_path):
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", tmp_path], check=True)
    try:
        def run(command):
            return subprocess.run([SERVER, command, "--data", tmp_path / "data"], capture_output=True, text=True, timeout=60)
        assert run("jobs").returncode == 0
        # A command may end before its database has put away the write-ahead log, and that is room for the next one.
        with closing(sqlite3.connect(tmp_path / "data" / "clipfeed.sqlite")) as database:
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        assert not list((tmp_path / "data").glob("clipfeed.sqlite-*"))
        with (tmp_path / "filler").open("wb", buffering=0) as file, pytest.raises(OSError):
            while True:
                file.write(b"x" * 4096)
        for command in ("jobs", "doctor"):
            done = run(command)
            assert done.returncode == 1
            assert f"The disk under the data folder {tmp_path / 'data'} is full; make room on it." in done.stdout + done.stderr
    finally:
        subprocess.run(["umount", tmp_path], check=True)

"""What the proof and the benchmark of clips from words share: processes of the real server, which are killed and started
again; people, who use the public API alone; the books, as the database has them; and how promises are counted."""

import http.client
import json
import os
import signal
import sqlite3
import subprocess
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from load import ROOT, SERVER_PROGRAM, free_port, say
from vendors import provider_variable

PASSWORD = "one of a kind"
UNDER_WAY = ("reserved", "queued", "in_progress", "storing")
OVER = ("ready", "failed", "cancelled")
# So much that credits are never what stops anybody.
PLENTY = {"CLIPFEED_GENERATION_CREDITS": "1000000", "CLIPFEED_GENERATION_CREDITS_OF_ALL": "1000000000"}


class Broken(Exception):
    """What was promised did not come."""


def draw(folder, seconds, size):
    """A clip as vendors make them: H.264 with AAC."""
    file = folder / "made.mp4"
    subprocess.run(
        ["ffmpeg", "-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i", f"testsrc2=s={size}:r=30", "-f", "lavfi", "-i",
         "sine=f=440:r=48000", "-t", str(seconds), "-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p",
         "-c:a", "aac", "-movflags", "+faststart", file], check=True, timeout=300)
    return file


# MARK: Processes

class Process:
    """`announces`: what it writes once it works."""

    def __init__(self, command, environment, log, announces):
        self._command, self._environment, self._announces = command, environment, announces
        self.log = log
        self._process = None

    @property
    def pid(self):
        return self._process.pid

    def is_alive(self):
        return self._process is not None and self._process.poll() is None

    def start(self):
        begin = self.log.stat().st_size if self.log.exists() else 0
        with open(self.log, "ab") as log:
            self._process = subprocess.Popen(
                self._command, env=self._environment, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
        end = time.monotonic() + 120
        while self._announces not in self.log.read_bytes()[begin:]:
            if not self.is_alive() or time.monotonic() > end:
                raise Broken(f"it did not start: {self.log.read_bytes()[begin:][-2000:].decode(errors='replace')}")
            time.sleep(0.02)

    def kill(self):
        """As `kill -9` does."""
        if self._process:
            self._process.kill()
            self._process.wait()

    def stop(self):
        if self.is_alive():
            self._process.send_signal(signal.SIGTERM)
            try:
                self._process.wait(30)
            except subprocess.TimeoutExpired:
                self.kill()


class World:
    """A server, and maybe workers in a process beside it ("worker"), on one folder. `more`: further settings of both, by
    names of the environment; `names`: of providers, in the order in which they are asked; `workers`: how many convert in
    each process."""

    def __init__(self, folder, vendors, more=None, names=None, callers=("server",), workers=1, data=None):
        self.vendors, self.port = vendors, free_port()
        self.data = data or folder / "data"
        names = names or list(vendors.all)
        self.processes = {}
        for caller in callers:
            environment = os.environ | {"CLIPFEED_PROXIES": "1"} | PLENTY | vendors.settings(caller) | (more or {})
            environment["CLIPFEED_GENERATION_PROVIDERS"] = " ".join(names)
            command, announces = [SERVER_PROGRAM, "work", "--data", self.data, "--workers", str(workers)], b"works on"
            if caller == "server":
                command = [
                    SERVER_PROGRAM, "serve", "--data", self.data, "--web", ROOT / "web", "--host", "127.0.0.1", "--port",
                    str(self.port), "--workers", str(workers)]
                announces = b"is running"
            self.processes[caller] = Process(command, environment, folder / f"{caller}.log", announces)

    def start(self):
        """Those that do not run."""
        for process in self.processes.values():
            if not process.is_alive():
                process.start()

    def kill(self, callers):
        for caller in callers:
            self.processes[caller].kill()

    def stop(self):
        for process in self.processes.values():
            process.stop()


def command_settings(name, script, clip, seconds, fails, room):
    """Of a provider that is a program of this machine, by names of the environment."""
    settings = {
        "kind": "command", "command": f'/usr/bin/python3 -I "{script}" "{clip}" {seconds} {fails}',
        "command-files": f"{script} {clip}", "at-once": str(room)}
    return {provider_variable(name, end): value for end, value in settings.items()}


# MARK: People

class Api:
    """Whoever asks waits for a server that was killed, and sends the same again. `secrets`: what must be in no answer."""

    def __init__(self, port, secrets=()):
        self.port, self.leaks, self.answers = port, [], 0
        self._secrets = [secret.encode() for secret in secrets]
        self._local = threading.local()

    def ask(self, method, path, body=None, headers=None, patience=120):
        """The status, and the value of JSON, or else bytes."""
        end = time.monotonic() + patience
        headers, content = dict(headers or {}), None
        if body is not None:
            headers["Content-Type"], content = "application/json", json.dumps(body)
        while True:
            try:
                status, value = self._exchange(method, path, content, headers)
                if status != 503 or time.monotonic() > end:
                    return status, value
            except (OSError, http.client.HTTPException) as error:
                self._hang_up()
                if time.monotonic() > end:
                    raise Broken(f"{method} {path}: nobody answers ({error!r})") from error
            time.sleep(0.05)

    def _exchange(self, method, path, content, headers):
        connection = getattr(self._local, "connection", None)
        if connection is None:
            connection = self._local.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request(method, path, content, headers)
        answer = connection.getresponse()
        body = answer.read()
        self.answers += 1
        everything = repr(answer.getheaders()).encode() + body
        self.leaks += [f"{method} {path}" for secret in self._secrets if secret in everything]
        is_json = "json" in (answer.getheader("Content-Type") or "")
        return answer.status, json.loads(body) if is_json and body else body

    def _hang_up(self):
        connection = getattr(self._local, "connection", None)
        if connection is not None:
            connection.close()
            self._local.connection = None


class Person:
    def __init__(self, api, number):
        self.api, self.number = api, number
        self.handle = f"maker{number}"
        # Each at an address of their own, as a proxy of this machine says.
        self.address = f"10.{number >> 8 & 255}.{number & 255}.7"
        self.token = self.id = None

    def join(self):
        self._open("/api/v1/accounts", {"Idempotency-Key": f"joining-{self.handle}"})
        return self

    def _open(self, path, more):
        body = {"handle": self.handle, "password": PASSWORD, "transport": "token"}
        status, session = self.api.ask("POST", path, body, {"X-Forwarded-For": self.address} | more)
        if status not in (200, 201):
            raise Broken(f"{path}: {status} {session}")
        self.token, self.id = session["access_token"], session["account"]["id"]

    def ask(self, method, path, body=None, key=None):
        """The status and the value. Tokens live ten minutes; then there is another session."""
        headers = {"X-Forwarded-For": self.address, "Authorization": f"Bearer {self.token}"}
        if key:
            headers["Idempotency-Key"] = key
        status, value = self.api.ask(method, path, body, headers)
        if status == 401:
            self._open("/api/v1/sessions", {})
            headers["Authorization"] = f"Bearer {self.token}"
            status, value = self.api.ask(method, path, body, headers)
        return status, value

    def wish(self, prompt, key, **more):
        return self.ask("POST", "/api/v1/generations", {"prompt": prompt, "seconds": 5} | more, key)

    def wish_at_last(self, prompt, key, **more):
        """The generation; waits while it is too early for another one."""
        while True:
            status, value = self.wish(prompt, key, **more)
            if status == 202:
                return value
            if status != 429:
                raise Broken(f"a wish was refused: {status} {value}")
            time.sleep(1)

    def look(self, id):
        status, value = self.ask("GET", f"/api/v1/generations/{id}")
        if status != 200:
            raise Broken(f"generation {id}: {status} {value}")
        return value


def joined(api, count):
    """People who have just signed up."""
    with ThreadPoolExecutor(4) as pool:
        return list(pool.map(lambda number: Person(api, number).join(), range(1, count + 1)))


# MARK: Books

@contextmanager
def reading(data):
    """The database as it is in one moment."""
    database = sqlite3.connect(data / "clipfeed.sqlite", timeout=60, isolation_level=None)
    try:
        database.row_factory = sqlite3.Row
        database.execute("PRAGMA query_only = ON")
        database.execute("BEGIN")
        yield database
    finally:
        database.close()


def under_way(database):
    """How many there are."""
    marks = ", ".join("?" for _ in UNDER_WAY)
    return database.execute(
        f"SELECT COUNT(*) FROM generations WHERE work <> '' OR state IN ({marks})", UNDER_WAY).fetchone()[0]


def await_end(data, patience):
    """Until nothing is under way. Broken: something still is."""
    end, told = time.monotonic() + patience, time.monotonic()
    while True:
        with reading(data) as database:
            left = under_way(database)
        if left == 0:
            return
        if time.monotonic() > end:
            raise Broken(f"{left} are still under way after {patience} s")
        if time.monotonic() - told > 30:
            told = time.monotonic()
            say(f"  {left} under way")
        time.sleep(1)


def books(database):
    """What is wrong in them, and what there is in each place."""
    wrong = [
        f"entry {row['entry']} sums to {row['n']}" for row in database.execute(
            "SELECT entry, SUM(amount) AS n FROM credit_entries GROUP BY entry HAVING SUM(amount) <> 0")]
    people = database.execute(
        """
        SELECT p.viewer_id, p.available, p.held,
            COALESCE(SUM(CASE WHEN e.place = 'available' THEN e.amount END), 0) AS entered,
            COALESCE(SUM(CASE WHEN e.place = 'held' THEN e.amount END), 0) AS kept
        FROM generation_people p LEFT JOIN credit_entries e ON e.viewer_id = p.viewer_id GROUP BY p.viewer_id
        """)
    for row in people:
        if (row["available"], row["held"]) != (row["entered"], row["kept"]):
            wrong.append(f"{row['viewer_id']} has {row['available']} and {row['held']}, by entries {row['entered']} and {row['kept']}")
    balances = Counter()
    entries = database.execute(
        "SELECT entry, viewer_id, place, amount FROM credit_entries WHERE place IN ('available', 'held') ORDER BY rowid")
    for row in entries:
        balances[row["viewer_id"], row["place"]] += row["amount"]
        if balances[row["viewer_id"], row["place"]] < 0:
            wrong.append(f"{row['viewer_id']} has less than nothing {row['place']} by {row['entry']}")
    return wrong + wrong_entries(database), {
        row["place"]: row["n"] for row in database.execute(
            "SELECT place, SUM(amount) AS n FROM credit_entries GROUP BY place")}


def wrong_entries(database):
    """Each generation holds its price once; once it is over that is spent, if it is ready, or else given back."""
    entries, wrong = {}, []
    for row in database.execute("SELECT entry, place, amount FROM credit_entries WHERE generation IS NOT NULL"):
        entries.setdefault(row["entry"], {})[row["place"]] = row["amount"]
    for row in database.execute("SELECT id, state, price FROM generations"):
        id, state, price = row["id"], row["state"], row["price"]
        settled = {"held": -price, "spent" if state == "ready" else "available": price}
        for entry, due in (
                (f"reserve/{id}", {"available": -price, "held": price}),
                (f"settle/{id}", None if state in UNDER_WAY else settled)):
            found = entries.pop(entry, None)
            if found != due:
                wrong.append(f"{entry} of one that is {state} at {price}: {found}")
    return wrong + [f"{entry} is of no generation" for entry in entries]


# MARK: Promises

class Promises:
    def __init__(self):
        self.rows = []

    def check(self, what, faults, among=""):
        """`among`: of how many things that was looked at."""
        faults = list(faults)
        self.rows.append([what, among, "kept" if not faults else f"BROKEN {len(faults)} times"])
        for fault in faults[:20]:
            say(f"broken: {what}: {fault}")

    def are_kept(self):
        return all(row[-1] == "kept" for row in self.rows)

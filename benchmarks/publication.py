"""What it takes when somebody whom many follow publishes a clip: notifications that are written, how soon the clip stands in
the followers' pages, the processor time of server and database, and how long the feed takes meanwhile. Beside it the same of
somebody whom nobody follows, since a clip is converted for either."""

import hashlib
import json
import random
import sqlite3
import subprocess
import tempfile
import threading
import time
from http.client import HTTPConnection
from pathlib import Path
from statistics import quantiles

import filled
import load
import load_seed as seed
import people_seed as people
from load import Server, say
from clips import sources

FEEDS = {"feed": "/api/v1/feed?limit=10", "Following": "/api/v1/feed?tab=following&limit=10"}
QUIET_SECONDS = 15
# So long nothing more is written: that was all.
STILL_SECONDS = 3
PATIENCE_SECONDS = 300
NOBODY = "nobody"


def settings():
    """Keys that tokens and cursors are made with here, and a sweep of a moment ago, so that none comes between."""
    return seed.SECRETS | {"swept_at_ms": str(int(time.time() * 1000))}


def caller(number):
    """Headers of that account, which comes from an address of its own."""
    token = seed.access_token(seed.author_id(number), int(time.time() * 1000))
    return {"Authorization": f"Bearer {token}", "X-Forwarded-For": f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"}


def call(connection, method, path, headers, content=None):
    connection.request(method, path, content, headers)
    answer = connection.getresponse()
    text = answer.read()
    if answer.status >= 300:
        raise SystemExit(f"{method} {path}: {answer.status} {text[:300]}")
    return json.loads(text) if text else None


class Reader:
    """Asks for the first page of the feed and of Following in turns, without a pause, each time as another follower."""

    def __init__(self, port, followers):
        self.port, self.followers = port, followers
        # When each answer was there, and after how many milliseconds.
        self.times = {name: [] for name in FEEDS}
        self.failure = None
        self.ends = threading.Event()
        self.thread = threading.Thread(target=self.run)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ends.set()
        self.thread.join()

    def run(self):
        try:
            self.read()
        except (Exception, SystemExit) as error:
            self.failure = error

    def read(self):
        source = random.Random(8)
        connection = HTTPConnection("127.0.0.1", self.port, timeout=30)
        while not self.ends.is_set():
            for name, path in FEEDS.items():
                headers = caller(source.randrange(1, 1 + self.followers))
                began = time.monotonic()
                call(connection, "GET", path, headers)
                ended = time.monotonic()
                self.times[name].append((ended, (ended - began) * 1000))
        connection.close()

    def percentiles(self, until):
        """The median and the 99th of a hundred, in milliseconds, of the answers that were there by then."""
        if self.failure:
            raise SystemExit(f"the feed did not answer: {self.failure}")
        found = {}
        for name, times in self.times.items():
            cuts = quantiles([ms for ended, ms in times if ended <= until], n=100, method="inclusive")
            found[name] = cuts[49], cuts[98]
        return found


class Instance:
    """A server on its database, and what the two have done so far."""

    def __init__(self, server, database, data):
        self.server, self.database, self.data = server, database, data

    def processor_seconds(self):
        """Of the server and, where it is another program, of the database."""
        return load.processor_seconds(self.server.pid), self.database.processor_seconds() if self.database else 0

    def notices(self, clip):
        """How many accounts were told of the clip, and when the first and the last were, in milliseconds since 1970."""
        query = ("SELECT COUNT(*), COALESCE(MIN(at_ms), 0), COALESCE(MAX(at_ms), 0) FROM notifications "
                 f"WHERE clip_id = '{clip}'")
        if not self.database:
            file = sqlite3.connect(self.data / "clipfeed.sqlite", timeout=30)
            row = file.execute(query).fetchone()
            file.close()
            return row
        *command, name = self.database.psql
        out = subprocess.run([*command, "-At", name], input=query + ";\n", capture_output=True, text=True, check=True)
        return tuple(map(int, out.stdout.strip().split("|")))

    def all_notices(self, clip):
        """As `notices`, as soon as no more come; when the last of them was seen, and `processor_seconds` then."""
        known, since, spent = None, 0, None
        while known is None or time.monotonic() - since < STILL_SECONDS:
            now = self.notices(clip)
            if now != known:
                known, since, spent = now, time.monotonic(), self.processor_seconds()
            time.sleep(0.5)
        return known, since, spent


def send(connection, person, file):
    """The id of an upload that has all of its bytes."""
    content, headers = file.read_bytes(), caller(person)
    new = {"size_bytes": len(content), "sha256": hashlib.sha256(content).hexdigest(), "type": "video/mp4", "details": {}}
    upload = call(
        connection, "POST", "/api/v1/uploads",
        headers | {"Content-Type": "application/json", "Idempotency-Key": f"publication-{person}"}, json.dumps(new))["id"]
    call(connection, "PATCH", f"/api/v1/uploads/{upload}",
         headers | {"Content-Type": "application/offset+octet-stream", "Upload-Offset": "0"}, content)
    return upload


def stands(connection, person, upload, clip, path):
    """When the clip is the first that a follower sees there, in milliseconds since 1970."""
    until = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < until:
        items = call(connection, "GET", path, caller(1))["items"]
        if items and items[0]["id"] == clip:
            return time.time() * 1000
        if call(connection, "GET", f"/api/v1/uploads/{upload}", caller(person))["state"] == "refused":
            raise SystemExit("the clip was refused")
        time.sleep(0.05)
    raise SystemExit(f"the clip did not come within {PATIENCE_SECONDS} s")


def cores(before, began, after, ended):
    return [(now - then) / (ended - began) for now, then in zip(after, before)]


def publish(instance, followers, person, file, path, told=1):
    """From the moment at which the upload is complete until all who are told (`told`) have been."""
    connection = HTTPConnection("127.0.0.1", instance.server.port, timeout=60)
    upload = send(connection, person, file)
    before, began = instance.processor_seconds(), time.monotonic()
    with Reader(instance.server.port, followers) as reader:
        clip = call(connection, "POST", f"/api/v1/uploads/{upload}/commit", caller(person), "")["clip"]["id"]
        stands_ms = stands(connection, person, upload, clip, path)
        (count, first_ms, last_ms), ended, after = instance.all_notices(clip)
    connection.close()
    if not count:
        raise SystemExit("whoever published was not told that the clip is there")
    if count != told:
        raise SystemExit(f"{count} have a notification of the clip instead of {told}")
    # The first is who published, in the transaction that makes the clip visible.
    return {"notices": count, "written": (last_ms - first_ms) / 1000, "stands": max(0, stands_ms - first_ms) / 1000,
            "cores": cores(before, began, after, ended), "times": reader.percentiles(until=ended)}


def quiet(instance, followers):
    before, began = instance.processor_seconds(), time.monotonic()
    with Reader(instance.server.port, followers) as reader:
        time.sleep(QUIET_SECONDS)
    ended = time.monotonic()
    return {"notices": 0, "written": None, "stands": None,
            "cores": cores(before, began, instance.processor_seconds(), ended), "times": reader.percentiles(until=ended)}


def measured(engine, followers, folder):
    """By who publishes."""
    # Files of their own, since the same content is one clip. The first is published before anything is measured, by another
    # one without followers: what a worker reads at its start is no part of it.
    warming, unfollowed, followed = sources([0, 1, 2])
    with filled.instance(engine, folder) as (database, environment, data):
        filled.fill(
            database, data / "clipfeed.sqlite", people.publication(followers), f"UPDATE feed_numbers SET last = {people.FED}",
            settings())
        server = Server(data, workers=1, environment=environment | {"CLIPFEED_PROXIES": "1"})
        instance = Instance(server, database, data)
        try:
            load.settled(server)
            publish(instance, followers, 2 + followers, warming, FEEDS["feed"])
            return {
                NOBODY: quiet(instance, followers),
                "without followers": publish(instance, followers, 1 + followers, unfollowed, FEEDS["feed"]),
                f"with {followers:,} followers": publish(instance, followers, 0, followed, FEEDS["Following"], told=1 + followers)}
        finally:
            server.stop()


def rows_of(engine, found):
    before = found[NOBODY]["times"]
    for who, figure in found.items():
        row = [engine, who, f"{figure['notices']:,}"]
        row += [f"{figure['notices'] / figure['written']:,.0f}" if figure["written"] else ""]
        row += ["" if figure[key] is None else f"{figure[key]:.2f}" for key in ("written", "stands")]
        row += [f"{cores:.2f}" for cores in figure["cores"]]
        for name, (p50, p99) in figure["times"].items():
            row += [f"{p50:.2f}", f"{p99:.2f}", "" if who == NOBODY else f"{p99 / before[name][1]:.2f}"]
        yield row


def run(options):
    rows = []
    for engine in options.engines:
        with tempfile.TemporaryDirectory(dir=options.folder, prefix="clipfeed-publication-") as folder:
            found = measured(engine, options.followers, Path(folder))
        rows += rows_of(engine, found)
        before, meanwhile = (found[who]["times"] for who in (NOBODY, f"with {options.followers:,} followers"))
        for name, (_, p99) in meanwhile.items():
            if p99 > filled.GROWTH * before[name][1]:
                say(f"missed: {engine}, {name} while somebody with {options.followers:,} followers publishes: p99 is "
                    f"{p99 / before[name][1]:.2f} times that of before")
    head = ["database", "who publishes", "notifications", "rows/s", "s until all are written", "s until it stands there", "server's cores",
            "database's cores"]
    for name in FEEDS:
        head += [f"{name} p50 ms", "p99 ms", "p99 to before"]
    print()
    print(load.table(head, rows))

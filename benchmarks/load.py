"""Requests a second and how long they take, on SQLite and on PostgreSQL, with few and with many clips, against what the
framework answers by itself in the same run (load_seed.py: what the databases hold; load.lua: what is sent)."""

import argparse
import json
import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import load_seed as seed

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "web/tests/browser"))
from clips import SERVER as SERVER_PROGRAM  # noqa: E402
from server import Server  # noqa: E402

HELLO = ROOT / "benchmarks/hello/.build/release/hello"
EVENTS = 20
HELLO_NAME = "hello, without a database"
CACHED, READ = "feed, first page, from cache", "feed, a next page, from the database"
# As parts of what hello does, and how much p99 may grow from the fewest clips to the most.
GOALS, GROWTH = {CACHED: 0.25, f"{CACHED}, gzip": 0.25, READ: 0.1}, 1.5
runs = 0


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


# MARK: What is asked for

def address(source):
    """Each viewer has one, or the limits of one address would be what is measured."""
    return f"10.{source.randrange(256)}.{source.randrange(256)}.{source.randrange(256)}"


def line(method, path, viewer, source, encoding="", clips=(), token=""):
    """`viewer`: the number of a guest; `token`: an account's instead."""
    token = seed.guest_token(seed.viewer_id(viewer)) if viewer is not None else token
    return "\t".join([method, path, token, address(source), encoding, ",".join(clips)])


def requests(clips, now_ms):
    """By what is asked for: lines for load.lua."""
    source = random.Random(3)

    def deep():
        return f"/api/v1/feed?cursor={seed.cursor(source.randrange(clips // 10, clips), now_ms)}"

    def liked():
        return f"/api/v1/clips/{seed.clip_id(seed.popular(clips, source))}/like"

    def watched():
        return [seed.clip_id(seed.popular(clips, source)) for _ in range(EVENTS)]

    feed = "/api/v1/feed"
    yield CACHED, [line("GET", feed, None, source) for _ in range(1000)]
    yield f"{CACHED}, gzip", [line("GET", feed, None, source, "gzip") for _ in range(1000)]
    yield READ, [line("GET", deep(), None, source) for _ in range(20_000)]
    yield f"{READ}, gzip", [line("GET", deep(), None, source, "gzip") for _ in range(20_000)]
    yield "feed, a viewer's, gzip", [
        line("GET", feed, source.randrange(seed.WALKERS), source, "gzip") for _ in range(4000)]
    yield "like", [line("PUT", liked(), source.randrange(clips), source) for _ in range(120_000)]
    yield f"batch of {EVENTS} events", [
        line("POST", "/api/v1/events", source.randrange(clips), source, clips=watched()) for _ in range(5000)]


def load(url, lines, seconds, options, part=0):
    """Requests a second, and milliseconds: the median and the 99th of a hundred. `part`: which quarter of the lines comes
    first, since a like is one only once."""
    global runs
    runs += 1
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("\n".join(lines) + "\n")
        file.flush()
        environment = os.environ | {
            "LOAD_REQUESTS": file.name, "LOAD_PART": str(part), "LOAD_RUN": str(runs << 16 | os.getpid() & 0xFFFF),
            "LOAD_NOW": str(int(time.time() * 1000))}
        out = subprocess.run(
            ["wrk", "-t1", f"-c{options.connections}", f"-d{seconds}s", "--timeout", "10s", "-s",
             ROOT / "benchmarks/load.lua", url], env=environment, capture_output=True, text=True)
    result = next((row.split()[1:] for row in out.stdout.splitlines() if row.startswith("RESULT")), None)
    if not result:
        sys.exit(f"wrk has not said what came out:\n{out.stdout}{out.stderr}")
    count, took_us, bad, p50_us, p99_us = map(int, result)
    if bad:
        sys.exit(f"{bad} of {count} requests went wrong, such as: {lines[0]}")
    return {"rps": count / took_us * 1e6, "p50": p50_us / 1000, "p99": p99_us / 1000}


def measure(url, lines, pid, options):
    """Medians of the rounds, and microseconds of the server's processes for a request."""
    load(url, lines, 1, options)
    before, count = processor_seconds(pid), 0
    rounds = []
    for part in range(options.rounds):
        rounds.append(load(url, lines, options.seconds, options, part + 1))
        count += rounds[-1]["rps"] * options.seconds
    figures = {name: median(one[name] for one in rounds) for name in rounds[0]}
    return figures | {"cpu_us": (processor_seconds(pid) - before) / count * 1e6}


def processor_seconds(pid):
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


# MARK: What answers

class Hello:
    def __init__(self):
        port = free_port()
        self.process = subprocess.Popen([HELLO, str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.url, self.pid = f"http://127.0.0.1:{port}", self.process.pid
        for _ in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    return
            time.sleep(0.05)
        sys.exit("the example of Hummingbird does not answer")

    def stop(self):
        self.process.terminate()
        self.process.wait()


class PostgreSQL:
    """A server of its own in that folder, as durable as it comes, with more memory than the default of 128 MB."""

    def __init__(self, folder):
        programs = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
        if not programs:
            sys.exit("PostgreSQL is missing: apt-get install postgresql-15")
        self.bin, self.port, self.data = programs[-1].parent, free_port(), folder / "postgresql"
        self.data.mkdir()
        # It does not run as root.
        self.run = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.geteuid() == 0 else []
        if self.run:
            shutil.chown(self.data, "postgres", "postgres")
            folder.chmod(0o755)
        self.call("initdb", "-D", self.data, "-U", "clipfeed", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync")
        with open(self.data / "postgresql.conf", "a") as file:
            file.write(
                f"listen_addresses = '127.0.0.1'\nport = {self.port}\nunix_socket_directories = '{self.data}'\n"
                "shared_buffers = 1GB\nmax_wal_size = 4GB\nwal_level = minimal\nmax_wal_senders = 0\n")
        self.call("pg_ctl", "-D", self.data, "-l", self.data / "log", "-s", "-w", "start")

    def call(self, program, *arguments):
        subprocess.run(
            [*self.run, self.bin / program, *arguments], check=True, cwd=self.data, stdout=subprocess.DEVNULL, timeout=120)

    @property
    def environment(self):
        return {"CLIPFEED_DATABASE": f"postgres://clipfeed@127.0.0.1:{self.port}/postgres?sslmode=disable"}

    @property
    def psql(self):
        return [*self.run, self.bin / "psql", "-h", "127.0.0.1", "-p", str(self.port), "-U", "clipfeed", "-q",
                "-v", "ON_ERROR_STOP=1", "postgres"]

    def processor_seconds(self):
        """Of all its processes, those too that have ended."""
        first, ticks = (self.data / "postmaster.pid").read_text().split()[0], 0
        for path in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = path.read_text().rsplit(")", 1)[1].split()
            except (FileNotFoundError, ProcessLookupError):
                continue
            if path.parent.name == first:
                ticks += sum(map(int, fields[11:15]))
            elif fields[1] == first:
                ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")

    def stop(self):
        self.call("pg_ctl", "-D", self.data, "-s", "-m", "immediate", "stop")


def say(text):
    print(text, file=sys.stderr, flush=True)


def settled(server):
    """Waits, an hour at most, until the server has read what it reads at its start: its ranking goes through all clips. Says how
    long that took."""
    began = time.monotonic()
    before, quiet = processor_seconds(server.pid), 0
    for _ in range(3600):
        time.sleep(1)
        now = processor_seconds(server.pid)
        quiet = quiet + 1 if now - before < 0.1 else 0
        if quiet == 3:
            say(f"  at rest {time.monotonic() - began - quiet:.0f} s after its start")
            return
        before = now
    say("the server did not come to rest")


def measured(data, environment, requests, options, each=measure):
    """Figures of a server on `data`, once it has come to rest, by what is asked for; `requests`: pairs of its name and its lines.
    `each` measures one of them."""
    # Each viewer comes from an address of its own, as the proxy of this one machine says.
    server = Server(data, environment=environment | {"CLIPFEED_PROXIES": "1"})
    figures = {}
    try:
        settled(server)
        for what, lines in requests:
            figures[what] = each(server.url, lines, server.pid, options)
            say(f"  {what}: {json.dumps({name: round(value, 2) for name, value in figures[what].items()})}")
    finally:
        server.stop()
    return figures


def cell(engine, clips, folder, options):
    """All figures of one engine with so many clips."""
    now_ms, environment, database = int(time.time() * 1000), {}, None
    data = folder / "data"
    try:
        if engine == "PostgreSQL":
            database = PostgreSQL(folder)
            environment = database.environment
        subprocess.run(
            [SERVER_PROGRAM, "migrate", "--data", data], env=os.environ | environment, check=True, stdout=subprocess.DEVNULL)
        began = time.monotonic()
        if database:
            seed.fill_postgresql(database.psql, clips, now_ms)
        else:
            seed.fill_sqlite(data / "clipfeed.sqlite", clips, now_ms)
        say(f"{engine}, {clips} clips: filled in {time.monotonic() - began:.0f} s")
        hello = Hello()
        try:
            floor = measure(hello.url, [line("GET", "/hello", None, random.Random(4))], hello.pid, options)
        finally:
            hello.stop()
        wanted = ((what, lines) for what, lines in requests(clips, now_ms) if options.only in what)
        return {HELLO_NAME: floor} | measured(data, environment, wanted, options)
    finally:
        if database:
            database.stop()


def table(head, rows):
    lines = [head, ["---"] * 3 + ["---:"] * (len(head) - 3), *rows]
    return "\n".join("| " + " | ".join(str(word) for word in line) + " |" for line in lines)


def told(figures):
    rows = []
    for (engine, clips), found in figures.items():
        fewest = figures[min(key for key in figures if key[0] == engine)]
        for what, figure in found.items():
            ratio, growth = figure["rps"] / found[HELLO_NAME]["rps"], figure["p99"] / fewest[what]["p99"]
            goal = GOALS.get(what, 0)
            rows.append([
                engine, f"{clips:,}", what, round(figure["rps"]),
                f"**{ratio:.2f}**" if goal else f"{ratio:.2f}", round(figure["cpu_us"]), f"{figure['p50']:.2f}",
                f"{figure['p99']:.2f}", "" if fewest is found or what == HELLO_NAME else f"{growth:.2f}"])
    head = ["database", "clips", "what", "requests/s", "to hello", "CPU µs", "p50 ms", "p99 ms", "p99 to the fewest"]
    return table(head, rows)


def missed(figures):
    for (engine, clips), found in figures.items():
        fewest = figures[min(key for key in figures if key[0] == engine)]
        for what, figure in found.items():
            ratio, growth = figure["rps"] / found[HELLO_NAME]["rps"], figure["p99"] / fewest[what]["p99"]
            if ratio < GOALS.get(what, 0):
                yield f"{engine}, {clips:,} clips, {what}: {ratio:.2f} of hello, the goal is {GOALS[what]}"
            if growth > GROWTH and what != HELLO_NAME:
                yield f"{engine}, {clips:,} clips, {what}: p99 has grown {growth:.2f} times, the goal is {GROWTH}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--clips", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--engines", nargs="+", default=["SQLite", "PostgreSQL"], choices=["SQLite", "PostgreSQL"])
    parser.add_argument("--only", default="", help="what has these words in its name")
    parser.add_argument("--seconds", type=int, default=2, help="of a round")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--connections", type=int, default=16)
    parser.add_argument("--folder", default="/var/tmp", help="some 12 GB are needed there with a million clips")
    parser.add_argument("--quick", action="store_true", help="a smoke run")
    options = parser.parse_args()
    if options.quick:
        options.clips, options.seconds, options.rounds = [1000, 2000], 1, 1
    figures = {}
    for engine in options.engines:
        for clips in sorted(options.clips):
            with tempfile.TemporaryDirectory(dir=options.folder, prefix="clipfeed-load-") as folder:
                figures[engine, clips] = cell(engine, clips, Path(folder), options)
    print(told(figures))
    for goal in missed(figures):
        say(f"missed: {goal}")


if __name__ == "__main__":
    main()

"""Two or more servers by turns, alive at once, each on a SQLite database of its own with the same clips: what each costs beside the
first, on a machine whose speed changes from minute to minute. `load.py` says what is asked for.

    python3 benchmarks/load_turns.py before=PROGRAM after=PROGRAM
"""

import argparse
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median, quantiles
from types import SimpleNamespace

import load
import load_seed as seed

LIKE = "like"


class Side:
    """One program, with what was measured of it."""

    def __init__(self, words, folder, clips, now_ms):
        self.name, _, program = words.partition("=")
        if not program:
            sys.exit(f"{words}: a name and a program are wanted, as in before=server/.build/release/clipfeed")
        data, port = folder / self.name, load.free_port()
        subprocess.run([program, "migrate", "--data", data], check=True, stdout=subprocess.DEVNULL)
        seed.fill_sqlite(data / "clipfeed.sqlite", clips, now_ms)
        self.log = (folder / f"{self.name}.log").open("wb")
        self.process = subprocess.Popen(
            [program, "serve", "--data", data, "--port", str(port), "--proxies", "1"], stdout=self.log, stderr=self.log)
        self.url, self.pid = f"http://127.0.0.1:{port}", self.process.pid

    def begin(self):
        load.settled(self)
        self.rounds, self.count = [], 0

    def stop(self):
        self.process.terminate()
        self.process.wait()
        self.log.close()


def lines_of(what, lines, clips, turn):
    """A like is one only once, so each turn has others."""
    if what != LIKE:
        return lines
    source = random.Random(turn)
    return [
        load.line("PUT", f"/api/v1/clips/{seed.clip_id(seed.popular(clips, source))}/like", source.randrange(clips), source)
        for _ in range(20_000)]


def measure(sides, what, lines, options):
    wrk = SimpleNamespace(connections=options.connections)
    for side in sides:
        load.load(side.url, lines_of(what, lines, options.clips, -1), 1, wrk)
        side.begin()
    before = [load.processor_seconds(side.pid) for side in sides]
    for turn in range(options.turns):
        # Each comes first as often as the others.
        for side in sides[turn % len(sides):] + sides[:turn % len(sides)]:
            figures = load.load(side.url, lines_of(what, lines, options.clips, turn), 1, wrk, turn + 1)
            side.rounds.append(figures)
            side.count += figures["rps"]
            time.sleep(0.5)
    # What is added up behind the answers counts as well.
    time.sleep(3)
    for side, start in zip(sides, before):
        side.cpu_us = (load.processor_seconds(side.pid) - start) / side.count * 1e6


def rows(sides, what):
    first = sides[0]
    for side in sides:
        ratios = {
            name: [mine[name] / its[name] for mine, its in zip(side.rounds, first.rounds)] for name in ("rps", "p99")}
        low, _, high = quantiles(ratios["rps"], n=4)
        yield [
            what, side.name, round(median(one["rps"] for one in side.rounds)),
            "" if side is first else f"{median(ratios['rps']):.2f} ({low:.2f} to {high:.2f})", round(side.cpu_us),
            "" if side is first else f"{side.cpu_us / first.cpu_us:.2f}", f"{median(one['p99'] for one in side.rounds):.1f}",
            "" if side is first else f"{median(ratios['p99']):.2f}"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("sides", nargs="+", metavar="NAME=PROGRAM")
    parser.add_argument("--clips", type=int, default=10_000)
    parser.add_argument("--only", default="", help="what has these words in its name")
    parser.add_argument("--turns", type=int, default=12, help="of a second each")
    parser.add_argument("--connections", type=int, default=16)
    parser.add_argument("--folder", default="/var/tmp")
    options = parser.parse_args()
    now_ms, out = int(time.time() * 1000), []
    with tempfile.TemporaryDirectory(dir=options.folder, prefix="clipfeed-turns-") as folder:
        sides = []
        try:
            for words in options.sides:
                sides.append(Side(words, Path(folder), options.clips, now_ms))
            for what, lines in load.requests(options.clips, now_ms):
                if options.only in what:
                    measure(sides, what, lines, options)
                    out += rows(sides, what)
        finally:
            for side in sides:
                side.stop()
    head = ["what", "server", "requests/s", "to the first (quartiles)", "CPU µs", "to the first", "p99 ms", "to the first"]
    print(load.table(head, out))


if __name__ == "__main__":
    main()

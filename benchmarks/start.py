"""From opening the page to the first moving frame, with nothing cached. See README.md."""

import argparse
from statistics import median

import common
from common import LINKS, PATIENCE_MS, adapter, browser, fresh_page, serving, table
from ledger import Ledger
from library import library

# Every answer comes a second late and nothing else is slow: what it adds, in seconds, is the number of
# round trips that wait for one another, queueing for connections included.
common.LINKS = LINKS | {"a second away": (8_000_000_000, 8_000_000_000, 1000)}


def measure(chromium, server, link, player):
    path, script = player
    with fresh_page(chromium, link, script) as (page, cdp):
        ledger = Ledger(cdp)
        page.goto(server.url + path, wait_until="commit", timeout=PATIENCE_MS)
        page.wait_for_function("() => globalThis.bench && bench.started !== null", timeout=PATIENCE_MS)
        first_frame = page.evaluate("bench.started")
        return first_frame, *ledger.until(first_frame / 1000)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--adapter", default="clipfeed")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    runs = 1 if options.quick else options.runs
    player = adapter(options.adapter)
    found = {}
    with serving(library(options.quick)) as server, browser() as chromium:
        measure(chromium, server, "unshaped", player)  # the first page of a browser also starts its processes
        for link in common.LINKS:
            all_runs = [measure(chromium, server, link, player) for _ in range(runs)]
            found[link] = [median(values) for values in zip(*all_runs)]
    rows = [[link, f"{ms:.0f}", f"{size / 1000:.0f}", f"{requests:.0f}"]
            for link, (ms, size, requests) in found.items() if link in LINKS]
    print(f"{options.adapter}, median of {runs}\n")
    print(table(["link", "first moving frame ms", "kB until then", "requests"], rows))
    trips = (found["a second away"][0] - found["unshaped"][0]) / 1000
    print(f"\nround trips one after the other: {trips:.1f}")


if __name__ == "__main__":
    main()

"""Swipes through a feed on shaped links and prints what a person would notice. See README.md."""

import argparse
import random
from statistics import median

from common import LINKS, PATIENCE_MS, adapter, browser, fresh_page, percentile, serving, table
from ledger import Ledger, account
from library import library

HEAD = ["link", "first frame p50 ms", "p95", "max", "given up", "stalls", "stalled ms",
        "media MB", "never shown", "mean short edge"]
FRAME_MS = 250  # a frame counts for the time until the next one, but not for the length of a stall


def dwells(seed, swipes):
    """Two thirds are short looks, a tenth sees the end of the clip and its loop."""
    chance = random.Random(seed)
    plan = []
    for _ in range(swipes + 1):
        kind = chance.random()
        if kind < 0.65:
            plan.append({"ms": chance.uniform(300, 2000), "toEnd": False})
        elif kind < 0.9:
            plan.append({"ms": chance.uniform(2000, 5000), "toEnd": False})
        else:
            plan.append({"ms": 500, "toEnd": True})
    return plan


def measure(chromium, server, player, link, plan):
    clips = server.feed()
    path, script = player
    with fresh_page(chromium, link, script) as (page, cdp):
        ledger = Ledger(cdp)
        page.goto(server.url + path)
        page.wait_for_function("() => bench.started !== null", timeout=PATIENCE_MS)
        durations = {clip["id"]: clip["playback"]["duration_ms"] for clip in clips}
        page.evaluate("([plan, durations]) => bench.run(plan, durations)", [plan, durations])
        page.wait_for_function("() => bench.finished", timeout=len(plan) * 40_000, polling=500)
        episodes = page.evaluate("bench.episodes")
    return figures(episodes, clips, ledger)


def figures(episodes, clips, ledger):
    swiped = episodes[1:]
    waits = [e["first"] - e["asked"] for e in swiped if e["first"] is not None]
    stalls = [gap for e in episodes for gap in e["stalls"]]
    came, useful = account(ledger.ranges(), clips, episodes)
    edges, times = 0, 0
    for episode in episodes:
        for (at, _, edge), (after, _, _) in zip(episode["frames"], episode["frames"][1:]):
            edges += edge * min(after - at, FRAME_MS)
            times += min(after - at, FRAME_MS)
    return [percentile(waits, 50), percentile(waits, 95), max(waits), len(swiped) - len(waits), len(stalls),
            sum(stalls), came / 1e6, 100 * (1 - useful / max(came, 1)), edges / max(times, 1)]


def row(link, runs):
    middle = [median(run[i] for run in runs) for i in range(len(HEAD) - 1)]
    p50, p95, longest, given_up, stalls, stalled, megabytes, wasted, edge = middle
    return [link, f"{p50:.0f}", f"{p95:.0f}", f"{longest:.0f}", f"{given_up:.0f}", f"{stalls:.0f}",
            f"{stalled:.0f}", f"{megabytes:.1f}", f"{wasted:.0f} %", f"{edge:.0f}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--adapter", default="clipfeed", help="a file of adapters/, without .js")
    parser.add_argument("--links", nargs="+", choices=LINKS, default=list(LINKS))
    parser.add_argument("--swipes", type=int, default=60)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    parser.add_argument("--quick", action="store_true", help="8 swipes on few clips: does it still run?")
    options = parser.parse_args()
    swipes = 8 if options.quick else options.swipes
    rows = []
    with serving(library(options.quick)) as server, browser() as chromium:
        for link in options.links:
            runs = []
            for seed in options.seeds:
                runs.append(measure(chromium, server, adapter(options.adapter), link, dwells(seed, swipes)))
            rows.append(row(link, runs))
            print(" · ".join(f"{name} {value}" for name, value in zip(HEAD, rows[-1])), flush=True)
    print(f"\n{options.adapter}, {swipes} swipes, seeds {options.seeds}\n\n{table(HEAD, rows)}")


if __name__ == "__main__":
    main()

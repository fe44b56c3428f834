"""Swipes through a feed on shaped links and prints what a person would notice. See README.md."""

import argparse
import random
from statistics import median

from common import LINKS, PATIENCE_MS, adapter, browser, fresh_page, percentile, serving, table
from ledger import Ledger, account
from library import library
from peers import hlsjs

HEAD = ["link", "player", "first frame p50 ms", "p95", "max", "given up", "stalls", "stalled ms",
        "media MB", "never shown MB", "mean short edge"]
FORMS = [".0f", ".0f", ".0f", ".0f", ".0f", ".0f", ".1f", ".1f", ".0f"]
GIVEN_UP_MS = 15_000  # as in probe.js
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
    # Whom nothing was shown has waited until the patience was at its end.
    waits = [GIVEN_UP_MS if e["first"] is None else e["first"] - e["asked"] for e in swiped]
    stalls = [gap for e in episodes for gap in e["stalls"]]
    came, useful = account(ledger.ranges(), clips, episodes)
    edges, times = 0, 0
    for episode in episodes:
        for (at, _, edge), (after, _, _) in zip(episode["frames"], episode["frames"][1:]):
            edges += edge * min(after - at, FRAME_MS)
            times += min(after - at, FRAME_MS)
    return [percentile(waits, 50), percentile(waits, 95), max(waits), sum(e["first"] is None for e in swiped),
            len(stalls), sum(stalls), came / 1e6, (came - useful) / 1e6, edges / max(times, 1)]


def middle(runs):
    return [median(values) for values in zip(*runs)]


def row(link, player, values):
    return [link, player] + [f"{value:{form}}" for value, form in zip(values, FORMS)]


def ratios(link, one, other):
    """How many times the other's figure ours is."""
    return [link, "ratio"] + [f"{a / b:.2f}" if b else "–" for a, b in zip(one, other)]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", nargs="+", default=["clipfeed", "hlsjs"], help="files of adapters/")
    parser.add_argument("--alone", action="store_true", help="our page only")
    parser.add_argument("--hlsjs", help="the folder of hls.js's built files")
    parser.add_argument("--links", nargs="+", choices=LINKS, default=list(LINKS))
    parser.add_argument("--swipes", type=int, default=60)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    parser.add_argument("--quick", action="store_true", help="8 swipes on few clips: does it still run?")
    options = parser.parse_args()
    swipes = 8 if options.quick else options.swipes
    players = ["clipfeed"] if options.alone else options.players
    more = hlsjs(options.hlsjs) if "hlsjs" in players else {}
    rows = []
    with serving(library(options.quick), more) as server, browser() as chromium:
        for link in options.links:
            runs = {player: [] for player in players}
            for seed in options.seeds:
                for player in players:
                    found = measure(chromium, server, adapter(player), link, dwells(seed, swipes))
                    runs[player].append(found)
                    print(" · ".join(row(link, f"{player}, seed {seed}", found)), flush=True)
            found = [middle(runs[player]) for player in players]
            rows += [row(link, player, values) for player, values in zip(players, found)]
            if len(players) == 2:
                rows.append(ratios(link, *found))
    print(f"\n{swipes} swipes, seeds {options.seeds}\n\n{table(HEAD, rows)}")


if __name__ == "__main__":
    main()

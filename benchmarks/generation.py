"""Clips from words, by the real server and a vendor that is played (vendors.py): what we add to the vendor's own time, how
right the forecast is, what waiting ones cost in memory, and how many one worker asks after. See README.md."""

import argparse
import math
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from statistics import median, quantiles

from dialects import OpenAIVideos
from generation_run import OVER, Api, Broken, Person, World, draw, joined
from load import processor_seconds, say, table
from vendors import Rules, Vendors

KEY = "sk-of-the-benchmark"
# Of one person, at once: as many as a caller may ask for without waiting.
EACH = 20
NEVER = (math.inf, math.inf)


def spread(values, digits=2):
    """Middle and 95th percentile."""
    return [f"{value:.{digits}f}" for value in (median(values), quantiles(values, n=100, method="inclusive")[94])]


# MARK: Overhead and forecast

def one(person, vendor, number):
    """Seconds of its parts, and what was said of it: pairs of seconds since it was accepted and seconds that were left."""
    wish = person.wish_at_last(f"wish {number}: a fox in the snow", f"wish-number-{number}")
    accepted, heard = time.monotonic(), []
    shown = wish
    while shown["state"] not in OVER:
        heard.append((time.monotonic() - accepted, shown.get("remaining_ms")))
        time.sleep(0.05)
        shown = person.look(wish["id"])
    whole = time.monotonic() - accepted
    if shown["state"] != "ready":
        raise Broken(f"it was not made: {shown}")
    video = list(vendor.videos.values())[-1]
    done = video.begun + video.takes
    return {
        "whole": whole, "vendor": video.takes, "ours": whole - video.takes, "turn": video.begun - accepted,
        "noticed": video.told - done, "stored": accepted + whole - video.told, "heard": heard}


def errors(runs, part):
    """By how many percent what was said behind that part of the whole differed from what it was."""
    found = []
    for run in runs:
        said = [(abs(at - part * run["whole"]), at, left) for at, left in run["heard"] if left is not None]
        if said:
            _, at, left = min(said)
            found.append(abs(left / 1000 - (run["whole"] - at)) / (run["whole"] - at) * 100)
    return found


def overhead(folder, options):
    folder.mkdir()
    clip = draw(folder, 5, "720x1280").read_bytes()
    vendor = OpenAIVideos("open", KEY, Rules(seed=options.seed, takes=(4, 8), clip=clip))
    world = World(folder, Vendors([vendor]))
    runs = []
    try:
        world.start()
        person = Person(Api(world.port), 1).join()
        for number in range(options.jobs + options.later):
            runs.append(one(person, vendor, number))
            say(f"  {number + 1} of {options.jobs + options.later}: {runs[-1]['ours']:.2f} s of {runs[-1]['whole']:.2f} s are ours")
    finally:
        world.stop()
    first, later = runs[:options.jobs], runs[options.jobs:]
    rows = [[name, len(first), "s", *spread([run[part] for run in first])] for name, part in (
        ("accepted to preview", "whole"), ("the vendor's own", "vendor"), ("**ours**", "ours"),
        ("of ours: until the vendor is asked", "turn"), ("of ours: until its end is heard", "noticed"),
        ("of ours: fetched, checked, converted", "stored"))]
    middle = median(run["whole"] for run in runs)
    hindsight = [abs(middle - run["whole"]) / run["whole"] * 100 for run in later]
    forecasts = (
        ("**error of the forecast**, when accepted", errors(later, 0)), ("error of the forecast, halfway", errors(later, 0.5)),
        ("error of the middle of all, in hindsight", hindsight))
    rows += [[name, len(found), "%", *spread(found, 0)] for name, found in forecasts if len(found) > 1]
    return table(["figure", "of", "unit", "p50", "p95"], rows)


# MARK: Waiting ones

def memory(process):
    """Megabytes of its own, and all that is resident."""
    lines = Path(f"/proc/{process.pid}/status").read_text().splitlines()
    fields = dict(line.split(":", 1) for line in lines)
    return [f"{int(fields[name].split()[0]) / 1024:.1f}" for name in ("RssAnon", "VmRSS")]


def idle(process, seconds):
    """The part of a core that it takes while nobody asks for anything."""
    before = processor_seconds(process.pid)
    time.sleep(seconds)
    return f"{(processor_seconds(process.pid) - before) / seconds * 100:.1f}"


def wait(people):
    """Everybody asks for as many as they may."""
    def of(person):
        return [
            (person, person.wish_at_last(f"wish {number}: a fox", f"wish-{person.handle}-{number}")["id"])
            for number in range(EACH)]
    with ThreadPoolExecutor(8) as pool:
        return [wish for wishes in pool.map(of, people) for wish in wishes]


def looks(wishes, count, seed):
    """Milliseconds of looking at one that waits."""
    took, source = [], Random(seed)
    for person, id in source.choices(wishes, k=count):
        began = time.monotonic()
        person.look(id)
        took.append((time.monotonic() - began) * 1000)
    return took


def waiting(folder, options):
    """The table, and the data folder, in which they wait on."""
    folder.mkdir()
    vendor = OpenAIVideos("full", KEY, Rules(takes=NEVER))
    world = World(folder, Vendors([vendor]), {"CLIPFEED_GENERATION_AT_ONCE": str(EACH)}, workers=0)
    rows = []

    def note(name, wishes):
        process = world.processes["server"]
        busy = idle(process, options.seconds)
        rows.append([name, len(wishes), "MB, %, ms", *memory(process), busy, *spread(looks(wishes, 200, options.seed))])
    try:
        world.start()
        people = joined(Api(world.port), -(-options.waiting // EACH) + 1)
        wishes = wait(people[:1])
        note("the server", wishes)
        say(f"  {len(people)} people ask for {EACH} each")
        wishes += wait(people[1:])
        note("the server", wishes)
    finally:
        world.stop()
    head = ["memory", "waiting", "unit", "of its own", "resident", "of a core, idle", "a look p50", "p95"]
    return table(head, rows), world.data


# MARK: Asking after many

def polling(folder, options, data):
    folder.mkdir()
    vendors = [OpenAIVideos(name, KEY, Rules(takes=NEVER, room=options.room)) for name in ("a", "b", "c", "d", "e")]
    world = World(folder, Vendors(vendors, ("worker",)), callers=("worker",), data=data)
    process = world.processes["worker"]

    def begun():
        return sum(len(vendor.videos) for vendor in vendors)

    def asked():
        return sum(vendor.questions for vendor in vendors)
    try:
        world.start()
        # Questions come before starts: there are more and more, until there is no time for another.
        end, last = time.monotonic() + options.warm, -1
        while time.monotonic() < end and last < begun() < options.room * len(vendors):
            last = begun()
            time.sleep(15)
            say(f"  {begun()} are at the vendors")
        at, before, spent = begun(), asked(), processor_seconds(process.pid)
        began = time.monotonic()
        time.sleep(options.seconds)
        seconds = time.monotonic() - began
        count, spent = asked() - before, processor_seconds(process.pid) - spent
        row = [
            "one worker's process", at, f"{at / OpenAIVideos.pause:.0f}", f"{count / seconds:.0f}", f"{(begun() - at) / seconds:.1f}",
            f"{spent / max(count, 1) * 1000:.2f}", f"{spent / seconds * 100:.0f}", memory(process)[0]]
    finally:
        world.stop()
    faults = world.vendors.all_faults()
    if faults:
        raise Broken(f"a vendor was spoken to as it does not want it: {faults[0]}")
    head = ["polling", "at vendors", "due a second", "asked a second", "begun a second", "CPU ms of one", "% of a core", "MB of its own"]
    return table(head, [row])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=50, help="of which the overhead is taken, and the forecast is made")
    parser.add_argument("--later", type=int, default=20, help="for which the forecast is looked at")
    parser.add_argument("--waiting", type=int, default=10_000)
    parser.add_argument("--room", type=int, default=1000, help="of each of five vendors that are asked after")
    parser.add_argument("--warm", type=int, default=300, help="seconds until questions are counted, at most")
    parser.add_argument("--seconds", type=int, default=30, help="of counting")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="a smoke run")
    options = parser.parse_args()
    if options.quick:
        options.jobs, options.later, options.waiting, options.room = 4, 3, 200, 20
        options.warm, options.seconds = 60, 5
    with tempfile.TemporaryDirectory(prefix="clipfeed-generation-", ignore_cleanup_errors=True) as folder:
        try:
            tables = [overhead(Path(folder) / "overhead", options)]
            of_waiting, data = waiting(Path(folder) / "waiting", options)
            tables += [of_waiting, polling(Path(folder) / "polling", options, data)]
        except Broken as error:
            sys.exit(f"generation: {error}")
    print("\n\n".join(tables))


if __name__ == "__main__":
    main()

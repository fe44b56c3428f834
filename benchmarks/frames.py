"""How evenly frames come while clips are swiped, the comments of one open and close, and a profile scrolls, beside a bare page
that moves in the same way. See README.md."""

import argparse
import os
import shutil
import sqlite3
import time
from collections import defaultdict
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import comments
import load_seed as seed
from common import CACHE, browser, fresh_page, percentile, serving, table
from filled import fill
from frame_trace import Tally, traced
from library import library

HERE = Path(__file__).parent
BARE = {f"bare/{file.name}": file for file in (HERE / "bare").iterdir()}
SCRIPT = (HERE / "adapters/clipfeed.js").read_text() + (HERE / "motions.js").read_text()
DATABASE = "clipfeed.sqlite"
MAKER = seed.author_id(1)
COMMENTS = 200
# The last part of the profile begins behind so many percent of its clips.
LATE = 70
TILES_IN_A_ROW = 3
# Motions in one trace, which is read whole; and those before the first one that counts.
AT_ONCE, WARM_UP = 10, 2
# So many swipes find enough in the small library, which is made in two minutes.
FEW = 5
REST_MS = 400
# A finger: where it comes down, px in a window 640 px high, and how fast it goes, px/s. It lets go while it moves.
LOW, HIGH, SWIPE_PX, FLICK_PX, SPEED = 470, 170, 320, 400, 2000
# Between two moves, at least: more often than a frame.
MOVE_S = 0.008

HEAD = ["motion", "page", "frames", "p50 ms", "p95 ms", "longest ms", "over 16.7 ms %", "over 33 ms %", "dropped %",
        "incomplete %", "long tasks", "longest task ms"]
# The motion's name in motions.js, and which motion of the bare page stands beside it.
ROWS = [
    ("drag", "feed, under the finger", "drag"), ("settle", "feed, settling", "settle"), ("open", "comments open", "open"),
    ("close", "comments close", "close"), ("first", "profile, from its top", "down"),
    ("late", f"profile, behind {LATE} % of it", "down"), ("up", "profile, upwards from its end", "up")]


# MARK: What is served

@contextmanager
def copy_of(data):
    """A library with a database of its own; the files of its clips are the same."""
    with TemporaryDirectory(dir=CACHE, prefix="frames-") as folder:
        def take(source, target):
            part = Path(source).relative_to(data).parts[0]
            (os.link if part in ("media", "sources") else shutil.copy2)(source, target)

        yield Path(shutil.copytree(data, Path(folder) / "data", copy_function=take))


def selected(data, statement, values=()):
    with closing(sqlite3.connect(data / DATABASE)) as database:
        return database.execute(statement, values).fetchall()


def add_comments(data):
    """To the newest clip, whose id is answered."""
    [(clip,)] = selected(data, "SELECT id FROM clips WHERE state = 'ready' ORDER BY published_number DESC LIMIT 1")
    fill(None, data / DATABASE, [
        ("authors", "id handle name created_at_ms", seed.authors(20 * (COMMENTS + 1))),
        ("comments", comments.COLUMNS, comments.rows_of(COMMENTS, clip)),
    ], f"INSERT INTO clip_totals (clip_id, likes, comments, shares, views) VALUES ('{clip}', 0, {COMMENTS}, 0, 0) "
       f"ON CONFLICT (clip_id) DO UPDATE SET comments = {COMMENTS}")
    return clip


def add_clips(data, count):
    """So many of one author, played from the files of the library: each of its posters is shown by many."""
    models = selected(
        data, "SELECT id, poster, playback, duration_ms, width, height FROM clips WHERE state = 'ready' ORDER BY id")
    blobs = defaultdict(list)
    for clip, name in selected(data, "SELECT clip_id, name FROM clip_blobs WHERE unused_since_ms IS NULL"):
        blobs[clip].append(name)
    [(last,)] = selected(data, "SELECT MAX(published_number) FROM clips")
    numbered = [(number, models[number % len(models)]) for number in range(1, count + 1)]
    fill(None, data / DATABASE, [
        ("authors", "id handle name created_at_ms", [(MAKER, "maker", "Maker", seed.BEGAN_MS)]),
        ("clips", "id author_id caption source_hash state created_at_ms published_number duration_ms width height poster playback "
         "visibility tags", [
             (seed.clip_id(number), MAKER, f"clip {number}", seed.hashes(number, 1)[0], "ready", seed.BEGAN_MS + number,
              last + number, duration, width, height, poster, playback, "public", "")
             for number, (_, poster, playback, duration, width, height) in numbered]),
        ("clip_blobs", "clip_id name", [
            (seed.clip_id(number), name) for number, (model, *_) in numbered for name in blobs[model]]),
    ], f"UPDATE feed_numbers SET last = {last + count} WHERE name = 'published'")


# MARK: What is done

@contextmanager
def opened(chromium, address):
    with fresh_page(chromium, "unshaped", SCRIPT, has_touch=True) as (page, cdp):
        page.goto(address)
        yield page, cdp


def ready(page):
    """Our feed plays, and all that comes behind its first clip is there."""
    page.evaluate("motions.playing(null)")
    page.wait_for_selector("#messages[data-access]", state="attached")
    page.wait_for_timeout(1000)


def touched(page, cdp, motion, start, distance):
    """A finger that moves so many px, downwards if positive. The browser makes its events, and not this program, which would be
    late for some. Answers what the motion does."""
    page.evaluate("([name, ...values]) => { motions.pending = motions[name](...values); }", motion)
    cdp.send("Input.synthesizeScrollGesture", {
        "x": 120, "y": start, "yDistance": distance, "speed": SPEED, "gestureSourceType": "touch", "preventFling": False})
    return page.evaluate("() => motions.pending")


def scrolled(page, cdp, name, start, distance):
    """The same for what the browser itself scrolls, which it does not for the fingers that it makes: each move is where the finger is
    by the clock, so a late one goes further."""
    page.evaluate("(name) => { motions.pending = motions.scroll(name); }", name)

    def touch(kind, *points):
        cdp.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": 120, "y": y} for y in points]})
    touch("touchStart", start)
    began, lasts = time.monotonic(), abs(distance) / SPEED
    while (passed := time.monotonic() - began) < lasts:
        touch("touchMove", start + distance * passed / lasts)
        time.sleep(MOVE_S)
    touch("touchMove", start + distance)
    touch("touchEnd")
    page.evaluate("() => motions.pending")


def record(chromium, page, tallies, count, move):
    page.evaluate("motions.forget()")
    for first in range(0, count, AT_ONCE):
        with traced(chromium, tallies):
            for _ in range(first, min(first + AT_ONCE, count)):
                move()
    for span in page.evaluate("motions.spans()"):
        tallies[span["name"]].tasks += span["tasks"]
        tallies[span["name"]].waits.append(span["waited"])


def swipes(chromium, address, count, tallies, lengths=None):
    """Answers how long each took to settle; the bare page settles as long as `lengths` say."""
    settled = []
    with opened(chromium, address) as (page, cdp):
        if lengths:
            page.evaluate("(lengths) => { bare.lengths = lengths; }", lengths)
        else:
            ready(page)

        def swipe():
            before = page.evaluate("adapter.clip()")
            settled.append(touched(page, cdp, ["swipe"], LOW, -SWIPE_PX))
            if not lengths:
                page.evaluate("(before) => motions.playing(before)", before)
            page.wait_for_timeout(REST_MS)

        for _ in range(WARM_UP):
            swipe()
        record(chromium, page, tallies, count, swipe)
    return settled


def sheet(chromium, address, count, tallies, is_bare=False):
    with opened(chromium, address) as (page, _):
        if not is_bare:
            ready(page)

        def turn():
            for motion in ("open", "close"):
                page.evaluate(f"motions.{motion}()")
                page.wait_for_timeout(REST_MS)

        for _ in range(WARM_UP):
            turn()
        record(chromium, page, tallies, count, turn)


def flicks(chromium, page, cdp, name, count, tallies, is_up=False):
    start, distance = (HIGH, FLICK_PX) if is_up else (LOW, -FLICK_PX)

    def flick():
        scrolled(page, cdp, name, start, distance)
        page.wait_for_timeout(REST_MS)

    page.wait_for_timeout(1000)
    record(chromium, page, tallies, count, flick)


def profile(chromium, address, clips, count, tallies):
    with opened(chromium, address) as (page, cdp):
        page.wait_for_selector(".tile")
        flicks(chromium, page, cdp, "first", count, tallies)
        page.evaluate("(clips) => motions.fill(clips)", clips * LATE // 100)
        flicks(chromium, page, cdp, "late", count, tallies)
        page.evaluate("(clips) => motions.fill(clips)", clips)
        flicks(chromium, page, cdp, "up", count, tallies, is_up=True)


def bare_list(chromium, address, count, tallies):
    with opened(chromium, address) as (page, cdp):
        page.wait_for_selector(".middle")
        flicks(chromium, page, cdp, "down", count, tallies)
        page.evaluate("motions.toEnd()")
        flicks(chromium, page, cdp, "up", count, tallies, is_up=True)


# MARK: What came out

def row(label, page, tally):
    def share(part, whole):
        return f"{100 * part / max(whole, 1):.1f}"

    late, later = (sum(step > most for step in tally.steps) for most in (1, 2))
    return [label, page, tally.frames, *(f"{percentile(tally.intervals, part):.1f}" for part in (50, 95, 100)),
            share(late, len(tally.steps)), share(later, len(tally.steps)), share(tally.dropped, tally.wanted),
            share(tally.incomplete, tally.frames), len(tally.tasks), f"{max(tally.tasks, default=0):.0f}"]


def rows_of(ours, floor):
    for name, label, beside in ROWS:
        yield row(label, "clipfeed", ours[name])
        yield row("", "bare", floor[beside])


def waits_of(ours, floor):
    for name, label, beside in ROWS:
        if name in ("open", "close"):
            for page, tally in (("clipfeed", ours[name]), ("bare", floor[beside])):
                yield [label, page, *(f"{percentile(tally.waits, part):.0f}" for part in (50, 95))]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--swipes", type=int, default=30, help=f"at most 60: the library has 64 clips; for {FEW} ten are enough")
    parser.add_argument("--openings", type=int, default=20)
    parser.add_argument("--flicks", type=int, default=30, help="in each part of the profile")
    parser.add_argument("--clips", type=int, default=5000, help="of the profile")
    parser.add_argument("--quick", action="store_true", help="few of each: does it still run?")
    options = parser.parse_args()
    if options.quick:
        options.swipes, options.openings, options.flicks, options.clips = 4, 3, 4, 1000
    source = library(options.swipes <= FEW)
    ours, floor = defaultdict(Tally), defaultdict(Tally)
    with browser() as chromium:
        with copy_of(source) as data:
            clip = add_comments(data)
            with serving(data, BARE) as server:
                bare = f"{server.url}/bare/bare.html"
                lengths = swipes(chromium, server.url, options.swipes, ours)
                swipes(chromium, bare, options.swipes, floor, lengths)
                print("swiped", flush=True)
                sheet(chromium, f"{server.url}/c/{clip}", options.openings, ours)
                sheet(chromium, bare, options.openings, floor, is_bare=True)
                print("comments opened and closed", flush=True)
        with copy_of(source) as data:
            add_clips(data, options.clips)
            with serving(data, BARE) as server:
                rows = -(-options.clips // TILES_IN_A_ROW)
                profile(chromium, f"{server.url}/#profile/maker", options.clips, options.flicks, ours)
                bare_list(chromium, f"{server.url}/bare/bare.html#list={rows}", options.flicks, floor)
        print(f"\nChromium {chromium.version}\n")
    print(table(HEAD, rows_of(ours, floor)))
    print(f"\n{table(['from the tap until it moves', 'page', 'p50 ms', 'p95 ms'], waits_of(ours, floor))}")


if __name__ == "__main__":
    main()

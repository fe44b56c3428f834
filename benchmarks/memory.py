"""A long session: what the page holds after 100, 500 and 1,000 swipes. See README.md."""

import argparse
import base64
import json
import random
import sys
from urllib.parse import parse_qs, urlsplit

from common import PATIENCE_MS, adapter, browser, fresh_page, serving, table
from library import library

HEAD = ["swipes", "stored MB", "buffered MB", "video elements", "core pages of 64 KiB", "nodes", "listeners",
        "heap MB"]
# What must not be exceeded; of each, how much more than at the first look counts as growth.
LIMITS = {"stored MB": 64, "buffered MB": 48, "video elements": 3, "core pages of 64 KiB": 64}
GROWTH = {"stored MB": 1.5, "buffered MB": 2, "video elements": 1, "core pages of 64 KiB": 1}
PAGE = """() => ({ stored: clipfeed.storedBytes() / 1e6, buffered: clipfeed.bufferedBytes() / 1e6,
  videos: document.querySelectorAll('video').length, pages: clipfeed.corePages() })"""
# Swipes until `count` more have been made: each as soon as the clip moves and its dwell is over; every
# tenth one goes back. Looks at the bytes at each, since the largest number counts.
SWIPE = """async ([count, dwells]) => {
  const most = { stored: 0, buffered: 0 };
  const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  for (let i = 0; i < count; i += 1) {
    const before = adapter.clip();
    const key = i % 10 === 7 ? 'ArrowUp' : 'ArrowDown';
    document.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    for (let waited = 0; waited < 5000; waited += 20) {
      await wait(20);
      const video = adapter.clip() !== before && adapter.video();
      if (video && !video.paused && video.currentTime > 0.03) break;
    }
    await wait(dwells[i % dwells.length]);
    most.stored = Math.max(most.stored, clipfeed.storedBytes() / 1e6);
    most.buffered = Math.max(most.buffered, clipfeed.bufferedBytes() / 1e6);
  }
  return most;
}"""


def endless(cdp, clips, url):
    """Answers the pages of the feed with the library's clips over and over, each time with ids of their own."""
    def answer(event):
        query = parse_qs(urlsplit(event["request"]["url"]).query)
        first = int(query.get("cursor", ["0"])[0])
        last = first + int(query["limit"][0])
        items = [clips[n % len(clips)] | {"id": f"{clips[n % len(clips)]['id']}-{n}"} for n in range(first, last)]
        body = json.dumps({"items": items, "next_cursor": str(last)}).encode()
        cdp.send("Fetch.fulfillRequest", {
            "requestId": event["requestId"], "responseCode": 200, "body": base64.b64encode(body).decode(),
            "responseHeaders": [{"name": "Content-Type", "value": "application/json"}]})
    cdp.on("Fetch.requestPaused", answer)
    cdp.send("Fetch.enable", {"patterns": [{"urlPattern": f"{url}/api/v1/feed*"}]})


def look(page, cdp, most):
    cdp.send("HeapProfiler.collectGarbage")
    metrics = {m["name"]: m["value"] for m in cdp.send("Performance.getMetrics")["metrics"]}
    facts = page.evaluate(PAGE)
    return [max(most["stored"], facts["stored"]), max(most["buffered"], facts["buffered"]), facts["videos"],
            facts["pages"], metrics["Nodes"], metrics["JSEventListeners"], metrics["JSHeapUsedSize"] / 1e6]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--at", type=int, nargs="+", default=[100, 200, 500, 1000])
    parser.add_argument("--quick", action="store_true", help="20 swipes: does it still run?")
    options = parser.parse_args()
    marks = [10, 20] if options.quick else options.at
    chance = random.Random(1)
    dwells = [chance.choice([50, 200, 200, 400, 1500]) for _ in range(97)]
    looks = []
    with serving(library(options.quick)) as server, browser() as chromium:
        path, script = adapter("clipfeed")
        with fresh_page(chromium, "unshaped", script) as (page, cdp):
            cdp.send("Performance.enable")
            endless(cdp, server.feed(), server.url)
            page.goto(server.url + path)
            page.wait_for_function("() => bench.started !== null", timeout=PATIENCE_MS)
            page.set_default_timeout(0)
            for before, mark in zip([0] + marks, marks):
                looks.append(look(page, cdp, page.evaluate(SWIPE, [mark - before, dwells])))
                print(mark, looks[-1], flush=True)
    rows = [[mark, *(f"{value:.1f}" if isinstance(value, float) else value for value in facts)]
            for mark, facts in zip(marks, looks)]
    print(f"\n{table(HEAD, rows)}\n")
    sys.exit("\n".join(complaints(looks)) or 0)


def complaints(looks):
    for name, limit in LIMITS.items():
        column = [facts[HEAD.index(name) - 1] for facts in looks]
        if max(column) > limit:
            yield f"{name}: {max(column):.1f} is more than {limit}"
        if max(column) > GROWTH[name] * column[0]:
            yield f"{name}: grows from {column[0]:.1f} to {max(column):.1f}"


if __name__ == "__main__":
    main()

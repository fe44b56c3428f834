"""What the page tells of what is watched when it is closed, and of whom it tells nothing."""

import json
import time
import urllib.request
import uuid

import pytest

from viewer import PATIENCE

# What is behind an import or a load that the page began before goes on after it.
LOADED = """async () => {
  if (!performance.getEntriesByType('resource').some(({ name }) => name.includes('/watching/watching.js'))) return false;
  await import('/app/watching/watching.js');
  await (await import('/app/activity/activity.js')).loadActivity();
  return true;
}"""


def await_loaded(viewer):
    # NB: what waits for a function takes a promise for a yes.
    viewer.until(lambda: viewer.page.evaluate(LOADED), "what tells of what is watched")


def eventually(viewer, look):
    end = time.monotonic() + PATIENCE
    while not look() and time.monotonic() < end:
        # What the page reports is heard meanwhile.
        viewer.page.wait_for_timeout(100)
    assert look()


def feed_of(viewer):
    """The feed as the server tells it to this browser, with its cookies."""
    answer = viewer.page.context.request.get(f"{viewer.server.url}/api/v1/feed?limit=10")
    return [clip["id"] for clip in answer.json()["items"]]


def test_a_page_that_is_closed_still_tells(open_page, own_server):
    feed = own_server.feed()
    viewer = open_page(own_server, watched=True)
    viewer.expect_playing(feed[0])
    await_loaded(viewer)
    # Before its first batch is due.
    viewer.page.goto("about:blank")
    eventually(viewer, lambda: feed_of(viewer)[-1] == feed[0]["id"])


@pytest.mark.parametrize("wish", ["globalPrivacyControl", "doNotTrack"])
def test_who_does_not_want_to_be_followed_is_not(open_page, own_server, wish):
    value = "true" if wish == "globalPrivacyControl" else "'1'"
    viewer = open_page(
        own_server, watched=True, script=f"Object.defineProperty(navigator, '{wish}', {{ value: {value} }})")
    told = []
    viewer.page.on("request", lambda request: told.append(request.url) if request.url.endswith("/events") else None)
    feed = own_server.feed()
    viewer.expect_playing(feed[0])
    viewer.press("ArrowDown")
    viewer.expect_playing(feed[1])
    await_loaded(viewer)
    # The page that goes would tell what it has.
    viewer.page.goto("about:blank")
    viewer.page.wait_for_timeout(500)
    assert not told
    assert not viewer.page.context.cookies()
    assert feed_of(viewer) == [clip["id"] for clip in feed]


# What the core is told of how long people stay, by its own door: item, count, shares.
HEARD = """(() => {
  window.heard = [];
  const instantiate = WebAssembly.instantiateStreaming;
  WebAssembly.instantiateStreaming = async (...arguments_) => {
    const { instance } = await instantiate.apply(WebAssembly, arguments_);
    const core = instance.exports;
    if (!core.session_handle) return { instance };
    let at = 0;
    const exports = { ...core,
      session_reserve: (words) => (at = core.session_reserve(words)),
      session_handle: (words, now) => {
        const event = new BigInt64Array(core.memory.buffer, at, words);
        if (event[0] === 8n) window.heard.push(Array.from(event.slice(1), Number));
        return core.session_handle(words, now);
      } };
    return { instance: { exports } };
  };
})()"""


def leave(server, clip, watched_ms):
    """Somebody whom the server has never seen starts the clip and goes on."""
    now = round(time.time() * 1000)
    send(server, [{"id": str(uuid.uuid4()), "kind": "skip", "clip_id": clip["id"], "at_ms": now, "watched_ms": watched_ms}])


def send(server, events):
    """By somebody without a cookie."""
    request = urllib.request.Request(
        f"{server.url}/api/v1/events", data=json.dumps({"events": events}).encode(),
        headers={"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=10) as answer:
        assert json.load(answer)["accepted"] == len(events)


def test_how_long_others_stayed_with_a_clip_comes_to_the_core(open_page, own_server):
    clip, other = own_server.feed()[:2]
    # No more than a curve takes (RetentionTally.swift): with more, one might be made of the first of them, and another one later.
    for viewer in range(30):
        leave(own_server, clip, 300 if viewer < 20 else 1700)
    end = time.monotonic() + PATIENCE
    while "retention" not in own_server.feed()[0]["playback"] and time.monotonic() < end:
        time.sleep(0.2)
    known = own_server.feed()[0]["playback"]
    assert known["retention"][0] == 1_000_000 and 150_000 < known["retention"][1] < 400_000
    assert known["retention_version"] == 1
    viewer = open_page(own_server, script=HEARD)
    viewer.expect_playing(clip)
    assert viewer.page.evaluate("heard") == [[0, len(known["retention"]), *known["retention"]]]
    # It plays on, and the next one too, of which nothing is known.
    viewer.press("ArrowDown")
    viewer.expect_playing(other)

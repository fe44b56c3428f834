"""What the page tells of what is watched when it is closed, and of whom it tells nothing."""

import time

import pytest

from viewer import PATIENCE

LOADED = """() => performance.getEntriesByType('resource').some(({ name }) => name.includes('/watching/visit.js'))"""


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
    viewer.page.wait_for_function(LOADED)
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
    viewer.page.wait_for_function(LOADED)
    # The page that goes would tell what it has.
    viewer.page.goto("about:blank")
    viewer.page.wait_for_timeout(500)
    assert not told
    assert not viewer.page.context.cookies()
    assert feed_of(viewer) == [clip["id"] for clip in feed]

"""`/?manifest=`: a list of streams as a feed to look at."""

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from test_offline import NOTE_NOTICES, told

pytestmark = pytest.mark.long


def open_list(viewer, answer, address="/list.json"):
    """The page with this list, which this server does not have."""
    viewer.page.route(lambda url: urlsplit(url).path == "/list.json", lambda route: route.fulfill(json=answer))
    # What the page before still asks for is not this one's.
    viewer.page.goto("about:blank")
    viewer.asked = []
    viewer.page.on("request", lambda request: viewer.asked.append(request.url.removeprefix(viewer.server.url)))
    viewer.page.goto(f"{viewer.server.url}/?manifest={address}")


def test_a_list_of_streams_is_a_feed_to_look_at(open_page, small_server):
    viewer = open_page(small_server)
    clips = small_server.feed()
    streams = [clip["playback"]["hls_url"] for clip in clips]
    open_list(viewer, {"videos": [{"url": streams[2], "caption": "The #third"}, "/media/none.m3u8", streams[0]]})
    viewer.expect_playing(clips[2] | {"id": "foreign-0"})
    expect(viewer.page.locator(".page[aria-current] .caption")).to_have_text("The #third")
    # Nothing can be done with what is no clip here, and nothing of it is told.
    expect(viewer.page.locator(".page[aria-current] .rail")).to_be_hidden()
    viewer.tap(180, 300, times=2)
    viewer.press("l")
    viewer.press("ArrowDown")
    viewer.expect_playing(clips[0] | {"id": "foreign-2"})
    viewer.press("ArrowUp")
    viewer.expect_playing(clips[2] | {"id": "foreign-0"})
    told = [path for path in viewer.asked if path.startswith("/api/") and path != "/api/v1/feed?tab=for_you&limit=5"]
    assert not [path for path in told if "/clips/" in path or "events" in path or "comments" in path], told
    assert not [path for path in viewer.asked if "/app/social/" in path or "/app/messages/" in path]


def test_lists_of_other_sites_are_not_fetched(open_page, small_server):
    viewer = open_page(small_server, script=NOTE_NOTICES)
    open_list(viewer, [], "https://lists.example.org/list.json")
    told(viewer, "Only streams of this site play here.")
    assert not [path for path in viewer.asked if path.startswith("https://lists.example.org")]
    open_list(viewer, ["https://streams.example.org/a.m3u8"])
    told(viewer, "Stream 1 of the list cannot be played here.")
    assert not [path for path in viewer.asked if path.startswith("https://streams.example.org")]

"""Tags are links: in the caption, below it, and the page that they lead to."""

import sqlite3

import pytest
from playwright.sync_api import expect

from server import Server
from viewer import PLAYING

pytestmark = pytest.mark.long

CAPTION = "<b>Dusk</b> at the #Pier, #日本 &amp;"


@pytest.fixture
def tagged(own_data):
    """A server whose clips all say this, and have tags besides."""
    with sqlite3.connect(own_data / "clipfeed.sqlite") as database:
        database.execute("UPDATE clips SET caption = ?, tags = 'pier 日本 dawn'", [CAPTION])
        for tag in ("pier", "日本", "dawn"):
            database.execute("INSERT INTO clip_tags (tag, clip_id) SELECT ?, id FROM clips", [tag])
    server = Server(own_data)
    yield server
    server.stop()


def test_tags_of_a_clip_are_links_to_a_page_of_their_clips(open_page, tagged):
    viewer = open_page(tagged)
    current = viewer.page.locator(".page[aria-current]")
    links = current.locator(".texts a:not(.to-profile)")
    expect(links).to_have_text(["#Pier", "#日本", "#dawn"])
    expect(current.locator(".caption")).to_have_text(CAPTION)
    assert links.evaluate_all("(all) => all.map((link) => [decodeURI(link.pathname), link.dir])") == [
        ["/t/Pier", "auto"], ["/t/日本", "auto"], ["/t/dawn", "auto"]]
    # The Tab key finds those of the clip on the screen, and no others.
    assert links.evaluate_all("(all) => all.map((link) => link.tabIndex)") == [0, 0, 0]
    others = viewer.page.locator(".page:not([aria-current]) .texts a:not(.to-profile)")
    expect(others.first).to_be_attached()
    assert set(others.evaluate_all("(all) => all.map((link) => link.tabIndex)")) == {-1}
    # Keys come with the first clip.
    viewer.expect_playing()
    viewer.press("ArrowDown")
    viewer.page.wait_for_function(PLAYING, arg=tagged.feed()[1]["id"])
    expect(links).to_have_text(["#Pier", "#日本", "#dawn"])
    assert links.first.evaluate("(link) => link.tabIndex") == 0
    links.nth(1).click()
    viewer.page.wait_for_url("**/t/*")
    expect(viewer.page.get_by_role("heading")).to_have_text("#日本")
    clips = viewer.page.locator("#tagged li a")
    expect(clips).to_have_count(4)
    expect(clips.first.locator("b")).to_have_text(CAPTION)
    viewer.page.wait_for_function("() => [...document.images].every((image) => image.complete && image.naturalWidth)")
    clip = clips.first.get_attribute("href")
    clips.first.click()
    viewer.page.wait_for_url("**/c/*")
    viewer.page.wait_for_function(PLAYING, arg=clip.split("/")[-1])
    assert not viewer.complaints

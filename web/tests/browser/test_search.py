"""Searching: suggestions, what is found, the feed that it opens, and the way back."""

import json
import sqlite3
import urllib.parse
import urllib.request

import pytest
from playwright.sync_api import expect

from server import Server
from test_account import arrive, sign_up
from test_tabs import open_address
from viewer import PLAYING

pytestmark = pytest.mark.long

CAPTIONS = ["Harbour before dawn", "Harbour at dusk #pier", "Café by the pier", "Nothing of that"]


@pytest.fixture
def harbour(own_data):
    """A server whose clips say these."""
    with sqlite3.connect(own_data / "clipfeed.sqlite") as database:
        clips = [row[0] for row in database.execute("SELECT id FROM clips ORDER BY published_number")]
        for clip, caption in zip(clips, CAPTIONS):
            database.execute("UPDATE clips SET caption = ?, tags = ? WHERE id = ?", [caption, "pier" if "#" in caption else "", clip])
        # What was there before the index is taken up at the start.
        if database.execute("SELECT 1 FROM sqlite_master WHERE name = 'search_backlog'").fetchone():
            database.executemany("INSERT OR IGNORE INTO search_backlog (kind, id) VALUES ('clip', ?)", [[clip] for clip in clips])
    server = Server(own_data)
    server.clips = dict(zip(CAPTIONS, clips))
    yield server
    server.stop()


@pytest.fixture
def viewer(open_page, harbour):
    viewer = arrive(open_page(harbour))
    # One word of each: they are taken up one behind the other, in an order of the index's own.
    viewer.until(lambda: all(found(harbour, "clips", word) for word in ["dawn", "dusk", "café", "nothing"]), "all clips in the index")
    return viewer


def found(server, tab, text):
    address = f"{server.url}/api/v1/search/{tab}?q={urllib.parse.quote(text)}"
    with urllib.request.urlopen(address, timeout=10) as answer:
        return json.load(answer)["items"]


def screen(viewer):
    return viewer.page.get_by_role("dialog", name="Search", exact=True)


def field(viewer):
    return viewer.page.get_by_role("combobox", name="Search")


def options(viewer):
    return viewer.page.get_by_role("option")


def tiles(viewer):
    return screen(viewer).get_by_role("list", name="Clips").get_by_role("button")


def ask(viewer, text):
    if not screen(viewer).is_visible():
        viewer.press("/")
    field(viewer).fill(text)
    viewer.press("Enter")


def test_suggestions_are_gone_through_with_the_arrows(viewer):
    viewer.page.get_by_role("button", name="Search", exact=True).click()
    expect(field(viewer)).to_be_focused()
    assert viewer.page.evaluate("location.hash") == "#search"
    # At once: letter by letter, suggestions for both would take the place of those for the first, and of what is chosen there.
    field(viewer).fill("pi")
    expect(options(viewer).first).to_contain_text("#pier")
    expect(field(viewer)).to_have_attribute("aria-expanded", "true")
    viewer.press("ArrowDown")
    first = options(viewer).first
    expect(first).to_have_attribute("aria-selected", "true")
    expect(field(viewer)).to_have_attribute("aria-activedescendant", first.get_attribute("id"))
    expect(field(viewer)).to_be_focused()
    viewer.press("ArrowUp")
    assert field(viewer).get_attribute("aria-activedescendant") is None
    # Escape closes the list, and only then the search.
    viewer.press("Escape")
    expect(options(viewer)).to_have_count(0)
    expect(screen(viewer)).to_be_visible()
    field(viewer).press_sequentially("e")
    expect(options(viewer).first).to_contain_text("#pier")
    viewer.press("ArrowDown")
    viewer.press("Enter")
    expect(tiles(viewer)).to_have_count(2)
    assert viewer.page.evaluate("decodeURIComponent(location.hash)") == "#search/clips/#pier"
    viewer.press("Escape")
    expect(screen(viewer)).to_have_count(0)
    assert viewer.page.evaluate("location.hash") == ""
    assert not viewer.complaints


def clip_of(tile, harbour):
    """The id of the clip that a tile shows."""
    text = tile.text_content()
    return next(clip for caption, clip in harbour.clips.items() if caption.split(" #")[0] in text)


def test_what_is_found_opens_the_feed_right_there_and_is_come_back_to(viewer, harbour):
    ask(viewer, "harbuor")
    expect(tiles(viewer)).to_have_count(2)
    expect(tiles(viewer).first).to_have_attribute("aria-description", "0 views")
    # Which of the two was published first is for the workers to say.
    first, second = (clip_of(tiles(viewer).nth(place), harbour) for place in (0, 1))
    tiles(viewer).nth(1).click()
    expect(screen(viewer)).to_have_count(0)
    viewer.page.wait_for_function(PLAYING, arg=second)
    back = viewer.page.get_by_role("button", name="Back to what was found")
    expect(back).to_be_visible()
    back.click()
    expect(tiles(viewer)).to_have_count(2)
    expect(tiles(viewer).nth(1)).to_be_focused()
    expect(back).to_have_count(0)
    # The feed goes on with what stands behind it.
    tiles(viewer).first.click()
    viewer.page.wait_for_function(PLAYING, arg=first)
    viewer.page.go_back()
    expect(tiles(viewer).first).to_be_focused()
    viewer.page.go_back()
    expect(screen(viewer)).to_have_count(0)
    expect(viewer.page.get_by_role("button", name="Back to what was found")).to_have_count(0)
    assert not viewer.complaints


def test_the_address_is_what_was_asked(viewer):
    ask(viewer, "cafe pier")
    expect(tiles(viewer)).to_have_count(1)
    viewer.page.reload()
    expect(tiles(viewer)).to_have_count(1)
    expect(field(viewer)).to_have_value("cafe pier")
    viewer.page.go_back()
    expect(screen(viewer)).to_have_count(0)


def test_people_and_tags_have_tabs(viewer, open_page, harbour):
    sign_up(arrive(open_page(harbour)), "harbourmaster")
    ask(viewer, "harbour")
    tabs = screen(viewer).get_by_role("tab")
    expect(tabs).to_have_text(["Clips", "People", "Tags", "Sounds"])
    expect(tiles(viewer)).to_have_count(2)
    tabs.first.focus()
    # With another key they are the browser's: this one goes back a page.
    viewer.press("Alt+ArrowRight")
    expect(tabs.first).to_have_attribute("aria-selected", "true")
    viewer.press("ArrowRight")
    expect(tabs.nth(1)).to_be_focused()
    expect(tabs.nth(1)).to_have_attribute("aria-selected", "true")
    people = screen(viewer).get_by_role("list", name="People").get_by_role("listitem")
    expect(people).to_contain_text(["@harbourmaster0 followers"])
    follow = people.get_by_role("button", name="Follow Harbourmaster")
    expect(follow).to_have_text("Follow")
    follow.click()
    expect(follow).to_have_text("Following")
    assert viewer.page.evaluate("location.hash") == "#search/people/harbour"
    ask(viewer, "pier")
    tabs.nth(2).click()
    tag = screen(viewer).get_by_role("list", name="Tags").get_by_role("button")
    expect(tag).to_have_text(["#pier1 clip"])
    tag.click()
    expect(tiles(viewer)).to_have_count(2)
    assert not viewer.complaints


def test_nothing_found_says_what_to_try(viewer):
    ask(viewer, "zeppelin")
    none = screen(viewer).locator(".none:visible")
    expect(none).to_contain_text("Nothing found for “zeppelin”.")
    none.get_by_role("button", name="Look for people").click()
    expect(screen(viewer).get_by_role("tab", name="People")).to_have_attribute("aria-selected", "true")
    # Whatever somebody types is shown as text.
    ask(viewer, "<img src=x onerror=alert(1)>")
    expect(screen(viewer).locator(".none:visible")).to_contain_text("<img src=x onerror=alert(1)>")
    assert not viewer.complaints


def test_what_was_looked_for_is_kept_here_until_it_is_removed(viewer):
    for text in ["harbour", "pier", "Harbour", "cafe"]:
        ask(viewer, text)
        expect(tiles(viewer).first).to_be_visible()
    screen(viewer).get_by_role("button", name="Clear").click()
    rows = screen(viewer).get_by_role("region", name="Recent").get_by_role("listitem")
    expect(rows).to_have_text(["cafe✕", "Harbour✕", "pier✕"])
    screen(viewer).get_by_role("button", name="Remove Harbour").click()
    expect(rows).to_have_text(["cafe✕", "pier✕"])
    expect(screen(viewer).get_by_role("button", name="Remove pier")).to_be_focused()
    rows.first.get_by_role("button").first.click()
    expect(tiles(viewer)).to_have_count(1)
    viewer.page.reload()
    screen(viewer).get_by_role("button", name="Clear").click()
    screen(viewer).get_by_role("button", name="Remove all").click()
    expect(rows).to_have_count(0)
    assert viewer.page.evaluate("localStorage.getItem('clipfeed.searches')") is None


def test_without_a_network_it_is_said_and_tried_again(viewer):
    ask(viewer, "harbour")
    expect(tiles(viewer)).to_have_count(2)
    viewer.page.route("**/api/v1/search/**", lambda route: route.abort())
    ask(viewer, "pier")
    alert = screen(viewer).get_by_role("alert")
    expect(alert).to_contain_text("The server does not answer.")
    viewer.page.unroute("**/api/v1/search/**")
    alert.get_by_role("button", name="Try again").click()
    expect(tiles(viewer)).to_have_count(2)


def test_what_is_found_over_a_grid_leads_back_to_the_grid(viewer, harbour):
    clips = harbour.feed()
    viewer.page.route("**/api/v1/trending*", lambda route: route.fulfill(json={"items": clips, "next_cursor": None}))
    open_address(viewer, "#trending")
    viewer.page.locator("#account-screen .tile").nth(2).click()
    back = viewer.page.get_by_role("button", name="Back to Trending")
    expect(back).to_be_visible()
    ask(viewer, "harbour")
    clip = clip_of(tiles(viewer).first, harbour)
    tiles(viewer).first.click()
    viewer.page.wait_for_function(PLAYING, arg=clip)
    viewer.page.locator(".page[aria-current] .comments button").click()
    viewer.page.locator("#comments").wait_for()
    viewer.page.get_by_role("button", name="Close the comments").click()
    expect(viewer.page.locator("#comments")).to_have_count(0)
    viewer.page.wait_for_function("() => history.state?.found && !history.state.comments")
    # Still what was found, over the grid's clips.
    expect(back).to_be_visible()
    assert viewer.current() == clip
    viewer.page.get_by_role("button", name="Back to what was found").click()
    expect(tiles(viewer).first).to_be_focused()
    viewer.page.go_back()
    expect(screen(viewer)).to_have_count(0)
    expect(back).to_be_visible()
    assert not viewer.complaints

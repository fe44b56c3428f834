"""The tabs of the feed: each has its own place, and is reached by taps, keys and swipes to the side."""

import re

import pytest
from playwright.sync_api import expect

from test_account import arrive, sign_out, sign_up
from test_offline import NOTE_NOTICES
from test_offline import told as noticed

pytestmark = pytest.mark.long

TOUCH = {"viewport": {"width": 390, "height": 844}, "has_touch": True}


@pytest.fixture
def guest(open_page, own_server):
    return with_tabs(arrive(open_page(own_server, tab="for_you", script=NOTE_NOTICES)))


def with_tabs(viewer):
    tab(viewer, "For you").wait_for()
    return viewer


def tab(viewer, name):
    return viewer.page.get_by_role("tab", name=name, exact=True)


def is_at(viewer, name):
    expect(tab(viewer, name)).to_have_attribute("aria-selected", "true")


def shows(viewer, clip):
    viewer.page.wait_for_function("(id) => document.querySelector('.page[aria-current]')?.dataset.clip === id", arg=clip)


def sideways(viewer, start, end, y=300, drift=0):
    """A finger along the width."""
    for step in range(6):
        x = start + (end - start) * step / 5
        kind = "touchStart" if step == 0 else "touchMove"
        viewer.cdp.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y + drift * step / 5}]})
    viewer.cdp.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def open_address(viewer, address):
    viewer.page.evaluate("""(address) => {
      history.pushState({ fromFeed: true }, '', address);
      dispatchEvent(new PopStateEvent('popstate', { state: history.state }));
    }""", address)


def test_each_tab_keeps_its_place(guest, own_server):
    newest = own_server.feed()
    first = guest.current()
    guest.press("ArrowDown")
    guest.page.wait_for_function("(id) => document.querySelector('.page[aria-current]').dataset.clip !== id", arg=first)
    mine = guest.current()
    tab(guest, "Latest").click()
    is_at(guest, "Latest")
    guest.expect_playing(newest[0])
    guest.press("ArrowDown")
    guest.press("ArrowDown")
    shows(guest, newest[2]["id"])
    guest.press("[")
    guest.press("[")
    is_at(guest, "For you")
    guest.expect_playing(next(clip for clip in newest if clip["id"] == mine))
    guest.press("ArrowUp")
    shows(guest, first)
    guest.press("]")
    guest.press("]")
    guest.expect_playing(newest[2])
    guest.press("Home")
    shows(guest, newest[0]["id"])
    assert guest.complaints == []


def test_following_says_what_to_do_until_somebody_is_followed(guest, own_server):
    clip = guest.current()
    tab(guest, "Following").click()
    guest.expect_state("empty")
    expect(guest.page.get_by_role("heading", name="You follow nobody yet")).to_be_visible()
    expect(guest.page.get_by_role("form", name="Message")).to_be_hidden()
    guest.page.get_by_role("button", name="See For you").click()
    shows(guest, clip)
    guest.expect_playing()
    with guest.page.expect_response(re.compile("/follow$")):
        guest.press("f")
    guest.press("]")
    is_at(guest, "Following")
    guest.expect_playing(own_server.feed()[0])
    assert guest.complaints == []


def test_the_tabs_are_a_list_for_keys_and_screen_readers(guest):
    row = guest.page.get_by_role("tablist", name="Feed")
    expect(row.get_by_role("tab")).to_have_text(["For you", "Following", "Latest"])
    tab(guest, "For you").focus()
    guest.press("ArrowLeft")
    expect(tab(guest, "Latest")).to_be_focused()
    is_at(guest, "Latest")
    guest.expect_playing()
    guest.press("ArrowRight")
    expect(tab(guest, "For you")).to_be_focused()
    is_at(guest, "For you")
    guest.press("End")
    is_at(guest, "Latest")
    # One stop of the Tab key, and keys of the feed go on from there.
    assert row.get_by_role("tab").evaluate_all("(all) => all.map((one) => one.tabIndex)") == [-1, -1, 0]
    before = guest.current()
    guest.press("ArrowDown")
    guest.page.wait_for_function("(id) => document.querySelector('.page[aria-current]').dataset.clip !== id", arg=before)
    guest.press("?")
    expect(guest.page.get_by_role("dialog", name="Keys")).to_contain_text("Tabs of the feed")


def test_the_page_begins_with_for_you_by_one_request_and_later_with_the_last_tab(open_page, own_server):
    viewer = open_page(own_server, tab="for_you")
    asked = []
    # It has asked for its feed by then.
    arrive(viewer)
    viewer.page.on("request", lambda request: asked.append(request.url.removeprefix(own_server.url)))
    viewer.reload_feed()
    with_tabs(arrive(viewer))
    assert [url for url in asked if url.startswith("/api/v1/feed")][:1] == ["/api/v1/feed?tab=for_you&limit=5"]
    assert len([url for url in asked if url == "/api/v1/feed?tab=for_you&limit=5"]) == 1
    tab(viewer, "Latest").click()
    is_at(viewer, "Latest")
    viewer.expect_playing(own_server.feed()[0])
    viewer.reload_feed()
    viewer.expect_playing(own_server.feed()[0])
    is_at(viewer, "Latest")
    # And the other is as it was, though the page has begun elsewhere.
    tab(viewer, "For you").click()
    viewer.expect_playing()
    is_at(viewer, "For you")


def test_a_swipe_to_the_side_goes_to_the_next_tab(open_page, own_server):
    viewer = with_tabs(arrive(open_page(own_server, tab="for_you", **TOUCH)))
    mine = viewer.current()
    sideways(viewer, 320, 120)
    is_at(viewer, "Following")
    viewer.expect_state("empty")
    sideways(viewer, 320, 120)
    is_at(viewer, "Latest")
    viewer.expect_playing(own_server.feed()[0])
    # Behind the last there is none.
    sideways(viewer, 320, 120)
    is_at(viewer, "Latest")
    # Neither up nor down, nor from where systems go back, nor on the line of the clip.
    sideways(viewer, 200, 280, drift=-70)
    sideways(viewer, 8, 260)
    line = viewer.page.locator("#scrubber").bounding_box()
    sideways(viewer, 100, 300, y=line["y"] + line["height"] / 2)
    is_at(viewer, "Latest")
    viewer.expect_playing(own_server.feed()[0])
    for name in ["Following", "For you"]:
        sideways(viewer, 120, 320)
        is_at(viewer, name)
    shows(viewer, mine)
    viewer.expect_playing()
    assert viewer.complaints == []


def test_right_to_left_the_tabs_lie_the_other_way_round(open_page, own_server):
    viewer = with_tabs(arrive(open_page(own_server, tab="for_you", script="document.addEventListener('DOMContentLoaded', () => { document.documentElement.dir = 'rtl'; });", **TOUCH)))
    assert tab(viewer, "For you").bounding_box()["x"] > tab(viewer, "Latest").bounding_box()["x"]
    sideways(viewer, 120, 320)
    is_at(viewer, "Following")
    tab(viewer, "Following").focus()
    viewer.press("ArrowLeft")
    is_at(viewer, "Latest")


def test_a_tab_that_does_not_come_says_so_and_the_feed_stays(guest):
    clip = guest.current()
    guest.page.route("**/api/v1/feed?tab=latest*", lambda route: route.abort())
    tab(guest, "Latest").click()
    noticed(guest, "could not be loaded")
    is_at(guest, "For you")
    assert guest.current() == clip
    guest.page.unroute("**/api/v1/feed?tab=latest*")
    tab(guest, "Latest").click()
    is_at(guest, "Latest")
    guest.expect_playing()


def test_a_text_that_is_not_sent_waits_at_its_clip(guest):
    clip = guest.current()
    field = guest.page.locator("#messages textarea")
    field.fill("Where is that?")
    tab(guest, "Following").click()
    expect(field).not_to_be_focused()
    guest.expect_state("empty")
    tab(guest, "For you").click()
    shows(guest, clip)
    expect(field).to_have_value("Where is that?")
    field.focus()
    expect(guest.page.get_by_role("button", name="Send", exact=True)).to_be_visible()


def test_a_grid_opens_the_feed_right_there_and_is_as_it_was_afterwards(guest, own_server):
    clips = own_server.feed()
    guest.page.route("**/api/v1/trending*", lambda route: route.fulfill(json={"items": clips, "next_cursor": None}))
    guest.press("ArrowDown")
    guest.expect_playing()
    mine = guest.current()
    open_address(guest, "#trending")
    tiles = guest.page.locator("#account-screen .tile")
    expect(tiles).to_have_count(len(clips))
    guest.page.route("**/api/v1/trending*", lambda route: route.abort())
    tiles.nth(2).click()
    guest.expect_playing(clips[2])
    expect(guest.page.get_by_role("tablist")).to_be_hidden()
    guest.press("ArrowUp")
    shows(guest, clips[1]["id"])
    guest.press("End")
    shows(guest, clips[-1]["id"])
    guest.page.get_by_role("button", name="Back to Trending").click()
    expect(tiles).to_have_count(len(clips))
    expect(tiles.nth(2)).to_be_focused()
    # Forward is the clip again.
    guest.page.go_forward()
    shows(guest, clips[-1]["id"])
    guest.page.go_back()
    expect(tiles).to_have_count(len(clips))
    guest.page.get_by_role("button", name="Close").click()
    shows(guest, mine)
    guest.expect_playing()
    is_at(guest, "For you")
    assert not [words for words in guest.complaints if "ERR_FAILED" not in words]


def test_what_resembles_a_clip_is_in_its_menu(guest, own_server):
    clips = own_server.feed()
    asked = []
    guest.page.route("**/api/v1/clips/*/similar*", lambda route: (asked.append(route.request.url), route.fulfill(
        json={"items": clips[1:3], "next_cursor": None})))
    mine = guest.current()
    guest.page.locator(".page[aria-current] .more").click()
    guest.page.get_by_role("button", name="More like this").click()
    expect(guest.page.get_by_role("dialog", name="More like this")).to_be_visible()
    guest.page.locator("#account-screen .tile").first.click()
    shows(guest, clips[1]["id"])
    assert f"/clips/{mine}/similar" in asked[0]
    guest.page.go_back()
    guest.page.go_back()
    shows(guest, mine)
    guest.expect_playing()


def seen(viewer, is_hidden):
    """As somebody who goes to another app, or comes back."""
    viewer.page.evaluate("""(value) => {
      Object.defineProperty(document, 'hidden', { value, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }""", is_hidden)


def left_behind(viewer):
    return viewer.page.evaluate("() => localStorage.getItem('clipfeed.feed')")


@pytest.mark.parametrize("where", ["For you", "Following"])
def test_what_was_told_to_an_account_is_not_told_to_whoever_comes_next(open_page, own_server, where):
    ada = with_tabs(sign_up(arrive(open_page(own_server, tab="for_you")), "ada"))
    with ada.page.expect_response(re.compile("/follow$")):
        ada.press("f")
    # Also where it is there already it is asked for anew: what came later would be another list.
    with ada.page.expect_response("**/api/v1/feed?*"):
        tab(ada, where).click()
    is_at(ada, where)
    ada.expect_playing()
    seen(ada, True)
    ada.until(lambda: left_behind(ada), "what is left to the next visit")
    seen(ada, False)
    sign_out(ada)
    assert left_behind(ada) is None
    # What is still on the screen is not written down again.
    seen(ada, True)
    assert left_behind(ada) is None
    if where == "Following":
        ada.expect_state("empty")
        ada.page.goto("about:blank")
        ada.page.goto(own_server.url)
        expect(ada.page.get_by_role("heading", name="You follow nobody yet")).to_be_visible()
        assert ada.current() is None


def test_a_list_that_comes_when_its_person_has_signed_out_is_asked_for_anew(open_page, own_server):
    ada = with_tabs(sign_up(arrive(open_page(own_server, tab="for_you")), "ada"))
    with ada.page.expect_response(re.compile("/follow$")):
        ada.press("f")
    held = []
    ada.page.route(re.compile("/api/v1/feed.tab=following"), lambda route: held.append((route, route.fetch())) if not held else route.continue_())
    tab(ada, "Following").click()
    ada.until(lambda: held, "what the server says to Ada")
    sign_out(ada)
    [(route, response)] = held
    assert response.json()["items"]
    route.fulfill(response=response)
    # A guest follows nobody.
    ada.expect_state("empty")
    assert ada.current() is None


def test_the_feed_of_a_guest_is_left_to_the_next_visit_also_where_they_have_signed_up_since(open_page, own_server):
    viewer = with_tabs(sign_up(arrive(open_page(own_server, tab="for_you")), "ada"))
    seen(viewer, True)
    viewer.until(lambda: left_behind(viewer), "what is left to the next visit")


def test_over_a_grid_comments_and_the_account_lead_back_to_its_clip(open_page, own_server):
    clips = own_server.feed()
    desk = with_tabs(arrive(open_page(own_server, tab="for_you", viewport={"width": 1440, "height": 900})))
    desk.page.route("**/api/v1/trending*", lambda route: route.fulfill(json={"items": clips, "next_cursor": None}))
    open_address(desk, "#trending")
    desk.page.locator("#account-screen .tile").nth(2).click()
    shows(desk, clips[2]["id"])
    desk.page.locator(".page[aria-current] .comments button").click()
    comments = desk.page.locator("#comments")
    comments.wait_for()
    desk.page.locator("#person").click()
    account = desk.page.locator("#account-screen")
    account.wait_for()
    account.get_by_role("button", name="Close", exact=True).click()
    expect(account).to_have_count(0)
    expect(desk.page.get_by_role("button", name="Back to Trending")).to_be_visible()
    shows(desk, clips[2]["id"])
    desk.page.locator(".page[aria-current] .comments button").click()
    comments.wait_for()
    desk.page.go_back()
    expect(comments).to_have_count(0)
    expect(desk.page.get_by_role("button", name="Back to Trending")).to_be_visible()
    shows(desk, clips[2]["id"])
    assert desk.complaints == []

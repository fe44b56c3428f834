"""Likes, bookmarks, follows and shares: seen at once, right after a reload, taken back when they fail."""

import pytest
from playwright.sync_api import expect

from test_offline import NOTE_NOTICES
from test_offline import told as noticed
from test_watching import await_loaded, feed_of

pytestmark = pytest.mark.long

LIKES = "**/api/v1/clips/*/like"


@pytest.fixture
def fan(open_page, own_server):
    """Somebody in front of the first clip, with all there is to do with it."""
    return arrive(open_page(own_server, script=NOTE_NOTICES))


def arrive(viewer):
    viewer.expect_playing()
    expect(button(viewer, "follow")).to_be_visible()
    return viewer


def button(viewer, act):
    return viewer.page.locator(f".page[aria-current] [data-action={act}]")


def expect_pressed(viewer, act, is_pressed=True):
    expect(button(viewer, act)).to_have_attribute("aria-pressed", "true" if is_pressed else "false")


def again(viewer):
    return arrive(viewer.reload_feed())


def likes(server):
    return server.feed()[0]["counts"]["likes"]


def test_a_like_shows_at_once_and_is_right_after_a_reload(fan, own_server, open_page):
    held = []
    fan.page.route(LIKES, lambda route: held.append(route))
    expect(button(fan, "like")).to_have_text("0 likes")
    button(fan, "like").click()
    expect_pressed(fan, "like")
    expect(button(fan, "like")).to_have_text("1 like")
    assert likes(own_server) == 0
    fan.until(lambda: held, "the request")
    # The server has it before the page is told who this guest is from now on.
    with fan.page.expect_response(LIKES):
        held[0].continue_()
    fan.until(lambda: likes(own_server) == 1, "the like on the server")
    fan.page.unroute(LIKES)
    again(fan)
    expect_pressed(fan, "like")
    expect(button(fan, "like")).to_have_text("1 like")
    # Somebody else sees the count and may like it too.
    other = arrive(open_page(own_server))
    expect_pressed(other, "like", False)
    other.press("l")
    expect(button(other, "like")).to_have_text("2 likes")
    other.until(lambda: likes(own_server) == 2, "the other like on the server")
    button(fan, "like").click()
    expect_pressed(fan, "like", False)
    fan.until(lambda: likes(own_server) == 1, "the like taken back")
    assert not fan.complaints and not other.complaints


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_two_quick_taps_leave_a_heart_and_the_clip_plays_on(open_page, own_server, motion):
    fan = arrive(open_page(own_server, reduced_motion=motion))
    heart = fan.page.locator(".heart")
    # It goes away by itself, maybe before a test looks.
    fan.page.evaluate("""() => {
      globalThis.hearts = 0;
      new MutationObserver((all) => { for (const { addedNodes } of all) for (const node of addedNodes) {
        if (node.classList?.contains('heart')) hearts += 1; } })
        .observe(document.getElementById('stage'), { childList: true });
    }""")
    fan.tap(180, 320, times=2)
    fan.until(lambda: fan.page.evaluate("hearts") > 0, "the heart")
    expect_pressed(fan, "like")
    heart.wait_for(state="detached")
    fan.expect_playing()
    # Whoever taps on likes it all the more.
    before = fan.page.evaluate("hearts")
    fan.tap(180, 320, times=3)
    fan.until(lambda: fan.page.evaluate("hearts") > before, "another heart")
    fan.expect_playing()
    expect(button(fan, "like")).to_have_text("1 like")
    fan.until(lambda: likes(own_server) == 1, "the like on the server")


def test_a_single_tap_pauses_as_ever_and_likes_nothing(fan):
    fan.page.mouse.click(180, 320)
    fan.expect_state("paused")
    expect_pressed(fan, "like", False)
    # Far from the first, the second is another single one.
    fan.page.mouse.click(60, 120)
    fan.expect_playing()
    assert fan.page.locator(".heart").count() == 0
    expect_pressed(fan, "like", False)


def test_quick_taps_settle_on_the_last_wish_one_request_at_a_time(fan, own_server):
    held, open_, most = [], [], []

    def hold(route):
        open_.append(route)
        most.append(len(open_))
        held.append(route)

    def answer():
        """NB: what the browser says of a request's end may come behind what says that the next one begins."""
        route = held.pop()
        response = route.fetch()
        open_.remove(route)
        route.fulfill(response=response)

    fan.page.route(LIKES, hold)
    for _ in range(6):
        button(fan, "like").click()
    expect(button(fan, "like")).to_have_text("0 likes")
    fan.until(lambda: held, "the first request")
    answer()
    # The first wish is over; the last, which takes it back, is under way.
    fan.until(lambda: held, "the second request")
    for _ in range(5):
        button(fan, "like").click()
    answer()
    fan.until(lambda: held, "the third request")
    answer()
    expect_pressed(fan, "like")
    fan.until(lambda: likes(own_server) == 1, "the like on the server")
    assert most == [1, 1, 1]
    again(fan)
    expect(button(fan, "like")).to_have_text("1 like")


@pytest.mark.parametrize("act, words", [("like", "The like was not saved."), ("bookmark", "The bookmark was not saved."),
                                        ("follow", "Following was not saved.")])
def test_what_fails_is_taken_back_and_said(fan, act, words):
    fan.page.route(f"**/api/v1/*/*/{act}", lambda route: route.fulfill(
        status=503, content_type="application/problem+json", body='{"code": "unavailable", "detail": "Not now."}'))
    button(fan, act).click()
    noticed(fan, f"{words} Not now.")
    expect_pressed(fan, act, False)
    expect(button(fan, "like")).to_have_text("0 likes")
    # The next try is one.
    fan.page.unroute(f"**/api/v1/*/*/{act}")
    with fan.page.expect_response(f"**/{act}") as answer:
        button(fan, act).click()
    assert answer.value.status == 200
    expect_pressed(fan, act)


def test_everything_is_done_by_keys_and_found_again(fan, own_server):
    feed = own_server.feed()
    with fan.page.expect_response("**/bookmark"), fan.page.expect_response("**/follow"):
        fan.press("b")
        fan.press("f")
    expect_pressed(fan, "bookmark")
    expect_pressed(fan, "follow")
    expect(button(fan, "follow")).to_have_text("Following")
    fan.press("ArrowDown")
    fan.expect_playing(feed[1])
    # The same author.
    expect_pressed(fan, "follow")
    expect_pressed(fan, "bookmark", False)
    fan.press("l")
    expect_pressed(fan, "like")
    fan.until(lambda: own_server.feed()[1]["counts"]["likes"] == 1, "the like on the server")
    again(fan)
    expect_pressed(fan, "bookmark")
    expect_pressed(fan, "follow")
    fan.press("a")
    screen = fan.page.get_by_role("dialog", name="Sign in")
    screen.get_by_role("button", name="Likes").click()
    screen = fan.page.get_by_role("dialog", name="Likes")
    screen.get_by_role("button", name=feed[1]["caption"]).click()
    fan.expect_playing(feed[1])
    expect_pressed(fan, "like")
    fan.press("a")
    fan.page.get_by_role("button", name="Following").click()
    person = fan.page.get_by_role("dialog").get_by_role("button", name=f"Follow {feed[0]['author']['name']}")
    expect(person).to_have_attribute("aria-pressed", "true")
    person.click()
    expect(person).to_have_attribute("aria-pressed", "false")
    assert not fan.complaints


def test_a_share_is_counted_and_a_failed_count_is_no_trouble(open_page, own_server):
    fan = arrive(open_page(own_server, permissions=["clipboard-read", "clipboard-write"], script=NOTE_NOTICES))
    button(fan, "share").click()
    expect(button(fan, "share")).to_have_text("1 share")
    fan.until(lambda: own_server.feed()[0]["counts"]["shares"] == 1, "the share on the server")
    fan.page.route("**/shares", lambda route: route.abort())
    button(fan, "share").click()
    fan.until(lambda: fan.page.evaluate("notices") == ["The link is copied."] * 2, "the notice of both")
    expect(button(fan, "share")).to_have_text("1 share")


def test_typing_likes_nothing(fan):
    field = fan.page.locator("#messages textarea")
    field.click()
    fan.page.keyboard.type("blaf")
    expect(field).to_have_value("blaf")
    fan.page.mouse.dblclick(180, 120)
    fan.press("Escape")
    for act in ["like", "bookmark", "follow"]:
        expect_pressed(fan, act, False)


def test_what_was_watched_is_told_and_does_not_come_first_again(open_page, own_server):
    feed = own_server.feed()
    # So that what the last page says is not the first that anybody hears of this person.
    fan = arrive(open_page(own_server, watched=True))
    fan.press("l")
    fan.until(lambda: likes(own_server) == 1, "the like on the server")
    await_loaded(fan)
    fan.until(lambda: fan.page.evaluate("document.querySelector('video[data-shown]').currentTime") > 2.6, "a view")
    fan.press("ArrowDown")
    fan.expect_playing(feed[1])
    # By what a page can still send when it goes.
    fan.page.goto("about:blank")
    fan.until(lambda: own_server.feed()[0]["counts"]["views"] == 1, "the view on the server")
    # What was watched last may come by another request than the view.
    fan.until(lambda: feed_of(fan)[0] == feed[2]["id"], "a feed that begins behind what was watched")
    fan.open()
    fan.expect_playing(feed[2])
    assert not fan.complaints

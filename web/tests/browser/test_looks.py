"""Who cannot see, cannot use a mouse, or minds motion can use it; phones and desktops have a layout."""

import pytest
from playwright.sync_api import expect

from clips import CACHE, clip_in
from viewer import differ

pytestmark = pytest.mark.long

SHOTS = CACHE / "shots"


def test_every_part_has_a_role_and_a_name(viewer, feed):
    viewer.expect_playing(feed[0])
    page = viewer.page
    assert page.get_by_role("main").count() == 1
    assert page.get_by_role("heading", name="Clipfeed", level=1).count() == 1
    # The next page may be on its way.
    expect(page.get_by_role("feed", name="Clips")).to_have_attribute("aria-busy", "false")
    assert page.get_by_role("button", name="Sound", pressed=False).is_visible()
    assert page.get_by_role("button", name="Record a clip").is_visible()
    assert page.get_by_role("slider", name="Position in the clip").count() == 1
    article = page.get_by_role("article").first
    assert article.get_attribute("aria-current") == "true"
    assert article.get_attribute("aria-posinset") == "1"
    assert feed[0]["caption"] in page.get_by_role("feed").aria_snapshot()
    # Decoration and players stay out of what a screen reader reads.
    # (A clip that lacks data for a moment has a sign.)
    expect(page.get_by_role("img", include_hidden=False)).to_have_count(0)
    assert page.locator("video:not([aria-hidden=true])").count() == 0
    viewer.press("ArrowDown")
    viewer.expect_playing(feed[1])
    assert feed[1]["caption"] in page.locator("[aria-live=polite]#now").inner_text()


def test_the_tab_key_visits_each_control_once_and_shows_where_it_is(viewer, feed):
    viewer.expect_playing(feed[0])
    # They come once the clip moves.
    for late in ("#tab-latest", "#pip", "#search", "#inbox", "#person"):
        viewer.page.locator(late).wait_for()
    for late in ("[data-action=bookmark]", ".author .more", ".author > a"):
        viewer.page.locator(f".page[aria-current] {late}").wait_for()
    visited = []
    for _ in range(15):
        viewer.press("Tab")
        visited.append(viewer.page.evaluate(
            "(({ id, dataset }) => id || dataset.action)(document.activeElement)"
            " || document.activeElement.closest('.page[aria-current] :is(li, .more, .to-profile)').className"))
        assert viewer.page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    assert visited == [
        "tab-latest", "sound", "pip", "search", "inbox", "person", "record", "to-profile", "follow", "more", "like", "comments", "bookmark",
        "share", "scrubber"]
    viewer.press("ArrowDown")
    viewer.expect_playing(feed[1])


def test_all_of_it_works_with_the_keyboard_alone(viewer, feed):
    viewer.expect_playing(feed[0])
    # They come once the clip moves, and are one stop before the head's buttons.
    viewer.page.locator("#tab-latest").wait_for()
    for _ in range(2):
        viewer.press("Tab")
    viewer.press("Enter")
    viewer.page.get_by_role("button", name="Sound", pressed=True).wait_for()
    viewer.press("Space")
    viewer.page.get_by_role("button", name="Sound", pressed=False).wait_for()
    viewer.press("j")
    viewer.expect_playing(feed[1])
    before = position(viewer)
    viewer.press("ArrowRight")
    viewer.page.wait_for_function(
        "(before) => Math.abs(document.getElementById('scrubber').value - before) > 1000", arg=before)
    viewer.press("k")
    viewer.expect_playing(feed[0])


def position(viewer):
    return viewer.page.evaluate("Number(document.getElementById('scrubber').value)")


def test_reduced_motion_turns_pages_without_an_animation(open_page, server, feed):
    viewer = open_page(server, reduced_motion="reduce")
    viewer.expect_playing(feed[0])
    viewer.press("ArrowDown")
    viewer.expect_playing(feed[1])
    assert viewer.page.evaluate(
        "getComputedStyle(document.getElementById('track')).transitionProperty") == "none"
    viewer.until(viewer.moves, "a picture that moves")


def test_with_a_low_battery_the_scrubber_does_not_glide(open_page, server, feed):
    viewer = open_page(server, script="""
      navigator.getBattery = async () => Object.assign(new EventTarget(), { level: .15, charging: false });
    """)
    viewer.expect_playing(feed[0])
    viewer.page.wait_for_function("() => 'calm' in document.documentElement.dataset")
    assert viewer.page.evaluate(
        "getComputedStyle(document.querySelector('#bar i')).transitionDuration") == "0s"
    viewer.until(viewer.moves, "a picture that moves")


def test_on_a_phone_the_clip_fills_the_screen(open_page, server, feed):
    viewer = open_page(
        server, viewport={"width": 390, "height": 844}, device_scale_factor=2, has_touch=True, is_mobile=True)
    viewer.expect_playing()
    assert box(viewer, "#stage") == {"x": 0, "y": 0, "width": 390, "height": 844}
    assert box(viewer, "video[data-shown]") == box(viewer, "#stage")
    assert viewer.page.locator("#places").count() == 0
    # No bar of another colour at the left edge of the picture (at the height of the band, where no ball passes).
    picture = viewer.capture()
    left = picture.crop((0, 450, 20, 600))
    assert differ(left, picture.crop((40, 450, 60, 600))) < 30
    save(viewer, "phone")


def test_on_a_desktop_an_upright_clip_is_a_column(open_page, server, feed):
    viewer = open_page(server, viewport={"width": 1280, "height": 800})
    viewer.expect_playing()
    stage, clip = box(viewer, "#stage"), box(viewer, "video[data-shown]")
    assert abs(clip["width"] / clip["height"] - 9 / 16) < 0.01
    assert abs(clip["x"] + clip["width"] / 2 - stage["x"] - stage["width"] / 2) <= 1
    x = clip["x"] - stage["x"]
    number, column = int(feed[0]["caption"].split()[-1]), (round(x), 0, round(x + clip["width"]), 800)
    viewer.until(lambda: clip_in(viewer.capture().crop(column)) == number, f"the picture of clip {number}")
    save(viewer, "desktop")


def test_a_start_that_takes_long_shows_a_sign_of_life(open_page, server):
    viewer = open_page(server)
    viewer.expect_playing()
    held = []
    viewer.page.route("**/core.wasm", lambda route: held.append(route))
    viewer.page.reload(wait_until="commit")
    viewer.page.wait_for_function("""() => document.getAnimations().some(({ animationName, effect }) =>
      animationName === 'breathe' && effect.pseudoElement === '::before' && effect.target.id === 'feed')""")
    # It comes after a moment, to be seen in the middle of the dark.
    viewer.until(lambda: viewer.capture().crop((160, 290, 200, 350)).getextrema()[0][1] > 150, "the sign")
    viewer.until(lambda: held, "the request")
    for route in held:
        route.continue_()
    viewer.expect_playing()
    assert viewer.page.evaluate("getComputedStyle(document.getElementById('feed'), '::before').content") == "none"


def test_a_window_that_changes_its_size_keeps_the_clip(viewer, feed):
    viewer.expect_playing(feed[0])
    viewer.press("ArrowDown")
    viewer.expect_playing(feed[1])
    viewer.page.set_viewport_size({"width": 640, "height": 360})
    viewer.expect_playing()
    viewer.page.set_viewport_size({"width": 360, "height": 640})
    viewer.expect_playing(feed[1])


def box(viewer, selector):
    return viewer.page.locator(selector).first.bounding_box()


def save(viewer, name):
    SHOTS.mkdir(parents=True, exist_ok=True)
    viewer.page.screenshot(path=SHOTS / f"{name}.png")

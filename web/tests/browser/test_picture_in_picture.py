"""A clip in a window of the browser: the feed goes on beside it, and whoever comes back finds clip and time."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.long


HIDE = """(isHidden) => {
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => isHidden });
  document.dispatchEvent(new Event('visibilitychange'));
}"""
# What happens to the video in the window: other media, a jump, or a pause would be seen.
WATCH = """() => {
  window.happenings = [];
  for (const type of ['emptied', 'seeking', 'pause']) {
    document.pictureInPictureElement.addEventListener(type, () => window.happenings.push(type));
  }
}"""


def open_window(viewer, clip):
    viewer.expect_playing(clip)
    viewer.page.locator("#pip").click()
    viewer.page.wait_for_function("() => document.pictureInPictureElement")
    assert in_window(viewer) == clip["id"]
    # The event comes behind the window, and the page knows by that.
    expect(viewer.page.locator("#pip")).to_have_attribute("aria-pressed", "true")


def in_window(viewer):
    return viewer.page.evaluate("document.pictureInPictureElement?.dataset.clip ?? null")


def expect_moving(viewer):
    """The video in the window moves, for longer than what is stored at its start would last."""
    viewer.page.evaluate("window.begun = null")
    viewer.page.wait_for_function("""() => {
      const { currentTime } = document.pictureInPictureElement;
      window.begun ??= currentTime;
      return currentTime > window.begun + 1.5;
    }""")


def heard(viewer):
    return viewer.page.evaluate("[...document.querySelectorAll('video[data-clip]')].filter((v) => !v.muted).map((v) => v.dataset.clip)")


def test_the_feed_goes_on_beside_the_window_and_is_silent(viewer, feed):
    viewer.expect_playing(feed[0])
    viewer.press("m")
    open_window(viewer, feed[0])
    viewer.page.evaluate(WATCH)
    for clip in feed[1:5]:
        viewer.press("ArrowDown")
        viewer.expect_playing(clip)
        viewer.until(lambda: heard(viewer) == [feed[0]["id"]], "one sound alone")
    expect_moving(viewer)
    assert in_window(viewer) == feed[0]["id"]
    assert "emptied" not in viewer.page.evaluate("window.happenings") and "pause" not in viewer.page.evaluate("window.happenings")
    # The sign says what the person chose, whatever is silent for the moment.
    assert viewer.page.locator("#sound").get_attribute("aria-pressed") == "true"
    assert viewer.complaints == []


def test_coming_back_finds_clip_and_time(viewer, feed):
    open_window(viewer, feed[0])
    for clip in feed[1:4]:
        viewer.press("ArrowDown")
        viewer.expect_playing(clip)
    viewer.page.evaluate(WATCH)
    viewer.page.evaluate("document.exitPictureInPicture()")
    viewer.expect_playing(feed[0])
    assert [one for one in viewer.page.evaluate("window.happenings") if one != "seeking"] == []
    expect(viewer.page.locator("#pip")).to_have_attribute("aria-pressed", "false")
    viewer.press("ArrowDown")
    viewer.expect_playing(feed[1])


def test_whoever_closes_the_window_stays_where_they_are(viewer, feed):
    open_window(viewer, feed[0])
    for clip in feed[1:3]:
        viewer.press("ArrowDown")
        viewer.expect_playing(clip)
    # As its cross does: it pauses first.
    viewer.page.evaluate("document.pictureInPictureElement.pause()")
    viewer.page.evaluate("document.exitPictureInPicture()")
    viewer.until(lambda: in_window(viewer) is None, "the end of the window")
    viewer.expect_playing(feed[2])
    # And its player serves the feed again.
    for clip in feed[3:6]:
        viewer.expect_known(feed.index(clip) + 1)
        viewer.press("ArrowDown")
        viewer.expect_playing(clip)


def test_the_windows_button_is_the_clips(viewer, feed):
    open_window(viewer, feed[0])
    viewer.page.evaluate("document.pictureInPictureElement.pause()")
    viewer.expect_state("paused")
    viewer.page.evaluate("document.pictureInPictureElement.play()")
    viewer.page.wait_for_function("() => document.documentElement.dataset.state === 'playing'")
    viewer.press("ArrowDown")
    viewer.expect_playing(feed[1])
    viewer.page.evaluate("document.pictureInPictureElement.pause()")
    viewer.page.evaluate("window.seen = null")
    viewer.expect_playing(feed[1])
    assert viewer.page.evaluate("document.pictureInPictureElement.paused")


def test_it_plays_on_while_nobody_sees_the_page(viewer, feed):
    open_window(viewer, feed[0])
    viewer.press("ArrowDown")
    viewer.expect_playing(feed[1])
    viewer.page.evaluate(HIDE, True)
    viewer.page.wait_for_function("(id) => document.querySelector(`video[data-clip='${id}']`)?.paused ?? true", arg=feed[1]["id"])
    expect_moving(viewer)
    viewer.page.evaluate(HIDE, False)
    viewer.expect_playing(feed[1])
    assert in_window(viewer) == feed[0]["id"]


def test_the_camera_takes_the_windows_player_too(viewer, feed):
    open_window(viewer, feed[0])
    viewer.page.locator("#record").click()
    viewer.until(lambda: in_window(viewer) is None, "the end of the window")


def test_the_key_opens_and_closes_it_but_not_in_a_field(viewer, feed):
    viewer.expect_playing(feed[0])
    viewer.page.locator("#pip").wait_for()
    viewer.press("p")
    viewer.until(lambda: in_window(viewer) == feed[0]["id"], "the window")
    # The event comes behind the window.
    expect(viewer.page.locator("#pip")).to_have_attribute("aria-pressed", "true")
    viewer.press("p")
    viewer.until(lambda: in_window(viewer) is None, "the end of the window")
    viewer.expect_playing(feed[0])


def test_in_a_small_window_the_menu_has_it(open_page, server, feed):
    viewer = open_page(server, viewport={"width": 320, "height": 568})
    viewer.page.locator("#pip").wait_for(state="attached")
    assert not viewer.page.locator("#pip").is_visible()
    viewer.page.locator(".page[aria-current] .more").click()
    viewer.page.get_by_role("button", name="Picture in picture").click()
    viewer.until(lambda: in_window(viewer) is not None, "the window")


def test_where_there_are_no_windows_none_is_offered(open_page, server, feed):
    viewer = open_page(server, script="Object.defineProperty(Document.prototype, 'pictureInPictureEnabled', { get: () => false })")
    viewer.expect_playing(feed[0])
    viewer.press("ArrowDown")
    viewer.expect_playing(feed[1])
    assert viewer.page.locator("#pip").count() == 0

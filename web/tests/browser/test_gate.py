"""The page does not leave for a clip that cannot show its first frame; who wants it so, never."""

import pytest

import json

pytestmark = pytest.mark.long

# The media of these clips comes when the test lets it.
HOLD = """(() => {
  const held = %s;
  const real = fetch;
  const freed = new Promise((resolve) => { globalThis.free = resolve; });
  globalThis.fetch = async (url, options) => {
    if (held.some((one) => String(url).endsWith(one))) await freed;
    return real(url, options);
  };
})();"""


def held(clip):
    return HOLD % json.dumps([rendition["url"] for rendition in clip["playback"]["renditions"]])


def wait_for_first_pictures(viewer):
    """As a person does, in the account's page."""
    page = viewer.page
    page.locator("#person").click()
    page.get_by_role("button", name="Playback").click()
    page.get_by_role("switch", name="Wait for each clip’s first picture").check()
    page.get_by_role("button", name="Close").click()
    page.locator("#account-screen").wait_for(state="detached")


def test_who_wants_it_so_never_sees_a_page_without_its_first_picture(open_page, server, feed):
    viewer = open_page(server, script=held(feed[1]))
    viewer.expect_playing(feed[0])
    wait_for_first_pictures(viewer)
    sign = viewer.page.get_by_text("Loading the next clip")
    viewer.press("ArrowDown")
    sign.wait_for(state="visible")
    # Neither a second key nor a wheel breaks it; the clip that was left plays on.
    viewer.press("ArrowDown")
    viewer.page.mouse.wheel(0, 300)
    sign.wait_for(state="visible")
    viewer.expect_playing(feed[0])
    viewer.page.evaluate("free()")
    viewer.expect_playing(feed[1])
    sign.wait_for(state="hidden")
    # The wish is kept.
    viewer.reload_feed()
    viewer.expect_playing()
    assert viewer.page.evaluate("JSON.parse(localStorage['clipfeed.playback']).waits") is True
    assert viewer.complaints == []


def test_whoever_swipes_back_stays(open_page, server, feed):
    viewer = open_page(server, script=held(feed[1]))
    viewer.expect_playing(feed[0])
    wait_for_first_pictures(viewer)
    sign = viewer.page.get_by_text("Loading the next clip")
    viewer.press("ArrowDown")
    sign.wait_for(state="visible")
    viewer.tap(180, 420)
    sign.wait_for(state="hidden")
    viewer.expect_state("paused")
    viewer.page.evaluate("free()")
    viewer.tap(180, 420)
    viewer.expect_playing(feed[0])


def test_a_second_key_does_not_break_the_gate(open_page, server, feed):
    viewer = open_page(server, script=held(feed[1]))
    viewer.expect_playing(feed[0])
    # Both in one moment of the page's clock.
    assert viewer.page.evaluate("""() => {
      for (let i = 0; i < 2; i += 1) document.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown' }));
      return document.querySelector('.page[aria-current]').dataset.clip;
    }""") == feed[0]["id"]
    # It goes on with the poster when it has waited for long enough.
    viewer.page.wait_for_function("(id) => document.querySelector('.page[aria-current]').dataset.clip === id", arg=feed[1]["id"])
    viewer.page.evaluate("free()")
    viewer.expect_playing(feed[1])

"""Keys, wheel, finger and mouse move the feed."""

import pytest

pytestmark = pytest.mark.long


@pytest.mark.parametrize("forward, back", [("ArrowDown", "ArrowUp"), ("j", "k"), ("PageDown", "PageUp")])
def test_keys_go_forward_and_back(viewer, feed, forward, back):
    viewer.expect_playing(feed[0])
    viewer.press(forward)
    viewer.expect_playing(feed[1])
    viewer.press(back)
    viewer.expect_playing(feed[0])


def test_space_pauses_and_m_switches_the_sound(viewer, feed):
    sound = viewer.page.get_by_role("button", name="Sound")
    viewer.expect_playing(feed[0])
    viewer.press("Space")
    viewer.expect_state("paused")
    viewer.press("Space")
    viewer.expect_playing(feed[0])
    assert sound.get_attribute("aria-pressed") == "false"
    viewer.press("m")
    assert sound.get_attribute("aria-pressed") == "true"
    assert audible(viewer)
    viewer.press("m")
    assert not audible(viewer)


def test_home_and_end_go_to_the_first_and_the_last_clip(open_page, small_server):
    feed = small_server.feed()
    viewer = open_page(small_server)
    viewer.expect_playing(feed[0])
    viewer.press("End")
    viewer.expect_playing(feed[-1])
    viewer.press("Home")
    viewer.expect_playing(feed[0])


def test_a_notch_of_the_wheel_turns_one_page(viewer, feed):
    viewer.expect_playing(feed[0])
    viewer.page.mouse.move(180, 320)
    viewer.page.mouse.wheel(0, 120)
    viewer.expect_playing(feed[1])
    viewer.page.mouse.wheel(0, -120)
    viewer.expect_playing(feed[0])


def test_the_momentum_of_a_trackpad_turns_one_page(viewer, feed):
    viewer.expect_playing(feed[0])
    # One event after the other, without the pauses of a driven mouse between them.
    viewer.page.evaluate("""() => {
      for (const deltaY of [4, 18, 40, 60, 52, 40, 30, 22, 14, 9, 5, 2, 1]) {
        document.getElementById('stage').dispatchEvent(
          new WheelEvent('wheel', { deltaY, bubbles: true, cancelable: true }));
      }
    }""")
    viewer.expect_playing(feed[1])


@pytest.fixture(params=["touch", "drag"])
def gesture(request, open_page, server):
    """A viewer with a finger or a mouse: gesture(path, seconds)."""
    viewer = open_page(server, has_touch=request.param == "touch")
    viewer.gesture = getattr(viewer, request.param)
    return viewer


def test_a_short_flick_turns_the_page(gesture, feed):
    gesture.expect_playing(feed[0])
    gesture.gesture([420, 410, 395, 375, 350, 320], seconds=0.08)
    gesture.expect_playing(feed[1])
    gesture.gesture([320, 330, 350, 375, 400, 425], seconds=0.08)
    gesture.expect_playing(feed[0])


def test_a_slow_drag_over_half_the_page_turns_it_and_a_shorter_one_does_not(gesture, feed):
    gesture.expect_playing(feed[0])
    gesture.gesture(list(range(500, 80, -10)), seconds=3)
    gesture.expect_playing(feed[1])
    gesture.gesture(list(range(460, 360, -4)), seconds=2)
    gesture.expect_playing(feed[1])


def test_a_drag_at_the_first_clip_springs_back(gesture, feed):
    gesture.expect_playing(feed[0])
    gesture.gesture(list(range(200, 520, 10)), seconds=0.2)
    gesture.expect_playing(feed[0])


def audible(viewer):
    return viewer.page.evaluate("() => !document.querySelector('video[data-shown]').muted")


def test_the_sound_switch_is_remembered(viewer, feed):
    viewer.expect_playing(feed[0])
    assert not audible(viewer)
    viewer.page.get_by_role("button", name="Sound").click()
    viewer.page.wait_for_function("() => !document.querySelector('video[data-shown]').muted")
    viewer.press("ArrowDown")
    viewer.expect_playing(feed[1])
    assert audible(viewer)
    viewer.reload_feed()
    viewer.expect_playing(feed[0])
    sound = viewer.page.get_by_role("button", name="Sound")
    # A browser may refuse to start with sound before the first gesture: then it starts muted and
    # says so, and the choice comes back with the next gesture on the switch.
    assert (sound.get_attribute("aria-pressed") == "true") == audible(viewer)
    assert viewer.page.evaluate("localStorage.getItem('clipfeed.sound')") == "1"
    sound.click()
    if not audible(viewer):
        sound.click()
    assert audible(viewer)

"""Swipes end on the right clip, at once and without black."""

import time

import pytest
from playwright.sync_api import TimeoutError

from clips import clip_in
from viewer import Film, darkest_strip

SWIPES = 30


def test_thirty_swipes_forward_and_back_each_end_on_the_right_clip_playing(viewer, feed):
    viewer.expect_playing(feed[0])
    for clip in feed[1 : SWIPES + 1]:
        viewer.expect_known(feed.index(clip) + 1)
        viewer.press("ArrowDown")
        viewer.expect_playing(clip)
    for clip in reversed(feed[:SWIPES]):
        viewer.press("ArrowUp")
        viewer.expect_playing(clip)
    assert viewer.complaints == []


def test_nothing_black_is_seen_between_two_clips(viewer, feed):
    viewer.expect_playing(feed[0])
    with Film(viewer) as film:
        for key, clip in [("ArrowDown", clip) for clip in feed[1:9]] + [("ArrowUp", clip) for clip in feed[7::-1]]:
            viewer.expect_known(feed.index(clip) + 1)
            viewer.press(key)
            viewer.expect_playing(clip)
    assert len(film.frames) > 60
    assert min(map(darkest_strip, film.frames)) > 30
    # And the film really shows clips, not only a light page.
    assert len({clip_in(frame) for frame in film.frames} - {None}) == 9


def press_until_at(viewer, clip):
    """As a person does who sees that nothing moved: where the next clips are not known yet, the feed springs back."""
    for _ in range(20):
        # NB: not if it came meanwhile, or that press would lead past it.
        viewer.page.evaluate("""(id) => {
          if (document.querySelector('.page[aria-current]').dataset.clip === id) return;
          document.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }));
        }""", clip["id"])
        try:
            viewer.page.wait_for_function(
                "(id) => document.querySelector('.page[aria-current]').dataset.clip === id", arg=clip["id"], timeout=1500)
            return
        except TimeoutError:
            continue
    raise AssertionError("the next clip never came")


def test_nothing_black_is_seen_when_swipes_outrun_the_network(open_page, server, feed):
    viewer = open_page(server)
    viewer.expect_playing(feed[0])
    viewer.slow_down(bytes_per_second=100_000, latency_ms=150)
    with Film(viewer) as film:
        for clip in feed[1:16]:
            press_until_at(viewer, clip)
        viewer.expect_playing(feed[15])
    assert len(film.frames) > 20
    assert min(map(darkest_strip, film.frames)) > 30


def box_of(viewer, act):
    return viewer.page.locator(f".page[aria-current] [data-action={act}]").bounding_box()


def test_a_swipe_may_begin_on_a_control_and_does_nothing_to_it(open_page, small_server):
    feed = small_server.feed()
    viewer = open_page(small_server, has_touch=True)
    viewer.expect_playing(feed[0])
    box = box_of(viewer, "share")
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    viewer.touch([y - step for step in range(0, 241, 40)], 0.12, x)
    viewer.expect_playing(feed[1])
    assert viewer.page.locator("[data-action=share][aria-pressed=true]").count() == 0
    assert not viewer.page.locator("#notice").inner_text()


def test_a_tap_right_after_a_flick_counts(open_page, own_server):
    feed = own_server.feed()
    viewer = open_page(own_server, has_touch=True)
    viewer.expect_playing(feed[0])
    for clip in feed[1:4]:
        viewer.touch([520, 380, 240, 100], 0.075)
        # As soon as a person can: the page stands, and a third of a second has passed.
        viewer.page.wait_for_function("(id) => document.querySelector('.page[aria-current]').dataset.clip === id", arg=clip["id"])
        viewer.page.wait_for_timeout(350)
        # On a busy machine it may take longer until it stands.
        viewer.page.wait_for_function("""() => {
          const [page, stage] = ['.page[aria-current]', '#stage'].map((one) => document.querySelector(one).getBoundingClientRect().top);
          return Math.abs(page - stage) <= 1;
        }""")
        box = box_of(viewer, "like")
        viewer.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        viewer.page.locator(".page[aria-current] [data-action=like][aria-pressed=true]").wait_for()


@pytest.mark.long
def test_the_progress_line_can_be_clicked_where_it_is(viewer, feed):
    viewer.expect_playing(feed[0])
    line = viewer.page.locator("#bar").bounding_box()
    scrubber = viewer.page.locator("#scrubber").bounding_box()
    assert scrubber["height"] >= 44
    # All of it is its own, and nothing of what lies above and below.
    reach = [viewer.page.evaluate("([x, y]) => document.elementFromPoint(x, y).id", [line["x"] + 60, scrubber["y"] + y]) for y in (1, 22, 43)]
    assert reach == ["scrubber"] * 3
    assert scrubber["y"] + scrubber["height"] <= viewer.page.locator("#messages").bounding_box()["y"] + 0.5
    for above in (".texts", ".rail"):
        box = viewer.page.locator(f".page[aria-current] {above}").bounding_box()
        assert box["y"] + box["height"] <= scrubber["y"] + 0.5, above
    viewer.page.mouse.click(line["x"] + line["width"] / 2, line["y"] + line["height"] / 2)
    viewer.expect_playing(feed[0])
    assert viewer.page.locator("#paused").is_hidden()
    half = feed[0]["playback"]["duration_ms"] / 2000
    assert viewer.page.evaluate("document.querySelector('video[data-shown]').currentTime") > half - 0.2


def glide(viewer, pointer, path):
    """A finger, mouse or pen along these points, in an eighth of a second by its own clock."""
    began = time.time() - 0.125
    kinds = ["Pressed", *["Moved"] * (len(path) - 1), "Released"]
    for i, (kind, (x, y)) in enumerate(zip(kinds, [*path, path[-1]])):
        at = began + 0.125 * min(i / (len(path) - 1), 1)
        if pointer == "touch":
            finger = {"Pressed": "touchStart", "Moved": "touchMove", "Released": "touchEnd"}[kind]
            points = [] if kind == "Released" else [{"x": x, "y": y}]
            viewer.cdp.send("Input.dispatchTouchEvent", {"type": finger, "touchPoints": points, "timestamp": at})
        else:
            viewer.cdp.send("Input.dispatchMouseEvent", {
                "type": f"mouse{kind}", "x": x, "y": y, "button": "left", "buttons": 0 if kind == "Released" else 1,
                "clickCount": 1, "timestamp": at, "pointerType": pointer})


@pytest.mark.parametrize("pointer", ["touch", "mouse", "pen"])
@pytest.mark.long
def test_on_the_progress_line_up_and_down_turn_the_page_and_sideways_scrubs(open_page, small_server, pointer):
    feed = small_server.feed()
    viewer = open_page(small_server, has_touch=pointer == "touch")
    viewer.expect_playing(feed[0])
    viewer.page.evaluate("""() => {
      window.scrubs = [];
      for (const kind of ['input', 'change']) document.getElementById('scrubber').addEventListener(kind, () => scrubs.push(kind));
    }""")
    line = viewer.page.locator("#scrubber").bounding_box()
    x, y = line["x"] + line["width"] * 0.7, line["y"] + 4
    glide(viewer, pointer, [(x, y - step) for step in range(0, 301, 50)])
    viewer.expect_playing(feed[1])
    glide(viewer, pointer, [(x, y + step) for step in range(0, 101, 20)])
    viewer.expect_playing(feed[0])
    assert viewer.page.evaluate("scrubs") == []
    # The first movement decides: what then goes up and down scrubs on.
    viewer.press("Space")
    viewer.expect_state("paused")
    glide(viewer, pointer, [(x - 90, y + 20), (x - 40, y + 22), (x - 20, y - 60), (x, y - 200)])
    viewer.page.wait_for_function("""() => {
      const video = document.querySelector('video[data-shown]');
      const { max } = document.getElementById('scrubber');
      return !video.seeking && Math.abs((video.currentTime * 1000) % max - max * 0.7) < 100;
    }""")
    assert viewer.current() == feed[0]["id"]
    assert set(viewer.page.evaluate("scrubs.slice(0, -1)")) == {"input"} and viewer.page.evaluate("scrubs.at(-1)") == "change"
    assert viewer.page.locator("#scrub[data-active]").count() == 0


def test_the_wheel_turns_the_page_beside_the_column_too(open_page, small_server):
    feed = small_server.feed()
    viewer = open_page(small_server, viewport={"width": 1280, "height": 720})
    viewer.expect_playing()
    viewer.page.mouse.move(60, 400)
    viewer.page.mouse.wheel(0, 300)
    viewer.page.wait_for_function("(id) => document.querySelector('.page[aria-current]').dataset.clip === id", arg=feed[1]["id"])

"""Swipes end on the right clip, at once and without black."""

from playwright.sync_api import TimeoutError

from clips import clip_in
from viewer import Film, darkest_strip

SWIPES = 30


def test_thirty_swipes_forward_and_back_each_end_on_the_right_clip_playing(viewer, feed):
    viewer.expect_playing(feed[0])
    for clip in feed[1 : SWIPES + 1]:
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
            viewer.press(key)
            viewer.expect_playing(clip)
    assert len(film.frames) > 60
    assert min(map(darkest_strip, film.frames)) > 30
    # And the film really shows clips, not only a light page.
    assert len({clip_in(frame) for frame in film.frames} - {None}) == 9


def press_until_at(viewer, clip):
    """As a person does who sees that nothing moved: where the next clips are not known yet, the feed springs back."""
    for _ in range(20):
        viewer.press("ArrowDown")
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

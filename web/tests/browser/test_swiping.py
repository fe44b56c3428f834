"""Swipes end on the right clip, at once and without black."""

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


"""A muted clip is played without its sound; switched on, the sound comes without a jump."""

import pytest

from viewer import Film, darkest_strip, differ

pytestmark = pytest.mark.long

PICTURE = (0, 100, 280, 480)  # clear of what lies over a clip


def heard(viewer, current):
    return viewer.page.evaluate(
        "(id) => document.querySelector(`video[data-clip='${id}']`).webkitAudioDecodedByteCount", current["id"])


def switch_on_in_the_middle(viewer, clip):
    """Presses m in the clip's second second."""
    viewer.page.wait_for_function(
        "(id) => document.querySelector(`video[data-clip='${id}']`).currentTime > 1.2", arg=clip["id"])
    viewer.press("m")


def test_a_muted_clip_decodes_no_sound_and_an_audible_one_does(viewer, feed):
    viewer.expect_playing(feed[0])
    assert heard(viewer, feed[0]) == 0
    switch_on_in_the_middle(viewer, feed[0])
    viewer.until(lambda: heard(viewer, feed[0]) > 0, "sound")
    viewer.expect_playing(feed[0])
    # And all that follow have theirs from the start.
    for clip in feed[1:4]:
        viewer.press("ArrowDown")
        viewer.expect_playing(clip)
        viewer.until(lambda: heard(viewer, clip) > 0, "sound")
    assert viewer.complaints == []


def test_the_sound_comes_without_a_jump_or_a_flash(viewer, feed):
    viewer.expect_playing(feed[0])
    # Media times of the frames that were presented, and when they were; and at each refresh, whether there was something
    # to see of them: the element's picture, or the one that covers it. Where a busy machine takes longer than a second to
    # fetch the sound in, that one goes by then (web/app/playback/player.js).
    viewer.page.evaluate("""() => {
      const video = document.querySelector('video[data-shown]');
      window.times = []; window.gaps = 0; window.stilled = 0;
      const note = (_, { mediaTime, presentationTime }) => {
        window.times.push([mediaTime, presentationTime / 1000]);
        video.requestVideoFrameCallback(note);
      };
      video.requestVideoFrameCallback(note);
      let covered = Infinity;
      new MutationObserver(() => {
        if (document.querySelector('.still')) covered = Math.min(covered, performance.now());
      }).observe(document.getElementById('track'), { childList: true });
      const look = () => {
        if (document.querySelector('.still')) window.stilled += 1;
        else if (video.readyState >= 2 && !video.seeking) covered = Infinity;
        else if (performance.now() - covered < 950) window.gaps += 1;
        requestAnimationFrame(look);
      };
      look();
    }""")
    with Film(viewer) as film:
        switch_on_in_the_middle(viewer, feed[0])
        switched = viewer.page.evaluate("document.querySelector('video[data-shown]').currentTime")
        viewer.page.wait_for_function("(switched) => window.times.at(-1)?.[0] > switched + 1.2", arg=switched)
        viewer.until(lambda: viewer.page.locator(".still").count() == 0, "a clip without a cover")
    times, gaps, covered = viewer.page.evaluate("[window.times, window.gaps, window.stilled]")
    # It goes on where it was: at most a frame comes twice, none of the start comes back, and nothing is left out but what a
    # busy machine had no time for.
    assert min(after - before for (before, _), (after, _) in zip(times, times[1:])) > -0.07
    assert max((after - before) - (later - earlier) for (before, earlier), (after, later) in zip(times, times[1:])) < 0.34
    assert gaps == 0 and covered > 0
    assert min(map(darkest_strip, film.frames)) > 30


def test_the_sound_of_a_paused_clip_keeps_its_picture(viewer, feed):
    viewer.expect_playing(feed[0])
    viewer.page.wait_for_function("() => document.querySelector('video[data-shown]').currentTime > 1.2")
    viewer.press("Space")
    viewer.expect_state("paused")
    before = viewer.page.evaluate("document.querySelector('video[data-shown]').currentTime")
    picture = viewer.capture()
    viewer.press("m")
    viewer.page.wait_for_function("() => document.querySelector('video[data-shown]').readyState >= 2")
    viewer.until(lambda: viewer.page.locator(".still").count() == 0, "a page without covers")
    after = viewer.page.evaluate("document.querySelector('video[data-shown]').currentTime")
    assert abs(after - before) < 0.01
    # A frame more or less; another place of the clip differs by far more.
    viewer.until(lambda: differ(viewer.capture().crop(PICTURE), picture.crop(PICTURE)) < 5, "the same picture")
    viewer.press("Space")
    viewer.expect_playing(feed[0])
    viewer.until(lambda: heard(viewer, feed[0]) > 0, "sound")


# The sound is switched on when the first picture is there and has not been shown yet; nobody says when it is.
IN_BETWEEN = """
HTMLVideoElement.prototype.requestVideoFrameCallback = () => 0;
addEventListener('loadeddata', () => setTimeout(() => document.getElementById('sound').click()), { capture: true, once: true });
"""


def test_a_clip_that_gets_its_sound_before_it_was_shown_is_shown(open_page, server, feed):
    viewer = open_page(server, script=IN_BETWEEN)
    viewer.expect_playing(feed[0])
    viewer.until(lambda: heard(viewer, feed[0]) > 0, "sound")
    assert viewer.complaints == []

"""The current clip plays."""

from viewer import Film, darkest_strip


def test_the_first_clip_plays_by_itself(viewer, feed):
    viewer.expect_playing(feed[0])
    viewer.until(viewer.moves, "a picture that moves")
    assert viewer.page.title() == "Clipfeed"
    assert viewer.complaints == []


def test_a_tap_pauses_and_a_second_one_plays(viewer, feed):
    viewer.expect_playing(feed[0])
    viewer.page.mouse.click(180, 420)
    viewer.expect_state("paused")
    viewer.page.locator("#paused").wait_for(state="visible")
    viewer.until(lambda: not viewer.moves(), "a picture that rests")
    viewer.page.mouse.click(180, 420)
    viewer.expect_playing(feed[0])
    viewer.page.locator("#paused").wait_for(state="hidden")
    viewer.until(viewer.moves, "a picture that moves")


# Whatever a pause leaves: an event of the element, or the sign. And the hearts, which are gone again within a second.
NOTE_PAUSES_AND_HEARTS = """() => {
  window.pauses = [];
  for (const video of document.querySelectorAll('video')) video.addEventListener('pause', () => window.pauses.push('video'));
  const sign = document.getElementById('paused');
  new MutationObserver(() => { if (!sign.hidden) window.pauses.push('sign'); }).observe(sign, { attributes: true });
  window.hearts = 0;
  const count = ({ addedNodes }) => { for (const node of addedNodes) if (node.matches?.('.heart')) window.hearts += 1; };
  new MutationObserver((all) => all.forEach(count)).observe(document.getElementById('stage'), { childList: true });
}"""


def expect_hearts(viewer, count):
    """So many have come, and gone."""
    viewer.page.wait_for_function("(count) => window.hearts === count && !document.querySelector('.heart')", arg=count)


def test_a_double_tap_never_pauses(viewer, feed):
    viewer.expect_playing(feed[0])
    viewer.page.evaluate(NOTE_PAUSES_AND_HEARTS)
    viewer.tap(180, 420, times=2)
    expect_hearts(viewer, 1)
    viewer.expect_playing(feed[0])
    assert viewer.page.evaluate("window.pauses") == []
    # A clip that is paused plays at the first tap, and is liked by the second.
    viewer.tap(180, 420)
    viewer.expect_state("paused")
    viewer.tap(180, 420, times=2)
    expect_hearts(viewer, 2)
    viewer.expect_playing(feed[0])


def test_a_clip_loops_without_a_gap_a_flash_or_a_stall(open_page, small_server):
    viewer = open_page(small_server)
    clip = small_server.feed()[0]
    viewer.expect_playing(clip)
    # Media times of the frames that were presented, and when they were; and every time the element lacked data.
    viewer.page.evaluate("""() => {
      const video = document.querySelector('video[data-shown]');
      window.times = []; window.waits = [];
      const ahead = () => video.buffered.end(video.buffered.length - 1) - video.currentTime;
      // A busy machine may keep it waiting for the decoder, too.
      video.addEventListener('waiting', () => { if (ahead() < 0.1) window.waits.push(video.currentTime); });
      const note = (_, { mediaTime, presentationTime }) => {
        window.times.push([mediaTime, presentationTime / 1000]);
        video.requestVideoFrameCallback(note);
      };
      video.requestVideoFrameCallback(note);
    }""")
    turns = clip["playback"]["duration_ms"] / 1000 * 2.3
    with Film(viewer) as film:
        viewer.page.wait_for_function(
            "(span) => window.times.at(-1)?.[0] - window.times[0]?.[0] > span", arg=turns, timeout=40_000)
    assert min(map(darkest_strip, film.frames)) > 30
    assert len(film.frames) > 20
    times, waits = viewer.page.evaluate("[window.times, window.waits]")
    assert waits == []
    # Nothing is left out at the seam. (A busy machine drops frames anywhere, for as long as it is busy: the clip is then as
    # much further as the clock is.)
    assert 0 < min(after - before for (before, _), (after, _) in zip(times, times[1:]))
    leaps = [(after - before) - (later - earlier) for (before, earlier), (after, later) in zip(times, times[1:])]
    assert max(leaps) < 0.34
    assert "loading" not in viewer.page.evaluate("document.documentElement.dataset.state")


def test_scrubbing_shows_the_place_and_goes_on_from_there(viewer, feed):
    viewer.expect_playing(feed[0])
    viewer.press("Space")
    viewer.expect_state("paused")
    before = viewer.capture()
    scrubber = viewer.page.get_by_role("slider", name="Position in the clip")
    scrubber.evaluate("""(element) => {
      element.value = element.max / 2;
      element.dispatchEvent(new Event('input', { bubbles: true }));
      element.dispatchEvent(new Event('change', { bubbles: true }));
    }""")
    # NB: the element's time goes on through every turn of the loop, and a slow machine may be in the second.
    viewer.page.wait_for_function("""() => {
      const video = document.querySelector('video[data-shown]');
      const { max } = document.getElementById('scrubber');
      return !video.seeking && Math.abs((video.currentTime * 1000) % max - max / 2) < 100;
    }""")
    viewer.until(lambda: viewer.capture().tobytes() != before.tobytes(), "another picture")


HOT = """globalThis.PressureObserver = class {
  static knownSources = ['cpu'];
  constructor(heard) { this.heard = heard; }
  async observe() { globalThis.press = (state) => this.heard([{ state }]); }
};"""


def test_a_device_under_pressure_lets_its_decorations_rest_and_plays_on(open_page, server, feed):
    viewer = open_page(server, script=HOT)
    viewer.expect_playing(feed[0])
    viewer.page.wait_for_function("() => globalThis.press")
    viewer.page.evaluate("press('critical')")
    viewer.page.wait_for_function("() => document.documentElement.hasAttribute('data-calm')")
    viewer.press("ArrowDown")
    viewer.expect_playing(feed[1])

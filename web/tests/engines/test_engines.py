"""The feed plays, swipes, loops and goes on without a network, whatever the engine."""

from server import Server


def test_the_first_clip_plays_by_itself(engine, server, feed):
    engine.open(server.url)
    engine.expect_playing(feed[0])
    engine.expect_moving()
    assert engine.complaints() == []


def test_each_swipe_starts_also_after_a_clip_that_was_watched_for_long(engine, server, feed):
    engine.open(server.url)
    engine.expect_playing(feed[0])
    # Three turns: by then the next clips have been ready for a while.
    engine.run("""async () => {
      const video = document.querySelector('video[data-shown]');
      const end = video.currentTime + 12;
      while (video.currentTime < end) await new Promise((resolve) => { setTimeout(resolve, 100); });
    }""")
    for clip in feed[1:7]:
        engine.press("ArrowDown")
        engine.expect_playing(clip)
    for clip in feed[5:3:-1]:
        engine.press("ArrowUp")
        engine.expect_playing(clip)
    assert engine.complaints() == []


def test_a_finger_swipes(engine, server, feed):
    engine.open(server.url)
    engine.expect_playing(feed[0])
    # More than half a page behind the first step, so that it counts also where a busy machine takes the pace away.
    engine.swipe([520, 500, 400, 300, 200, 100])
    engine.expect_playing(feed[1])
    engine.swipe([100, 120, 220, 320, 420, 520])
    engine.expect_playing(feed[0])


def test_a_clip_loops(engine, server, feed):
    engine.open(server.url)
    engine.expect_playing(feed[0])
    turns = engine.run("""async () => {
      const video = document.querySelector('video[data-shown]');
      const [start, end] = [video.currentTime, video.currentTime + 10];
      let stalls = 0;
      const ahead = () => video.buffered.length && video.buffered.end(video.buffered.length - 1) - video.currentTime;
      video.addEventListener('waiting', () => { if (ahead() < 0.1) stalls += 1; });
      while (video.currentTime < end) await new Promise((resolve) => { setTimeout(resolve, 100); });
      return { stalls, from: start, paused: video.paused };
    }""")
    assert turns["stalls"] == 0 and not turns["paused"]
    engine.expect_playing(feed[0])


def test_a_tap_pauses_and_a_second_one_plays(engine, server, feed):
    engine.open(server.url)
    engine.expect_playing(feed[0])
    engine.click(180, 420)
    engine.expect_state("paused")
    engine.click(180, 420)
    engine.expect_playing(feed[0])


def test_a_server_that_is_gone_is_said_and_comes_back(engine, own_server):
    feed = own_server.feed()
    engine.open(own_server.url)
    engine.expect_playing(feed[0])
    engine.press("ArrowDown")
    engine.expect_playing(feed[1])
    own_server.stop()
    # What is stored plays on.
    engine.press("ArrowUp")
    engine.expect_playing(feed[0])
    again = Server(own_server.data, port=own_server.port)
    try:
        engine.press("ArrowDown")
        engine.expect_playing(feed[1])
    finally:
        again.stop()


def test_a_managed_source_alone_is_enough(engine, without):
    """As on an iPhone."""
    server = without("MediaSource")
    engine.open(server.url)
    # Once the page's first module has run.
    engine.wait("() => !globalThis.MediaSource && Boolean(globalThis.ManagedMediaSource)")
    for clip in server.feed()[:3]:
        engine.expect_playing(clip)
        engine.press("ArrowDown")
    assert engine.complaints() == []


def test_without_media_source_the_engine_plays_hls_itself(engine, without):
    """As on an old iPhone."""
    server = without("MediaSource", "ManagedMediaSource")
    engine.open(server.url)
    for clip in server.feed()[:3]:
        engine.expect_playing(clip)
        assert engine.run("() => document.querySelector('video[data-shown]').currentSrc.endsWith('.m3u8')")
        engine.press("ArrowDown")

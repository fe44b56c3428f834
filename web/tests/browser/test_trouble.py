"""The network goes and comes back, media is missing, Media Source Extensions do not exist."""

from server import Server
from viewer import darkest_strip


def go_on_until_trouble(viewer):
    """Swipes on until there is nothing left to show."""
    def cut_off():
        viewer.press("ArrowDown")
        return viewer.page.locator("#trouble").is_visible()
    viewer.until(cut_off, "the trouble panel")


def test_offline_shows_a_retryable_state_and_goes_on_by_itself(viewer, feed):
    viewer.expect_playing(feed[0])
    viewer.page.context.set_offline(True)
    go_on_until_trouble(viewer)
    alert = viewer.page.get_by_role("alert")
    assert alert.get_by_role("heading").inner_text() == "No connection"
    assert alert.get_by_role("button", name="Try again").is_visible()
    assert darkest_strip(viewer.capture()) > 5
    viewer.page.context.set_offline(False)
    alert.wait_for(state="hidden")
    viewer.expect_playing()


def test_clips_that_are_stored_go_on_without_a_network(viewer, feed):
    viewer.expect_playing(feed[0])
    # All of it is stored, however slowly it came: its next turn lies behind it.
    viewer.page.wait_for_function("""([id, end]) => {
      const { buffered } = document.querySelector(`video[data-clip="${id}"]`);
      return buffered.length > 0 && buffered.end(buffered.length - 1) > end + 0.1;
    }""", arg=[feed[0]["id"], feed[0]["playback"]["duration_ms"] / 1000])
    viewer.press("ArrowDown")
    viewer.expect_playing(feed[1])
    viewer.page.context.set_offline(True)
    viewer.press("ArrowUp")
    viewer.expect_playing(feed[0])
    assert not viewer.page.locator("#trouble").is_visible()


def test_a_server_that_is_gone_can_be_tried_again(open_page, data_of_all):
    server = Server(data_of_all)
    feed = server.feed()
    viewer = open_page(server)
    viewer.expect_playing(feed[0])
    server.stop()
    go_on_until_trouble(viewer)
    again = Server(data_of_all, port=server.port)
    try:
        # It may have noticed by itself before the button is reached, which has no role any more then.
        retry = viewer.page.locator("#retry")
        retry.evaluate("(button) => button.click()")
        retry.wait_for(state="hidden")
        viewer.expect_playing()
        viewer.press("ArrowDown")
        viewer.expect_playing()
    finally:
        again.stop()


# A notice goes away by itself, maybe before a test looks.
NOTE_NOTICES = """
window.notices = [];
new MutationObserver(() => {
  const text = document.getElementById('notice')?.textContent;
  if (text) window.notices.push(text);
}).observe(document, { childList: true, subtree: true });
"""


def test_a_clip_whose_media_is_missing_is_skipped_with_a_notice(open_page, own_data):
    server = Server(own_data)
    try:
        feed = server.feed()
        for rendition in feed[1]["playback"]["renditions"]:
            [blob] = own_data.rglob(rendition["url"].rsplit("/", 1)[-1])
            blob.unlink()
        viewer = open_page(server, script=NOTE_NOTICES)
        viewer.expect_playing(feed[0])
        viewer.press("ArrowDown")
        viewer.expect_playing(feed[2])
        assert "A clip could not be played and was skipped." in viewer.page.evaluate("window.notices")
        viewer.press("ArrowUp")
        viewer.expect_playing(feed[0])
    finally:
        server.stop()


NO_MEDIA_SOURCE = "delete globalThis.MediaSource; delete globalThis.ManagedMediaSource;"


def test_without_media_source_the_browser_plays_hls_itself(open_page, small_server):
    feed = small_server.feed()
    viewer = open_page(small_server, script=NO_MEDIA_SOURCE)
    for clip in feed[:3]:
        viewer.expect_playing(clip)
        assert viewer.page.evaluate(
            "() => document.querySelector('video[data-shown]').currentSrc").endswith(".m3u8")
        viewer.press("ArrowDown")
    viewer.expect_playing(feed[3])


def test_the_loading_sign_shows_only_while_data_is_lacking(open_page, server, feed):
    viewer = open_page(server)
    viewer.expect_playing(feed[0])
    sign = viewer.page.get_by_role("img", name="Loading")
    for clip in feed[1:5]:
        viewer.press("ArrowDown")
        viewer.expect_playing(clip)
        # A busy machine may lack data for a moment, too.
        sign.wait_for(state="hidden")
    viewer.slow_down(bytes_per_second=3_000, latency_ms=300)

    def lacking():
        viewer.press("ArrowDown")
        return sign.is_visible()

    viewer.until(lacking, "the loading sign")
    viewer.slow_down(bytes_per_second=-1, latency_ms=0)
    viewer.expect_playing()
    sign.wait_for(state="hidden")

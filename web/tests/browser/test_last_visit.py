"""The next visit begins with clips that are there already, and what is new comes on top of them."""

HELD = """(() => {
  const real = fetch;
  const freed = new Promise((resolve) => { globalThis.free = resolve; });
  globalThis.fetch = async (url, options) => {
    if (sessionStorage.held && String(url).startsWith('/api/v1/feed')) await freed;
    return real(url, options);
  };
})();"""


def come_back(viewer):
    viewer.page.goto("about:blank")
    viewer.page.goto(viewer.server.url)


def leave_for_next_time(viewer, feed):
    """Watches two clips until the third is on disk and the page has the second's address."""
    viewer.expect_playing(feed[0])
    viewer.press("ArrowDown")
    viewer.expect_playing(feed[1])
    viewer.page.wait_for_url(f"**/c/{feed[1]['id']}")
    third = feed[2]["playback"]["renditions"][0]["url"]
    # As somebody who goes to another app: what comes next is written down then, as far as it is there. Nothing more comes while they
    # are away: whoever left too early comes back for it. NB: what waits for a function takes a promise for a yes.
    viewer.until(lambda: viewer.page.evaluate("""async (url) => {
      const isThere = async () => {
        const index = await (await (await caches.open('clipfeed-media-1')).match('/media/index'))?.json() ?? [];
        return index.some(([key, { parts }]) => key === url && parts.length > 1);
      };
      const pause = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });
      Object.defineProperty(document, 'hidden', { value: true, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
      for (let look = 0; look < 40; look += 1) {
        if (await isThere()) return true;
        await pause(50);
      }
      delete document.hidden;
      document.dispatchEvent(new Event('visibilitychange'));
      await pause(1000);
      return false;
    }""", third), "the third clip on the disk")


def test_the_feed_of_last_time_plays_at_once_and_what_is_new_goes_on_top(open_page, server, feed):
    viewer = open_page(server, script=HELD)
    leave_for_next_time(viewer, feed)
    viewer.page.evaluate("sessionStorage.held = 1")
    come_back(viewer)
    # The feed has not answered yet.
    viewer.expect_playing(feed[2])
    viewer.page.evaluate("free()")
    viewer.page.wait_for_function("() => clipfeed.clips() > 5")
    # Nothing has moved; above it is the feed's first page, which this person has seen by the first look.
    viewer.expect_playing(feed[2])
    viewer.press("Home")
    viewer.expect_playing(feed[0])
    viewer.press("ArrowDown")
    viewer.expect_playing(feed[1])
    assert viewer.complaints == []


def test_without_a_network_the_feed_of_last_time_is_there(open_page, server, feed):
    viewer = open_page(server)
    leave_for_next_time(viewer, feed)
    viewer.page.route("**/api/v1/feed*", lambda route: route.abort())
    viewer.page.reload()
    # With what was on the screen, and then what comes next.
    viewer.expect_playing(feed[1])
    viewer.press("ArrowDown")
    viewer.expect_playing(feed[2])


def test_a_reload_stays_at_its_clip_and_asks_for_what_is_new(open_page, server, feed):
    viewer = open_page(server)
    leave_for_next_time(viewer, feed)
    viewer.page.reload()
    viewer.expect_playing(feed[1])
    viewer.press("ArrowDown")
    viewer.expect_playing(feed[0])


def test_a_clip_of_last_time_that_is_gone_is_left_out(open_page, own_server):
    feed = own_server.feed()
    viewer = open_page(own_server)
    leave_for_next_time(viewer, feed)
    viewer.page.route(f"**/api/v1/clips/{feed[2]['id']}", lambda route: route.fulfill(
        status=404, content_type="application/problem+json", body='{"code": "clip_not_found", "status": 404}'))
    come_back(viewer)
    viewer.until(lambda: viewer.current() not in (None, feed[2]["id"]), "another clip in its place")

"""Opening the page without a network, and what it says of that."""

import pytest
from playwright.sync_api import expect

from test_last_visit import leave_for_next_time
from versions import ON_A_FAST_LINK, Site, keep_page, open_anew

# A notice goes away by itself, maybe before a test looks.
NOTE_NOTICES = """
window.notices = [];
addEventListener('DOMContentLoaded', () => new MutationObserver(() => {
  const { textContent } = document.getElementById('notice');
  if (textContent) notices.push(textContent);
}).observe(document.getElementById('notice'), { childList: true }));
"""


@pytest.fixture
def site(data_of_all, tmp_path):
    site = Site(data_of_all, tmp_path)
    yield site
    site.stop()


@pytest.fixture
def viewer(open_page, site):
    return open_page(site, script=ON_A_FAST_LINK + NOTE_NOTICES, service_workers="allow")


def told(viewer, words):
    viewer.page.wait_for_function("(words) => notices.some((text) => text.includes(words))", arg=words)


def test_the_page_opens_without_a_network_with_the_feed_of_last_time(viewer, site):
    feed = site.feed()
    leave_for_next_time(viewer, feed)
    keep_page(viewer)
    site.cut()
    open_anew(viewer)
    viewer.expect_playing(feed[2])
    told(viewer, "These clips are from last time")
    # Screens open too.
    viewer.press("/")
    expect(viewer.page.locator("#search-screen")).to_be_visible()
    viewer.press("Escape")
    site.come_back()
    # The fresh feed comes by itself, behind what is on the screen.
    viewer.page.wait_for_function("() => clipfeed.clips() > 5", timeout=60_000)
    viewer.expect_playing(feed[2])


def test_a_page_at_a_clips_address_opens_too(viewer, site):
    feed = site.feed()
    leave_for_next_time(viewer, feed)
    keep_page(viewer)
    site.cut()
    viewer.page.reload()
    viewer.expect_playing(feed[1])


def test_whoever_has_nothing_stored_is_told_so(viewer, site):
    viewer.expect_playing()
    keep_page(viewer)
    viewer.page.evaluate("""async () => {
      localStorage.clear();
      await caches.delete('clipfeed-media-1');
      // The page that goes must not leave anything.
      Object.defineProperty(document, 'hidden', { value: false });
    }""")
    site.cut()
    open_anew(viewer)
    expect(viewer.page.get_by_role("heading", name="No connection")).to_be_visible()
    site.come_back()
    # The feed is asked for at longer and longer intervals.
    viewer.page.wait_for_function("() => clipfeed.clips() > 0", timeout=60_000)
    viewer.expect_playing()


def test_a_network_that_goes_and_comes_is_said(viewer, site):
    viewer.expect_playing()
    keep_page(viewer, whole=False)
    viewer.page.context.set_offline(True)
    told(viewer, "No network. Clips that are on this device play on.")
    viewer.page.context.set_offline(False)
    told(viewer, "The network is back.")

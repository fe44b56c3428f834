"""Clips that a person keeps: whole, playing without a network, and gone when somebody says so."""

import re

import pytest
from playwright.sync_api import expect

from test_account import arrive
from test_sizes import at_each_size
from versions import ON_A_FAST_LINK, Site, keep_page, limit_storage, open_anew


@pytest.fixture
def site(own_data, tmp_path):
    site = Site(own_data, tmp_path)
    yield site
    site.stop()


@pytest.fixture
def viewer(open_page, site):
    return arrive(open_page(site, script=ON_A_FAST_LINK, service_workers="allow"))


def choose(viewer, words):
    """An entry of the menu of the clip on the screen."""
    viewer.page.locator(".page[aria-current]").get_by_role("button", name="More", exact=True).click()
    viewer.page.get_by_role("dialog", name=re.compile("^Clip by ")).get_by_role("button", name=words).click()


def records(viewer):
    return viewer.page.evaluate("""async () => {
      const cache = await caches.open('clipfeed-kept-1');
      const found = {};
      for (const request of await cache.keys()) {
        if (!new URL(request.url).pathname.startsWith('/kept/')) continue;
        // It may have gone since.
        const record = await (await cache.match(request))?.json();
        if (record) found[record.item.id] = record.isWhole;
      }
      return found;
    }""")


def keep(viewer, clip):
    viewer.expect_playing(clip)
    choose(viewer, "Keep on this device")
    viewer.until(lambda: records(viewer).get(clip["id"]), "the whole clip")
    # Until the page has heard of that as well, the menu offers to stop.
    is_over = "(id) => import('/app/offline/keeping.js').then(({ shareOf }) => shareOf(id) === undefined)"
    viewer.until(lambda: viewer.page.evaluate(is_over, clip["id"]), "the end of keeping it")


def go(viewer, address="#account/kept"):
    viewer.page.evaluate("(address) => { history.pushState({ fromFeed: true }, '', address); dispatchEvent(new PopStateEvent('popstate')); }", address)
    screen = viewer.page.locator("#account-screen")
    expect(screen.get_by_role("heading", name="Room on this device")).to_be_visible()
    return screen


def rows(screen):
    return screen.get_by_role("list", name="Kept clips").get_by_role("listitem")


def forget_what_was_loaded(viewer):
    """Only what is kept is left, whichever way the page is left."""
    viewer.page.evaluate("""async () => {
      await caches.delete('clipfeed-media-1');
      localStorage.removeItem('clipfeed.feed');
      Object.defineProperty(document, 'hidden', { value: false });
    }""")


def test_a_kept_clip_plays_without_a_network(viewer, site):
    feed = site.feed()
    viewer.press("ArrowDown")
    keep(viewer, feed[1])
    keep_page(viewer)
    forget_what_was_loaded(viewer)
    site.cut()
    open_anew(viewer)
    viewer.page.get_by_role("button", name="Watch kept clips").click()
    screen = viewer.page.locator("#account-screen")
    expect(rows(screen)).to_have_count(1)
    # With its picture.
    viewer.page.wait_for_function("() => document.querySelector('#account-screen .kept img')?.naturalWidth > 0")
    screen.get_by_role("button", name=f"Watch: {feed[1]['caption']}").click()
    viewer.expect_playing(feed[1])
    # All of it, and again from the start.
    viewer.page.wait_for_function(
        "(end) => document.querySelector('video[data-shown]').currentTime > end", arg=feed[1]["playback"]["duration_ms"] / 1000 + 0.3)
    viewer.expect_playing(feed[1])
    assert not viewer.page.locator("#trouble").is_visible()


@pytest.mark.long
def test_a_kept_clip_plays_in_the_middle_of_the_feed(viewer, site):
    feed = site.feed()
    viewer.press("ArrowDown")
    viewer.expect_playing(feed[1])
    viewer.press("ArrowDown")
    keep(viewer, feed[2])
    viewer.press("Home")
    viewer.expect_playing(feed[0])
    forget_what_was_loaded(viewer)
    files = [rendition["url"] for rendition in feed[2]["playback"]["renditions"]]
    viewer.page.route("**/media/*.mp4", lambda route: route.abort() if any(file in route.request.url for file in files) else route.continue_())
    viewer.reload_feed()
    arrive(viewer)
    viewer.expect_playing(feed[0])
    viewer.press("End")
    viewer.expect_playing(feed[3])
    viewer.press("ArrowUp")
    viewer.expect_playing(feed[2])


def test_what_is_kept_is_listed_with_its_size_and_let_go(viewer, site):
    feed = site.feed()
    for at, clip in enumerate(feed[:3]):
        if at:
            viewer.press("ArrowDown")
        keep(viewer, clip)
    screen = go(viewer)
    expect(rows(screen)).to_have_count(3)
    # The one that was kept last comes first.
    expect(rows(screen).first).to_contain_text(feed[2]["caption"])
    expect(rows(screen).first).to_contain_text(re.compile(r"\d (KB|MB) · "))
    rows(screen).first.get_by_role("button", name="Remove").click()
    expect(rows(screen)).to_have_count(2)
    screen.get_by_role("button", name="Remove all").click()
    screen.get_by_role("button", name="Remove all 2?").click()
    expect(rows(screen)).to_have_count(0)
    expect(screen).to_contain_text("No kept clips yet")
    left = viewer.page.evaluate("caches.open('clipfeed-kept-1').then((cache) => cache.keys()).then((all) => all.length)")
    assert left == 0
    assert viewer.complaints == []


@pytest.mark.long
def test_the_list_fits_at_each_size(viewer, site):
    feed = site.feed()
    keep(viewer, feed[0])
    viewer.press("ArrowDown")
    keep(viewer, feed[1])
    screen = go(viewer)
    expect(rows(screen)).to_have_count(2)
    assert at_each_size(viewer, "kept") == {}


@pytest.mark.long
def test_the_menu_knows_what_is_kept(viewer, site):
    clip = site.feed()[0]
    keep(viewer, clip)
    choose(viewer, "Remove from this device")
    viewer.until(lambda: records(viewer) == {}, "that it is gone")
    choose(viewer, "Keep on this device")
    viewer.until(lambda: records(viewer) == {clip["id"]: True}, "the whole clip")


def test_the_cache_is_cleared_and_kept_clips_stay(viewer, site):
    feed = site.feed()
    keep(viewer, feed[0])
    viewer.press("ArrowDown")
    viewer.expect_playing(feed[1])
    # Leaving a clip that was watched, or the page, brings what was loaded onto the disk.
    viewer.page.evaluate("""() => {
      Object.defineProperty(document, 'hidden', { value: true, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }""")
    def stored():
        return viewer.page.evaluate("""async () => {
          const keys = await (await caches.open('clipfeed-media-1')).keys();
          return keys.some(({ url }) => url.includes('bytes='));
        }""")
    # With the index, by which the page counts it: that comes last.
    viewer.until(lambda: viewer.page.evaluate("""async () => {
      const index = await (await (await caches.open('clipfeed-media-1')).match('/media/index'))?.json() ?? [];
      return index.some(([, { parts }]) => parts.length);
    }"""), "what was loaded on the disk")
    viewer.page.evaluate("""() => {
      delete document.hidden;
      document.dispatchEvent(new Event('visibilitychange'));
    }""")
    screen = go(viewer)
    clear = screen.get_by_role("button", name="Clear", exact=True)
    clear.click()
    expect(screen.get_by_text("Cleared.")).to_be_visible()
    expect(clear).to_be_disabled()
    viewer.until(lambda: not stored(), "an empty cache")
    assert records(viewer) == {feed[0]["id"]: True}
    assert viewer.complaints == []


def test_without_room_it_says_what_to_do(viewer, site):
    limit_storage(viewer, 1000)
    choose(viewer, "Keep on this device")
    expect(viewer.page.locator("#notice")).to_contain_text("There is no room for this clip")
    screen = go(viewer)
    expect(rows(screen)).to_have_count(0)


def is_whole(request, clip):
    """Whether all of a file of the clip is asked for, as by whoever keeps it; the feed goes on loading pieces, also first ones."""
    ends = {one["url"]: max(part["offset"] + part["size"] for part in one["segments"]) - 1 for one in clip["playback"]["renditions"]}
    end = ends.get(request.url[request.url.index("/media/"):])
    return end is not None and request.headers.get("range") == f"bytes=0-{end}"


def test_a_clip_that_does_not_come_whole_is_tried_again(viewer, site):
    clip = site.feed()[0]
    broken = []
    def cut(route):
        if is_whole(route.request, clip) and not broken:
            broken.append(route)
            route.fulfill(status=503)
        else:
            route.continue_()
    viewer.expect_playing(clip)
    viewer.page.route("**/media/*.mp4", cut)
    choose(viewer, "Keep on this device")
    expect(viewer.page.locator("#notice")).to_contain_text("did not come whole")
    screen = go(viewer)
    expect(rows(screen)).to_contain_text("The clip did not come whole.")
    screen.get_by_role("button", name="Try again").click()
    expect(rows(screen)).to_contain_text(re.compile(r"\d (KB|MB) · "))
    assert records(viewer) == {clip["id"]: True}


@pytest.mark.long
def test_it_can_be_stopped_on_its_way(viewer, site):
    clip = site.feed()[0]
    held = []
    viewer.expect_playing(clip)
    viewer.page.route("**/media/*.mp4", lambda route: held.append(route) if is_whole(route.request, clip) else route.continue_())
    choose(viewer, "Keep on this device")
    viewer.until(lambda: held, "the request")
    screen = go(viewer)
    expect(rows(screen).get_by_role("progressbar")).to_be_visible()
    rows(screen).get_by_role("button", name="Cancel").click()
    expect(rows(screen)).to_have_count(0)
    assert records(viewer) == {}


@pytest.mark.parametrize("answer", [
    {"status": 404, "content_type": "application/problem+json", "body": '{"code": "clip_not_found", "status": 404}'},
    {"status": 200, "json": {"visibility": "private"}},
], ids=["gone", "private"])
def test_what_the_server_no_longer_shows_goes_from_here_too(viewer, site, answer):
    feed = site.feed()
    keep(viewer, feed[0])
    viewer.press("ArrowDown")
    keep(viewer, feed[1])
    viewer.page.route(f"**/api/v1/clips/{feed[0]['id']}", lambda route: route.fulfill(**answer))
    screen = go(viewer)
    expect(rows(screen)).to_have_count(1)
    expect(rows(screen)).to_contain_text(feed[1]["caption"])


def test_clips_that_are_not_for_everybody_are_not_kept(viewer, site):
    viewer.page.route("**/api/v1/feed*", unlisted)
    viewer.reload_feed()
    arrive(viewer)
    viewer.page.locator(".page[aria-current]").get_by_role("button", name="More", exact=True).click()
    menu = viewer.page.get_by_role("dialog", name=re.compile("^Clip by "))
    expect(menu.get_by_role("button", name="Copy link")).to_be_visible()
    expect(menu.get_by_role("button", name="Keep on this device")).to_have_count(0)


def unlisted(route):
    page = route.fetch().json()
    for clip in page["items"]:
        clip["visibility"] = "unlisted"
    route.fulfill(json=page)


@pytest.mark.long
def test_the_page_can_be_installed_where_the_browser_offers_it(viewer):
    viewer.page.evaluate("""() => dispatchEvent(Object.assign(new Event('beforeinstallprompt'), {
      prompt: async () => ({ outcome: 'accepted' }),
    }))""")
    screen = go(viewer)
    screen.get_by_role("button", name="Install Clipfeed").click()
    expect(screen.get_by_text("Clipfeed is installed.")).to_be_visible()

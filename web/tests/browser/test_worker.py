"""The page's worker: whatever becomes of versions, storage and network, the page opens, and each page has one version."""

import pytest

from versions import ON_A_FAST_LINK, Site, keep_page, limit_storage, mark, open_anew


@pytest.fixture
def site(own_data, tmp_path):
    site = Site(own_data, tmp_path)
    yield site
    site.stop()


@pytest.fixture
def visit(open_page, site):
    """A page whose worker has all of it."""
    def visit():
        viewer = open_page(site, script=ON_A_FAST_LINK, service_workers="allow")
        viewer.expect_playing()
        keep_page(viewer)
        return viewer
    return visit


def look_at(viewer, address, name):
    """Opens a screen; answers of which version it is."""
    viewer.page.evaluate("(address) => { history.pushState({ fromFeed: true }, '', address); dispatchEvent(new PopStateEvent('popstate')); }", address)
    viewer.page.wait_for_function("(name) => document.documentElement.dataset[name]", arg=name)
    viewer.page.evaluate("history.back()")
    # It takes its time, and must not lead back from what is opened next.
    viewer.page.wait_for_function("() => !location.hash")
    return mark(viewer, name)


def test_a_new_version_comes_with_the_next_page_and_not_in_the_middle_of_a_session(visit, site):
    viewer = visit()
    open_anew(viewer)
    viewer.expect_playing()
    # The browser may look for a new worker by itself, as soon as there is one.
    viewer.page.evaluate("""() => {
      window.isSame = true;
      window.taken = new Promise((resolve) => { navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }); });
    }""")
    site.publish(2)
    assert look_at(viewer, "#search", "search") == 1
    # The browser finds the new worker, which takes over at once.
    viewer.page.evaluate("""async () => {
      await (await navigator.serviceWorker.ready).update();
      await taken;
    }""")
    assert look_at(viewer, "#account", "account") == 1
    viewer.expect_playing()
    assert viewer.page.evaluate("window.isSame")
    open_anew(viewer)
    viewer.expect_playing()
    assert (mark(viewer, "document"), mark(viewer, "main"), look_at(viewer, "#search", "search")) == (2, 2, 2)
    assert viewer.complaints == []


def test_two_tabs_have_two_versions(visit, open_page, site):
    site.wait_longer()
    viewer = visit()
    open_anew(viewer)
    viewer.expect_playing()
    site.publish(2)
    other = viewer.page.context.new_page()
    other.goto(site.url)
    other.wait_for_function("() => document.querySelector('video[data-shown]')?.currentTime > 0")
    assert other.evaluate("document.documentElement.dataset.main") == "2"
    assert look_at(viewer, "#search", "search") == 1
    keys = "caches.open('clipfeed-shell-1').then((cache) => cache.keys()).then((all) => all.filter(({ url }) => url.includes('main.js')).length)"
    viewer.until(lambda: other.evaluate(keys) == 2, "both versions in the cache")
    assert look_at(viewer, "#account", "account") == 1
    other.close()
    assert viewer.complaints == []


def test_a_full_storage_is_no_reason_not_to_open(open_page, site):
    viewer = open_page(site, script=ON_A_FAST_LINK, service_workers="allow")
    limit_storage(viewer, 1000)
    viewer.page.reload()
    viewer.expect_playing()
    viewer.page.evaluate("navigator.serviceWorker.ready.then(() => {})")
    for number in (1, 2):
        site.publish(number)
        open_anew(viewer)
        viewer.expect_playing()
        assert mark(viewer, "main") == number
        assert look_at(viewer, "#search", "search") == number
    assert viewer.complaints == []


@pytest.mark.parametrize("broken", [
    "new Response('broken')", *(pytest.param(broken, marks=pytest.mark.long) for broken in ("new Response('')", "null"))])
def test_broken_entries_are_mended(visit, broken):
    viewer = visit()
    viewer.page.evaluate(f"""async () => {{
      const cache = await caches.open('clipfeed-shell-1');
      for (const request of await cache.keys()) {{
        const broken = {broken};
        if (broken) await cache.put(request, broken); else await cache.delete(request);
      }}
    }}""")
    # Nothing of it is in memory either.
    viewer.cdp.send("ServiceWorker.enable")
    viewer.cdp.send("ServiceWorker.stopAllWorkers")
    open_anew(viewer)
    viewer.expect_playing()
    assert look_at(viewer, "#search", "search") == 1
    keep_page(viewer)
    assert viewer.complaints == []


def test_a_server_that_does_not_answer_holds_the_page_up_for_a_moment(visit, site):
    viewer = visit()
    site._server.hold()
    open_anew(viewer)
    viewer.page.wait_for_function("() => document.documentElement.dataset.main === '1'")
    site.cut()
    site.come_back()


@pytest.mark.long
def test_without_shell_js_the_page_is_as_before(visit, site):
    site.wait_longer()
    viewer = visit()
    site.take_shell_away()
    open_anew(viewer)
    viewer.expect_playing()
    viewer.until(lambda: "clipfeed-shell-1" not in viewer.page.evaluate("caches.keys()"), "an end of the worker's cache")

    def has_no_worker():
        # As the page says twenty seconds after it has opened: by then it has registered its worker again.
        viewer.page.evaluate("navigator.serviceWorker.getRegistration().then((one) => { one?.active?.postMessage('rest'); })")
        open_anew(viewer)
        viewer.expect_playing()
        return viewer.page.evaluate("navigator.serviceWorker.controller") is None

    viewer.until(has_no_worker, "a page without a worker")
    assert "clipfeed-shell-1" not in viewer.page.evaluate("caches.keys()")

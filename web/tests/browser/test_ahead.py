"""What the worker brings for the next visit while no page is open."""

import pytest

from test_outbox import leave_for_the_worker, site  # noqa: F401 (a fixture)
from versions import ON_A_FAST_LINK, keep_page, open_anew

# Clears what a visit left; a page of the site that is not the app.
FORGET = "async () => { localStorage.clear(); await caches.delete('clipfeed-media-1'); }"


def stored(viewer, name):
    """The addresses in one of the site's caches, asked of the worker: no page of the site is open."""
    worker, = viewer.page.context.service_workers
    return worker.evaluate("""async (name) => (await caches.has(name)
      ? (await (await caches.open(name)).keys()).map(({ url }) => url) : [])""", name)


def test_the_next_visit_begins_without_a_network_by_what_the_worker_brought(open_page, site):
    viewer = open_page(site, script=ON_A_FAST_LINK, tab="for_you", service_workers="allow")
    viewer.expect_playing()
    keep_page(viewer)
    wake = leave_for_the_worker(viewer, site)
    viewer.page.goto(f"{site.url}/robots.txt")
    viewer.page.evaluate(FORGET)
    viewer.page.goto("about:blank")
    assert stored(viewer, "clipfeed-media-1") == []
    # It is woken once, and brings nothing while it sees a page, also one that has just been left.
    worker, = viewer.page.context.service_workers
    pages = "self.clients.matchAll({ type: 'window', includeUncontrolled: true }).then((all) => all.length)"
    viewer.until(lambda: worker.evaluate(pages) == 0, "the end of the page that was left")
    wake("PeriodicSync", "clipfeed-feed")
    # The first clip's beginning, and by what it is found.
    viewer.until(lambda: len(stored(viewer, "clipfeed-media-1")) > 4, "the beginning of the first clip")
    assert len(stored(viewer, "clipfeed-ahead-1")) == 1
    site.cut()
    open_anew(viewer)
    viewer.expect_playing()


@pytest.mark.long
def test_nothing_is_brought_while_a_page_is_open(open_page, site):
    viewer = open_page(site, script=ON_A_FAST_LINK, tab="for_you", service_workers="allow")
    viewer.expect_playing()
    keep_page(viewer)
    wake = leave_for_the_worker(viewer, site)
    open_anew(viewer)
    viewer.expect_playing()
    wake("PeriodicSync", "clipfeed-feed")
    viewer.page.wait_for_timeout(500)
    assert stored(viewer, "clipfeed-ahead-1") == []

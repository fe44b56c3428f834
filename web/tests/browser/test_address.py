"""The address follows the clip on the screen; and what stands at an address that leads nowhere."""

import urllib.error
import urllib.request

import pytest
from playwright.sync_api import expect

from test_account import arrive, screen


def at(viewer, clip):
    viewer.page.wait_for_function("(id) => location.pathname === `/c/${id}` && !location.hash", arg=clip["id"])


def test_the_address_is_that_of_the_clip_and_back_leaves(open_page, server, feed):
    viewer = open_page(server)
    viewer.page.goto("about:blank")
    viewer.open()
    arrive(viewer)
    at(viewer, feed[0])
    length = viewer.page.evaluate("history.length")
    viewer.press("ArrowDown")
    viewer.expect_playing(feed[1])
    at(viewer, feed[1])
    viewer.press("ArrowDown")
    viewer.expect_playing(feed[2])
    at(viewer, feed[2])
    assert viewer.page.evaluate("history.length") == length
    # A screen has an address of its own meanwhile, and gives it back.
    viewer.press("a")
    screen(viewer, "Sign in").wait_for()
    assert viewer.page.url.endswith(f"/c/{feed[2]['id']}#account")
    viewer.press("Escape")
    at(viewer, feed[2])
    # Whoever reloads or copies it has that clip, and the feed behind it.
    viewer.page.reload()
    viewer.expect_playing(feed[2])
    viewer.press("ArrowDown")
    viewer.expect_playing(feed[0])
    viewer.page.go_back()
    viewer.page.wait_for_url("about:blank")
    assert viewer.complaints == []


@pytest.mark.parametrize("size", [{"width": 390, "height": 844}, {"width": 1280, "height": 800}], ids=["phone", "desk"])
@pytest.mark.long
def test_an_address_that_leads_nowhere_is_a_page_with_a_way_to_the_clips(open_page, server, size):
    viewer = open_page(server, viewport=size)
    answer = viewer.page.goto(f"{server.url}/@nobody")
    assert answer.status == 404
    expect(viewer.page.get_by_role("heading", name="There is nothing here")).to_be_visible()
    # Its looks came, too.
    assert viewer.page.evaluate("getComputedStyle(document.body).display") == "grid"
    viewer.page.get_by_role("link", name="Watch clips").click()
    viewer.expect_playing()
    assert [text for text in viewer.complaints if "404" not in text] == []


@pytest.mark.long
def test_browsers_find_what_they_ask_for_by_themselves(server):
    for path, kind in [("/favicon.ico", "image/x-icon"), ("/apple-touch-icon.png", "image/png"), ("/robots.txt", "text/plain")]:
        with urllib.request.urlopen(server.url + path) as answer:
            assert answer.headers["Content-Type"].startswith(kind)
            assert answer.read(8)
    # Programs are told in their own way.
    with pytest.raises(urllib.error.HTTPError) as error:
        urllib.request.urlopen(server.url + "/@nobody")
    assert error.value.headers["Content-Type"] == "application/problem+json"


def test_a_server_in_trouble_is_not_called_a_connection_that_is_gone(open_page, server):
    viewer = open_page(server, script="""globalThis.fetch = ((real) => (url, options) => (globalThis.ails !== false
      && String(url).startsWith('/api/v1/feed') ? Promise.resolve(new Response('', { status: 500 })) : real(url, options)))(fetch);""")
    viewer.expect_state("trouble")
    alert = viewer.page.get_by_role("alert")
    expect(alert.get_by_role("heading")).to_have_text("Clipfeed has trouble")
    viewer.page.evaluate("globalThis.ails = false")
    # It may have noticed by itself before the button is reached, which has no role any more then.
    viewer.page.locator("#retry").evaluate("(button) => button.click()")
    viewer.expect_playing()

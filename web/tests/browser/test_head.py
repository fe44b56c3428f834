"""The head of the feed: what comes late into it, and for some clips alone."""

import pytest
from playwright.sync_api import expect

from geometry import faults

# Each button that stood in another place than when it was seen first. (A page that is written from right to left turns first.)
MOVED = """(() => {
  const places = {};
  window.displaced = new Set();
  window.placed = () => Object.keys(places).sort();
  const look = () => {
    for (const button of document.querySelectorAll('#top > :is(button, input)')) {
      const { left, top, width } = button.getBoundingClientRect();
      if (!width || document.dir !== '%s') continue;
      const place = `${Math.round(left)} ${Math.round(top)}`;
      if (place !== (places[button.id] ??= place)) window.displaced.add(`${button.id}: ${places[button.id]}, then ${place}`);
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})()"""

TRACK = {"language": "en", "url": "/media/none.vtt", "label": "English", "automatic": False}


def captioned_now_and_then(route):
    page = route.fetch().json()
    for clip in page["items"][::2]:
        clip["playback"]["captions"] = [TRACK]
    route.fulfill(json=page)


@pytest.mark.parametrize("width", [280, 320, 390, 820, 1440])
@pytest.mark.parametrize("locale, direction", [("en-GB", "ltr"), ("ar", "rtl")])
def test_nothing_that_comes_late_moves_another_button(open_page, own_server, width, locale, direction):
    viewer = open_page(own_server, MOVED % direction, viewport={"width": width, "height": 844}, locale=locale)
    viewer.page.route("**/api/v1/feed*", captioned_now_and_then)
    viewer.reload_feed()
    viewer.expect_playing()
    captions, head = viewer.page.locator("#captions"), viewer.page.locator("#top")
    on_desk = width == 1440
    late = ["captions", *(["pip"] if width >= 820 else []), *(["full", "volume"] if on_desk else ["inbox"])]
    for name in late:
        expect(head.locator(f"#{name}")).to_be_visible()
    for is_there in (False, True):
        viewer.press("ArrowDown")
        expect(captions).to_be_visible(visible=is_there)
    assert faults(viewer.page, "#top") == []
    # They are asked for by keys in the order in which they stand.
    lefts = head.locator("> :is(button, input):visible").evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().left)")
    assert lefts == sorted(lefts, reverse=locale == "ar")
    assert viewer.page.evaluate("[...window.displaced]") == []
    assert {"sound", *late} <= set(viewer.page.evaluate("window.placed()"))

"""What stands over the clip: who made it, and what they say about it."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.long

LONG = "A harbour before dawn.\nNobody is up but the gulls, two fishermen and whoever sells them coffee. " * 4


def say(name, caption, handle="@somebody.with.a.long.handle"):
    """The feed's first clip, by somebody else and with other words."""
    def answer(route):
        page = route.fetch().json()
        page["items"][0] |= {"caption": caption, "author": page["items"][0]["author"] | {"name": name, "handle": handle}}
        route.fulfill(json=page)
    return answer


@pytest.fixture
def saying(open_page, small_server):
    def saying(name, caption, width=360):
        viewer = open_page(small_server, viewport={"width": width, "height": 640})
        viewer.page.route("**/api/v1/feed*", say(name, caption))
        viewer.reload_feed()
        viewer.expect_playing()
        return viewer
    return saying


def dressed(viewer):
    """All of the row of the author is there, with the looks that each part brings."""
    viewer.page.locator(".page[aria-current] .more").wait_for()
    viewer.page.wait_for_function("""() => ['social/social', 'profile-link/names', 'blocking/blocking'].every((name) =>
      document.querySelector(`link[href*="/app/${name}.css"]`)?.sheet)""")


@pytest.mark.parametrize("width", [320, 375])
@pytest.mark.parametrize("name", ["Tomás Vega", "Somebody Whose Name Goes On And On And On"])
def test_the_row_of_the_author_keeps_its_height(saying, name, width):
    viewer = saying(name, "A clip", width)
    follow = viewer.page.locator(".page[aria-current] [data-action=follow]")
    follow.wait_for()
    row = viewer.page.locator(".page[aria-current] .author")
    dressed(viewer)
    parts = [row, row.locator(".name"), follow]
    before = [part.bounding_box() for part in parts]
    assert before[0]["height"] <= 48
    follow.click()
    expect(follow).to_have_text("Following")
    assert [part.bounding_box() for part in parts] == before


@pytest.mark.parametrize("width", [320, 414])
def test_follow_stands_where_it_will_be_before_it_is_there(open_page, small_server, width):
    viewer = open_page(small_server, viewport={"width": width, "height": 740})
    viewer.page.route("**/social.js", lambda route: route.abort())
    viewer.page.route("**/api/v1/feed*", say("Ada", "A clip"))
    viewer.reload_feed()
    viewer.expect_playing()
    name = viewer.page.locator(".page[aria-current] .name")
    before = name.bounding_box()
    viewer.page.unroute("**/social.js")
    viewer.reload_feed()
    viewer.expect_playing()
    viewer.page.locator(".page[aria-current] [data-action=follow]").wait_for()
    dressed(viewer)
    assert name.bounding_box() == before


def test_a_long_caption_opens_and_closes(saying):
    viewer = saying("Ada", LONG)
    caption = viewer.page.locator(".page[aria-current] .caption")
    closed = caption.bounding_box()["height"]
    more = viewer.page.get_by_role("button", name="more", exact=True)
    more.click()
    viewer.page.wait_for_function("(height) => document.querySelector('.page[aria-current] .caption').clientHeight > height", arg=closed)
    # It scrolls by itself, and the feed stays.
    caption.hover()
    viewer.page.mouse.wheel(0, 200)
    viewer.page.wait_for_function("() => document.querySelector('.page[aria-current] .caption').scrollTop > 0")
    viewer.expect_playing()
    viewer.page.get_by_role("button", name="less", exact=True).click()
    viewer.until(lambda: caption.bounding_box()["height"] == closed, "the closed caption")


def contrast(one, other):
    """By WCAG 2: of two colours, 1 to 21."""
    def light(colour):
        parts = [part / 255 for part in colour]
        parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    high, low = sorted([light(one), light(other)], reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_the_rail_stands_out_on_a_white_picture(saying):
    viewer = saying("Ada", "White")
    dressed(viewer)
    viewer.page.evaluate("""() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync('#stage, .page { background: #fff !important } :is(video, .poster, .placeholder) { visibility: hidden !important }');
      document.adoptedStyleSheets = [sheet];
    }""")
    picture = viewer.capture()
    for act in ["like", "bookmark", "share"]:
        box = viewer.page.locator(f".page[aria-current] [data-action={act}] svg").bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        mark, beside = picture.getpixel((int(x), int(y))), picture.getpixel((int(x - 22), int(y)))
        assert contrast(mark, beside) >= 4.5, (act, mark, beside)


def test_texts_run_in_their_own_direction(saying):
    viewer = saying("سارة", "مرحبا Clipfeed")
    for part in (".name", ".caption"):
        assert viewer.page.evaluate("(part) => getComputedStyle(document.querySelector('.page[aria-current] ' + part)).direction", part) == "rtl"
    assert viewer.page.get_by_role("button", name="more", exact=True).count() == 0

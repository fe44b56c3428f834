"""A clip of a grid moves while somebody points at it or holds it."""

import struct
import zlib

import pytest
from playwright.sync_api import expect

from test_account import arrive

pytestmark = pytest.mark.long

BOARD = "/media/test/board.png"
COLOURS = [(255, 0, 0), (0, 255, 0), (0, 0, 255)]


def board():
    """Three tiles of 90 by 160, one colour each."""
    row = b"\0" + b"".join(bytes(colour) * 90 for colour in COLOURS)

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", 270, 160, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(row * 160)) + chunk(b"IEND", b"")


@pytest.fixture
def grid(open_page, server, feed):
    """A grid of clips with storyboards, and what was asked for."""

    def grid(**options):
        viewer = arrive(open_page(server, **options))
        asked = []
        story = {"url": BOARD, "vtt_url": "", "tile_width": 90, "tile_height": 160, "columns": 3, "count": 3, "interval_ms": 1000}
        clips = [clip | {"playback": clip["playback"] | {"storyboard": story}} for clip in feed[:3]]
        viewer.page.route("**/api/v1/trending*", lambda route: route.fulfill(json={"items": clips, "next_cursor": None}))

        def picture(route):
            asked.append(route.request.url)
            route.fulfill(body=board(), content_type="image/png")

        viewer.page.route(f"**{BOARD}", picture)
        viewer.page.evaluate("() => { history.pushState({ fromFeed: true }, '', '#account/trending'); dispatchEvent(new PopStateEvent('popstate')); }")
        tiles = viewer.page.locator("#account-screen .tile")
        expect(tiles).to_have_count(3)
        viewer.asked = asked
        return viewer, tiles

    return grid


def colour(tile):
    return tile.evaluate("(tile) => { const c = tile.querySelectorAll('canvas')[1]; return c ? [...c.getContext('2d').getImageData(45, 80, 1, 1).data].slice(0, 3) : null; }")


def all_colours(viewer, tile):
    seen = set()
    viewer.until(lambda: seen.add(tuple(colour(tile) or ())) or {*COLOURS} <= seen, "each picture")


def finger(viewer, kind, tile=None):
    points = []
    if tile:
        box = tile.bounding_box()
        points = [{"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}]
    viewer.cdp.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def test_under_a_pointer_it_moves_and_under_no_other(grid):
    viewer, tiles = grid()
    viewer.page.wait_for_timeout(400)
    assert viewer.asked == []
    tiles.nth(1).hover()
    all_colours(viewer, tiles.nth(1))
    assert colour(tiles.nth(0)) is None
    tiles.nth(0).hover()
    expect(tiles.nth(1).locator("canvas")).to_have_count(1)
    all_colours(viewer, tiles.nth(0))
    viewer.page.mouse.move(2, 2)
    expect(tiles.nth(0).locator("canvas")).to_have_count(1)
    assert viewer.complaints == []


def test_a_finger_that_holds_it_sees_it_and_one_that_taps_opens_it(grid):
    viewer, tiles = grid(has_touch=True)
    tile = tiles.nth(2)
    finger(viewer, "touchStart", tile)
    all_colours(viewer, tile)
    finger(viewer, "touchEnd")
    expect(tile.locator("canvas")).to_have_count(1)
    viewer.page.wait_for_timeout(300)
    expect(tiles).to_have_count(3)
    tile.tap()
    expect(viewer.page.locator("#account-screen")).to_have_count(0)
    assert viewer.complaints == []


def test_what_has_scrolled_away_stops(grid):
    viewer, tiles = grid()
    tiles.nth(1).hover()
    all_colours(viewer, tiles.nth(1))
    viewer.page.evaluate("""() => {
      const middle = document.querySelector('#account-screen .middle');
      middle.append(Object.assign(document.createElement('div'), { style: 'height: 3000px' }));
      middle.scrollTop = 2000;
    }""")
    expect(tiles.nth(1).locator("canvas")).to_have_count(1)


def test_only_one_moves_at_a_time(grid):
    viewer, tiles = grid(has_touch=True)
    tiles.nth(1).hover()
    all_colours(viewer, tiles.nth(1))
    # The mouse rests where it is, and a finger holds another one.
    finger(viewer, "touchStart", tiles.nth(2))
    all_colours(viewer, tiles.nth(2))
    assert colour(tiles.nth(1)) is None
    finger(viewer, "touchEnd")


@pytest.mark.parametrize("options", [{"reduced_motion": "reduce"}, {"script": "localStorage.setItem('clipfeed.playback', JSON.stringify({ saves: true }))"}], ids=["calm", "saving"])
def test_it_stands_where_that_is_not_wanted(grid, options):
    viewer, tiles = grid(**options)
    tiles.nth(1).hover()
    viewer.page.wait_for_timeout(900)
    assert colour(tiles.nth(1)) is None
    assert viewer.asked == []

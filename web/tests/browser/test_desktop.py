"""What a window with room has beside the clip: places, up and down, volume, full screen, comments, and the list of keys."""

import json
import os
import urllib.request

import pytest
from playwright.sync_api import expect

from geometry import apart, faults
from test_account import arrive, screen
from test_sizes import FEED, saying, settle

pytestmark = pytest.mark.long

DESK = {"width": 1440, "height": 900}


@pytest.fixture
def desk(open_page, own_server):
    viewer = arrive(open_page(own_server, viewport=DESK))
    place(viewer, "Messages").wait_for()
    return viewer


def places(viewer):
    return viewer.page.get_by_role("navigation", name="Places")


def place(viewer, name):
    return places(viewer).get_by_role("button", name=name)


def shows(viewer, clip):
    viewer.page.wait_for_function("(id) => document.querySelector('.page[aria-current]').dataset.clip === id", arg=clip["id"])


def video(viewer):
    return viewer.page.locator(f"video[data-clip='{viewer.current()}'][data-shown]").bounding_box()


def test_the_rail_leads_to_the_main_places_and_says_where_one_is(desk, own_server):
    names = places(desk).get_by_role("button").evaluate_all("(all) => all.map((one) => one.ariaLabel ?? one.textContent)")
    assert names == ["Feed", "Search", "Record a clip", "Upload", "Account", "Messages", "Keys"]
    here = places(desk).locator("[aria-current=page]")
    expect(here).to_have_text("Feed")
    place(desk, "Messages").click()
    expect(desk.page.locator("#inbox-screen")).to_be_visible()
    expect(here).to_have_attribute("aria-label", "Messages")
    # From place to place, and each time one step back to the feed.
    place(desk, "Account").click()
    screen(desk, "Sign in").wait_for()
    desk.page.get_by_role("button", name="Create an account").click()
    screen(desk, "Create an account").wait_for()
    place(desk, "Upload").click()
    expect(desk.page.locator("#uploader")).to_be_visible()
    expect(desk.page.locator("#account-screen")).to_have_count(0)
    expect(here).to_have_text("Upload")
    desk.page.go_back()
    expect(desk.page.locator("#uploader")).to_have_count(0)
    assert desk.page.evaluate("location.hash") == ""
    place(desk, "Account").click()
    screen(desk, "Sign in").wait_for()
    place(desk, "Feed").click()
    expect(desk.page.locator("#account-screen")).to_have_count(0)
    expect(place(desk, "Account")).to_be_focused()
    desk.expect_playing()
    # In the feed it leads to its beginning.
    desk.press("End")
    shows(desk, own_server.feed()[-1])
    place(desk, "Feed").click()
    shows(desk, own_server.feed()[0])
    assert not desk.complaints


def test_the_rail_is_used_by_keys_alone(desk):
    place(desk, "Feed").focus()
    for _ in range(4):
        desk.press("Tab")
    expect(place(desk, "Account")).to_be_focused()
    desk.press("Enter")
    screen(desk, "Sign in").wait_for()
    desk.press("Escape")
    expect(place(desk, "Account")).to_be_focused()


def test_the_arrows_go_up_and_down(desk, own_server):
    feed = own_server.feed()
    up, down = (desk.page.get_by_role("button", name=f"{name} clip") for name in ["Previous", "Next"])
    expect(up).to_have_attribute("aria-disabled", "true")
    down.click()
    shows(desk, feed[1])
    expect(up).to_have_attribute("aria-disabled", "false")
    up.focus()
    desk.press("Enter")
    shows(desk, feed[0])
    desk.expect_playing()


def test_the_volume_is_set_and_remembered_and_none_is_silence(desk):
    volume = desk.page.get_by_role("slider", name="Volume")
    sound = desk.page.get_by_role("button", name="Sound")
    loudness = "() => [...document.querySelectorAll('#track > video')].map(({ volume }) => volume)"
    assert sound.get_attribute("aria-pressed") == "false"
    clip = desk.current()
    volume.fill("40")
    expect(sound).to_have_attribute("aria-pressed", "true")
    assert desk.page.evaluate(loudness) == [0.4] * 3
    # Its keys do not turn the page.
    volume.focus()
    desk.press("ArrowDown")
    expect(volume).to_have_value("39")
    assert desk.current() == clip
    volume.fill("0")
    expect(sound).to_have_attribute("aria-pressed", "false")
    volume.fill("60")
    expect(sound).to_have_attribute("aria-pressed", "true")
    desk.page.reload()
    arrive(desk)
    expect(volume).to_have_value("60")
    assert desk.page.evaluate(loudness) == [0.6] * 3


def test_full_screen_is_the_clips_and_has_a_way_back(desk):
    full = desk.page.get_by_role("button", name="Full screen")
    expect(full).to_have_attribute("aria-pressed", "false")
    full.click()
    expect(full).to_have_attribute("aria-pressed", "true")
    expect(places(desk)).to_be_hidden()
    assert desk.page.locator("#stage").bounding_box()["x"] == 0
    desk.press("w")
    expect(full).to_have_attribute("aria-pressed", "false")
    expect(places(desk)).to_be_visible()
    # A letter like any other where somebody writes.
    desk.page.locator("#messages textarea").click()
    desk.page.keyboard.type("w?")
    expect(desk.page.locator("#messages textarea")).to_have_value("w?")
    expect(full).to_have_attribute("aria-pressed", "false")


def test_the_keys_stand_behind_their_key_also_on_a_small_screen(open_page, own_server):
    viewer = arrive(open_page(own_server))
    clip = viewer.current()
    viewer.page.locator("#sound").focus()
    viewer.press("?")
    keys = viewer.page.get_by_role("dialog", name="Keys")
    expect(keys.get_by_role("button", name="Close")).to_be_focused()
    expect(keys).to_contain_text("Full screen")
    assert faults(viewer.page, "#keys") == []
    # None of them is the feed's here.
    viewer.press("ArrowDown")
    viewer.press("l")
    viewer.press("Escape")
    expect(keys).to_have_count(0)
    expect(viewer.page.locator("#sound")).to_be_focused()
    assert viewer.current() == clip
    expect(viewer.page.locator(".page[aria-current] [data-action=like]")).to_have_attribute("aria-pressed", "false")
    viewer.press("?")
    keys.wait_for()
    viewer.press("?")
    expect(keys).to_have_count(0)
    # Beside that nothing of a desk is there.
    expect(places(viewer)).to_be_hidden()


def test_comments_stand_beside_the_clip_which_goes_on(desk, own_server):
    feed = own_server.feed()
    for clip in feed[:2]:
        request = urllib.request.Request(
            f"{own_server.url}/api/v1/clips/{clip['id']}/comments", data=json.dumps({"text": f"about {clip['caption']}"}).encode(),
            headers={"Content-Type": "application/json", "Idempotency-Key": f"a-key-of-a-test-{clip['id']}"})
        urllib.request.urlopen(request, timeout=10).close()
    desk.page.locator(".page[aria-current] .comments button").click()
    sheet = desk.page.locator("#comments")
    expect(sheet.get_by_role("listitem")).to_contain_text(f"about {feed[0]['caption']}")
    settle(desk.page)
    clip, box = video(desk), sheet.bounding_box()
    assert box["x"] >= clip["x"] + clip["width"] and box["height"] == DESK["height"]
    for width, height in [(1180, 820), (844, 390), (720, 450), (1440, 900)]:
        desk.page.set_viewport_size({"width": width, "height": height})
        settle(desk.page)
        assert faults(desk.page) == []
        assert apart(desk.page, "#comments", ".page[aria-current] .rail", "#steps", "#messages", "#top", "#scrub") == []
    # A tap on the clip pauses it, and the sheet stays.
    desk.page.mouse.click(clip["x"] + clip["width"] / 2, clip["y"] + clip["height"] / 2)
    desk.expect_state("paused")
    expect(sheet).to_be_visible()
    sheet.get_by_label("Write a comment").fill("not yet")
    desk.page.get_by_role("button", name="Next clip").click()
    shows(desk, feed[1])
    expect(sheet.get_by_role("listitem")).to_contain_text(f"about {feed[1]['caption']}")
    expect(sheet.get_by_role("listitem")).to_have_count(1)
    expect(sheet.get_by_label("Write a comment")).to_have_value("")
    desk.page.get_by_role("button", name="Previous clip").click()
    expect(sheet.get_by_label("Write a comment")).to_have_value("not yet")
    desk.press("Escape")
    expect(sheet).to_have_count(0)
    desk.expect_playing()
    # In a narrow window they cover it, and close when it goes.
    desk.page.set_viewport_size({"width": 390, "height": 844})
    desk.press("c")
    expect(sheet).to_be_visible()
    assert sheet.bounding_box()["y"] > 200
    assert not desk.complaints


def test_a_wide_clip_has_the_width(open_page, own_server):
    viewer = open_page(own_server, viewport=DESK)
    viewer.page.route("**/api/v1/feed*", saying(1920, 1080))
    viewer.reload_feed()
    arrive(viewer)
    wide, stage = video(viewer), viewer.page.locator("#stage").bounding_box()
    assert wide["width"] > 1000 and wide["width"] < stage["width"]
    assert viewer.page.locator("#scrub").bounding_box()["width"] == wide["width"]


# What the element has of a picture of that shape, and how much of its width the stage gives it.
SHOWN = """([id, width, height]) => {
  const element = document.querySelector(`video[data-clip="${id}"][data-shown]`);
  const { clientWidth: w, clientHeight: h } = element;
  const fits = [w / width, h / height];
  const scale = getComputedStyle(element).objectFit === 'cover' ? Math.max(...fits) : Math.min(...fits);
  const share = Math.min(w / (width * scale), 1) * Math.min(h / (height * scale), 1);
  return [share, Math.min(w, width * scale) / document.getElementById('stage').clientWidth];
}"""


@pytest.mark.parametrize("size", [(744, 1133), (800, 1280), (820, 1180), (768, 1024), (1024, 1366)])
def test_on_a_tablet_upright_a_clip_is_seen_whole_whatever_its_shape(open_page, own_server, size):
    viewer = open_page(own_server, viewport=dict(zip(["width", "height"], size)))
    for shape, room in [((1080, 1920), 0.75), ((1920, 1080), 1)]:
        viewer.page.route("**/api/v1/feed*", saying(*shape))
        viewer.reload_feed()
        arrive(viewer)
        if folder := os.environ.get("CLIPFEED_SHOTS"):
            viewer.page.screenshot(path=f"{folder}/tablet-{size[0]}-{shape[0]}.png")
        share, width = viewer.page.evaluate(SHOWN, [viewer.current(), *shape])
        assert share > 0.95 and width >= room
        assert apart(viewer.page, *FEED) == []
        # What lies over an upright clip keeps to it.
        clip, rail = video(viewer), viewer.page.locator(".page[aria-current] .rail").bounding_box()
        assert rail["x"] + rail["width"] <= clip["x"] + clip["width"]


def test_a_phone_fills_itself_with_the_clip_also_where_its_browser_takes_some_of_the_height(open_page, own_server):
    viewer = arrive(open_page(own_server))
    for size in [(390, 844), (390, 664), (375, 553), (360, 560)]:
        viewer.page.set_viewport_size(dict(zip(["width", "height"], size)))
        viewer.until(lambda: video(viewer)["width"] == size[0] and video(viewer)["height"] == size[1], f"all of {size}")


def test_a_window_that_gets_small_gives_the_buttons_back(desk):
    head = desk.page.locator("#top")
    desk.page.set_viewport_size({"width": 390, "height": 844})
    for name in ["Search", "Messages", "Account", "Record a clip"]:
        expect(head.get_by_role("button", name=name)).to_be_visible()
    expect(places(desk)).to_be_hidden()
    settle(desk.page)
    assert faults(desk.page) == []
    desk.page.set_viewport_size(DESK)
    expect(place(desk, "Record a clip")).to_be_visible()
    assert head.get_by_role("button", name="Record a clip").count() == 0

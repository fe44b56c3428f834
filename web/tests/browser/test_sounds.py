"""Sounds: from a clip to all that have its sound, less of one, and the search for them."""

import json
import re
import shutil
import subprocess

import pytest
from playwright.sync_api import expect

import clips
from geometry import apart, faults
from languages import settled, speaking, wide
from server import Server
from test_account import arrive
from test_messages import reads
from test_offline import NOTE_NOTICES
from test_offline import told as noticed
from test_search import ask, screen
from test_sizes import FEED
from test_tabs import open_address, with_tabs
from test_taste import STATUS, TASTE, left_out, open_page_of_taste, why
from viewer import PLAYING, Viewer

pytestmark = pytest.mark.long

# Notes that never come in the same order again: a single tone is not known again.
MUSIC = "aevalsrc='0.3*sin(2*PI*t*262*pow(2,mod(floor(4*t)*floor(4*t),29)/12))':s=48000:d=10"
SONGS = {"Nocturne at the pier": "teal", "Nocturne in the rain": "orange"}
NAME = "Sound: clips that have it"


def sing(file, colour):
    """The music, over another picture each time."""
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", f"color=c={colour}:s=360x640:r=30", "-f", "lavfi", "-i", MUSIC,
         "-t", "10", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "aac", file], check=True, timeout=60)
    return file


def songs_of(server):
    """The clips of one sound, the newest first."""
    return [clip for clip in server.feed() if clip.get("sound_id")]


@pytest.fixture(scope="module")
def sung(chromium, tmp_path_factory):
    """A server whose newest two clips have the same music. Nothing but what guests wish is written there."""
    folder = tmp_path_factory.mktemp("sounds")
    data = shutil.copytree(clips.library("small", [0, 10, 20, 30]), folder / "data")
    clips.add(data, [sing(folder / f"{caption}.mp4", colour) for caption, colour in SONGS.items()])
    server = Server(data, workers=1)
    page = chromium.new_page()
    Viewer(page, server).open().until(lambda: len(songs_of(server)) == 2, "the sound of two clips", patience=60)
    page.close()
    server.songs = songs_of(server)
    yield server
    server.stop()


def link(viewer):
    return viewer.page.locator(".page[aria-current]").get_by_role("link", name=NAME)


def found(viewer):
    return screen(viewer).get_by_role("list", name="Sounds").get_by_role("link")


def words(language):
    return json.loads((clips.ROOT / f"web/words/{language}/feed.json").read_text(encoding="utf-8"))


def feed_with(change):
    """The feed, its first page changed."""
    def answer(route):
        page = route.fetch().json()
        if "cursor=" not in route.request.url:
            page["items"] = change(page["items"])
        route.fulfill(json=page)
    return answer


def test_a_clip_leads_to_the_page_of_all_that_have_its_sound(open_page, sung):
    newest, other = sung.songs
    assert newest["sound_id"] == other["sound_id"]
    viewer = open_page(sung)
    expect(link(viewer)).to_have_text("Sound")
    expect(link(viewer)).to_have_attribute("href", f"/s/{newest['sound_id']}")
    expect(link(viewer).locator("svg")).to_be_visible()
    # The Tab key finds that of the clip on the screen, and no other.
    assert link(viewer).evaluate("(link) => link.tabIndex") == 0
    theirs = viewer.page.locator(".page:not([aria-current]) .sound")
    expect(theirs).to_have_count(1)
    assert theirs.evaluate("(link) => link.tabIndex") == -1
    # Keys come with the first clip.
    viewer.expect_playing()
    for clip in [other, sung.feed()[2]]:
        viewer.press("ArrowDown")
        viewer.page.wait_for_function(PLAYING, arg=clip["id"])
    expect(link(viewer)).to_have_count(0)
    viewer.press("ArrowUp")
    viewer.page.wait_for_function(PLAYING, arg=other["id"])
    link(viewer).click()
    viewer.page.wait_for_url("**/s/*")
    expect(viewer.page.get_by_role("heading")).to_have_text("Sound by @me")
    expect(viewer.page.get_by_text("2 clips", exact=True)).to_be_visible()
    entries = viewer.page.locator("#tagged li a")
    expect(entries.locator("b")).to_have_text([newest["caption"], other["caption"]])
    viewer.page.wait_for_function("() => [...document.images].every((image) => image.complete && image.naturalWidth)")
    entries.last.click()
    viewer.page.wait_for_url("**/c/*")
    viewer.page.wait_for_function(PLAYING, arg=other["id"])
    assert not viewer.complaints


def test_less_of_a_sound_leaves_out_the_other_clips_that_have_it(open_page, sung):
    ids = [clip["id"] for clip in sung.songs]
    viewer = open_page(sung, tab="for_you", script=NOTE_NOTICES)
    viewer.page.route("**/api/v1/feed*", feed_with(
        lambda items: sung.songs + [clip for clip in items if clip["id"] not in ids]))
    viewer.reload_feed()
    with_tabs(arrive(viewer))
    assert viewer.current() == ids[0]
    with viewer.page.expect_response(re.compile("/taste/dismissals$")) as answer:
        why(viewer).get_by_role("button", name="Less of this sound").click()
    assert answer.value.status == 200
    assert answer.value.request.post_data_json == {"kind": "sound", "subject": sung.songs[0]["sound_id"]}
    noticed(viewer, "For you shows less of this sound.")
    # The other one would have come next.
    viewer.page.wait_for_function("(ids) => !ids.includes(document.querySelector('.page[aria-current]').dataset.clip)", arg=ids)
    open_page_of_taste(viewer)
    expect(left_out(viewer)).to_have_text([re.compile("Sound by @me.*Take back")])
    expect(left_out(viewer).locator(".avatar svg")).to_be_visible()
    left_out(viewer).get_by_role("button", name="Take back: Sound by @me").click()
    expect(left_out(viewer)).to_have_count(0)
    reads(viewer, STATUS, "Sound by @me may come again.")
    assert viewer.complaints == []


def test_a_sound_whose_clips_are_gone_can_be_taken_back(open_page, sung):
    viewer = arrive(open_page(sung))
    viewer.page.route(TASTE, lambda route: route.fulfill(json={
        "personalised": True, "tags": [], "authors": [], "dismissed": [{"dismissal": {"kind": "sound", "subject": "s"}}]}))
    open_page_of_taste(viewer)
    with viewer.page.expect_request(re.compile("/taste/dismissals[?]")) as asked:
        left_out(viewer).get_by_role("button", name="Take back: A sound that is gone").click()
    assert asked.value.method == "DELETE" and "kind=sound&subject=s" in asked.value.url


def test_the_search_has_a_tab_of_sounds(open_page, sung):
    viewer = arrive(open_page(sung))
    ask(viewer, "nocturne")
    tabs = screen(viewer).get_by_role("tab")
    tabs.first.focus()
    viewer.press("End")
    expect(tabs.nth(3)).to_be_focused()
    expect(tabs.nth(3)).to_have_text("Sounds")
    expect(tabs.nth(3)).to_have_attribute("aria-selected", "true")
    assert viewer.page.evaluate("location.hash") == "#search/sounds/nocturne"
    # Ids are in the order in which clips were made.
    first = min(sung.songs, key=lambda clip: clip["id"])
    expect(found(viewer)).to_have_text([f"Sound by @me{first['caption']}2 clips"])
    viewer.page.wait_for_function("() => document.querySelector('#search-screen .sounds img').naturalWidth > 0")
    found(viewer).focus()
    viewer.press("Enter")
    viewer.page.wait_for_url("**/s/*")
    expect(viewer.page.get_by_role("heading")).to_have_text("Sound by @me")
    viewer.page.go_back()
    expect(found(viewer)).to_have_count(1)
    ask(viewer, "zeppelin")
    screen(viewer).get_by_role("button", name="Look for sounds").click()
    expect(tabs.nth(3)).to_have_attribute("aria-selected", "true")
    expect(screen(viewer).locator(".none:visible")).to_contain_text("Nothing found for “zeppelin”.")
    assert not viewer.complaints


def test_sounds_come_page_by_page(open_page, sung):
    viewer = arrive(open_page(sung))
    sound = {"clips": 1200, "author": sung.songs[0]["author"], "caption": "<b>one</b>\ntwo", "poster": sung.songs[0]["poster"]}

    def answer(route):
        start = 24 if "cursor=" in route.request.url else 0
        route.fulfill(json={"items": [sound | {"id": f"sound {start + at}"} for at in range(24)], "next_cursor": None if start else "on"})

    viewer.page.route("**/api/v1/search/sounds*", answer)
    open_address(viewer, "#search/sounds/anything")
    expect(found(viewer).first).to_have_text("Sound by @me<b>one</b> two1.2K clips")
    expect(found(viewer).first).to_have_attribute("href", "/s/sound%200")
    found(viewer).nth(23).scroll_into_view_if_needed()
    expect(found(viewer)).to_have_count(48)
    assert not viewer.complaints


def test_sound_and_tags_share_a_line_of_a_small_phone(open_page, sung):
    viewer = open_page(sung, viewport={"width": 320, "height": 568})
    viewer.page.route("**/api/v1/feed*", feed_with(lambda items: [clip | {"tags": ["pier", "dusk"]} for clip in items]))
    viewer.reload_feed()
    arrive(viewer)
    links = viewer.page.locator(".page[aria-current] .tags a")
    expect(links).to_have_text(["Sound", "#pier", "#dusk"])
    expect(links.first).to_have_css("display", "inline-flex")  # their sheet comes behind them
    assert len({round(one.bounding_box()["y"]) for one in links.all()}) == 1
    assert faults(viewer.page, ".page[aria-current] .texts") + wide(viewer.page) + apart(viewer.page, *FEED) == []


def test_in_arabic_the_sign_of_a_sound_stands_at_the_right(open_page, sung):
    viewer = settled(open_page(sung, script=speaking("ar")), "ar")
    arabic = words("ar")
    sound = viewer.page.locator(".page[aria-current] .sound")
    expect(sound).to_have_text(arabic["Sound::clip"])
    expect(sound).to_have_attribute("aria-label", arabic["Sound: clips that have it"])
    expect(sound).to_have_css("display", "inline-flex")
    box, sign = sound.bounding_box(), sound.locator("svg").bounding_box()
    assert sign["x"] > box["x"] + box["width"] / 2
    open_address(viewer, "#search/sounds/nocturne")
    row = viewer.page.locator("#search-screen .sounds a")
    expect(row.locator("strong")).to_have_text(arabic["Sound by {name}"].replace("{name}", "\u2068@me\u2069"))
    box, picture = row.bounding_box(), row.locator(".picture").bounding_box()
    assert picture["x"] > box["x"] + box["width"] / 2
    assert wide(viewer.page, "#search-screen") == []

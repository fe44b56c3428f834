"""Captions over the playing clip, and on the upload screen."""

import os
import re
import shutil
import subprocess

import pytest
from playwright.sync_api import expect

import clips
from server import Server
from upload import UploadScreen, source

pytestmark = pytest.mark.long

ENGLISH = """WEBVTT

00:00.600 --> 00:01.400
Good <b>morning</b>,
harbour!

00:02.000 --> 00:02.700
<v Mara>Look &amp; listen</v>
"""
GERMAN = "1\n00:00:00,600 --> 00:00:01,400\nGuten Morgen\n"


def add(data, clip, text, language, folder):
    file = folder / f"{language}.vtt"
    file.write_text(text, encoding="utf-8")
    done = subprocess.run(
        [clips.SERVER, "captions", clip["id"], file, "--language", language, "--data", data],
        capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def captioned(tmp_path_factory):
    """A server whose first clip has captions in two languages."""
    folder = tmp_path_factory.mktemp("captions")
    data = shutil.copytree(clips.library("small", [0, 10, 20, 30]), folder / "data")
    server = Server(data, workers=1)
    clip = server.feed()[0]
    add(data, clip, ENGLISH, "en", folder)
    add(data, clip, GERMAN, "de", folder)
    assert [track["language"] for track in server.feed()[0]["playback"]["captions"]] == ["de", "en"]
    yield server
    server.stop()


def cue(viewer):
    return viewer.page.locator("#cue")


def button(viewer):
    return viewer.page.get_by_role("button", name="Captions")


# Each change of what is shown, and where the clip stood then.
LOG = """(duration) => {
  window.cues = [];
  const note = () => {
    const video = document.querySelector(`video[data-clip="${document.querySelector('.page[aria-current]').dataset.clip}"]`);
    // In whole milliseconds, as the page counts.
    window.cues.push([document.getElementById('cue').innerText.trim(), Math.round((video.currentTime * 1000) % duration)]);
  };
  new MutationObserver(note).observe(document.getElementById('cue'), { childList: true, subtree: true });
}"""


def test_each_cue_shows_at_its_time_and_again_in_the_next_loop(open_page, captioned):
    viewer = open_page(captioned, locale="en-GB")
    clip = captioned.feed()[0]
    viewer.expect_playing(clip)
    expect(button(viewer)).to_have_attribute("aria-pressed", "true")
    viewer.page.evaluate(LOG, clip["playback"]["duration_ms"])
    # A busy machine may sleep through one; then there is another turn.
    viewer.page.wait_for_function(
        "() => /GLGLG|LGLGL/.test(window.cues.map(([text]) => text.slice(0, 1)).join(''))", timeout=60_000)
    seen = viewer.page.evaluate("window.cues")
    first, second = "Good morning,\nharbour!", "Look & listen"
    for text, at in seen:
        assert text in ("", first, second)
        assert text != first or 600 <= at < 1400, seen
        assert text != second or 2000 <= at < 2700, seen
        # Nothing stays for longer than it is due.
        assert text != "" or not 700 <= at < 1300, seen
    assert viewer.complaints == []


def test_the_cue_lies_over_the_clip_and_beside_all_else(open_page, captioned):
    viewer = open_page(captioned, locale="en-GB")
    viewer.expect_playing(captioned.feed()[0])
    viewer.page.get_by_role("form", name="Message").wait_for()
    viewer.page.wait_for_function("() => document.getElementById('cue')?.innerText.startsWith('Good')", timeout=30_000)
    viewer.press("Space")
    viewer.expect_state("paused")
    viewer.page.evaluate("""() => {
      const video = document.querySelector('video[data-shown]');
      const scrubber = document.getElementById('scrubber');
      scrubber.value = 800;
      for (const kind of ['input', 'change']) scrubber.dispatchEvent(new Event(kind, { bubbles: true }));
    }""")
    expect(cue(viewer)).to_have_text("Good morning, harbour!")
    # It is there before its looks, and shown behind them.
    expect(cue(viewer)).to_be_visible()
    assert cue(viewer).locator("b").inner_text() == "morning"
    assert cue(viewer).locator("p").get_attribute("lang") == "en"
    box = cue(viewer).bounding_box()
    for other in (".page[aria-current] .texts", ".page[aria-current] .rail", "#top", "#scrub"):
        theirs = viewer.page.locator(other).bounding_box()
        assert (box["y"] + box["height"] <= theirs["y"] or theirs["y"] + theirs["height"] <= box["y"]
                or box["x"] + box["width"] <= theirs["x"]), other
    form = viewer.page.get_by_role("form", name="Message").bounding_box()
    assert box["y"] + box["height"] < form["y"]
    if folder := os.environ.get("CLIPFEED_SHOTS"):
        viewer.page.screenshot(path=f"{folder}/cue.png")


def test_the_button_and_the_key_turn_them_off_and_that_is_remembered(open_page, captioned):
    viewer = open_page(captioned, locale="en-GB")
    clip = captioned.feed()[0]
    viewer.expect_playing(clip)
    button(viewer).click()
    expect(button(viewer)).to_have_attribute("aria-pressed", "false")
    expect(cue(viewer)).to_have_text("")
    viewer.page.reload()
    viewer.expect_playing(clip)
    expect(button(viewer)).to_have_attribute("aria-pressed", "false")
    viewer.press("s")
    expect(button(viewer)).to_have_attribute("aria-pressed", "true")
    # What is typed into a comment is no wish.
    viewer.page.locator("#messages textarea").click()
    viewer.page.keyboard.type("sss")
    expect(button(viewer)).to_have_attribute("aria-pressed", "true")


def test_people_read_their_own_language(open_page, captioned):
    viewer = open_page(captioned, locale="de-AT")
    viewer.expect_playing(captioned.feed()[0])
    expect(viewer.page.get_by_role("button", name="Untertitel")).to_have_attribute("title", re.compile("^Deutsch an"))
    viewer.page.wait_for_function("() => document.getElementById('cue').innerText.trim() === 'Guten Morgen'", timeout=30_000)


def test_who_chooses_a_language_reads_it_in_the_next_visit_too(open_page, captioned):
    viewer = open_page(captioned, locale="ja-JP")
    clip = captioned.feed()[0]
    viewer.expect_playing(clip)
    choice = viewer.page.get_by_role("combobox", name="Language of the captions")
    expect(choice.locator("option")).to_have_text(["Deutsch", "English"])
    choice.click(trial=True)
    choice.focus()
    # Keys are the list's as long as it has the focus: the feed stays where it is.
    viewer.page.keyboard.press("ArrowDown")
    expect(choice).to_have_value("en")
    expect(button(viewer)).to_have_attribute("aria-pressed", "true")
    viewer.page.wait_for_function("() => document.getElementById('cue').innerText.startsWith('Good')", timeout=30_000)
    viewer.expect_playing(clip)
    viewer.page.reload()
    viewer.expect_playing(clip)
    expect(button(viewer)).to_have_attribute("title", re.compile("^English on"))
    expect(choice).to_have_value("en")
    if folder := os.environ.get("CLIPFEED_SHOTS"):
        viewer.page.wait_for_function("() => document.getElementById('cue').innerText.trim()", timeout=30_000)
        viewer.page.screenshot(path=f"{folder}/languages.png")
    box = choice.bounding_box()
    for other in ("#top button", ".page[aria-current] .rail"):
        for theirs in (each.bounding_box() for each in viewer.page.locator(other).all() if each.is_visible()):
            assert box["y"] >= theirs["y"] + theirs["height"] or box["y"] + box["height"] <= theirs["y"], other
    assert viewer.complaints == []


def test_who_reads_none_of_them_is_asked_first(open_page, captioned):
    viewer = open_page(captioned, locale="ja-JP")
    viewer.expect_playing(captioned.feed()[0])
    expect(button(viewer)).to_have_attribute("aria-pressed", "false")


def test_nothing_of_it_is_there_for_clips_without(open_page, captioned, small_server):
    viewer = open_page(small_server)
    fetched = []
    viewer.page.on("request", lambda request: fetched.append(request.url))
    viewer.page.reload(wait_until="networkidle")
    viewer.expect_playing()
    viewer.page.get_by_role("form", name="Message").wait_for()
    assert fetched and not [url for url in fetched if "/captions/" in url]
    # With the next clip button and cue are gone.
    viewer = open_page(captioned, locale="en-GB")
    first, second, *_ = captioned.feed()
    viewer.expect_playing(first)
    expect(button(viewer)).to_be_visible()
    viewer.page.wait_for_function("() => document.getElementById('cue')?.innerText.trim()", timeout=30_000)
    viewer.press("ArrowDown")
    viewer.expect_playing(second)
    expect(button(viewer)).to_be_hidden()
    assert cue(viewer).inner_text() == ""
    viewer.press("ArrowUp")
    viewer.expect_playing(first)
    viewer.page.wait_for_function("() => document.getElementById('cue').innerText.trim()", timeout=30_000)


def test_a_browser_that_plays_playlists_itself_shows_each_cue_once(open_page, captioned):
    no_mse = "for (const name of ['MediaSource', 'ManagedMediaSource']) delete globalThis[name];"
    viewer = open_page(captioned, script=no_mse, locale="en-GB")
    viewer.page.wait_for_function("() => document.getElementById('cue')?.innerText.startsWith('Good')", timeout=60_000)
    assert viewer.page.evaluate(
        "[...document.querySelectorAll('video')].every((v) => [...v.textTracks].every((t) => t.mode === 'disabled'))")


def test_the_browsers_own_reader_of_webvtt_finds_the_same_cues(open_page, captioned):
    viewer = open_page(captioned)
    [_, english] = captioned.feed()[0]["playback"]["captions"]
    cues = viewer.page.evaluate("""(url) => new Promise((resolve, reject) => {
      const video = document.createElement('video');
      const track = Object.assign(document.createElement('track'), { src: url, kind: 'captions', srclang: 'en' });
      video.append(track);
      document.body.append(video);
      track.track.mode = 'hidden';
      track.onload = () => resolve([...track.track.cues].map((cue) =>
        [cue.startTime, cue.endTime, cue.getCueAsHTML().textContent, cue.getCueAsHTML().querySelectorAll('b').length]));
      track.onerror = () => reject(new Error('no track'));
    })""", english["url"])
    assert cues == [[0.6, 1.4, "Good morning,\nharbour!", 1], [2, 2.7, "Look & listen", 0]]


def test_a_person_adds_captions_to_their_clip_and_takes_them_away(open_page, captioned, tmp_path):
    viewer = open_page(captioned, locale="en-GB")
    viewer.expect_playing()
    screen = UploadScreen(viewer).open()
    screen.choose(source(5)).expect("complete")
    screen.tap("Publish")
    screen.expect("processing", "published")
    part = screen.root.get_by_role("region", name="Captions")
    part.wait_for()
    bad = tmp_path / "bad.srt"
    bad.write_text("1\n00:00:0x --> 00:00:02,000\nHi\n")
    files = part.locator("input")
    files.set_input_files(bad)
    expect(part.get_by_role("alert")).to_have_text("Line 2: “00:00:0x --> 00:00:02,000” is no time from one instant to another.")
    good = tmp_path / "good.srt"
    good.write_text(GERMAN)
    part.get_by_role("combobox", name="Language of the captions").select_option("de")
    files.set_input_files(good)
    expect(part.get_by_role("status")).to_have_text("Deutsch added.")
    screen.expect("published", patience=60)
    expect(part.get_by_role("listitem")).to_have_text(re.compile("Deutsch"))
    if folder := os.environ.get("CLIPFEED_SHOTS"):
        part.scroll_into_view_if_needed()
        viewer.page.screenshot(path=f"{folder}/adding.png")
    assert [track["label"] for track in screen.clip()["playback"]["captions"]] == ["Deutsch"]
    part.get_by_role("button", name="Remove Deutsch").click()
    expect(part.get_by_role("listitem")).to_have_count(0)
    assert "captions" not in screen.clip()["playback"]
    viewer.complaints = [text for text in viewer.complaints if "422" not in text]
    assert viewer.complaints == []

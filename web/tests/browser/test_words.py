"""The page in the language of whoever is in front of it."""

import json

import pytest
from playwright.sync_api import expect


def html(viewer):
    return viewer.page.evaluate("[document.documentElement.lang, document.documentElement.dir]")


def words_asked(viewer):
    return viewer.page.evaluate("performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname).filter((path) => path.startsWith('/words/'))")


def test_english_needs_no_words(open_page, server):
    viewer = open_page(server, locale="en-GB")
    viewer.expect_playing()
    assert html(viewer) == ["en", "ltr"]
    expect(viewer.page.locator(".page[aria-current] .comments span")).to_have_text("comments")
    assert words_asked(viewer) == []


def test_a_person_reads_their_own_language(open_page, server):
    viewer = open_page(server, locale="de-AT")
    viewer.expect_playing()
    assert html(viewer) == ["de", "ltr"]
    expect(viewer.page.get_by_role("button", name="Clip aufnehmen")).to_be_visible()
    expect(viewer.page.get_by_role("tab", name="Für dich")).to_be_visible()
    expect(viewer.page.locator(".page[aria-current] .comments span")).to_have_text("Kommentare")
    viewer.page.locator(".page[aria-current] .comments button").click()
    expect(viewer.page.get_by_role("button", name="Kommentare schließen")).to_be_visible()


def test_arabic_runs_from_right_to_left(open_page, server):
    viewer = open_page(server, locale="ar-EG")
    viewer.expect_playing()
    assert html(viewer) == ["ar", "rtl"]
    expect(viewer.page.get_by_role("tab", name="لك")).to_be_visible()
    rail = viewer.page.locator(".page[aria-current] .rail").bounding_box()
    assert rail["x"] < 100


@pytest.mark.long
def test_what_the_browser_does_not_speak_is_english(open_page, server):
    viewer = open_page(server, locale="ja-JP")
    viewer.expect_playing()
    assert html(viewer) == ["en", "ltr"]


@pytest.mark.long
def test_a_chosen_language_counts_more_than_the_browsers(open_page, server):
    viewer = open_page(server, script="localStorage.setItem('clipfeed.language', 'es')", locale="de-DE")
    viewer.expect_playing()
    assert html(viewer) == ["es", "ltr"]
    expect(viewer.page.get_by_role("tab", name="Para ti")).to_be_visible()


@pytest.mark.long
def test_a_language_is_chosen_in_the_settings(open_page, server):
    viewer = open_page(server, locale="en-GB")
    viewer.expect_playing()
    viewer.page.goto(f"{server.url}/#account/playback")
    choice = viewer.page.locator("select#language")
    expect(choice.locator("option")).to_have_text(["System", "English", "Deutsch", "Español", "العربية"])
    with viewer.page.expect_navigation():
        choice.select_option("de")
    expect(viewer.page.get_by_label("Sprache")).to_have_value("de")
    assert html(viewer) == ["de", "ltr"]


def test_without_words_the_page_goes_on_in_english(open_page, server):
    viewer = open_page(server, locale="de-DE")
    viewer.page.route("**/words/**", lambda route: route.abort())
    viewer.page.reload()
    viewer.expect_playing()
    expect(viewer.page.get_by_role("tab", name="For you")).to_be_visible()


def test_the_first_clip_moves_before_the_words_are_there(open_page, server):
    viewer = open_page(server, locale="de-DE")
    held = []
    viewer.page.route("**/words/**", held.append)
    viewer.page.reload()
    viewer.expect_playing()
    expect(viewer.page.get_by_role("button", name="Record a clip")).to_be_visible()
    for route in held:
        route.continue_()
    expect(viewer.page.get_by_role("button", name="Clip aufnehmen")).to_be_visible()


def test_a_refusal_is_shown_in_the_language(open_page, server):
    viewer = open_page(server, locale="de-DE")
    viewer.expect_playing()
    body = json.dumps({"status": 429, "code": "too_many_requests", "detail": "That was too much at once; wait a moment."})
    viewer.page.route("**/api/v1/clips/*/like", lambda route: route.fulfill(status=429, content_type="application/problem+json", body=body))
    viewer.page.keyboard.press("l")
    expect(viewer.page.locator("#notice")).to_contain_text("Warte einen Moment.")

"""The page in the language of whoever is in front of it."""

import json

import pytest
from playwright.sync_api import expect


def html(viewer):
    return viewer.page.evaluate("[document.documentElement.lang, document.documentElement.dir]")


def test_a_person_reads_their_own_language(open_page, server):
    viewer = open_page(server, locale="de-AT")
    viewer.expect_playing()
    assert html(viewer) == ["de", "ltr"]
    expect(viewer.page.get_by_role("button", name="Clip aufnehmen")).to_be_visible()
    expect(viewer.page.get_by_role("tab", name="Für dich")).to_be_visible()
    expect(viewer.page.locator(".page[aria-current] .comments span")).to_have_text("Kommentare")
    # Whoever hears of it comes with the bar.
    viewer.page.locator("#messages[data-access]").wait_for()
    viewer.page.locator(".page[aria-current] .comments button").click()
    expect(viewer.page.get_by_role("button", name="Kommentare schließen")).to_be_visible()


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


def test_without_words_the_page_goes_on_in_english(open_page, server):
    viewer = open_page(server, locale="de-DE")
    viewer.page.route("**/words/*/*.json", lambda route: route.abort())
    viewer.page.reload()
    viewer.expect_playing()
    expect(viewer.page.get_by_role("tab", name="For you")).to_be_visible()
    viewer.press("/")
    expect(viewer.page.get_by_role("combobox", name="Search")).to_be_visible()


def test_the_first_clip_moves_before_the_words_are_there(open_page, server):
    viewer = open_page(server, locale="de-DE")
    held = []
    viewer.page.route("**/words/*/*.json", lambda route: held.append(route))
    viewer.page.reload()
    viewer.expect_playing()
    expect(viewer.page.get_by_role("button", name="Record a clip")).to_be_visible()
    viewer.until(lambda: held, "the request for the words")
    for route in held:
        route.continue_()
    # Also those that are asked for from now on.
    viewer.page.unroute("**/words/*/*.json")
    expect(viewer.page.get_by_role("button", name="Clip aufnehmen")).to_be_visible()


def test_a_refusal_is_shown_in_the_language(open_page, server):
    viewer = open_page(server, locale="de-DE")
    viewer.expect_playing()
    body = json.dumps({"status": 403, "code": "not_allowed", "detail": "This account may not do that."})
    viewer.page.route("**/api/v1/clips/*/like", lambda route: route.fulfill(status=403, content_type="application/problem+json", body=body))
    viewer.page.locator(".page[aria-current] .likes button").click()
    expect(viewer.page.locator("#notice")).to_contain_text("Dieses Konto darf das nicht.")

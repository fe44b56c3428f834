"""Blocking somebody, from the feed and from the comments, and taking it back."""

import re

import pytest
from playwright.sync_api import expect

from test_account import arrive, row, screen, sign_up
from test_menu import dots, menu
from test_offline import NOTE_NOTICES
from test_offline import told as noticed

BLOCK = "**/api/v1/authors/*/block"


@pytest.fixture
def guest(open_page, own_server):
    return arrive(open_page(own_server, script=NOTE_NOTICES))


def choose(viewer, name):
    menu(viewer).get_by_role("button", name=f"Block {name}").press("Enter")


def asked(viewer, name):
    return viewer.page.get_by_role("dialog", name=f"Block {name}?")


def authors(viewer):
    return viewer.page.evaluate("fetch('/api/v1/feed?limit=50').then((a) => a.json()).then(({ items }) => items.map((i) => i.author.name))")


@pytest.mark.long
def test_a_guest_blocks_an_author_by_keys_and_unblocks_them_in_the_list(guest, own_server):
    first = own_server.feed()[0]["author"]
    assert first["name"] in authors(guest)
    dots(guest).focus()
    guest.press("Enter")
    choose(guest, first["name"])
    question = asked(guest, first["name"])
    expect(question).to_be_visible()
    # Keys of the feed do nothing meanwhile, and Escape means no.
    guest.press("l")
    guest.press("Escape")
    expect(question).to_have_count(0)
    expect(dots(guest)).to_be_focused()
    assert first["name"] in authors(guest)
    guest.press("Enter")
    choose(guest, first["name"])
    question.get_by_role("button", name="Block", exact=True).click()
    noticed(guest, f"{first['name']} is blocked.")
    guest.until(lambda: first["name"] not in authors(guest), "the feed without the author")
    expect(guest.page.locator(".page").filter(has_text=first["name"])).to_have_count(0)
    guest.press("a")
    row(guest, "Blocked")
    there = screen(guest, "Blocked").get_by_role("button", name=f"Block {first['name']}")
    expect(there).to_have_attribute("aria-pressed", "true")
    there.click()
    expect(there).to_have_text("Block")
    guest.until(lambda: first["name"] in authors(guest), "the feed with the author")
    assert not guest.complaints


def test_what_is_not_saved_is_taken_back_and_said(guest, own_server):
    first = own_server.feed()[0]["author"]["name"]
    guest.page.route(BLOCK, lambda route: route.fulfill(
        status=503, content_type="application/problem+json", body='{"code": "unavailable", "detail": "Not now."}'))
    dots(guest).click()
    choose(guest, first)
    asked(guest, first).get_by_role("button", name="Block", exact=True).click()
    noticed(guest, f"{first} was not blocked. Not now.")
    assert first in authors(guest)
    guest.page.unroute(BLOCK)


@pytest.mark.parametrize("size", [{"width": 360, "height": 640}, {"width": 1280, "height": 800}], ids=["phone", "desk"])
def test_somebody_is_blocked_from_the_comments_and_their_comments_are_gone(open_page, own_server, size):
    writer = sign_up(arrive(open_page(own_server)), "rude")
    clip = own_server.feed()[0]["id"]
    writer.page.evaluate("""(clip) => fetch(`/api/v1/clips/${clip}/comments`, { method: 'POST', body: '{"text":"rude words"}',
        headers: { 'Content-Type': 'application/json', 'Idempotency-Key': 'a-rude-comment' } })""", clip)
    viewer = sign_up(arrive(open_page(own_server, viewport=size)), "mara")
    viewer.page.locator(".page[aria-current] .comments button").click()
    sheet = viewer.page.get_by_role("dialog", name=re.compile("comment"))
    expect(sheet.get_by_role("listitem")).to_have_count(1)
    sheet.get_by_role("button", name="More about the comment of Rude").click()
    viewer.page.locator("#menu").get_by_role("button", name="Block Rude").click()
    asked(viewer, "Rude").get_by_role("button", name="Block", exact=True).click()
    expect(sheet.get_by_role("listitem").filter(visible=True)).to_have_count(0)
    # It is gone before the server has heard of it.
    seen = "(clip) => fetch(`/api/v1/clips/${clip}/comments`).then((a) => a.json())"
    viewer.until(lambda: viewer.page.evaluate(seen, clip)["items"] == [], "the block at the server")
    # The writer's own is there for the writer, who learns nothing.
    mine = writer.page.evaluate(seen, clip)
    assert [item["text"] for item in mine["items"]] == ["rude words"]
    viewer.press("Escape")
    expect(sheet).to_have_count(0)
    # The way back is the browser's own, and takes its time.
    viewer.page.wait_for_function("() => !history.state?.comments")
    viewer.press("a")
    row(viewer, "Blocked")
    expect(screen(viewer, "Blocked").get_by_role("listitem")).to_contain_text("@rude")
    assert not viewer.complaints

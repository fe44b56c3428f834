"""Restricted mode: a clip for adults is nowhere, its address says so, and an account ends it that says to be an adult's."""

import sqlite3

import pytest
from playwright.sync_api import expect

from test_account import arrive, sign_up
from test_notifications import ask
from test_sizes import go


@pytest.fixture
def clip(own_server, own_data):
    """The first of the feed, which is for adults now."""
    clip = own_server.feed()[0]
    with sqlite3.connect(own_data / "clipfeed.sqlite", timeout=10) as rows_of:
        rows_of.execute("UPDATE clips SET for_adults = 1 WHERE id = ?", (clip["id"],))
    rows_of.close()
    return clip


def switch(viewer):
    go(viewer.page, "#account/restricted")
    switch = viewer.page.locator("#account-screen").get_by_role("switch", name="Restricted mode")
    switch.wait_for()
    return switch


def feed_of(viewer):
    return [item["id"] for item in ask(viewer, "GET", "/feed?limit=50")["items"]]


def test_a_guest_is_told_what_leads_to_a_clip_for_adults(open_page, own_server, clip):
    viewer = arrive(open_page(own_server))
    viewer.page.goto(f"{own_server.url}/c/{clip['id']}")
    notice = viewer.page.locator("#notice")
    expect(notice).to_contain_text("This clip is for adults.")
    notice.get_by_role("button", name="Sign in").click()
    viewer.page.locator("#account-screen").get_by_role("heading", name="Sign in").wait_for()


def test_a_guest_cannot_end_it(open_page, own_server, clip):
    viewer = arrive(open_page(own_server))
    box = switch(viewer)
    expect(box).to_be_checked()
    box.click()
    expect(viewer.page.locator("#account-screen").get_by_role("status")).to_contain_text("Sign in to turn it off.")
    expect(box).to_be_checked()


def test_an_account_says_once_that_it_is_an_adults(open_page, own_server, clip):
    ada = sign_up(arrive(open_page(own_server)), "ada")
    assert clip["id"] not in feed_of(ada)
    screen = ada.page.locator("#account-screen")
    box = switch(ada)
    box.click()
    expect(box).to_be_checked()
    screen.get_by_role("button", name="I am an adult").click()
    expect(box).not_to_be_checked()
    expect(screen).to_contain_text("You said on")
    assert clip["id"] in feed_of(ada)
    box.click()
    # The box is turned before the server has heard of it, and hears of nothing else meanwhile.
    expect(screen.get_by_role("status")).to_contain_text("Clips for adults are hidden.")
    expect(box).to_be_checked()
    assert clip["id"] not in feed_of(ada)
    # It has said so.
    box.click()
    expect(screen.get_by_role("status")).to_contain_text("Clips for adults show up from now on.")
    expect(box).not_to_be_checked()
    expect(screen.get_by_role("button", name="I am an adult")).to_be_hidden()

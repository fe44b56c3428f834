"""Security notices in the browser: what happened to an account, as its owner sees it."""

import re

import pytest
from playwright.sync_api import expect

from test_account import DESK, PASSWORD, ada, arrive, fill, guest, person, row, says, screen, sign_in, tap  # noqa: F401

pytestmark = pytest.mark.long

PHONE = "Mozilla/5.0 (iPhone) Version/17.0 Safari/604.1"
NOTICES = "**/api/v1/account/notices?*"
NARROW = {"width": 320, "height": 640}


def items(viewer):
    return screen(viewer, "Security").get_by_role("list", name="Security").get_by_role("listitem")


def open_security(viewer):
    viewer.press("a")
    row(viewer, "Security")
    screen(viewer, "Security").wait_for()


def told(number, **changes):
    return {"id": f"n{number:03}", "kind": "new_device", "created_at": "2026-01-01T00:00:00Z", "device": "Edge on Windows",
            "times": 1, **changes}


def test_a_sign_in_elsewhere_is_seen_and_ones_own_device_is_no_news(ada, open_page, own_server):
    open_security(ada)
    expect(ada.page.get_by_text("Nothing has happened in the last 90 days.")).to_be_visible()
    expect(items(ada)).to_have_count(0)
    ada.press("Escape")
    tap(ada, "Sign out")
    says(ada, "You are signed out.")
    ada.press("Escape")
    # Keys are the feed's again behind it.
    expect(ada.page.locator("#account-screen")).to_have_count(0)
    expect(person(ada)).to_have_attribute("aria-label", "Account")
    # The same browser again, and another one.
    sign_in(ada, "ada")
    sign_in(arrive(open_page(own_server, user_agent=PHONE)), "ada")
    open_security(ada)
    expect(items(ada)).to_have_count(1)
    expect(items(ada)).to_contain_text("Signed in on a new device")
    expect(items(ada)).to_contain_text("Safari on iPhone")
    expect(items(ada).locator("time")).to_have_text(re.compile(r"^\w+ \d+, \d{4}, \d+:\d\d.[AP]M$"))
    assert not ada.complaints


def test_a_changed_password_is_seen_behind_it(ada):
    ada.press("a")
    row(ada, "Password")
    fill(ada, current_password=PASSWORD, new_password="nine green tandems")
    tap(ada, "Change the password")
    screen(ada, "Your account").wait_for()
    row(ada, "Security")
    expect(items(ada)).to_contain_text(["Password changed"])
    expect(items(ada)).to_contain_text(["Chrome on Linux"])


def test_more_of_them_come_with_scrolling(ada):
    asked = []

    def answer(route):
        asked.append(route.request.url)
        start = 24 if "cursor=next" in route.request.url else 0
        page = [told(number) for number in range(start, start + (24 if start == 0 else 6))]
        route.fulfill(json={"items": page, "next_cursor": None if start else "next"})

    ada.page.route(NOTICES, answer)
    open_security(ada)
    expect(items(ada)).not_to_have_count(0)
    items(ada).last.scroll_into_view_if_needed()
    expect(items(ada)).to_have_count(30)
    assert len(asked) == 2


def test_what_could_not_be_loaded_is_said_and_tried_again(ada):
    isBroken = [True]

    def answer(route):
        if isBroken[0]:
            route.abort()
        else:
            route.fulfill(json={"items": [told(1)], "next_cursor": None})

    ada.page.route(NOTICES, answer)
    open_security(ada)
    alert = screen(ada, "Security").get_by_role("alert")
    expect(alert).to_be_visible()
    isBroken[0] = False
    tap(ada, "Try again")
    expect(items(ada)).to_have_count(1)
    expect(alert).to_be_hidden()


def test_what_only_a_newer_server_knows_is_shown_as_something(ada):
    hostile = "<img src=x onerror=alert(1)>\u0d4e<\u0301b"
    page = [
        told(1, kind="of_tomorrow", device=None), told(2, kind="toString"), told(3, times=12),
        told(4, kind="provider_connected", provider=hostile), told(5, kind="wrong_passwords", device=None)]
    ada.page.route(NOTICES, lambda route: route.fulfill(json={"items": page, "next_cursor": None}))
    open_security(ada)
    expect(items(ada)).to_contain_text([
        "Something about signing in changed", "Something about signing in changed", "Signed in on a new device, 12 times",
        f"{hostile} connected", "Wrong passwords were given"])
    expect(items(ada).first).to_contain_text("Unknown device")
    assert ada.page.locator("#account-screen img").count() == 0
    assert not ada.complaints


@pytest.mark.parametrize("size", [NARROW, DESK], ids=["narrow", "wide"])
def test_nothing_is_cut_off(ada, size):
    page = [told(number, kind=kind, provider="The Identity Provider of a Corporation With a Long Name", times=3)
            for number, kind in enumerate(["of_tomorrow", "provider_disconnected", "wrong_passwords", "signed_out_everywhere"])]
    ada.page.route(NOTICES, lambda route: route.fulfill(json={"items": page, "next_cursor": None}))
    ada.page.set_viewport_size(size)
    ada.press("a")
    # No row of the account is behind the end of its list.
    assert ada.page.evaluate("[...document.querySelectorAll('.rows')].every((e) => e.scrollHeight <= e.clientHeight)")
    row(ada, "Security")
    expect(items(ada)).to_have_count(4)
    # Neither ends in dots nor makes the page scroll sideways.
    assert ada.page.evaluate("""() => [...document.querySelectorAll('.notices :is(strong, span), .middle')]
      .filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.textContent)""") == []

"""Accounts in the browser: the screen over the feed, and who is signed in."""

import re
import subprocess

import pytest
from playwright.sync_api import expect

import clips
from server import Server

PASSWORD = "seven brown bicycles"
DESK = {"width": 1280, "height": 800}


@pytest.fixture
def guest(open_page, own_server):
    return arrive(open_page(own_server))


@pytest.fixture
def ada(guest):
    """Somebody with an account, in front of the feed."""
    return sign_up(guest, "ada")


def arrive(viewer):
    viewer.expect_playing()
    # Named by what hears of taps and keys, which comes behind the first clip.
    expect(button(viewer, "follow")).to_have_attribute("aria-label", re.compile("^Follow "))
    expect(viewer.page.get_by_role("form", name="Message")).to_have_attribute("data-access", "open")
    return viewer


def button(viewer, act):
    return viewer.page.locator(f".page[aria-current] [data-action={act}]")


def screen(viewer, title):
    return viewer.page.get_by_role("dialog", name=title, exact=True)


def person(viewer):
    return viewer.page.locator("#person")


def fill(viewer, **fields):
    for name, value in fields.items():
        viewer.page.locator(f"#account-screen input[name={name}]").fill(value)


def tap(viewer, name):
    viewer.page.locator("#account-screen").get_by_role("button", name=name, exact=True).click()


def close(viewer):
    """Keys and clicks are the feed's again behind it."""
    tap(viewer, "Close")
    expect(viewer.page.locator("#account-screen")).to_have_count(0)


def row(viewer, name):
    viewer.page.locator("#account-screen").get_by_role("button", name=re.compile(f"^{name}")).click()


def sign_up(viewer, handle):
    viewer.press("a")
    tap(viewer, "Create an account")
    fill(viewer, handle=handle, name=handle.title(), password=PASSWORD)
    tap(viewer, "Create the account")
    screen(viewer, "Your account").wait_for()
    close(viewer)
    expect(person(viewer)).to_have_attribute("aria-label", f"Account of {handle.title()}")
    return viewer


def sign_in(viewer, handle, password=PASSWORD):
    viewer.press("a")
    fill(viewer, handle=handle, password=password)
    tap(viewer, "Sign in")
    screen(viewer, "Your account").wait_for()
    close(viewer)
    return viewer


def says(viewer, text):
    expect(viewer.page.locator("#account-screen").get_by_role("status")).to_contain_text(text)


def end_session(viewer):
    """By the account's screen, which stays."""
    # What it asks for is answered before: behind the end it would be refused, and complained of.
    with viewer.page.expect_response("**/api/v1/account"), viewer.page.expect_response("**/api/v1/profiles/*"):
        viewer.press("a")
    tap(viewer, "Sign out")
    says(viewer, "You are signed out.")


def sign_out(viewer):
    """And back to the feed."""
    end_session(viewer)
    viewer.press("Escape")
    expect(viewer.page.locator("#account-screen")).to_have_count(0)


def test_what_a_guest_liked_is_the_accounts_and_who_is_signed_in_is_known_without_asking(guest, own_server):
    guest.press("l")
    guest.until(lambda: own_server.feed()[0]["counts"]["likes"] == 1, "the like on the server")
    sign_up(guest, "ada")
    expect(button(guest, "like")).to_have_attribute("aria-pressed", "true")
    asked = []
    guest.page.on("request", lambda request: asked.append(request.url))
    guest.page.reload()
    arrive(guest)
    expect(person(guest)).to_have_attribute("aria-label", "Account of Ada")
    expect(person(guest)).to_have_text("A")
    expect(button(guest, "like")).to_have_attribute("aria-pressed", "true")
    assert not [url for url in asked if "/account" in url.split("/api/v1")[-1] or "/sessions" in url]
    # Signing out leaves nothing of it on the page.
    end_session(guest)
    guest.press("Escape")
    # Until it is gone, the key that opens it again is none of the feed's.
    expect(guest.page.locator("#account-screen")).to_have_count(0)
    expect(person(guest)).to_have_attribute("aria-label", "Account")
    expect(button(guest, "like")).to_have_attribute("aria-pressed", "false")
    expect(button(guest, "like")).to_have_text("1 like")
    sign_in(guest, "ada")
    expect(button(guest, "like")).to_have_attribute("aria-pressed", "true")
    assert not guest.complaints


def test_its_key_opens_it_where_no_clip_has_ever_moved(open_page, tmp_path):
    server = Server(tmp_path / "data")
    try:
        viewer = open_page(server)
        viewer.expect_state("empty")
        # Keys come behind everything else.
        viewer.page.evaluate("import('/app/feed/gestures.js')")
        viewer.press("a")
        expect(viewer.page.get_by_label("Handle or e-mail address")).to_be_focused()
        # A letter like any other where somebody writes.
        viewer.press("a")
        expect(viewer.page.get_by_label("Handle or e-mail address")).to_have_value("a")
        viewer.press("Escape")
        expect(viewer.page.locator("#account-screen")).to_have_count(0)
        assert not viewer.complaints
    finally:
        server.stop()


@pytest.mark.parametrize("size", [{"width": 360, "height": 640}, DESK], ids=["phone", "desk"])
@pytest.mark.long
def test_it_is_done_by_keys_alone_and_the_focus_is_where_it_belongs(open_page, own_server, size):
    viewer = arrive(open_page(own_server, viewport=size))
    viewer.press("a")
    expect(viewer.page.get_by_label("Handle or e-mail address")).to_be_focused()
    viewer.page.get_by_role("button", name="Create an account").focus()
    viewer.press("Enter")
    expect(viewer.page.get_by_label("Handle", exact=True)).to_be_focused()
    # Letters that are keys of the feed.
    viewer.page.keyboard.type("clara.b")
    viewer.press("Tab")
    viewer.page.keyboard.type("Clara ♥")
    viewer.page.get_by_label("Password", exact=True).focus()
    viewer.page.keyboard.type(PASSWORD)
    viewer.press("Enter")
    expect(screen(viewer, "Your account")).to_contain_text("Clara ♥")
    expect(screen(viewer, "Your account").get_by_role("heading", level=2)).to_be_focused()
    expect(screen(viewer, "Your account")).to_contain_text("@clara.b")
    viewer.page.get_by_role("button", name="Devices").focus()
    viewer.press("Enter")
    expect(screen(viewer, "Devices").get_by_role("heading", level=2)).to_be_focused()
    # Escape goes back a page, and at last to the feed.
    viewer.press("Escape")
    screen(viewer, "Your account").wait_for()
    viewer.press("Escape")
    expect(person(viewer)).to_be_focused()
    viewer.expect_playing()
    assert viewer.page.url == f"{own_server.url}/c/{viewer.current()}"
    assert not viewer.complaints


def test_what_is_wrong_is_said_beside_its_field(ada, open_page, own_server):
    viewer = arrive(open_page(own_server))
    viewer.press("a")
    tap(viewer, "Sign in")
    expect(viewer.page.get_by_label("Handle or e-mail address")).to_have_accessible_description("Please fill this in.")
    fill(viewer, handle="ada", password="something else")
    tap(viewer, "Sign in")
    alert = viewer.page.locator("#account-screen").get_by_role("alert")
    expect(alert).to_have_text("The handle or the password is wrong.")
    expect(alert).to_be_focused()
    tap(viewer, "Create an account")
    handle, password = (viewer.page.locator(f"#account-screen input[name={name}]") for name in ["handle", "password"])
    fill(viewer, handle="Ada", password=PASSWORD)
    tap(viewer, "Create the account")
    expect(handle).to_be_focused()
    expect(handle).to_have_attribute("aria-invalid", "true")
    expect(handle).to_have_accessible_description(re.compile("This handle is taken"))
    fill(viewer, handle="ada2", password="short")
    tap(viewer, "Create the account")
    expect(password).to_be_focused()
    expect(password).to_have_accessible_description(re.compile("at least 8 characters"))
    expect(handle).not_to_have_attribute("aria-invalid", "true")
    # As password managers know them.
    assert [field.get_attribute("autocomplete") for field in [handle, password]] == ["username", "new-password"]


def test_another_device_is_seen_and_signed_out(ada, open_page, own_server):
    other = sign_in(arrive(open_page(own_server, user_agent="Mozilla/5.0 (iPhone) Version/17.0 Safari/604.1")), "ada")
    ada.press("a")
    row(ada, "Devices")
    devices = screen(ada, "Devices").get_by_role("listitem")
    expect(devices).to_have_count(2)
    expect(devices.filter(has_text="This device")).to_contain_text("Chrome on Linux")
    expect(devices.filter(has_text="This device").get_by_role("button")).to_have_count(0)
    tap(ada, "Sign out Safari on iPhone")
    expect(devices).to_have_count(1)
    # Nothing is done there as a guest in its place, and it says so.
    button(other, "like").click()
    expect(other.page.get_by_text("Your session has ended. Until you sign in again, you are here as a guest.")).to_be_visible()
    expect(button(other, "like")).to_have_attribute("aria-pressed", "false")
    expect(person(other)).to_have_attribute("aria-label", "Account")
    assert own_server.feed()[0]["counts"]["likes"] == 0


def test_somebody_signs_out_everywhere_at_once(ada, open_page, own_server):
    other = sign_in(arrive(open_page(own_server, user_agent="Mozilla/5.0 (iPhone) Version/17.0 Safari/604.1")), "ada")
    ada.press("a")
    row(ada, "Devices")
    expect(screen(ada, "Devices").get_by_role("listitem")).to_have_count(2)
    tap(ada, "Sign out everywhere")
    expect(person(ada)).to_have_attribute("aria-label", "Account")
    button(other, "like").click()
    expect(other.page.get_by_text("Your session has ended. Until you sign in again, you are here as a guest.")).to_be_visible()


def test_to_sign_out_everywhere_comes_with_the_devices(ada):
    held = []
    ada.page.route("**/api/v1/sessions", lambda route: held.append(route))
    ada.press("a")
    row(ada, "Devices")
    ada.until(lambda: held, "the request")
    everywhere = screen(ada, "Devices").get_by_role("button", name="Sign out everywhere")
    expect(everywhere).to_have_count(0)
    held[0].continue_()
    expect(screen(ada, "Devices").get_by_role("listitem")).to_have_count(1)
    expect(everywhere).to_be_visible()


def test_a_token_that_is_over_is_renewed_once_for_all_tabs(ada, own_server):
    second = ada.page.context.new_page()
    second.goto(own_server.url)
    second.locator(".page[aria-current] [data-action=follow]:not([hidden])").wait_for()
    asked = []
    ada.page.context.on("request", lambda request: asked.append(request) if "/sessions" in request.url else None)
    # As ten minutes later.
    ada.page.evaluate("""() => {
      const account = JSON.parse(localStorage.getItem('clipfeed.account'));
      localStorage.setItem('clipfeed.account', JSON.stringify({ ...account, until: Date.now() - 1000 }));
    }""")
    # Both have been answered before it is counted.
    with second.expect_response(lambda answer: answer.url.endswith("/bookmark") and answer.status == 200):
        second.evaluate("document.querySelector('.page[aria-current] [data-action=bookmark]').click()")
        ada.press("l")
        expect(second.get_by_text("Added to your bookmarks.")).to_be_visible()
    ada.until(lambda: own_server.feed()[0]["counts"]["likes"] == 1, "the like on the server")
    assert [request.url.split("/api/v1")[1] for request in asked] == ["/sessions/refresh"]
    # And one that is over for the server alone.
    refused = []

    def refuse(route):
        if refused:
            return route.continue_()
        refused.append(route)
        return route.fulfill(status=401, content_type="application/problem+json", body='{"code": "access_token_expired"}')
    ada.page.route("**/bookmark", refuse)
    with ada.page.expect_response(lambda answer: answer.url.endswith("/bookmark") and answer.status == 200):
        button(ada, "bookmark").click()
    assert len(asked) == 2
    expect(person(ada)).to_have_attribute("aria-label", "Account of Ada")


def test_a_row_that_waits_for_the_server_says_so(ada):
    held = []
    ada.page.route("**/api/v1/account", lambda route: held.append(route))
    ada.press("a")
    waiting = ada.page.locator("#account-screen").get_by_role("button", name="Password")
    waiting.click()
    expect(waiting).to_have_attribute("aria-busy", "true")
    expect(waiting.get_by_role("img", name="Loading")).to_be_visible()
    # Once more changes nothing.
    waiting.click()
    expect(waiting.get_by_role("img")).to_have_count(1)
    ada.until(lambda: held, "the request")
    for route in held:
        route.continue_()
    ada.page.unroute("**/api/v1/account")
    ada.page.locator("#account-screen input[name=current_password]").wait_for()


def test_name_and_password_are_changed(ada, open_page, own_server):
    ada.press("a")
    row(ada, "Name and e-mail")
    fill(ada, name="Ada Lovelace")
    tap(ada, "Save the name")
    says(ada, "The name is saved.")
    tap(ada, "Back")
    expect(screen(ada, "Your account")).to_contain_text("Ada Lovelace")
    row(ada, "Password")
    fill(ada, current_password="not it at all", new_password="eight green bicycles")
    tap(ada, "Change the password")
    expect(ada.page.locator("#account-screen input[name=current_password]")).to_have_accessible_description(
        "The password is wrong.")
    fill(ada, current_password=PASSWORD)
    tap(ada, "Change the password")
    says(ada, "The password is changed.")
    close(ada)
    expect(person(ada)).to_have_attribute("aria-label", "Account of Ada Lovelace")
    sign_in(arrive(open_page(own_server)), "ada", "eight green bicycles")


def test_a_forgotten_password_is_replaced_by_a_link(ada, own_server, open_page):
    viewer = arrive(open_page(own_server))
    viewer.press("a")
    tap(viewer, "Forgot the password?")
    fill(viewer, handle="nobody")
    tap(viewer, "Send a link")
    expect(screen(viewer, "Forgotten password")).to_contain_text("If this account has a confirmed e-mail address")
    made = subprocess.run([clips.SERVER, "accounts", "reset-link", "--data", own_server.data, "ada"],
                          capture_output=True, text=True, timeout=60)
    token = re.search(r"#reset=(\S+)", made.stdout)
    assert token, made.stdout + made.stderr
    viewer.page.goto("about:blank")
    viewer.page.goto(f"{own_server.url}/#reset={token[1]}")
    fill(viewer, password="eight green bicycles")
    tap(viewer, "Set the password")
    says(viewer, "Your password is changed. Sign in with the new one.")
    # The secret stands nowhere any more.
    assert viewer.page.url == f"{own_server.url}/#account"
    fill(viewer, handle="ada", password="eight green bicycles")
    tap(viewer, "Sign in")
    says(viewer, "Welcome back, Ada.")


def test_an_account_goes_with_all_that_it_left(ada, own_server):
    ada.press("l")
    ada.until(lambda: own_server.feed()[0]["counts"]["likes"] == 1, "the like on the server")
    ada.press("a")
    row(ada, "Delete the account")
    fill(ada, typed="adda", password=PASSWORD)
    tap(ada, "Delete everything")
    expect(ada.page.locator("#account-screen input[name=typed]")).to_have_accessible_description("That is not ada.")
    fill(ada, typed="Ada")
    tap(ada, "Delete everything")
    says(ada, "The account is deleted.")
    fill(ada, handle="ada", password=PASSWORD)
    tap(ada, "Sign in")
    expect(ada.page.locator("#account-screen").get_by_role("alert")).to_have_text("The handle or the password is wrong.")
    close(ada)
    expect(button(ada, "like")).to_have_text("0 likes")
    expect(person(ada)).to_have_attribute("aria-label", "Account")


def test_a_follow_is_a_notice_while_it_happens(guest, open_page, own_server):
    with guest.page.expect_response("**/api/v1/live") as stream:
        ada = sign_up(guest, "ada")
    assert stream.value.status == 200
    mine = ada.page.evaluate("JSON.parse(localStorage.getItem('clipfeed.account')).id")
    bob = sign_up(arrive(open_page(own_server)), "bob")
    bob.page.evaluate("(id) => fetch(`/api/v1/authors/${id}/follow`, { method: 'PUT' })", mine)
    expect(ada.page.get_by_text("Bob follows you.")).to_be_visible()
    # Nobody listens in a page that is signed out. The page ends the stream, or the server does before its
    # answer to the sign-out is here: to the page a failure and a good end.
    ends = []
    for way in ["requestfailed", "requestfinished"]:
        ada.page.on(way, lambda request: ends.append(request.url) if request.url.endswith("/live") else None)
    ada.press("a")
    ends.clear()
    tap(ada, "Sign out")
    says(ada, "You are signed out.")
    ada.until(lambda: ends, "the end of the stream")


@pytest.mark.long
def test_nothing_of_it_is_fetched_before_it_is_asked_for(guest):
    fetched = guest.page.evaluate("performance.getEntriesByType('resource').map(({ name }) => name)")
    assert fetched and not [name for name in fetched if "/account/" in name]

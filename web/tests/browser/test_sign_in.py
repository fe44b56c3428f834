"""Signing in by others, in the browser: to an issuer of another site, through its page, and back."""

import re

import pytest
from playwright.sync_api import expect

from issuer import Issuer, apples
from server import Server, held
from test_account import DESK, PASSWORD, arrive, button, close, end_session, fill, person, row, says, screen, sign_up, tap


@pytest.fixture(scope="module")
def issuer():
    issuer = Issuer()
    issuer.realm("corp")
    issuer.realm("apple", apple=apples())
    yield issuer
    issuer.shutdown()


@pytest.fixture
def served(issuer, own_data, tmp_path):
    place = held()
    port = place.getsockname()[1]
    server = Server(own_data, port=port, environment=issuer.settings(f"http://127.0.0.1:{port}", tmp_path))
    yield server
    server.stop()
    assert not [complaint for realm in issuer.realms.values() for complaint in realm.complaints]


def others(viewer):
    return viewer.page.get_by_role("group", name="Other ways")


def go(viewer, name, answer="Continue as Ada Lovelace"):
    viewer.page.locator("#account-screen").get_by_role("button", name=name, exact=True).click()
    viewer.page.wait_for_url(re.compile("http://localhost:"))
    viewer.page.get_by_role("button", name=answer).click()
    viewer.page.wait_for_url(re.compile("http://127.0.0.1:"))


def join(viewer, name):
    viewer.press("a")
    go(viewer, name)
    screen(viewer, "Signing in").wait_for()
    viewer.page.get_by_label("Handle", exact=True).wait_for()


@pytest.mark.parametrize("name", ["The corp", "The apple"])
def test_a_newcomer_comes_by_another_site_and_brings_what_was_liked(open_page, served, name):
    viewer = arrive(open_page(served))
    viewer.press("l")
    viewer.until(lambda: served.feed()[0]["counts"]["likes"] == 1, "the like on the server")
    join(viewer, f"Sign in with {name}")
    expect(viewer.page.get_by_label("Handle", exact=True)).to_have_value("ada")
    # Apple tells the name the first time only, whoever asks.
    fill(viewer, handle="ada.l")
    tap(viewer, "Create the account")
    screen(viewer, "Your account").wait_for()
    says(viewer, "What you liked so far is yours.")
    close(viewer)
    # The page has just come back from the provider, and nothing of the feed was fetched below the account.
    viewer.expect_playing()
    expect(person(viewer)).to_have_attribute("aria-label", re.compile("Account of Ada"))
    expect(button(viewer, "like")).to_have_attribute("aria-pressed", "true")
    # Out, and in again by the same.
    end_session(viewer)
    go(viewer, f"Sign in with {name}")
    screen(viewer, "Your account").wait_for()
    says(viewer, "Welcome back")
    assert not viewer.complaints


def test_what_comes_late_moves_nothing_under_the_finger(open_page, served):
    viewer = arrive(open_page(served))
    held = []
    viewer.page.route("**/api/v1/sign-in-providers", lambda route: held.append(route))
    viewer.press("a")
    create = viewer.page.get_by_role("button", name="Create an account")
    create.wait_for()
    before = create.bounding_box()
    assert held
    held[0].continue_()
    expect(others(viewer).get_by_role("button")).to_have_text(["Sign in with The corp", "Sign in with The apple"])
    assert create.bounding_box() == before


@pytest.mark.parametrize("size", [{"width": 360, "height": 640}, DESK], ids=["phone", "desk"])
@pytest.mark.long
def test_it_is_done_by_keys_and_who_says_no_reads_so(open_page, served, size):
    viewer = arrive(open_page(served, viewport=size))
    viewer.press("a")
    expect(others(viewer).get_by_role("button")).to_have_text(["Sign in with The corp", "Sign in with The apple"])
    for label in ("The corp", "The apple"):
        others(viewer).get_by_role("button", name=f"Sign in with {label}").focus()
        viewer.press("Enter")
        viewer.page.wait_for_url(re.compile("http://localhost:"))
        viewer.page.get_by_role("button", name="Cancel").focus()
        viewer.page.keyboard.press("Enter")
        viewer.page.wait_for_url(re.compile("http://127.0.0.1:"))
        expect(viewer.page.get_by_role("alert")).to_contain_text("You did not sign in there, so nothing happened.")
        back = viewer.page.get_by_role("button", name="Back to signing in")
        back.focus()
        viewer.press("Enter")
        screen(viewer, "Sign in").wait_for()
    # An address that somebody was sent.
    viewer.page.goto(f"{served.url}/sign-in/corp?code=stolen&state=theirs")
    expect(viewer.page.get_by_role("alert")).to_contain_text("begin it again")


def test_a_way_in_is_connected_and_the_last_one_stays(open_page, served):
    viewer = arrive(open_page(served))
    sign_up(viewer, "grace")
    viewer.press("a")
    row(viewer, "Ways to sign in")
    go(viewer, "Connect The corp")
    screen(viewer, "Ways to sign in").wait_for()
    fill(viewer, password="wrong wrong")
    tap(viewer, "Connect The corp")
    expect(viewer.page.get_by_text("The password is wrong.")).to_be_visible()
    fill(viewer, password=PASSWORD)
    tap(viewer, "Connect The corp")
    says(viewer, "The corp is connected.")
    expect(viewer.page.get_by_role("list", name="Connected")).to_contain_text("ada@example.org")
    tap(viewer, "Disconnect The corp")
    fill(viewer, password="wrong wrong")
    tap(viewer, "Disconnect")
    expect(viewer.page.get_by_text("The password is wrong.")).to_be_visible()
    fill(viewer, password=PASSWORD)
    tap(viewer, "Disconnect")
    says(viewer, "The corp is disconnected.")


def test_an_account_without_a_password_sets_one_and_is_deleted(open_page, served):
    viewer = arrive(open_page(served))
    join(viewer, "Sign in with The corp")
    tap(viewer, "Create the account")
    screen(viewer, "Your account").wait_for()
    # What needs a password says where to get one.
    row(viewer, "Name and e-mail address")
    expect(viewer.page.get_by_text("set a password first")).to_be_visible()
    tap(viewer, "Back")
    row(viewer, "Ways to sign in")
    tap(viewer, "Disconnect The corp")
    says(viewer, "sign in once more by what it is connected with")
    go(viewer, "Confirm with The corp")
    tap(viewer, "Disconnect The corp")
    says(viewer, "This is the only way into the account")
    fill(viewer, new_password=PASSWORD)
    tap(viewer, "Set a password")
    says(viewer, "The password is set.")
    # The page is made anew behind that, and asks for the password from then on.
    expect(viewer.page.get_by_role("button", name="Set a password")).to_have_count(0)
    tap(viewer, "Disconnect The corp")
    fill(viewer, password=PASSWORD)
    tap(viewer, "Disconnect")
    says(viewer, "The corp is disconnected.")
    # Another one, which goes without ever having had one.
    close(viewer)
    # Keys come with the first clip that moves, and this page has just come back from the provider.
    person(viewer).click()
    tap(viewer, "Sign out")
    go(viewer, "Sign in with The corp")
    expect(viewer.page.get_by_label("Handle", exact=True)).to_have_value("ada2")
    # A finger that is quicker than the answer is not asked for a password that the account has not.
    waiting = []
    viewer.page.route("**/api/v1/account", lambda route: waiting.append(route))
    tap(viewer, "Create the account")
    screen(viewer, "Your account").wait_for()
    says(viewer, "Welcome")
    row(viewer, "Delete the account")
    viewer.until(lambda: waiting, "the account asked for")
    for route in waiting:
        route.continue_()
    viewer.page.unroute("**/api/v1/account")
    go(viewer, "Confirm with The corp")
    fill(viewer, typed="ada2")
    tap(viewer, "Delete everything")
    says(viewer, "The account is deleted.")

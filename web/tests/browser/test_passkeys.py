"""Passkeys in the browser, by an authenticator that Chromium pretends to have."""

import pytest
from playwright.sync_api import expect

from server import Server, held
from test_account import PASSWORD, arrive, close, end_session, fill, row, says, screen, sign_up, tap
from test_two_factor import begin, set_up


@pytest.fixture
def named(own_data):
    """A server that has a name: no browser has passkeys for an address of numbers."""
    place = held()
    port = place.getsockname()[1]
    server = Server(own_data, port=port, environment={"CLIPFEED_ORIGIN": f"http://localhost:{port}"})
    server.url = f"http://localhost:{port}"
    yield server
    server.stop()


@pytest.fixture
def ada(open_page, named):
    viewer = arrive(open_page(named))
    viewer.device = device(viewer)
    return sign_up(viewer, "ada")


def device(viewer, **changes):
    """One that knows who holds it, and keeps its keys. Answers its id."""
    viewer.cdp.send("WebAuthn.enable", {"enableUI": False})
    options = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
               "isUserVerified": True, "automaticPresenceSimulation": True} | changes
    return viewer.cdp.send("WebAuthn.addVirtualAuthenticator", {"options": options})["authenticatorId"]


def keys_of(viewer):
    return viewer.cdp.send("WebAuthn.getCredentials", {"authenticatorId": viewer.device})["credentials"]


def keys(viewer):
    return screen(viewer, "Passkeys").get_by_role("list", name="Passkeys").get_by_role("listitem")


def open_keys(viewer):
    viewer.press("a")
    row(viewer, "Passkeys")
    screen(viewer, "Passkeys").get_by_role("form", name="Add a passkey").wait_for()


def add(viewer, name):
    fill(viewer, password=PASSWORD, name=name)
    tap(viewer, "Add a passkey")
    says(viewer, f"{name} opens your account from now on.")
    expect(keys(viewer).filter(has_text=name)).to_have_count(1)


def test_a_passkey_opens_the_account_by_itself(ada):
    open_keys(ada)
    add(ada, "My phone")
    [key] = keys_of(ada)
    assert key["rpId"] == "localhost" and key["isResidentCredential"]
    close(ada)
    end_session(ada)
    tap(ada, "Sign in with a passkey")
    screen(ada, "Your account").wait_for()
    says(ada, "Welcome back, Ada.")
    row(ada, "Passkeys")
    expect(keys(ada)).to_contain_text(["last used on"])
    assert keys_of(ada)[0]["signCount"] > key["signCount"]
    assert not ada.complaints


def test_it_is_called_something_else_and_removed(ada):
    open_keys(ada)
    add(ada, "My phone")
    tap(ada, "Rename My phone")
    form = ada.page.get_by_role("form", name="Rename My phone")
    form.get_by_label("Name").fill("Ada’s phone")
    form.get_by_role("button", name="Save the name").click()
    expect(keys(ada)).to_contain_text(["Ada’s phone"])
    # The device knows that it has one of this account.
    fill(ada, password=PASSWORD)
    tap(ada, "Add a passkey")
    expect(ada.page.get_by_text("This device has a passkey of this account already.")).to_be_visible()
    tap(ada, "Remove Ada’s phone")
    form = ada.page.get_by_role("form", name="Remove Ada’s phone")
    form.locator("input[name=password]").fill(PASSWORD)
    form.get_by_role("button", name="Remove", exact=True).click()
    says(ada, "is removed")
    expect(keys(ada)).to_have_count(0)
    # It is still on the device, and opens nothing any more.
    close(ada)
    end_session(ada)
    tap(ada, "Sign in with a passkey")
    says(ada, "This passkey is not known here")


def test_it_is_a_second_step_too(ada):
    open_keys(ada)
    add(ada, "My phone")
    close(ada)
    set_up(ada)
    close(ada)
    end_session(ada)
    begin(ada)
    tap(ada, "Use a passkey")
    screen(ada, "Your account").wait_for()
    says(ada, "Welcome back, Ada.")
    ada.complaints = [one for one in ada.complaints if "401" not in one]
    assert not ada.complaints


def test_a_site_without_a_name_offers_none(open_page, own_server):
    viewer = arrive(open_page(own_server))
    viewer.press("a")
    expect(viewer.page.get_by_role("button", name="Create an account")).to_be_visible()
    viewer.page.wait_for_load_state("networkidle")
    expect(viewer.page.get_by_role("button", name="Sign in with a passkey")).to_have_count(0)

"""Keys for programs in the browser: made, shown once, used by a program, and revoked."""

import re

import pytest
import requests
from playwright.sync_api import expect

from test_account import PASSWORD, ada, arrive, close, fill, guest, row, says, screen, sign_up, tap  # noqa: F401


def page(viewer):
    return screen(viewer, "API keys")


def keys(viewer):
    return page(viewer).get_by_role("list", name="API keys").get_by_role("listitem")


def open_keys(viewer):
    viewer.press("a")
    row(viewer, "API keys")
    page(viewer).get_by_role("form", name="Make a key").wait_for()


def make(viewer, name):
    """The secret, as it is shown."""
    fill(viewer, name=name, password=PASSWORD)
    tap(viewer, "Make a key")
    secret = page(viewer).get_by_role("list", name="Secret").locator("strong")
    secret.wait_for()
    return secret.inner_text()


def listed(server, secret):
    return requests.get(f"{server.url}/v1/videos", headers={"Authorization": f"Bearer {secret}"}, timeout=20)


def test_a_key_is_made_shown_once_used_and_revoked(ada, own_server):
    open_keys(ada)
    expect(page(ada)).to_contain_text("You have no keys.")
    expect(page(ada).locator("code")).to_have_text(f"{own_server.url}/v1")
    secret = make(ada, "Editing script")
    assert re.fullmatch("cf_[A-Za-z0-9_-]{43}", secret)
    assert listed(own_server, secret).json() == {
        "object": "list", "data": [], "first_id": None, "last_id": None, "has_more": False}
    tap(ada, "I have kept it")
    expect(keys(ada)).to_have_count(1)
    expect(keys(ada)).to_contain_text(["Editing script"])
    expect(keys(ada)).to_contain_text(["May look at videos and make videos"])
    expect(keys(ada)).to_contain_text(["last used on"])
    expect(page(ada)).not_to_contain_text(secret)

    # Only after a second tap.
    tap(ada, "Revoke Editing script")
    tap(ada, "Keep it")
    expect(page(ada).get_by_role("button", name="Revoke Editing script")).to_be_focused()
    assert listed(own_server, secret).status_code == 200
    tap(ada, "Revoke Editing script")
    tap(ada, "Revoke")
    says(ada, "Editing script is revoked.")
    expect(keys(ada)).to_have_count(0)
    assert listed(own_server, secret).status_code == 401
    close(ada)
    ada.press("a")
    row(ada, "Security")
    expect(screen(ada, "Security")).to_contain_text("Key for a program revoked")
    expect(screen(ada, "Security")).to_contain_text("Key for a program made")
    assert not ada.complaints


@pytest.mark.long
def test_what_a_key_may_do_is_chosen_and_what_is_wrong_is_said(ada, own_server):
    open_keys(ada)
    form = page(ada).get_by_role("form", name="Make a key")
    for label in ("Look at videos", "Have videos made"):
        form.get_by_role("checkbox", name=re.compile(f"^{label}")).uncheck()
    fill(ada, name="Reader", password=PASSWORD)
    tap(ada, "Make a key")
    expect(form.get_by_role("alert").filter(has_text="Choose at least one thing")).to_be_visible()
    form.get_by_role("checkbox", name=re.compile("^Look at videos")).check()
    form.get_by_role("combobox", name="It counts").select_option("until you revoke it")
    fill(ada, password="not the password")
    tap(ada, "Make a key")
    expect(form.get_by_text("The password is wrong.")).to_be_visible()
    secret = make(ada, "Reader")
    made = requests.post(f"{own_server.url}/v1/videos", json={"prompt": "A fox"}, headers={"Authorization": f"Bearer {secret}"}, timeout=20)
    assert made.status_code == 403 and made.json()["error"]["code"] == "api_key_not_allowed"
    tap(ada, "I have kept it")
    expect(keys(ada)).to_contain_text(["May look at videos"])
    expect(keys(ada)).not_to_contain_text(["until"])

"""Two-step sign-in in the browser: set up, asked for, and turned off. The app is the test itself."""

import base64
import hashlib
import hmac
import re
import struct
import time

import pytest
from playwright.sync_api import expect

from test_account import DESK, PASSWORD, ada, arrive, close, end_session, fill, guest, person, row, says, screen, sign_up, tap  # noqa: F401

STEP_S = 30


def code_at(secret, step):
    """RFC 6238, as apps do it."""
    key = base64.b32decode(secret)
    digest = hmac.new(key, struct.pack(">Q", step), hashlib.sha1).digest()
    place = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[place:place + 4])[0] & 0x7fffffff) % 1_000_000:06}"


class App:
    """Shows each code once: the server takes none twice, and one of the next step as well."""

    def __init__(self, secret):
        self.secret, self.used = secret, 0

    def code(self):
        now = int(time.time()) // STEP_S
        step = max(self.used + 1, now)
        while step > int(time.time()) // STEP_S + 1:
            time.sleep(0.5)
        self.used = step
        return code_at(self.secret, step)


def key_in(viewer):
    return viewer.page.get_by_role("list", name="Key").locator("strong").inner_text().replace(" ", "")


def codes_in(viewer):
    return viewer.page.get_by_role("list", name="Recovery codes").locator("strong").all_inner_texts()


def set_up(viewer):
    """The app, and the codes for whoever has lost it; the page is that of the account's second step."""
    viewer.press("a")
    row(viewer, "Two-step sign-in")
    screen(viewer, "Two-step sign-in").wait_for()
    fill(viewer, password=PASSWORD)
    tap(viewer, "Set up an app")
    viewer.page.get_by_role("img", name="QR code").wait_for()
    app = App(key_in(viewer))
    link = viewer.page.get_by_role("link", name="Open in an app on this device").get_attribute("href")
    assert re.fullmatch(rf"otpauth://totp/[^?]+\?secret={app.secret}&issuer=[^&]+", link)
    fill(viewer, code=app.code())
    tap(viewer, "Turn on")
    expect(viewer.page.get_by_role("list", name="Recovery codes").get_by_role("listitem")).to_have_count(10)
    codes = codes_in(viewer)
    tap(viewer, "I have kept them")
    expect(viewer.page.get_by_text("You have 10 codes left.")).to_be_visible()
    return app, codes


def begin(viewer):
    fill(viewer, handle="ada", password=PASSWORD)
    tap(viewer, "Sign in")
    expect(viewer.page.get_by_label("Code", exact=True)).to_be_visible()


def test_an_app_is_set_up_and_its_code_is_asked_for(ada):
    app, _ = set_up(ada)
    close(ada)
    end_session(ada)
    begin(ada)
    expect(person(ada)).not_to_have_attribute("aria-label", "Account of Ada")
    fill(ada, code="000000")
    tap(ada, "Sign in")
    expect(ada.page.get_by_text("This code is not right, or was used already")).to_be_visible()
    fill(ada, code=app.code())
    tap(ada, "Sign in")
    screen(ada, "Your account").wait_for()
    says(ada, "Welcome back, Ada.")
    row(ada, "Security")
    expect(screen(ada, "Security").get_by_role("listitem").filter(has_text="Two-step sign-in turned on")).to_have_count(1)
    # What was refused is an answer as any other.
    ada.complaints = [one for one in ada.complaints if "401" not in one and "403" not in one]
    assert not ada.complaints


def test_a_recovery_code_takes_its_place_once(ada):
    _, codes = set_up(ada)
    close(ada)
    for take, is_right in [(codes[0], True), (codes[0], False), (codes[1].upper().replace("-", " "), True)]:
        if ada.page.locator("#account-screen").count() == 0:
            end_session(ada)
            begin(ada)
            tap(ada, "Use a recovery code")
        fill(ada, code=take)
        tap(ada, "Sign in")
        if is_right:
            screen(ada, "Your account").wait_for()
            close(ada)
        else:
            expect(ada.page.get_by_text("This code is not right, or was used already")).to_be_visible()
    ada.press("a")
    row(ada, "Two-step sign-in")
    expect(ada.page.get_by_text("You have 8 codes left.")).to_be_visible()


def test_new_codes_and_an_end_need_the_password(ada):
    set_up(ada)
    for name, label in [("Make new codes", "Recovery codes"), ("Turn off", "Turn off")]:
        form = ada.page.get_by_role("form", name=label, exact=True)
        form.locator("input[name=password]").fill("wrong wrong")
        form.get_by_role("button", name=name, exact=True).click()
        expect(form.get_by_text("The password is wrong.")).to_be_visible()
        form.locator("input[name=password]").fill(PASSWORD)
        form.get_by_role("button", name=name, exact=True).click()
        if name == "Make new codes":
            expect(ada.page.get_by_role("list", name="Recovery codes").get_by_role("listitem")).to_have_count(10)
            tap(ada, "I have kept them")
            expect(ada.page.get_by_text("You have 10 codes left.")).to_be_visible()
    says(ada, "Signing in asks for no code any more.")
    expect(ada.page.get_by_role("button", name="Set up an app")).to_be_visible()


@pytest.mark.parametrize("size", [{"width": 360, "height": 640}, DESK], ids=["phone", "desk"])
def test_it_is_done_by_keys_alone(open_page, own_server, size):
    viewer = arrive(open_page(own_server, viewport=size))
    sign_up(viewer, "ada")
    app, _ = set_up(viewer)
    close(viewer)
    end_session(viewer)
    begin(viewer)
    code = viewer.page.get_by_label("Code", exact=True)
    code.focus()
    viewer.page.keyboard.type(app.code())
    viewer.page.keyboard.press("Enter")
    screen(viewer, "Your account").wait_for()


def test_who_starts_again_is_at_the_first_step(ada):
    set_up(ada)
    close(ada)
    end_session(ada)
    begin(ada)
    tap(ada, "Start again")
    expect(ada.page.get_by_label("Handle or e-mail address")).to_be_visible()

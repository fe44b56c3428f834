"""Webhooks in the browser: made, tested at a receiver that checks who writes, and removed."""

import base64
import hashlib
import hmac
import json
import sqlite3
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import expect

from server import Server
from test_account import arrive, sign_up
from test_inbox import person
from test_notifications import ask
from test_sizes import go


class Receiver:
    """An endpoint on this machine. `status`: what it answers."""

    def __init__(self):
        self.messages, self.status = [], 204
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.messages.append((dict(self.headers.items()), body))
                self.send_response(receiver.status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self._server.server_port}/hook"

    def is_signed(self, number, secret):
        headers, body = self.messages[number]
        named = {name.lower(): value for name, value in headers.items()}
        signed = f"{named['webhook-id']}.{named['webhook-timestamp']}.".encode() + body
        code = hmac.new(base64.b64decode(secret.removeprefix("whsec_")), signed, hashlib.sha256).digest()
        return f"v1,{base64.b64encode(code).decode()}" in named["webhook-signature"].split(" ")

    def stop(self):
        self._server.shutdown()


@pytest.fixture
def receiver():
    receiver = Receiver()
    yield receiver
    receiver.stop()


@pytest.fixture
def open_server(own_data):
    """A server that may write to this machine."""
    server = Server(own_data, environment={"CLIPFEED_WEBHOOK_ADDRESSES": "127.0.0.1"})
    yield server
    server.stop()


def verify(data, account):
    """As if the address had been confirmed."""
    with sqlite3.connect(data / "clipfeed.sqlite", timeout=10) as rows:
        rows.execute("UPDATE accounts SET email = ?, email_key = ? WHERE id = ?", ("ada@example.org", "ada@example.org", account))
    rows.close()


@pytest.fixture
def ada(open_page, open_server):
    return sign_up(arrive(open_page(open_server, viewport={"width": 390, "height": 844})), "ada")


def screen(viewer):
    return viewer.page.locator("#account-screen")


def hooks(viewer):
    return screen(viewer).get_by_role("list", name="Webhooks").locator(":scope > li")


def test_a_webhook_is_made_tested_and_removed(ada, own_data, receiver):
    # Nobody has vouched for this account yet.
    go(ada.page, "#account/webhooks")
    expect(screen(ada)).to_contain_text("To add a webhook, confirm an e-mail address")
    expect(screen(ada).get_by_role("form")).to_have_count(0)
    verify(own_data, person(ada))
    go(ada.page, "#account")
    go(ada.page, "#account/webhooks")
    screen(ada).get_by_role("form", name="Add a webhook").wait_for()
    expect(hooks(ada)).to_have_count(0)
    address = screen(ada).locator("input[name=address]")
    address.fill("http://10.0.0.1/hook")
    screen(ada).get_by_role("button", name="Add a webhook").click()
    expect(screen(ada).get_by_role("form")).to_contain_text("an address of https on the open network")
    address.fill(receiver.address)
    screen(ada).get_by_role("button", name="Add a webhook").click()
    expect(hooks(ada)).to_have_count(1)
    hook = hooks(ada).first
    expect(hook).to_contain_text(receiver.address)
    secret = hook.get_by_label("Secret of").input_value()
    assert secret.startswith("whsec_")

    hook.get_by_role("button", name="Send a test").click()
    expect(hook.get_by_role("list", name="Last messages")).to_contain_text("Delivered: answered 204", timeout=30_000)
    assert receiver.is_signed(0, secret)
    assert json.loads(receiver.messages[0][1])["type"] == "webhook.test"

    # The secret is shown once.
    go(ada.page, "#account")
    go(ada.page, "#account/webhooks")
    expect(hooks(ada)).to_have_count(1)
    expect(hooks(ada).first.get_by_label("Secret of")).to_have_count(0)
    hooks(ada).first.get_by_role("button", name="Remove").click()
    ada.page.get_by_role("dialog", name="Remove the webhook?").get_by_role("button", name="Remove").click()
    expect(hooks(ada)).to_have_count(0)
    assert ask(ada, "GET", "/account/webhooks")["items"] == []


@pytest.mark.long
def test_what_it_hears_of_is_chosen_and_a_new_secret_counts(ada, own_data, receiver):
    verify(own_data, person(ada))
    made = ask(ada, "POST", "/account/webhooks", {"address": receiver.address, "events": ["clip.published", "generation.ready"]})
    go(ada.page, "#account/webhooks")
    hook = hooks(ada).first
    published = hook.get_by_role("switch", name="A clip of yours is published")
    # The page has the answer as well, by which it knows what is left.
    with ada.page.expect_response(lambda answer: answer.request.method == "PATCH") as kept:
        published.uncheck()
    kept.value.finished()
    ada.until(lambda: ask(ada, "GET", "/account/webhooks")["items"][0]["events"] == ["generation.ready"], "it is kept")
    # One that hears of nothing is none.
    hook.get_by_role("switch", name="A clip from words is ready").click()
    expect(screen(ada).get_by_role("status")).to_contain_text("It has to hear of something.")
    expect(hook.get_by_role("switch", name="A clip from words is ready")).to_be_checked()
    hook.get_by_role("switch", name="On", exact=True).uncheck()
    expect(hook).to_contain_text("Off")

    hook.get_by_role("button", name="New secret").click()
    ada.page.get_by_role("dialog", name="Another secret?").get_by_role("button", name="Make one").click()
    field = hook.get_by_label("Secret of")
    field.wait_for()
    receiver.status = 500
    hook.get_by_role("button", name="Send a test").click()
    expect(hook.get_by_role("list", name="Last messages")).to_contain_text("Not delivered: answered 500", timeout=30_000)
    assert receiver.is_signed(0, field.input_value()) and receiver.is_signed(0, made["secret"])


@pytest.mark.long
def test_where_none_are_sent_none_can_be_made(open_page, own_data):
    server = Server(own_data, environment={"CLIPFEED_ACCOUNT_WEBHOOKS": "off"})
    try:
        viewer = sign_up(arrive(open_page(server)), "ada")
        go(viewer.page, "#account/webhooks")
        expect(screen(viewer)).to_contain_text("This site sends no webhooks.")
    finally:
        server.stop()

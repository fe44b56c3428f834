"""Webhooks against the scheme's own library: what we send it takes, and what it signs we take."""

import datetime
import itertools
import json
import sqlite3
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
import requests
from standardwebhooks import Webhook

from conftest import PASSWORD
from server import Server

SECRET = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="


class Receiver:
    def __init__(self):
        self.messages, self.numbers = [], itertools.count()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                receiver.messages.append((dict(self.headers.items()), self.rfile.read(int(self.headers["Content-Length"]))))
                # The first is not taken. Two may come at once.
                self.send_response(204 if next(receiver.numbers) > 0 else 503)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self.server.server_port}/hook"


@pytest.fixture
def hooked(tmp_path):
    server = Server(tmp_path / "data", environment={
        "CLIPFEED_WEBHOOK_ADDRESSES": "127.0.0.1", "CLIPFEED_GENERATION_PROVIDERS": "mine",
        "CLIPFEED_GENERATION_PROVIDER_MINE_KIND": "openai", "CLIPFEED_GENERATION_PROVIDER_MINE_ADDRESS": "http://127.0.0.1:1/v1",
        "CLIPFEED_GENERATION_PROVIDER_MINE_WEBHOOK_SECRET": SECRET})
    yield server
    server.stop()


def wait_for(condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.1)


def test_what_we_send_is_what_the_library_takes(hooked):
    receiver = Receiver()
    account = requests.post(f"{hooked.url}/api/v1/accounts", timeout=20, json={
        "handle": "ada", "password": PASSWORD, "transport": "token"}).json()
    with sqlite3.connect(hooked.data / "clipfeed.sqlite", timeout=60) as rows:
        rows.execute("UPDATE accounts SET email = 'ada@example.org', email_key = 'ada@example.org'")
    rows.close()
    headers = {"Authorization": f"Bearer {account['access_token']}"}
    path = f"{hooked.url}/api/v1/account/webhooks"
    made = requests.post(path, timeout=20, headers=headers, json={"address": receiver.address, "events": ["clip.published"]}).json()
    hook = made["webhook"]["id"]
    for _ in range(2):
        answer = requests.post(f"{path}/{hook}/tests", timeout=20, headers=headers)
        assert answer.status_code == 202
    wait_for(lambda: len(receiver.messages) >= 2)
    for sent, body in receiver.messages:
        message = Webhook(made["secret"]).verify(body, sent)
        assert message["type"] == "webhook.test" and message["data"].keys() <= {"author_id"}
        assert datetime.datetime.fromisoformat(message["timestamp"])
    assert len({sent["webhook-id"] for sent, _ in receiver.messages}) == 2
    wait_for(lambda: sorted(item["state"] for item in requests.get(
        f"{path}/{hook}/deliveries", timeout=20, headers=headers).json()["items"]) == ["delivered", "failed"])


def test_what_the_library_signs_we_take_and_nothing_else(hooked):
    path = f"{hooked.url}/api/v1/generation-webhooks/mine"
    body = json.dumps({"type": "video.completed", "data": {"id": "video_unknown"}})

    def send(sent=body, secret=SECRET, name="msg_1", ago=0, **changes):
        at = datetime.datetime.now(tz=datetime.timezone.utc) - datetime.timedelta(seconds=ago)
        signature = Webhook(secret).sign(name, at, body)
        headers = {"webhook-id": name, "webhook-timestamp": str(int(at.timestamp())), "webhook-signature": signature,
                   "Content-Type": "application/json"} | changes
        return requests.post(path, data=sent.encode(), headers=headers, timeout=20).status_code

    assert send() == 204
    # Once more is the same message.
    assert send() == 204
    assert send(sent=body + " ") == 403
    assert send(secret="whsec_AAAA") == 403
    assert send(ago=310) == 403 and send(ago=-310) == 403
    assert send(**{"webhook-id": "msg_2"}) == 403
    assert requests.post(path.replace("/mine", "/other"), data=body, timeout=20, headers={
        "webhook-id": "a", "webhook-timestamp": "1", "webhook-signature": "v1,AA==", "Content-Type": "application/json"}).status_code == 404

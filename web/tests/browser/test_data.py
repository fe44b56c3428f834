"""What is kept of somebody, to take along: asked for, watched, downloaded and deleted; and an account that takes a while to go."""

import hashlib
import json
import re
import tarfile

import pytest
from playwright.sync_api import expect

from server import Server
from test_account import PASSWORD, ada, arrive, fill, guest, row, says, screen, sign_up, tap  # noqa: F401
from test_notifications import ask, say

PHONE = {"width": 390, "height": 844}
EXPORTS = "**/api/v1/account/exports"
THEN = "2026-11-01T10:00:00Z"


@pytest.fixture
def making(own_data):
    """A server that puts archives together."""
    server = Server(own_data, workers=1)
    yield server
    server.stop()


def told(**changes):
    return {"id": "one", "state": "working", "permille": 0, "created_at": THEN, **changes}


READY = told(state="ready", permille=1000, size_bytes=2_500_000, records=1200, files=4, sha256="a" * 64, expires_at="2026-12-04T12:00:00Z",
             url="/exports/one/seal")


def open_data(viewer):
    viewer.press("a")
    row(viewer, "Your data")
    screen(viewer, "Your data").wait_for()
    return screen(viewer, "Your data")


def saying(viewer, items):
    """What the list says from now on, however often the page looks. None: the connection breaks."""
    def answer(route):
        if route.request.method != "GET":
            return route.fallback()
        return route.fulfill(json={"items": items}) if items is not None else route.abort()
    viewer.page.route(EXPORTS, answer)


def test_an_archive_that_comes_late_moves_no_button(ada):
    held = []
    ada.page.route(EXPORTS, lambda route: held.append(route))
    data = open_data(ada)
    ada.until(lambda: held, "the request")
    before = data.get_by_role("button", name="Put my data together").bounding_box()["y"]
    held[0].fulfill(json={"items": [READY]})
    expect(data.get_by_role("link", name="Download")).to_be_visible()
    assert data.get_by_role("button", name="Put it together anew").bounding_box()["y"] == before


def test_an_archive_is_asked_for_watched_downloaded_and_deleted(open_page, making):
    viewer = sign_up(arrive(open_page(making, viewport=PHONE)), "ada")
    clip = making.feed()[0]["id"]
    ask(viewer, "PUT", f"/clips/{clip}/like")
    say(viewer, clip, "what a sea")
    data = open_data(viewer)
    tap(viewer, "Put my data together")
    link = data.get_by_role("link", name="Download")
    expect(link).to_be_visible(timeout=30_000)
    expect(data).to_contain_text("It can be downloaded until")
    expect(data.get_by_role("progressbar")).to_have_count(0)
    with viewer.page.expect_download() as download:
        link.click()
    assert re.fullmatch(r"clipfeed-\d{4}-\d\d-\d\d\.tar", download.value.suggested_filename)
    path = download.value.path()
    item = ask(viewer, "GET", "/account/exports")["items"][0]
    assert hashlib.sha256(open(path, "rb").read()).hexdigest() == item["sha256"]
    # By a tool that knows nothing of us.
    with tarfile.open(path) as tape:
        manifest = json.load(tape.extractfile("manifest.json"))
        for file in manifest["files"]:
            content = tape.extractfile(file["path"]).read()
            assert len(content) == file["size_bytes"] and hashlib.sha256(content).hexdigest() == file["sha256"], file["path"]
        likes = [json.loads(line) for line in tape.extractfile("records/likes.jsonl")]
        comments = [json.loads(line) for line in tape.extractfile("records/comments.jsonl")]
    assert manifest["format"] == "clipfeed-archive" and manifest["account"]["handle"] == "ada"
    assert [like["clip_id"] for like in likes] == [clip] and [comment["text"] for comment in comments] == ["what a sea"]
    tap(viewer, "Delete it")
    expect(link).to_have_count(0)
    expect(data.get_by_role("button", name="Put my data together")).to_be_focused()
    assert viewer.page.request.get(making.url + item["url"]).status == 404
    assert not viewer.complaints


def test_how_far_it_is_is_shown_and_what_is_shown_stays(ada):
    saying(ada, [told(state="waiting")])
    data = open_data(ada)
    expect(data).to_contain_text("Waiting for its turn.")
    stop = data.get_by_role("button", name="Stop")
    stop.focus()
    # NB: the page looks again each second, which a busy machine takes to see what is shown.
    saying(ada, [told(permille=428, remaining_ms=11_200)])
    bar = data.get_by_role("progressbar", name="How much is put together")
    expect(bar).to_have_js_property("value", 428)
    expect(data).to_contain_text("42% is put together, 12 s left.")
    expect(stop).to_be_focused()
    expect(data.get_by_role("button", name="Put my data together")).to_have_attribute("aria-disabled", "true")
    saying(ada, [READY])
    expect(data).to_contain_text("2.5 MB with 1,200 entries and 4 files. It can be downloaded until Dec 4, 2026.")
    expect(data.get_by_role("link", name="Download")).to_have_attribute("href", "/exports/one/seal")
    expect(data.get_by_role("button", name="Delete it")).to_be_focused()
    expect(data.get_by_role("button", name="Put it together anew")).to_have_attribute("aria-disabled", "false")


def test_what_goes_wrong_is_said_and_tried_again(ada):
    saying(ada, None)
    data = open_data(ada)
    expect(data.get_by_role("alert")).to_contain_text("The server does not answer.")
    saying(ada, [told(state="failed", problem="storage_full")])
    expect(data).to_contain_text("The server has no room for it now.")
    expect(data.get_by_role("alert")).to_have_count(0)
    ada.page.route(EXPORTS, lambda route: route.fulfill(
        status=429, json={"code": "exports_too_many", "detail": "Your data was put together often enough for today; try again tomorrow."})
        if route.request.method == "POST" else route.fallback())
    tap(ada, "Put my data together")
    says(ada, "try again tomorrow")


def test_a_request_whose_answer_is_lost_is_the_same_one_again(ada):
    keys = []

    def answer(route):
        if route.request.method != "POST":
            return route.fallback()
        keys.append(route.request.headers["idempotency-key"])
        return route.abort() if len(keys) == 1 else route.fulfill(status=202, json=told(state="waiting"))
    saying(ada, [])
    ada.page.route(EXPORTS, answer)
    open_data(ada)
    tap(ada, "Put my data together")
    says(ada, "The server does not answer.")
    expect(ada.page.get_by_role("button", name="Put my data together")).to_have_attribute("aria-disabled", "false")
    tap(ada, "Put my data together")
    ada.until(lambda: len(keys) == 2, "the second request")
    expect(ada.page.get_by_role("button", name="Put my data together")).to_have_attribute("aria-disabled", "false")
    assert keys[0] == keys[1]


def test_an_account_that_takes_a_while_to_go_says_so(ada):
    held = []
    ada.page.route("**/api/v1/account/deletion", lambda route: held.append(route))
    ada.press("a")
    row(ada, "Delete the account")
    fill(ada, typed="ada", password=PASSWORD)
    tap(ada, "Delete everything")
    form = ada.page.get_by_role("form", name="Delete the account")
    expect(form.get_by_role("button", name="Deleting…")).to_have_attribute("aria-disabled", "true")
    expect(form.get_by_role("progressbar", name="Deleting…")).to_be_visible()
    expect(form).to_contain_text("Everything you left is being removed.")
    ada.until(lambda: held, "the request")
    held[0].fulfill(status=204)
    says(ada, "The account is deleted.")

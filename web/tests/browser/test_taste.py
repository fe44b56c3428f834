"""Why a clip is shown, wanting less of something, and the page that says what For you goes by."""

import re
import sqlite3

import pytest
from playwright.sync_api import expect

from server import Server
from test_account import arrive
from test_messages import reads
from test_offline import NOTE_NOTICES
from test_offline import told as noticed
from test_tabs import open_address, shows, with_tabs

pytestmark = pytest.mark.long

TASTE = "**/api/v1/taste"
STATUS = "#account-screen > [role=status]"


@pytest.fixture
def tagged(own_data):
    """A server whose clips all have a tag."""
    with sqlite3.connect(own_data / "clipfeed.sqlite") as database:
        database.execute("UPDATE clips SET tags = 'pier'")
        database.execute("INSERT INTO clip_tags (tag, clip_id) SELECT 'pier', id FROM clips")
    server = Server(own_data)
    yield server
    server.stop()


@pytest.fixture
def guest(open_page, tagged):
    return with_tabs(arrive(open_page(tagged, tab="for_you", script=NOTE_NOTICES)))


def reasoning(*reasons):
    """The feed with these reasons, one clip after the other."""
    def answer(route):
        page = route.fetch().json()
        for at, clip in enumerate(page["items"]):
            clip["reason"] = reasons[at % len(reasons)]
        route.fulfill(json=page)
    return answer


def why(viewer):
    viewer.page.locator(".page[aria-current] .more").click()
    viewer.page.get_by_role("button", name="Why this clip?").click()
    sheet = viewer.page.get_by_role("dialog", name="Why this clip?")
    sheet.wait_for()
    return sheet


def open_page_of_taste(viewer):
    open_address(viewer, "#account/feed")
    viewer.page.get_by_role("switch", name="Learn what I like").wait_for()
    return viewer.page.locator("#account-screen")


def left_out(viewer):
    return viewer.page.get_by_role("list", name="What you want less of").get_by_role("listitem")


def test_the_reason_of_a_clip_is_said_in_words(open_page, tagged):
    viewer = open_page(tagged, tab="for_you")
    other = tagged.feed()[3]
    viewer.page.route("**/api/v1/feed*", reasoning(
        {"kind": "liked_clip", "clip_id": other["id"], "author": {"id": "b", "handle": "bob", "name": "Bob"}},
        {"kind": "liked_author", "count": 3}, {"kind": "of a later day"}, {"kind": "drawn"}))
    viewer.reload_feed()
    arrive(viewer)
    sheet = why(viewer)
    expect(sheet.locator(".why")).to_have_text("People who liked a clip by @bob that you liked, liked this too.")
    assert sheet.get_by_role("link", name="a clip by @bob").get_attribute("href") == f"/c/{other['id']}"
    for words in ["You liked 3 clips by @me, or watched them to the end.", "No reason is noted for this clip.",
                  "Drawn by lot. A few clips are, so that we can judge the rest."]:
        before = viewer.current()
        viewer.press("Escape")
        viewer.press("ArrowDown")
        viewer.page.wait_for_function("(id) => document.querySelector('.page[aria-current]').dataset.clip !== id", arg=before)
        expect(why(viewer).locator(".why")).to_have_text(words)
    viewer.press("Escape")
    latest = viewer.page.get_by_role("tab", name="Latest")
    latest.click()
    # Its first clip may be on the screen already.
    expect(latest).not_to_have_attribute("data-busy", "")
    shows(viewer, tagged.feed()[0]["id"])
    expect(why(viewer).locator(".why")).to_have_text("Latest shows all clips, the newest first.")


def test_not_interested_goes_on_and_can_be_taken_back(guest):
    clip = guest.current()
    guest.page.locator(".page[aria-current] .more").click()
    with guest.page.expect_response(re.compile("/taste/dismissals$")) as told:
        guest.page.get_by_role("button", name="Not interested").click()
    assert told.value.status == 200
    assert told.value.request.post_data_json == {"kind": "clip", "subject": clip}
    guest.page.wait_for_function("(id) => document.querySelector('.page[aria-current]').dataset.clip !== id", arg=clip)
    with guest.page.expect_response(re.compile("/taste/dismissals[?]")) as untold:
        guest.page.get_by_role("button", name="Undo").click()
    assert untold.value.status == 204
    noticed(guest, "Taken back.")
    shows(guest, clip)
    assert guest.complaints == []


def test_less_of_a_tag_is_on_the_page_of_what_the_feed_goes_by(guest):
    clip, count = guest.current(), guest.page.evaluate("clipfeed.clips()")
    with guest.page.expect_response(re.compile("/taste/dismissals$")):
        why(guest).get_by_role("button", name="Less of #pier").click()
    noticed(guest, "For you shows less of #pier.")
    # All others have it too, and are out of what comes.
    assert guest.current() == clip and count > 1
    open_page_of_taste(guest)
    expect(left_out(guest)).to_have_text([re.compile("#pier.*Take back")])
    left_out(guest).get_by_role("button", name="Take back: #pier").click()
    expect(left_out(guest)).to_have_count(0)
    reads(guest, STATUS, "#pier may come again.")
    expect(guest.page.get_by_role("heading", name="What you want less of")).to_be_focused()
    assert guest.complaints == []


def test_a_wish_that_is_not_saved_is_said_and_taken_back(guest):
    guest.page.route("**/taste/dismissals*", lambda route: route.abort())
    why(guest).get_by_role("button", name="Less of #pier").click()
    noticed(guest, "This was not saved.")
    before = guest.current()
    guest.press("ArrowDown")
    guest.page.wait_for_function("(id) => document.querySelector('.page[aria-current]').dataset.clip !== id", arg=before)


def test_learning_is_switched_off_for_good_and_forgotten_after_a_question(guest):
    page = open_page_of_taste(guest)
    learns = page.get_by_role("switch", name="Learn what I like")
    expect(learns).to_be_checked()
    with guest.page.expect_response(TASTE):
        learns.click()
    reads(guest, STATUS, "the newest clips")
    guest.press("Escape")
    # The way back is the browser's own, and takes its time.
    expect(page).to_have_count(0)
    open_page_of_taste(guest)
    expect(learns).not_to_be_checked()
    page.get_by_role("button", name="Forget what was learned").click()
    question = guest.page.get_by_role("dialog", name="Forget what was learned?")
    expect(question).to_be_visible()
    guest.press("Escape")
    expect(question).to_have_count(0)
    expect(page).to_be_visible()
    page.get_by_role("button", name="Forget what was learned").click()
    with guest.page.expect_response(TASTE) as forgotten:
        question.get_by_role("button", name="Forget it").click()
    assert forgotten.value.request.method == "DELETE" and forgotten.value.status == 204
    reads(guest, STATUS, "It is forgotten.")
    assert guest.complaints == []


def test_what_is_believed_can_be_taken_out(guest):
    author = {"id": "a1", "handle": "ann", "name": "آنا"}
    guest.page.route(TASTE, lambda route: route.fulfill(json={
        "personalised": True, "tags": [{"tag": "日本", "clips": 12}, {"tag": "pier", "clips": 1}],
        "authors": [{"author": author, "clips": 3}], "dismissed": [{"dismissal": {"kind": "of a later day", "subject": "s"}}]}))
    page = open_page_of_taste(guest)
    tags = page.get_by_role("list", name="Tags that you seem to like").get_by_role("listitem")
    expect(tags).to_have_text([re.compile("#日本12 clipsRemove"), re.compile("#pier1 clipRemove")])
    expect(page.get_by_role("list", name="People whose clips you seem to like")).to_contain_text("@ann · 3 clips")
    expect(page.get_by_text("Nothing. Say so by the dots")).to_be_visible()
    with guest.page.expect_response(re.compile("/taste/dismissals$")) as told:
        page.get_by_role("button", name="Remove: #日本").click()
    assert told.value.request.post_data_json == {"kind": "tag", "subject": "日本"}
    reads(guest, STATUS, "For you shows less of #日本.")


def test_without_an_answer_the_page_says_so_and_tries_again(guest):
    guest.page.route(TASTE, lambda route: route.abort())
    open_address(guest, "#account/feed")
    alert = guest.page.locator("#account-screen").get_by_role("alert")
    expect(alert).to_contain_text("The server does not answer.")
    guest.page.unroute(TASTE)
    alert.get_by_role("button", name="Try again").click()
    expect(guest.page.get_by_role("switch", name="Learn what I like")).to_be_visible()
    expect(guest.page.get_by_text("Nothing yet.").first).to_be_visible()

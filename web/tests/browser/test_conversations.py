"""Comments that are conversations: two people under one clip, and what each sees of the other."""

import itertools
import json
import re
import sqlite3
import urllib.request

import pytest
from playwright.sync_api import expect

from test_account import arrive
from test_inbox import person, sign_up_and_hear
from test_messages import reads
from test_offline import NOTE_NOTICES
from test_offline import told as noticed
from test_visibility import pasted

pytestmark = pytest.mark.long

PHONE = {"width": 390, "height": 844}
LIKE = "**/api/v1/comments/*/like"
ONE = "**/api/v1/comments/*"
numbers = itertools.count()


@pytest.fixture
def clip(own_server):
    return own_server.feed()[0]


@pytest.fixture
def bob(open_page, own_server):
    return sign_up_and_hear(arrive(open_page(own_server, script=NOTE_NOTICES)), "bob")


@pytest.fixture
def ada(open_page, own_server, own_data, clip):
    """The creator of the clip, in front of it, who hears what happens."""
    # What is heard here must not be taken for what the next page hears.
    viewer = sign_up_and_hear(arrive(open_page(own_server, viewport=PHONE, script=NOTE_NOTICES)), "ada")
    with sqlite3.connect(own_data / "clipfeed.sqlite", timeout=10) as rows_of:
        rows_of.execute("UPDATE clips SET author_id = ? WHERE id = ?", (person(viewer), clip["id"]))
    rows_of.close()
    with viewer.page.expect_response("**/api/v1/live"):
        viewer.page.goto(f"{own_server.url}/c/{clip['id']}")
    viewer.expect_playing()
    return viewer


def sheet(viewer):
    return viewer.page.locator("#comments")


def open_comments(viewer):
    viewer.page.locator("#messages[data-access]").wait_for()
    viewer.page.locator(".page[aria-current] .comments button").click()
    sheet(viewer).wait_for()


def reopen(viewer):
    viewer.press("Escape")
    expect(sheet(viewer)).to_have_count(0)
    viewer.page.wait_for_function("() => !history.state?.comments")
    open_comments(viewer)


def rows(viewer):
    """Those under the clip, without replies."""
    return sheet(viewer).locator(".scroller > ol > li")


def comment(viewer, text):
    """The innermost row that says so: of a reply, its own."""
    return sheet(viewer).locator(".comment").filter(has=viewer.page.locator(".words", has_text=text))


def replies(viewer, name):
    return sheet(viewer).get_by_role("list", name=f"Replies to {name}").get_by_role("listitem")


def field(viewer):
    return sheet(viewer).locator("textarea")


def post(viewer, text):
    field(viewer).fill(text)
    sheet(viewer).locator(".post").click()
    reads(viewer, "#comments [role=status]", "Posted")


def reply(viewer, text, words):
    comment(viewer, text).get_by_role("button", name="Reply", exact=False).first.click()
    expect(field(viewer)).to_be_focused()
    field(viewer).press_sequentially(words)
    sheet(viewer).get_by_role("button", name="Post the reply").click()
    reads(viewer, "#comments [role=status]", "Posted")


def say(viewer, clip, text, to=None):
    """Past the page, as another device would; answers the comment."""
    return viewer.page.evaluate("""([clip, body, key]) => fetch(`/api/v1/clips/${clip}/comments`, { method: 'POST', body: JSON.stringify(body),
        headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key } }).then((a) => a.json())""",
                                [clip["id"], {"text": text, "reply_to": to}, f"a-key-of-a-test-{next(numbers)}"])


def told(server, path):
    with urllib.request.urlopen(f"{server.url}/api/v1/{path}", timeout=10) as answer:
        return json.load(answer)


def like_of(viewer, text):
    return comment(viewer, text).get_by_role("button", name=re.compile("^Like the comment"))


def notice(viewer):
    return viewer.page.locator("#notice")


def choose(viewer, text, what):
    comment(viewer, text).get_by_role("button", name=re.compile("^More about")).click()
    viewer.page.locator("#menu").get_by_role("button", name=what, exact=True).click()


def confirm(viewer, answer="Delete"):
    viewer.page.get_by_role("dialog", name="Delete the comment?").get_by_role("button", name=answer, exact=True).click()


def test_a_comment_a_reply_and_a_mention_are_seen_live(ada, bob):
    open_comments(ada)
    expect(sheet(ada).get_by_text("No comments yet")).to_be_visible()
    open_comments(bob)
    post(bob, "hello <b>ada</b>")
    # Where it is seen it is no notice.
    expect(rows(ada)).to_contain_text(["hello <b>ada</b>"])
    expect(sheet(ada).get_by_role("heading")).to_have_text("1 comment")
    expect(notice(ada)).to_have_text("")
    reply(ada, "hello", "hi there")
    expect(replies(ada, "Bob")).to_contain_text(["hi there"])
    expect(sheet(ada).get_by_role("heading")).to_have_text("2 comments")
    noticed(bob, "Ada replied to your comment.")
    more = sheet(bob).get_by_role("button", name="View 1 reply")
    expect(more).to_have_attribute("aria-expanded", "false")
    more.click()
    expect(replies(bob, "Bob")).to_contain_text(["hi there"])
    # An answer to an answer says whom it means, and stands where that does.
    comment(bob, "hi there").get_by_role("button", name="Reply to Ada").click()
    expect(field(bob)).to_have_value("@ada ")
    field(bob).press_sequentially("and you?")
    bob.press("Enter")
    reads(bob, "#comments [role=status]", "Posted")
    noticed(ada, "Bob replied to your comment.")
    expect(replies(ada, "Bob")).to_contain_text(["hi there", "@ada and you?"])
    expect(comment(ada, "and you?").get_by_role("link", name="@ada")).to_have_attribute("href", "#profile/ada")
    post(bob, "look, @Ada!")
    noticed(ada, "Bob mentioned you.")
    expect(rows(ada).first).to_contain_text("look, @Ada!")
    assert not ada.complaints and not bob.complaints


def test_what_happens_while_the_sheet_is_closed_is_a_notice(ada, bob, clip):
    say(bob, clip, "hello")
    noticed(ada, "Bob commented on your clip.")


def test_a_like_is_counted_once_and_taken_back_if_it_is_refused(ada, bob, clip, own_server):
    made = say(bob, clip, "like me")
    open_comments(ada)
    like = like_of(ada, "like me")
    expect(like).to_have_accessible_name("Like the comment of Bob, 0 likes")
    for _ in range(3):
        like.click()
    expect(like).to_have_attribute("aria-pressed", "true")
    expect(like).to_have_accessible_name("Like the comment of Bob, 1 like")
    ada.until(lambda: told(own_server, f"comments/{made['id']}")["likes"] == 1, "the like on the server")
    expect(like).to_have_text("1")
    # The same after it is asked for anew, and one more is one more.
    open_comments(bob)
    like_of(bob, "like me").click()
    ada.until(lambda: told(own_server, f"comments/{made['id']}")["likes"] == 2, "both likes")
    reopen(ada)
    expect(like).to_have_accessible_name("Like the comment of Bob, 2 likes")
    expect(like).to_have_attribute("aria-pressed", "true")
    ada.page.route(LIKE, lambda route: route.fulfill(
        status=503, content_type="application/problem+json", body='{"code": "unavailable", "detail": "Not now."}'))
    like.click()
    noticed(ada, "The like was not saved. Not now.")
    expect(like).to_have_attribute("aria-pressed", "true")
    expect(like).to_have_text("2")
    # Whoever has closed the comments meanwhile hears of it as well.
    ada.page.unroute(LIKE)
    held = []
    ada.page.route(LIKE, lambda route: held.append(route))
    like.click()
    ada.until(lambda: held, "the like")
    ada.press("Escape")
    expect(sheet(ada)).to_have_count(0)
    held[0].fulfill(status=503, content_type="application/problem+json", body='{"code": "unavailable", "detail": "Later."}')
    noticed(ada, "The like was not saved. Later.")


def test_the_creator_pins_one_which_comes_first_for_everybody(ada, bob, clip):
    for text in ["first", "second", "third"]:
        say(bob, clip, text)
    open_comments(ada)
    choose(ada, "first", "Pin to the top")
    expect(rows(ada).first).to_contain_text("Pinned")
    expect(rows(ada).locator(".words")).to_have_text(["first", "third", "second"])
    # One is pinned at most.
    choose(ada, "second", "Pin to the top")
    expect(rows(ada).locator(".words")).to_have_text(["second", "first", "third"])
    expect(sheet(ada).get_by_text("Pinned", exact=True)).to_have_count(1)
    open_comments(bob)
    expect(rows(bob).locator(".words")).to_have_text(["second", "third", "first"])
    expect(rows(bob).first).to_contain_text("Pinned")
    comment(bob, "first").get_by_role("button", name=re.compile("^More")).click()
    expect(bob.page.locator("#menu").get_by_role("button")).to_have_text(["Reply", "Copy link", "Delete", "Close"])
    bob.press("Escape")
    choose(ada, "second", "Unpin")
    expect(sheet(ada).get_by_text("Pinned", exact=True)).to_have_count(0)


def test_ones_own_and_those_under_ones_clip_are_deleted_after_a_question(ada, bob, clip):
    mine = say(bob, clip, "of bob")
    say(ada, clip, "an answer", mine["id"])
    say(bob, clip, "of bob, too")
    open_comments(bob)
    expect(sheet(bob).get_by_role("heading")).to_have_text("3 comments")
    choose(bob, "of bob, too", "Delete")
    confirm(bob, "Cancel")
    expect(rows(bob)).to_have_count(2)
    bob.page.route(ONE, lambda route: route.abort() if route.request.method == "DELETE" else route.continue_())
    choose(bob, "of bob, too", "Delete")
    confirm(bob)
    noticed(bob, "The comment was not deleted.")
    expect(rows(bob).locator(".words")).to_have_text(["of bob, too", "of bob"])
    bob.page.unroute(ONE)
    choose(bob, "of bob, too", "Delete")
    confirm(bob)
    noticed(bob, "The comment is deleted.")
    expect(rows(bob)).to_have_count(1)
    expect(sheet(bob).get_by_role("heading")).to_have_text("2 comments")
    # The creator of a clip has the last word under it; answers go with what they answer.
    open_comments(ada)
    choose(ada, "of bob", "Delete")
    expect(ada.page.get_by_role("dialog", name="Delete the comment?")).to_contain_text("Its replies go with it.")
    confirm(ada)
    expect(sheet(ada).get_by_text("No comments yet")).to_be_visible()
    # They are gone before the server has heard of it; it says how many are left.
    expect(sheet(ada).get_by_role("heading")).to_have_text("Comments")
    reopen(bob)
    expect(sheet(bob).get_by_text("No comments yet")).to_be_visible()


def test_a_link_leads_to_a_comment_and_to_a_reply(open_page, own_server, bob, clip):
    made = say(bob, clip, "the oldest")
    answer = say(bob, clip, "an answer to it", made["id"])
    for number in range(3):
        say(bob, clip, f"newer {number}")
    bob.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_comments(bob)
    choose(bob, "the oldest", "Copy link")
    noticed(bob, "The link is copied.")
    link = f"{own_server.url}/c/{clip['id']}?comment="
    assert pasted(bob.page.context) == link + made["id"]
    reader = open_page(own_server, script=NOTE_NOTICES)
    for one, texts in [(made, ["the oldest", "newer 2", "newer 1", "newer 0"]), (answer, ["the oldest", "an answer to it", "newer 2", "newer 1", "newer 0"])]:
        reader.page.goto(link + one["id"])
        expect(sheet(reader).locator("[data-linked] > .comment .words")).to_have_text(one["text"])
        expect(sheet(reader).locator("[data-linked] > .comment")).to_be_focused()
        expect(sheet(reader).locator(".words")).to_have_text(texts)
        reader.press("Escape")
        expect(sheet(reader)).to_have_count(0)
        reader.expect_playing(clip)
    assert not reader.complaints
    reader.page.goto(link + "nothing")
    noticed(reader, "This comment is gone.")
    expect(rows(reader).locator(".words")).to_have_text(["newer 2", "newer 1", "newer 0", "the oldest"])

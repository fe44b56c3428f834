"""Comment filters: what they catch waits for the creator, and nobody but whoever wrote it knows."""

import sqlite3

import pytest
from playwright.sync_api import expect

from test_account import arrive, sign_up
from test_conversations import comment, field, open_comments, post, reopen, sheet, told
from test_inbox import person
from test_messages import reads
from test_notifications import ask
from test_offline import NOTE_NOTICES
from test_offline import told as noticed
from test_sizes import go

PHONE = {"width": 390, "height": 844}


@pytest.fixture
def clip(own_server):
    return own_server.feed()[0]


@pytest.fixture
def creator(open_page, own_server, own_data, clip):
    viewer = sign_up(arrive(open_page(own_server, viewport=PHONE)), "ada")
    with sqlite3.connect(own_data / "clipfeed.sqlite", timeout=10) as rows_of:
        rows_of.execute("UPDATE clips SET author_id = ? WHERE id = ?", (person(viewer), clip["id"]))
    rows_of.close()
    return viewer


@pytest.fixture
def bob(open_page, own_server, creator):
    return sign_up(arrive(open_page(own_server, script=NOTE_NOTICES)), "bob")


def screen(viewer):
    return viewer.page.locator("#account-screen")


def open_filters(viewer):
    go(viewer.page, "#account/filters")
    screen(viewer).get_by_role("switch", name="Hold comments with links").wait_for()


def waiting(viewer):
    return screen(viewer).get_by_role("list", name="Comments that wait").get_by_role("listitem")


def say(viewer, clip, text):
    return ask(viewer, "POST", f"/clips/{clip['id']}/comments", {"text": text}, f"a-key-of-{len(text)}-{person(viewer)}")


def test_what_is_caught_waits_and_is_let_in(creator, bob, clip, own_server):
    open_filters(creator)
    expect(screen(creator)).to_contain_text("What your filters catch waits here.")
    creator.page.get_by_label("Hold comments with these words").fill("spam\n\nSPAM\nfree money")
    screen(creator).get_by_role("button", name="Save the words").click()
    reads(creator, "#account-screen > [role=status]", "The words are saved.")
    expect(creator.page.get_by_label("Hold comments with these words")).to_have_value("spam\nfree money")
    screen(creator).get_by_role("switch", name="Hold comments with links").check()
    creator.until(lambda: ask(creator, "GET", "/account/comment-filters")["hold_links"], "the switch is kept")
    assert ask(creator, "GET", "/account/comment-filters") == {"words": ["spam", "free money"], "hold_links": True, "followers_only": False}

    # Whoever writes it is told, and sees it among the others.
    open_comments(bob)
    post(bob, "Your s p a m <em>is here</em>")
    noticed(bob, "looks at your comment first")
    expect(comment(bob, "is here")).to_contain_text("Waits for its creator: only you see it")
    expect(comment(bob, "is here").get_by_role("button", name="Like the comment")).to_be_hidden()
    reopen(bob)
    expect(comment(bob, "is here")).to_contain_text("only you see it")
    assert told(own_server, f"clips/{clip['id']}/comments")["items"] == []
    assert ask(creator, "GET", "/unseen-notifications") == {"unseen": 0}

    go(creator.page, "#account")
    open_filters(creator)
    expect(screen(creator).get_by_role("heading", name="One comment waits")).to_be_visible()
    expect(waiting(creator)).to_have_count(1)
    expect(waiting(creator)).to_contain_text("Your s p a m <em>is here</em>")
    expect(waiting(creator)).to_contain_text("It has “spam” in it.")
    assert waiting(creator).locator("b").count() == 0
    waiting(creator).get_by_role("button", name="Let in: comment of Bob").click()
    expect(waiting(creator)).to_have_count(0)
    expect(screen(creator).get_by_role("heading", name="No comments wait")).to_be_visible()
    assert [item["text"] for item in told(own_server, f"clips/{clip['id']}/comments")["items"]] == ["Your s p a m <em>is here</em>"]
    assert ask(creator, "GET", "/unseen-notifications") == {"unseen": 1}
    reopen(bob)
    expect(comment(bob, "is here")).not_to_contain_text("only you see it")
    assert not creator.complaints and not bob.complaints


def test_what_waits_is_deleted_or_goes_with_whom_one_blocks(creator, bob, clip):
    ask(creator, "PUT", "/account/comment-filters", {"words": ["spam"], "hold_links": True, "followers_only": False})
    for text in ["spam", "see example.com", "spam again"]:
        assert say(bob, clip, text)["held"] is True
    open_filters(creator)
    expect(waiting(creator)).to_contain_text(["spam again", "see example.com", "spam"])
    expect(waiting(creator).nth(1)).to_contain_text("It has a link in it.")
    waiting(creator).nth(1).get_by_role("button", name="Delete: comment of Bob").click()
    creator.page.get_by_role("dialog", name="Delete the comment?").get_by_role("button", name="Delete").click()
    expect(waiting(creator)).to_have_count(2)
    expect(screen(creator).get_by_role("heading", name="2 comments wait")).to_be_visible()
    waiting(creator).nth(0).get_by_role("button", name="Block Bob").click()
    creator.page.locator("dialog.blocking .grave").click()
    expect(waiting(creator)).to_have_count(0)
    expect(screen(creator).get_by_text("What your filters catch waits here.")).to_be_visible()
    assert ask(creator, "GET", "/account/held-comments")["held"] == 0
    assert not creator.complaints


def test_who_does_not_follow_is_told_what_to_do_and_keeps_the_words(creator, bob, clip):
    ask(creator, "PUT", "/account/comment-filters", {"words": [], "hold_links": False, "followers_only": True})
    open_comments(bob)
    field(bob).fill("may I?")
    sheet(bob).locator(".post").click()
    expect(bob.page.get_by_text("follow them and send it again").first).to_be_visible()
    expect(field(bob)).to_have_value("may I?")
    ask(bob, "PUT", f"/authors/{person(creator)}/follow")
    post(bob, "may I?")
    expect(comment(bob, "may I?")).to_be_visible()
    expect(comment(bob, "may I?")).not_to_contain_text("only you see it")


def test_a_switch_that_was_not_saved_goes_back(creator):
    open_filters(creator)
    creator.page.route("**/api/v1/account/comment-filters", lambda route: route.fulfill(
        status=503, content_type="application/problem+json", json={"code": "unavailable", "detail": "Not now.", "status": 503, "title": "", "type": ""}))
    box = screen(creator).get_by_role("switch", name="Only followers may comment")
    box.click()
    reads(creator, "#account-screen > [role=status]", "Not now.")
    expect(box).not_to_be_checked()

"""The inbox: conversations, one of them, and what arrives while somebody looks."""

import sqlite3

import pytest
from playwright.sync_api import expect

from test_account import arrive, sign_up
from test_messages import field, plane, reads, says
from test_offline import NOTE_NOTICES
from test_offline import told as noticed

pytestmark = pytest.mark.long

PHONE = {"width": 390, "height": 844}
SENT = "**/api/v1/conversations/*/messages"


def sign_up_and_hear(viewer, handle):
    """What happens to them from now on is told to their page while it happens."""
    with viewer.page.expect_response("**/api/v1/live"):
        return sign_up(viewer, handle)


@pytest.fixture
def ada(open_page, own_server):
    return sign_up_and_hear(arrive(open_page(own_server, viewport=PHONE, script=NOTE_NOTICES)), "ada")


@pytest.fixture
def bob(open_page, own_server):
    return sign_up_and_hear(arrive(open_page(own_server)), "bob")


def person(viewer):
    return viewer.page.evaluate("JSON.parse(localStorage['clipfeed.account']).id")


def write(viewer, to, text, number=1):
    """Past the page, as another device would."""
    answer = viewer.page.evaluate("""([to, text, key]) => fetch(`/api/v1/conversations/${to}/messages`, { method: 'POST',
        body: JSON.stringify({ text }), headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key } })
        .then((a) => a.status)""", [to, text, f"a-key-of-a-test-{number}-{text[:20]}".replace(" ", "-").encode("ascii", "replace").decode()])
    assert answer == 201


def entry(viewer):
    return viewer.page.locator("#inbox")


def screen(viewer):
    return viewer.page.locator("#inbox-screen")


def conversations(viewer):
    return screen(viewer).get_by_role("list", name="Conversations").get_by_role("listitem")


def rows(viewer):
    return screen(viewer).get_by_role("list", name="Messages, oldest first").get_by_role("listitem")


def thread_field(viewer):
    return screen(viewer).get_by_role("textbox", name="Send message")


def open_thread(viewer, name):
    entry(viewer).click()
    conversations(viewer).filter(has_text=name).get_by_role("button").click()
    thread_field(viewer).wait_for()


def test_an_inbox_is_empty_at_first_and_says_how_it_fills(ada):
    expect(entry(ada)).to_have_accessible_name("Messages")
    entry(ada).click()
    expect(screen(ada)).to_contain_text("No messages yet.")
    ada.press("Escape")
    expect(screen(ada)).to_have_count(0)
    expect(entry(ada)).to_be_focused()
    assert not ada.complaints


def test_a_message_arrives_while_one_looks_and_is_answered(ada, bob):
    write(bob, person(ada), "hello <b>ada</b>")
    expect(entry(ada)).to_have_accessible_name("Messages, 1 unread")
    noticed(ada, "Bob sent you a message.")
    ada.press("i")
    expect(conversations(ada)).to_have_count(1)
    expect(conversations(ada).get_by_role("button")).to_have_accessible_name("Bob, 1 unread, hello <b>ada</b>")
    conversations(ada).get_by_role("button").click()
    expect(screen(ada).get_by_role("heading")).to_have_text("Bob")
    expect(rows(ada)).to_contain_text(["hello <b>ada</b>"])
    assert rows(ada).locator("b").count() == 0
    expect(entry(ada)).to_have_accessible_name("Messages")
    # With the conversation open it shows there, read at once, and is no notice.
    write(bob, person(ada), "still there?")
    expect(rows(ada)).to_contain_text(["hello", "still there?"])
    thread_field(ada).fill("here I am")
    ada.press("Enter")
    expect(thread_field(ada)).to_have_value("")
    expect(rows(ada)).to_contain_text(["hello", "still there?", "here I am"])
    expect(entry(bob)).to_have_accessible_name("Messages, 1 unread")
    ada.press("Escape")
    expect(conversations(ada)).to_contain_text("You: here I am")
    ada.press("Escape")
    expect(entry(ada)).to_have_accessible_name("Messages")
    assert not ada.complaints


def test_the_clip_of_a_message_is_shown_and_leads_to_it(open_page, own_server, bob):
    clip = own_server.feed()[0]
    field(bob).fill("about this")
    plane(bob).click()
    says(bob, "Sent")
    entry(bob).click()
    conversations(bob).get_by_role("button").click()
    about = rows(bob).get_by_role("button", name=f"About the clip {clip['caption']}, watch it")
    about.click()
    expect(screen(bob)).to_have_count(0)
    bob.expect_playing(clip)


def test_a_long_conversation_comes_page_by_page_and_does_not_jump(ada, bob):
    peer = person(ada)
    for number in range(30):
        write(bob, peer, f"line {number}", number)
    open_thread(ada, "Bob")
    expect(rows(ada).last).to_contain_text("line 29")
    screen(ada).locator(".scroller").evaluate("(element) => { element.scrollTop = 0; }")
    expect(rows(ada)).to_have_count(30)
    assert rows(ada).locator("p").all_inner_texts() == [f"line {number}" for number in range(30)]


def test_what_is_not_sent_comes_back_and_a_draft_belongs_to_its_conversation(ada, bob):
    write(bob, person(ada), "hello")
    open_thread(ada, "Bob")
    ada.page.route(SENT, lambda route: route.abort() if route.request.method == "POST" else route.continue_())
    thread_field(ada).fill("only once")
    screen(ada).get_by_role("button", name="Send", exact=True).click()
    expect(screen(ada).get_by_role("form").get_by_role("status")).to_contain_text("Not sent.")
    expect(thread_field(ada)).to_have_value("only once")
    ada.page.reload()
    expect(thread_field(ada)).to_have_value("only once")
    ada.page.unroute(SENT)
    screen(ada).get_by_role("button", name="Send", exact=True).click()
    expect(rows(ada)).to_contain_text(["hello", "only once"])
    expect(thread_field(ada)).to_have_value("")


def holding(viewer):
    """What is sent from now on, as long as it is not let go."""
    held = []
    viewer.page.route(SENT, lambda route: held.append(route) if route.request.method == "POST" else route.continue_())
    return held


def send(viewer, text):
    thread_field(viewer).fill(text)
    screen(viewer).get_by_role("button", name="Send", exact=True).click()


def leave_while_sending(ada, bob):
    """Ada's message is on its way, and the list of conversations is there. Answers the requests that are held."""
    write(bob, person(ada), "hello")
    open_thread(ada, "Bob")
    held = holding(ada)
    send(ada, "first")
    ada.until(lambda: held, "the message on its way")
    ada.press("Escape")
    return held


def reopen_thread(viewer):
    conversations(viewer).get_by_role("button").click()
    thread_field(viewer).wait_for()


def test_what_fails_while_another_text_is_written_there_is_not_lost(ada, bob):
    held = leave_while_sending(ada, bob)
    reopen_thread(ada)
    expect(rows(ada)).to_contain_text(["hello"])
    expect(thread_field(ada)).to_have_value("")
    thread_field(ada).press_sequentially("second")
    # One at a time, so that neither takes the place of the other.
    expect(screen(ada).get_by_role("button", name="Send", exact=True)).to_be_disabled()
    held.pop().abort()
    expect(screen(ada).get_by_role("form").get_by_role("status")).to_contain_text("Not sent.")
    expect(thread_field(ada)).to_have_value("first\nsecond")
    ada.page.unroute(SENT)
    screen(ada).get_by_role("button", name="Send", exact=True).click()
    expect(rows(ada)).to_contain_text(["hello", "first", "second"])
    expect(thread_field(ada)).to_have_value("")


def test_what_arrives_after_somebody_is_back_shows_there(ada, bob):
    held = leave_while_sending(ada, bob)
    reopen_thread(ada)
    expect(rows(ada)).to_contain_text(["hello"])
    thread_field(ada).press_sequentially("second")
    held.pop().continue_()
    expect(rows(ada)).to_contain_text(["hello", "first"])
    expect(thread_field(ada)).to_have_value("second")
    ada.page.unroute(SENT)
    screen(ada).get_by_role("button", name="Send", exact=True).click()
    expect(rows(ada)).to_contain_text(["hello", "first", "second"])


def test_what_fails_is_said_wherever_somebody_is_by_then(ada, bob):
    words = "A message was not sent. It is waiting in its conversation."
    held = leave_while_sending(ada, bob)
    expect(conversations(ada)).to_have_count(1)
    held.pop().abort()
    reads(ada, "#inbox-screen .news", words)
    reopen_thread(ada)
    expect(thread_field(ada)).to_have_value("first")
    screen(ada).get_by_role("button", name="Send", exact=True).click()
    ada.until(lambda: held, "the message on its way again")
    screen(ada).get_by_role("button", name="Close").click()
    expect(screen(ada)).to_have_count(0)
    held.pop().abort()
    noticed(ada, words)


def test_a_message_that_arrives_moves_its_conversation_and_nothing_else(ada, bob):
    asked, fresh = [], []

    def conversation(number):
        return {"peer": {"id": f"peer-{number}", "name": f"Peer {number}"}, "unread": 0,
                "last": {"id": f"last-{number}", "text": f"words {number}", "is_own": False, "created_at": "2026-01-01T10:00:00Z"}}

    def answer(route):
        cursor = int(dict(part.split("=") for part in route.request.url.split("?")[1].split("&")).get("cursor", 0))
        asked.append(cursor)
        # What moved up is not in its old place.
        moved = [item["peer"] for item in fresh]
        items = [item for item in map(conversation, range(cursor, cursor + 24)) if item["peer"] not in moved]
        if cursor == 0:
            items = [*fresh, *items]
        route.fulfill(json={"items": items, "next_cursor": str(cursor + 24) if cursor < 48 else None})

    ada.page.route("**/api/v1/conversations?*", answer)
    entry(ada).click()
    expect(conversations(ada).first).to_contain_text("Peer 0")
    list_of = screen(ada).locator(".middle")
    list_of.evaluate("(element) => { element.scrollTop = 1e6; }")
    expect(conversations(ada).nth(47)).to_be_attached()
    looked_at = conversations(ada).filter(has_text="Peer 12").get_by_role("button")
    looked_at.focus()
    looked_at.scroll_into_view_if_needed()
    before = looked_at.bounding_box()["y"]
    count = len(asked)
    fresh.append({**conversation(20), "unread": 1, "last": {**conversation(20)["last"], "text": "news"}})
    write(bob, person(ada), "hello")
    expect(conversations(ada).first).to_contain_text("news")
    expect(conversations(ada).filter(has_text="Peer 20")).to_have_count(1)
    expect(looked_at).to_be_focused()
    assert abs(looked_at.bounding_box()["y"] - before) < 2
    # The list that was there goes on where it was, and there is no other one.
    list_of.evaluate("(element) => { element.scrollTop = 1e6; }")
    expect(conversations(ada)).to_have_count(72)
    assert asked[count:].count(0) == 1
    assert sorted(set(asked)) == [0, 24, 48] and len(asked) == 4


def test_what_could_not_be_loaded_is_said_and_tried_again(ada, bob):
    write(bob, person(ada), "hello")
    ada.page.route("**/api/v1/conversations?*", lambda route: route.abort())
    entry(ada).click()
    screen(ada).get_by_role("alert").wait_for()
    ada.page.unroute("**/api/v1/conversations?*")
    screen(ada).get_by_role("button", name="Try again").click()
    ada.page.route(SENT + "?*", lambda route: route.abort())
    conversations(ada).get_by_role("button").click()
    again = screen(ada).get_by_role("alert").get_by_role("button", name="Try again")
    again.wait_for()
    ada.page.unroute(SENT + "?*")
    again.click()
    expect(rows(ada)).to_contain_text(["hello"])


def test_somebody_is_blocked_from_the_conversation_and_it_is_gone(ada, bob):
    write(bob, person(ada), "rude words")
    open_thread(ada, "Bob")
    screen(ada).get_by_role("button", name="Block Bob").click()
    ada.page.get_by_role("dialog", name="Block Bob?").get_by_role("button", name="Block", exact=True).click()
    expect(screen(ada)).to_contain_text("No messages yet.")
    told = "(to) => fetch(`/api/v1/conversations/${to}/messages`).then((a) => a.json())"
    # They are gone before the server has heard of it.
    bob.until(lambda: bob.page.evaluate(told, person(ada)).get("code") == "author_not_found", "the block at the server")


def test_a_guest_writes_and_hears_the_answer(open_page, own_server, ada):
    guest = arrive(open_page(own_server))
    write(guest, person(ada), "it is me")
    guest.page.evaluate("localStorage['clipfeed.wrote'] = '1'")
    # They hear of the answer only if they listen by then.
    with guest.page.expect_response("**/api/v1/live"):
        guest.page.reload()
    arrive(guest)
    open_thread(ada, "Guest")
    thread_field(ada).fill("who is it?")
    ada.press("Enter")
    expect(rows(ada)).to_have_count(2)
    expect(entry(guest)).to_have_accessible_name("Messages, 1 unread")
    open_thread(guest, "Ada")
    expect(rows(guest)).to_contain_text(["it is me", "who is it?"])


@pytest.mark.parametrize("size", [{"width": 320, "height": 568}, {"width": 1440, "height": 900}], ids=["phone", "desk"])
def test_nothing_is_cut_off(open_page, own_server, bob, size):
    ada = sign_up(arrive(open_page(own_server, viewport=size)), "ada.with.a.long.handle")
    write(bob, person(ada), "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft " * 3)
    open_thread(ada, "Bob")
    thread_field(ada).fill("five\nlines\nof\ntext\nhere\nand more")
    stage = ada.page.locator("#stage").bounding_box()
    for part in ["header", ".scroller", "form", "form button", "ol li p"]:
        box = screen(ada).locator(part).first.bounding_box()
        assert box["x"] >= stage["x"] and box["x"] + box["width"] <= stage["x"] + stage["width"] + 0.5, part
        assert box["y"] + box["height"] <= stage["y"] + stage["height"] + 0.5, part


def test_the_creator_who_watches_sees_a_reaction_float_and_count(open_page, own_server, own_data):
    ada = sign_up(arrive(open_page(own_server, viewport=PHONE, script=NOTE_NOTICES)), "ada")
    clip = own_server.feed()[0]["id"]
    with sqlite3.connect(own_data / "clipfeed.sqlite", timeout=10) as rows_of:
        rows_of.execute("UPDATE clips SET author_id = ? WHERE id = ?", (person(ada), clip))
    rows_of.close()
    ada.page.goto(f"{own_server.url}/c/{clip}")
    ada.expect_playing()
    expect(ada.page.locator("#messages")).to_have_attribute("data-access", "off")
    expect(ada.page.locator("#messages .closed")).to_have_text("This is your clip.")
    ada.page.evaluate("""() => {
      globalThis.floated = [];
      new MutationObserver((all) => { for (const { addedNodes } of all) for (const node of addedNodes) {
        if (node.classList?.contains('floating')) floated.push(node.dataset.reaction); } })
        .observe(document.getElementById('stage'), { childList: true });
    }""")
    with ada.page.expect_response("**/api/v1/live"):
        ada.page.evaluate("dispatchEvent(new Event('visibilitychange')); document.dispatchEvent(new Event('visibilitychange'))")
    fan = arrive(open_page(own_server, viewport=PHONE))
    fan.page.evaluate("""(clip) => fetch(`/api/v1/clips/${clip}/reactions`, { method: 'POST', body: '{"reaction":"fire"}',
        headers: { 'Content-Type': 'application/json' } })""", clip)
    ada.until(lambda: ada.page.evaluate("floated") == ["fire"], "the flame over the clip")
    expect(ada.page.locator("#messages .reactions button").last).to_have_accessible_name("React with fire, 1 so far")
    expect(ada.page.locator("#notice")).to_have_text("")
    # Elsewhere it is a notice.
    ada.press("ArrowDown")
    ada.until(lambda: ada.current() != clip, "the next clip")
    fan.page.evaluate("""(clip) => fetch(`/api/v1/clips/${clip}/reactions`, { method: 'POST', body: '{"reaction":"clap"}',
        headers: { 'Content-Type': 'application/json' } })""", clip)
    noticed(ada, "Somebody reacted to your clip.")

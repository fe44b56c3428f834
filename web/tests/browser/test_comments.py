"""The sheet of comments under a clip, and the field in which one is written."""

import json
import urllib.request

import pytest
from playwright.sync_api import expect

from server import Server
from test_account import arrive as arrive_with_account
from test_account import sign_in, sign_out, sign_up
from test_messages import arrive, form, reads, stands
from test_sizes import settle

NEVER_SENT = "**/api/v1/clips/*/comments"


@pytest.fixture
def writer(open_page, own_server):
    """Somebody in front of the first clip, with the sheet open."""
    viewer = arrive(open_page(own_server))
    opener(viewer).click()
    sheet(viewer).wait_for()
    return viewer


def opener(viewer):
    return viewer.page.locator(".page[aria-current] .comments button")


def sheet(viewer):
    return viewer.page.get_by_role("dialog")


def field(viewer):
    return viewer.page.get_by_label("Write a comment")


def post(viewer, text):
    field(viewer).fill(text)
    sheet(viewer).get_by_role("button", name="Post the comment").click()


def says(viewer, text):
    reads(viewer, "#comments [role=status]", text)


def comments(server, clip=0):
    """The texts under that clip of the feed as the API tells them, newest first."""
    clip = server.feed()[clip]["id"]
    with urllib.request.urlopen(f"{server.url}/api/v1/clips/{clip}/comments", timeout=10) as answer:
        return [comment["text"] for comment in json.load(answer)["items"]]


def post_by_api(server, text, number, **more):
    clip = server.feed()[0]["id"]
    request = urllib.request.Request(
        f"{server.url}/api/v1/clips/{clip}/comments", data=json.dumps({"text": text} | more).encode(),
        headers={"Content-Type": "application/json", "Idempotency-Key": f"key-of-a-test-{number}",
                 # Each from an address of its own, to a server behind a proxy.
                 "X-Forwarded-For": f"192.0.2.{number}"})
    urllib.request.urlopen(request, timeout=10).close()


def lose_the_answer(route):
    """The comment reaches the server; the answer does not reach the page."""
    if route.request.method != "POST":
        return route.continue_()
    route.fetch()
    return route.abort()


def test_a_comment_is_posted_and_counted_and_seen(writer, own_server):
    expect(sheet(writer).get_by_text("No comments yet")).to_be_visible()
    post(writer, "Hello <b>there</b> & you")
    expect(field(writer)).to_have_value("")
    says(writer, "Posted")
    expect(sheet(writer).get_by_role("listitem")).to_contain_text("Hello <b>there</b> & you")
    assert sheet(writer).locator(".words b").count() == 0
    expect(sheet(writer).get_by_role("heading")).to_have_text("1 comment")
    expect(sheet(writer).get_by_text("No comments yet")).to_be_hidden()
    assert comments(own_server) == ["Hello <b>there</b> & you"]
    post(writer, "two")
    expect(sheet(writer).get_by_role("listitem").first).to_contain_text("two")
    writer.press("Escape")
    expect(opener(writer)).to_have_text("2 comments")
    assert not writer.complaints


def test_a_draft_belongs_to_its_clip_and_outlives_the_sheet_and_the_page(writer, own_server):
    feed = own_server.feed()
    field(writer).fill("half a thou")
    writer.press("Escape")
    expect(sheet(writer)).to_be_hidden()
    # The bar's own is another one.
    expect(form(writer).get_by_role("textbox")).to_have_value("")
    writer.press("ArrowDown")
    writer.expect_playing(feed[1])
    writer.press("c")
    expect(field(writer)).to_be_focused()
    expect(field(writer)).to_have_value("")
    writer.press("Escape")
    expect(sheet(writer)).to_be_hidden()
    # The way back is the browser's own, and takes its time: the address of the clip would come back with it.
    writer.page.wait_for_function("() => !history.state?.comments")
    writer.reload_feed()
    arrive(writer)
    writer.press("c")
    expect(field(writer)).to_have_value("half a thou")
    post(writer, "half a thought")
    says(writer, "Posted")
    writer.page.reload()
    arrive(writer)
    writer.press("c")
    expect(field(writer)).to_have_value("")


def test_a_comment_whose_answer_got_lost_is_there_once(writer, own_server):
    writer.page.route(NEVER_SENT, lose_the_answer)
    post(writer, "only once")
    says(writer, "Not posted")
    expect(field(writer)).to_have_value("only once")
    writer.page.unroute(NEVER_SENT)
    writer.page.reload()
    arrive(writer)
    writer.press("c")
    expect(field(writer)).to_have_value("only once")
    sheet(writer).get_by_role("button", name="Post the comment").click()
    says(writer, "Posted")
    assert comments(own_server) == ["only once"]
    # The feed came with this comment in its count.
    expect(sheet(writer).get_by_role("heading")).to_have_text("1 comment")


def test_what_the_server_refuses_is_said_and_stays_in_the_field(writer, own_server):
    # Zero-width characters look like text to the page, and are none to the server.
    post(writer, "\u200b\u200b")
    says(writer, "A comment needs some text.")
    post(writer, "now with text")
    says(writer, "Posted")
    assert comments(own_server) == ["now with text"]


@pytest.mark.long
def test_characters_are_counted_and_too_many_are_not_posted(writer):
    field(writer).fill("👩‍👩‍👧‍👦" * 480)
    expect(sheet(writer)).to_contain_text("20 left")
    field(writer).fill("a" * 501)
    expect(sheet(writer)).to_contain_text("1 too many")
    expect(sheet(writer).get_by_role("button", name="Post the comment")).to_be_disabled()


@pytest.mark.long
def test_everything_is_done_by_keys_alone(open_page, own_server):
    feed = own_server.feed()
    viewer = arrive(open_page(own_server))
    opener(viewer).focus()
    viewer.press("Enter")
    expect(sheet(viewer)).to_be_focused()
    viewer.press("Tab")
    expect(sheet(viewer).get_by_role("button", name="Close the comments")).to_be_focused()
    viewer.press("Tab")
    # Keys scroll the list now, and move no clip.
    viewer.press("ArrowDown")
    assert viewer.current() == feed[0]["id"]
    viewer.press("Tab")
    viewer.page.keyboard.type("first")
    viewer.press("Shift+Enter")
    viewer.page.keyboard.type("second")
    viewer.press("Enter")
    says(viewer, "Posted")
    assert comments(own_server) == ["first\nsecond"]
    viewer.press("Escape")
    expect(sheet(viewer)).to_be_hidden()
    expect(opener(viewer)).to_be_focused()


def test_where_comments_are_off_they_are_read_but_not_written(open_page, own_data, monkeypatch):
    server = Server(own_data)
    post_by_api(server, "from before", 1)
    server.stop()
    monkeypatch.setenv("CLIPFEED_GUEST_COMMENTS", "off")
    server = Server(own_data)
    try:
        viewer = open_page(server)
        viewer.expect_playing()
        viewer.page.locator("#messages[data-access]").wait_for()
        opener(viewer).click()
        expect(sheet(viewer).get_by_role("listitem")).to_contain_text("from before")
        expect(sheet(viewer)).to_contain_text("Sign in to comment.")
        expect(field(viewer)).to_be_hidden()
    finally:
        server.stop()


def test_the_sheet_loads_page_after_page_without_repeating(open_page, own_data, monkeypatch, request):
    monkeypatch.setenv("CLIPFEED_PROXIES", "1")
    own_server = Server(own_data)
    request.addfinalizer(own_server.stop)
    for number in range(21):
        post_by_api(own_server, f"comment {number}", number)
    writer = arrive(open_page(own_server))
    opener(writer).click()
    rows = sheet(writer).get_by_role("listitem")
    expect(rows.first).to_contain_text("comment 20")
    sheet(writer).locator(".scroller").hover()
    writer.page.mouse.wheel(0, 4000)
    expect(rows).to_have_count(21)
    assert writer.current() == own_server.feed()[0]["id"]
    assert rows.locator(".words").all_inner_texts() == [f"comment {number}" for number in range(20, -1, -1)]


def test_comments_that_do_not_come_can_be_asked_for_again(open_page, own_server):
    writer = arrive(open_page(own_server))
    post_by_api(own_server, "there", 1)
    writer.page.route("**/comments?*", lambda route: route.abort())
    opener(writer).click()
    again = sheet(writer).get_by_role("alert").get_by_role("button", name="Try again")
    again.wait_for()
    writer.page.unroute("**/comments?*")
    again.click()
    expect(sheet(writer).get_by_role("listitem")).to_contain_text("there")
    expect(sheet(writer).get_by_role("alert")).to_be_hidden()


@pytest.mark.parametrize("leave", ["Escape", "back", "outside", "cross", "drag"])
def test_the_sheet_locks_the_feed_until_it_is_closed(writer, own_server, leave):
    feed = own_server.feed()
    expect(sheet(writer)).to_be_visible()
    writer.touch([100, 90, 75, 55, 30, 5], seconds=0.08)
    assert writer.current() == feed[0]["id"]
    # It slides in.
    settle(writer.page)
    top = sheet(writer).bounding_box()["y"]
    {
        "Escape": lambda: writer.press("Escape"), "back": writer.page.go_back,
        "outside": lambda: writer.page.locator("button.outside").click(position={"x": 180, "y": 60}),
        "cross": sheet(writer).get_by_role("button", name="Close the comments").click,
        "drag": lambda: writer.drag([top + 10, top + 60, top + 160, top + 200], seconds=0.3),
    }[leave]()
    expect(sheet(writer)).to_be_hidden()
    assert not stands(writer)
    writer.press("ArrowDown")
    writer.expect_playing(feed[1])


def test_a_sheet_that_is_opened_again_at_once_stays_open_and_is_left_by_one_step_back(writer):
    writer.page.evaluate("""async (opener) => {
      const back = new Promise((resolve) => { addEventListener('popstate', resolve, { once: true }); });
      document.querySelector('#comments .close').click();
      document.querySelector(opener).click();
      await back;
    }""", ".page[aria-current] .comments button")
    # Its looks may come behind the step back.
    writer.until(lambda: writer.page.evaluate(
        "() => document.getElementById('comments')?.inert === false && 'comments' in document.getElementById('stage').dataset"), "the sheet")
    writer.page.go_back()
    sheet(writer).wait_for(state="hidden")


def test_after_a_reload_the_sheet_is_left_by_one_step_back(writer, own_server):
    writer.page.reload()
    arrive(writer)
    expect(writer.page.locator("#comments")).to_have_count(0)
    opener(writer).click()
    sheet(writer).wait_for()
    writer.page.go_back()
    expect(writer.page.locator("#comments")).to_have_count(0)
    # And so it is where it was never closed by going back.
    opener(writer).click()
    sheet(writer).wait_for()
    sheet(writer).get_by_role("button", name="Close the comments").click()
    expect(writer.page.locator("#comments")).to_have_count(0)
    writer.page.wait_for_function("() => !history.state?.comments")


def test_a_half_written_comment_is_its_writers(open_page, own_server):
    viewer = sign_up(arrive_with_account(open_page(own_server)), "ada")
    begin(viewer, "", "as ada")
    sign_out(viewer)
    sign_up(viewer, "bob")
    begin(viewer, "", "as bob")
    sign_out(viewer)
    # What a guest has written goes along.
    begin(viewer, "", "as a guest")
    sign_in(viewer, "ada")
    begin(viewer, "as ada\nas a guest", "as ada again")
    viewer.reload_feed()
    arrive(viewer)
    begin(viewer, "as ada again", "")
    assert comments(own_server) == []
    assert not viewer.complaints


def begin(viewer, before, text):
    """Writes over what is there, and closes the sheet."""
    opener(viewer).click()
    sheet(viewer).wait_for()
    expect(field(viewer)).to_have_value(before)
    field(viewer).fill(text)
    sheet(viewer).get_by_role("button", name="Close the comments").click()
    expect(viewer.page.locator("#comments")).to_have_count(0)
    viewer.page.wait_for_function("() => !history.state?.comments")


def test_a_comment_in_a_sheet_that_is_open_is_its_writers_too(open_page, own_server):
    viewer = sign_up(arrive_with_account(open_page(own_server)), "ada")
    opener(viewer).click()
    sheet(viewer).wait_for()
    field(viewer).fill("as ada")
    # As they sign out in another window.
    other = viewer.page.context.new_page()
    other.goto(own_server.url)
    other.evaluate("() => localStorage.removeItem('clipfeed.account')")
    expect(field(viewer)).to_have_value("")
    expect(sheet(viewer).get_by_role("button", name="Post the comment")).to_be_disabled()

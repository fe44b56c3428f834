"""The message bar over the playing clip, reactions, and the sheet of comments."""

import json
import urllib.request

import pytest
from playwright.sync_api import expect

from server import Server

NEVER_SENT = "**/api/v1/clips/*/comments"


@pytest.fixture
def writer(open_page, own_server):
    """Somebody in front of the first clip, with the bar there."""
    return arrive(open_page(own_server))


def arrive(viewer):
    viewer.expect_playing()
    expect(form(viewer)).to_have_attribute("data-access", "open")
    return viewer


def form(viewer):
    return viewer.page.get_by_role("form", name="Message")


def field(viewer):
    return viewer.page.get_by_label("Write a comment")


def sheet(viewer):
    return viewer.page.get_by_role("dialog")


def says(viewer, text):
    expect(form(viewer).get_by_role("status")).to_contain_text(text)


def opener(viewer):
    return viewer.page.locator(".page[aria-current] .comments button")


def comments(server, clip=0):
    """The texts under that clip of the feed as the API tells them, newest first."""
    clip = server.feed()[clip]["id"]
    with urllib.request.urlopen(f"{server.url}/api/v1/clips/{clip}/comments", timeout=10) as answer:
        return [comment["text"] for comment in json.load(answer)["items"]]


def post(server, text, number):
    clip = server.feed()[0]["id"]
    request = urllib.request.Request(
        f"{server.url}/api/v1/clips/{clip}/comments", data=json.dumps({"text": text}).encode(),
        headers={"Content-Type": "application/json", "Idempotency-Key": f"key-of-a-test-{number}",
                 # Each from an address of its own, to a server behind a proxy.
                 "X-Forwarded-For": f"192.0.2.{number}"})
    urllib.request.urlopen(request, timeout=10).close()


def send(viewer, text):
    field(viewer).fill(text)
    viewer.page.get_by_role("button", name="Send").click()


def stands(viewer):
    """Whether the clip on the screen is held."""
    return viewer.page.evaluate("() => document.querySelector('video[data-shown]').paused")


def position(viewer):
    return viewer.page.evaluate("() => document.querySelector('video[data-shown]').currentTime")


def test_a_message_is_sent_and_counted_and_seen(writer, own_server):
    field(writer).click()
    send(writer, "Hello <b>there</b> & you")
    says(writer, "Sent")
    expect(field(writer)).to_have_value("")
    expect(opener(writer)).to_have_text("1 comment")
    assert comments(own_server) == ["Hello <b>there</b> & you"]
    opener(writer).click()
    expect(sheet(writer).get_by_role("heading")).to_have_text("1 comment")
    expect(sheet(writer).get_by_role("listitem")).to_contain_text("Hello <b>there</b> & you")
    assert sheet(writer).locator("li b").count() == 0
    assert not writer.complaints


def test_a_message_sent_beside_the_open_sheet_appears_in_it(writer):
    opener(writer).click()
    expect(sheet(writer).get_by_text("No comments yet")).to_be_visible()
    for text in ["one", "two"]:
        send(writer, text)
        says(writer, "Sent")
        expect(sheet(writer).get_by_role("listitem").first).to_contain_text(text)
    expect(sheet(writer).get_by_role("heading")).to_have_text("2 comments")
    expect(sheet(writer).get_by_text("No comments yet")).to_be_hidden()


def test_a_draft_survives_a_reload_and_belongs_to_its_clip(writer, own_server):
    feed = own_server.feed()
    field(writer).fill("half a thou")
    writer.press("Escape")
    writer.press("ArrowDown")
    writer.expect_playing(feed[1])
    expect(field(writer)).to_have_value("")
    writer.press("ArrowUp")
    writer.expect_playing(feed[0])
    expect(field(writer)).to_have_value("half a thou")
    writer.page.reload()
    arrive(writer)
    expect(field(writer)).to_have_value("half a thou")
    send(writer, "half a thought")
    says(writer, "Sent")
    writer.page.reload()
    arrive(writer)
    expect(field(writer)).to_have_value("")


def lose_the_answer(route):
    """The message reaches the server; the answer does not reach the page."""
    route.fetch()
    route.abort()


def test_a_failed_message_is_sent_again_without_a_second_copy(writer, own_server):
    writer.page.route(NEVER_SENT, lose_the_answer)
    send(writer, "only once")
    says(writer, "Not sent")
    expect(field(writer)).to_have_value("only once")
    assert comments(own_server) == ["only once"]
    writer.page.unroute(NEVER_SENT)
    writer.page.get_by_role("button", name="Send again").click()
    says(writer, "Sent")
    assert comments(own_server) == ["only once"]


def test_a_message_whose_answer_got_lost_has_no_second_copy_after_a_reload(writer, own_server):
    writer.page.route(NEVER_SENT, lose_the_answer)
    send(writer, "only once")
    says(writer, "Not sent")
    writer.page.unroute(NEVER_SENT)
    writer.page.reload()
    arrive(writer)
    expect(field(writer)).to_have_value("only once")
    writer.page.get_by_role("button", name="Send").click()
    says(writer, "Sent")
    assert comments(own_server) == ["only once"]
    # The feed came with this comment in its count.
    opener(writer).click()
    expect(sheet(writer).get_by_role("heading")).to_have_text("1 comment")
    expect(opener(writer)).to_have_text("1 comment")


def test_a_message_that_is_sent_again_is_seen_before_its_count_is_known(writer, own_server):
    opener(writer).click()
    expect(sheet(writer).get_by_text("No comments yet")).to_be_visible()
    writer.page.route(NEVER_SENT, lose_the_answer)
    send(writer, "at once")
    says(writer, "Not sent")
    writer.page.unroute(NEVER_SENT)
    held = []
    writer.page.route(f"**/api/v1/clips/{own_server.feed()[0]['id']}", lambda route: held.append(route))
    writer.page.get_by_role("button", name="Send again").click()
    expect(sheet(writer).get_by_role("listitem")).to_contain_text("at once")
    assert held
    held[0].continue_()
    expect(sheet(writer).get_by_role("heading")).to_have_text("1 comment")
    expect(sheet(writer).get_by_role("listitem")).to_have_count(1)


def test_what_the_server_refuses_is_said_and_stays_in_the_field(writer, own_server):
    # Zero-width characters look like text to the page, and are none to the server.
    send(writer, "\u200b\u200b")
    says(writer, "A comment needs some text.")
    expect(writer.page.get_by_role("button", name="Send")).to_be_disabled()
    send(writer, "now with text")
    says(writer, "Sent")
    assert comments(own_server) == ["now with text"]


def test_while_somebody_writes_the_clip_is_held_and_no_gesture_moves_the_feed(writer, own_server):
    feed = own_server.feed()
    field(writer).click()
    writer.until(lambda: stands(writer), "the clip to be held")
    at = position(writer)
    writer.page.mouse.move(180, 100)
    writer.page.mouse.wheel(0, 120)
    writer.touch([420, 410, 395, 375, 350, 320], seconds=0.08)
    for key in ["Space", "ArrowDown", "ArrowRight", "m"]:
        writer.press(key)
    expect(field(writer)).to_have_value(" m")
    assert writer.current() == feed[0]["id"]
    assert stands(writer) and position(writer) == at
    writer.press("Escape")
    writer.expect_playing(feed[0])
    expect(field(writer)).not_to_be_focused()
    expect(field(writer)).to_have_value(" m")
    writer.press("ArrowDown")
    writer.expect_playing(feed[1])


def test_a_clip_that_the_person_had_paused_stays_paused(writer):
    writer.press("Space")
    writer.expect_state("paused")
    field(writer).click()
    writer.press("Escape")
    writer.expect_state("paused")
    assert stands(writer)


def test_a_tap_beside_the_field_leaves_it_and_does_not_pause(writer, own_server):
    field(writer).click()
    writer.until(lambda: stands(writer), "the clip to be held")
    writer.page.mouse.click(180, 100)
    expect(field(writer)).not_to_be_focused()
    writer.expect_playing(own_server.feed()[0])


def test_the_field_grows_with_its_text_to_five_lines_and_then_scrolls(writer):
    height = field(writer).bounding_box()["height"]
    heights = []
    field(writer).click()
    for number in range(8):
        writer.page.keyboard.type(f"line {number}")
        writer.press("Shift+Enter")
        heights.append(round((field(writer).bounding_box()["height"] - height) / 22))
    assert heights == [1, 2, 3, 4, 4, 4, 4, 4]
    assert field(writer).evaluate("(field) => field.scrollHeight > field.clientHeight + 20")
    expect(form(writer)).to_have_attribute("data-scrolls", "")


def test_characters_are_counted_as_people_count_them(writer):
    field(writer).fill("👩‍👩‍👧‍👦" * 480)
    expect(form(writer)).to_contain_text("20 left")
    field(writer).fill("a" * 501)
    expect(form(writer)).to_contain_text("1 too many")
    expect(writer.page.get_by_role("button", name="Send")).to_be_disabled()


def test_where_comments_are_off_they_are_read_but_not_written(open_page, own_data, monkeypatch):
    server = Server(own_data)
    post(server, "from before", 1)
    server.stop()
    monkeypatch.setenv("CLIPFEED_GUEST_COMMENTS", "off")
    server = Server(own_data)
    try:
        viewer = open_page(server)
        viewer.expect_playing()
        expect(form(viewer)).to_contain_text("Comments are off.")
        expect(field(viewer)).to_be_hidden()
        expect(form(viewer).get_by_role("button")).to_have_count(0)
        viewer.press("c")
        assert not stands(viewer)
        opener(viewer).click()
        expect(sheet(viewer).get_by_role("listitem")).to_contain_text("from before")
    finally:
        server.stop()


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_reaction_is_sent_and_floats_for_a_moment(open_page, own_server, motion):
    viewer = arrive(open_page(own_server, reduced_motion=motion))
    with viewer.page.expect_request("**/reactions") as request:
        form(viewer).get_by_role("button", name="React with a heart").click()
    assert request.value.post_data_json == {"reaction": "heart"}
    assert request.value.response().status == 200
    floating = viewer.page.locator(".floating")
    floating.wait_for(state="detached")
    assert not stands(viewer)
    assert not viewer.complaints


def test_everything_is_done_by_keys_alone(writer, own_server):
    feed = own_server.feed()
    writer.press("c")
    expect(field(writer)).to_be_focused()
    writer.page.keyboard.type("first")
    writer.press("Shift+Enter")
    writer.page.keyboard.type("second")
    writer.press("Enter")
    says(writer, "Sent")
    assert comments(own_server) == ["first\nsecond"]
    opener(writer).focus()
    writer.press("Enter")
    expect(sheet(writer)).to_be_focused()
    writer.press("Tab")
    expect(sheet(writer).get_by_role("button", name="Close the comments")).to_be_focused()
    writer.press("Tab")
    # Keys scroll the list now, and move no clip.
    writer.press("ArrowDown")
    assert writer.current() == feed[0]["id"]
    writer.press("Escape")
    expect(sheet(writer)).to_be_hidden()
    expect(opener(writer)).to_be_focused()
    # Whoever goes on to the button beside the field still writes.
    writer.press("c")
    writer.page.keyboard.type("third")
    writer.press("Tab")
    expect(writer.page.get_by_role("button", name="Send")).to_be_focused()
    assert stands(writer)
    writer.press("Enter")
    says(writer, "Sent")
    assert comments(own_server) == ["third", "first\nsecond"]
    writer.expect_playing(feed[0])


def test_the_sheet_loads_page_after_page_without_repeating(open_page, own_data, monkeypatch, request):
    monkeypatch.setenv("CLIPFEED_PROXIES", "1")
    own_server = Server(own_data)
    request.addfinalizer(own_server.stop)
    for number in range(21):
        post(own_server, f"comment {number}", number)
    writer = arrive(open_page(own_server))
    opener(writer).click()
    rows = sheet(writer).get_by_role("listitem")
    expect(rows.first).to_contain_text("comment 20")
    sheet(writer).locator(".scroller").hover()
    writer.page.mouse.wheel(0, 4000)
    expect(rows).to_have_count(21)
    assert writer.current() == own_server.feed()[0]["id"]
    texts = [text.split("\n")[-1] for text in rows.all_inner_texts()]
    assert texts == [f"comment {number}" for number in range(20, -1, -1)]


def test_comments_that_do_not_come_can_be_asked_for_again(writer, own_server):
    post(own_server, "there", 1)
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
    opener(writer).click()
    expect(sheet(writer)).to_be_visible()
    writer.touch([100, 90, 75, 55, 30, 5], seconds=0.08)
    assert writer.current() == feed[0]["id"]
    top = sheet(writer).bounding_box()["y"]
    {
        "Escape": lambda: writer.press("Escape"), "back": writer.page.go_back,
        "outside": lambda: writer.page.mouse.click(180, 60),
        "cross": sheet(writer).get_by_role("button", name="Close the comments").click,
        "drag": lambda: writer.drag([top + 10, top + 60, top + 160, top + 200], seconds=0.3),
    }[leave]()
    expect(sheet(writer)).to_be_hidden()
    assert not stands(writer)
    writer.press("ArrowDown")
    writer.expect_playing(feed[1])


def test_nothing_of_the_bar_is_loaded_before_the_first_clip_moves(open_page, own_server):
    asked = []
    viewer = open_page(own_server)
    # What that one still asks for is not what this is about.
    viewer.page.goto("about:blank")
    viewer.page.on("request", lambda request: asked.append(request.url))
    viewer.page.route("**/media/**", lambda route: route.abort())
    viewer.page.goto(own_server.url)
    viewer.until(lambda: any("/media/" in url for url in asked), "a request for media")
    assert not [url for url in asked if "messages" in url]
    viewer.page.unroute("**/media/**")
    viewer.page.reload()
    arrive(viewer)
    assert [url for url in asked if "messages" in url]


def test_a_bar_that_did_not_come_is_asked_for_again_with_the_next_clip(open_page, own_server):
    viewer = open_page(own_server)
    module = "**/app/messages/messages.js"
    viewer.page.route(module, lambda route: route.abort())
    with viewer.page.expect_event("requestfailed", lambda request: "messages.js" in request.url):
        viewer.page.reload()
    viewer.expect_playing()
    viewer.page.unroute(module)
    viewer.press("ArrowDown")
    viewer.expect_playing(own_server.feed()[1])
    expect(form(viewer)).to_have_attribute("data-access", "open")


def test_bar_scrubber_and_texts_do_not_cover_each_other_on_a_phone(open_page, own_server):
    viewer = arrive(open_page(own_server, viewport={"width": 390, "height": 844}, has_touch=True))
    for draft in ["", "line\nline\nline\nline"]:
        field(viewer).fill(draft)
        viewer.press("Escape")
        expect(form(viewer)).not_to_have_attribute("data-focused", "")
        boxes = [viewer.page.locator(selector).bounding_box() for selector in [
            ".page[aria-current] .texts", "#scrub", "#messages .line"]]
        for above, below in zip(boxes, boxes[1:]):
            assert above["y"] + above["height"] <= below["y"] + 0.5
    for button in form(viewer).get_by_role("button").all() + [opener(viewer)]:
        box = button.bounding_box()
        assert box["width"] >= 44 and box["height"] >= 44


# A keyboard on the screen leaves less of the page to see; headless browsers have none.
KEYBOARD = """Object.defineProperty(window, 'visualViewport', {
  value: Object.assign(new EventTarget(), { height: 640, offsetTop: 0, scale: 1 }) });"""


def test_the_bar_stands_above_the_keyboard_of_the_screen(open_page, own_server):
    viewer = arrive(open_page(own_server, script=KEYBOARD))

    def lower_edge():
        box = form(viewer).bounding_box()
        return round(box["y"] + box["height"])

    field(viewer).click()
    for height in [380, 640]:
        viewer.page.evaluate("""(height) => {
          visualViewport.height = height;
          visualViewport.dispatchEvent(new Event('resize'));
        }""", height)
        viewer.until(lambda: lower_edge() == height, f"the bar to stand at {height}")

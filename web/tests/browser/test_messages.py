"""The message bar over the playing clip: what it shows when, messages to the creator, and reactions."""

import pytest
from playwright.sync_api import expect

from server import Server
from test_account import arrive as arrive_with_account
from test_account import sign_in, sign_out, sign_up
from test_offline import NOTE_NOTICES
from test_offline import told as noticed
from viewer import PATIENCE

SENT = "**/api/v1/conversations/*/messages"


@pytest.fixture
def writer(open_page, own_server):
    """Somebody in front of the first clip, with the bar there."""
    return arrive(open_page(own_server, script=NOTE_NOTICES))


def arrive(viewer):
    viewer.expect_playing()
    expect(form(viewer)).to_have_attribute("data-access", "open")
    return viewer


def form(viewer):
    return viewer.page.get_by_role("form", name="Message")


def field(viewer):
    return form(viewer).get_by_role("textbox")


def plane(viewer):
    return viewer.page.locator("#messages .send")


def reactions(viewer):
    return viewer.page.locator("#messages .reactions")


def reads(viewer, place, text):
    """Awaits these words there, by a look at each frame: some go away by themselves, maybe between two other looks."""
    viewer.page.wait_for_function(
        "([place, text]) => document.querySelector(place)?.textContent.includes(text)", arg=[place, text], timeout=PATIENCE * 1000)


def says(viewer, text):
    reads(viewer, "#messages [role=status]", text)


def messages(viewer, server, clip=0):
    """What this person has written to the creator of that clip, newest first, with the clip that came along."""
    author = server.feed()[clip]["author"]["id"]
    page = viewer.page.evaluate("(id) => fetch(`/api/v1/conversations/${id}/messages`).then((a) => a.json())", author)
    return [(message["text"], message["clip_id"]) for message in page["items"]]


def send(viewer, text):
    field(viewer).fill(text)
    plane(viewer).click()


def stands(viewer):
    """Whether the clip on the screen is held."""
    return viewer.page.evaluate("() => document.querySelector('video[data-shown]').paused")


def position(viewer):
    return viewer.page.evaluate("() => document.querySelector('video[data-shown]').currentTime")


def style(locator, name):
    return locator.evaluate("(element, name) => getComputedStyle(element)[name]", name)


def test_a_message_goes_to_the_creator_with_the_clip(writer, own_server):
    clip = own_server.feed()[0]
    field(writer).click()
    send(writer, "Hello <b>there</b> & you")
    says(writer, "Sent")
    expect(field(writer)).to_have_value("")
    assert messages(writer, own_server) == [("Hello <b>there</b> & you", clip["id"])]
    # It is no comment.
    assert own_server.feed()[0]["counts"]["comments"] == 0
    assert not writer.complaints


def test_nobody_writes_and_there_is_a_field_and_reactions_whether_or_not_a_text_is_kept(writer):
    for draft in ["", "half a thought"]:
        field(writer).fill(draft)
        writer.press("Escape")
        expect(field(writer)).not_to_be_focused()
        expect(writer.page.locator("#messages .hint")).to_be_visible()
        expect(writer.page.locator("#messages .hint")).to_contain_text("Send message")
        expect(writer.page.locator("#messages .hint i")).to_be_visible(visible=bool(draft))
        expect(reactions(writer)).to_be_visible()
        expect(plane(writer)).to_be_hidden()
        expect(field(writer)).to_have_value(draft)
        assert style(field(writer), "color") == "rgba(0, 0, 0, 0)"


@pytest.mark.long
def test_the_reactions_are_gone_with_the_focus_and_the_plane_comes_with_the_text(writer):
    width = writer.page.locator("#messages .line").bounding_box()["width"]
    field(writer).click()
    expect(reactions(writer)).to_be_hidden()
    expect(plane(writer)).to_be_hidden()
    writer.until(lambda: writer.page.locator("#messages .line").bounding_box()["width"] > width + 50, "the field to have the width")
    writer.page.keyboard.type(" ")
    expect(plane(writer)).to_be_hidden()
    writer.page.keyboard.type("a")
    expect(plane(writer)).to_be_visible()
    expect(plane(writer)).to_be_enabled()
    expect(writer.page.locator("#messages .hint")).to_be_hidden()
    writer.press("Backspace")
    expect(plane(writer)).to_be_hidden()
    writer.press("Backspace")
    expect(writer.page.locator("#messages .hint")).to_have_text("Send message")
    writer.press("Escape")
    expect(reactions(writer)).to_be_visible()


@pytest.mark.long
@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_what_comes_and_goes_fades_with_scale_from_wherever_it_is(open_page, own_server, motion):
    viewer = arrive(open_page(own_server, reduced_motion=motion))
    # In the very frame of the focus nothing can be tapped any more; the picture follows.
    seen = viewer.page.evaluate("""() => {
      const row = document.querySelector('#messages .reactions');
      const field = document.querySelector('#messages textarea');
      const running = () => row.getAnimations().map((one) => one.transitionProperty).filter((name) => name !== 'visibility').sort();
      field.focus();
      const out = { inert: row.inert, running: running() };
      row.getAnimations().forEach((one) => { one.currentTime = 90; });
      const half = Number(getComputedStyle(row).opacity);
      field.blur();
      const back = { running: running(), opacity: Number(getComputedStyle(row).opacity) };
      return { out, half, back };
    }""")
    assert seen["out"]["inert"]
    if motion == "reduce":
        assert seen["out"]["running"] == [] and seen["half"] == 0
        return
    assert seen["out"]["running"] == ["opacity", "scale"]
    assert 0 < seen["half"] < 1
    # It turns round where it is, and does not jump.
    assert seen["back"]["running"] == ["opacity", "scale"]
    assert abs(seen["back"]["opacity"] - seen["half"]) < 0.15


@pytest.mark.long
def test_send_empties_the_field_at_the_tap_and_what_is_typed_then_is_another_message(writer, own_server):
    held = []
    writer.page.route(SENT, lambda route: held.append(route) if route.request.method == "POST" else route.continue_())
    send(writer, "first")
    expect(field(writer)).to_have_value("")
    writer.until(lambda: not stands(writer), "the clip to go on")
    writer.until(lambda: held, "the request")
    field(writer).click()
    writer.page.keyboard.type("second")
    held.pop().continue_()
    says(writer, "Sent")
    expect(field(writer)).to_have_value("second")
    plane(writer).click()
    writer.until(lambda: held, "the request")
    held.pop().continue_()
    writer.until(lambda: [text for text, _ in messages(writer, own_server)] == ["second", "first"], "both messages")


def test_what_fails_comes_back_in_front_of_what_was_typed_since(writer, own_server):
    held = []
    writer.page.route(SENT, lambda route: held.append(route))
    send(writer, "first")
    writer.until(lambda: held, "the request")
    field(writer).click()
    writer.page.keyboard.type("second")
    held.pop().abort()
    says(writer, "Not sent")
    expect(field(writer)).to_have_value("first\nsecond")
    writer.page.unroute(SENT)
    plane(writer).click()
    says(writer, "Sent")
    # As the two that they were.
    assert [text for text, _ in messages(writer, own_server)] == ["second", "first"]


@pytest.mark.long
def test_what_fails_behind_the_next_clip_is_said_and_waits(writer, own_server):
    feed = own_server.feed()
    held = []
    writer.page.route(SENT, lambda route: held.append(route))
    send(writer, "wait for me")
    writer.until(lambda: held, "the request")
    writer.press("ArrowDown")
    writer.expect_playing(feed[1])
    held.pop().abort()
    noticed(writer, f"Your message to {feed[0]['author']['name']} was not sent")
    expect(field(writer)).to_have_value("")
    writer.press("ArrowUp")
    writer.expect_playing(feed[0])
    expect(field(writer)).to_have_value("wait for me")
    says(writer, "Not sent")


@pytest.mark.long
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
    writer.page.route(SENT, lambda route: lose_the_answer(route) if route.request.method == "POST" else route.continue_())
    send(writer, "only once")
    says(writer, "Not sent")
    expect(field(writer)).to_have_value("only once")
    assert style(field(writer), "color") == "rgb(255, 255, 255)"
    assert len(messages(writer, own_server)) == 1
    writer.page.unroute(SENT)
    field(writer).click()
    writer.page.get_by_role("button", name="Send again").click()
    says(writer, "Sent")
    assert len(messages(writer, own_server)) == 1


def test_a_message_whose_answer_got_lost_has_no_second_copy_after_a_reload(writer, own_server):
    writer.page.route(SENT, lambda route: lose_the_answer(route) if route.request.method == "POST" else route.continue_())
    send(writer, "only once")
    says(writer, "Not sent")
    writer.page.unroute(SENT)
    writer.page.reload()
    arrive(writer)
    expect(field(writer)).to_have_value("only once")
    field(writer).click()
    plane(writer).click()
    says(writer, "Sent")
    assert len(messages(writer, own_server)) == 1


@pytest.mark.long
def test_a_page_that_goes_while_a_message_is_on_its_way_loses_nothing_and_doubles_nothing(writer, own_server):
    held = []
    writer.page.route(SENT, lambda route: held.append(route) if route.request.method == "POST" else route.continue_())
    send(writer, "only once")
    writer.until(lambda: held, "the request")
    held.pop().fetch()
    writer.page.reload()
    arrive(writer)
    writer.page.unroute(SENT)
    expect(field(writer)).to_have_value("only once")
    field(writer).click()
    plane(writer).click()
    says(writer, "Sent")
    assert len(messages(writer, own_server)) == 1


@pytest.mark.long
def test_what_the_server_refuses_is_said_and_stays_in_the_field(writer, own_server):
    # Zero-width characters look like text to the page, and are none to the server.
    send(writer, "\u200b\u200b")
    says(writer, "A message needs some text.")
    field(writer).click()
    expect(plane(writer)).to_be_disabled()
    send(writer, "now with text")
    says(writer, "Sent")
    assert [text for text, _ in messages(writer, own_server)] == ["now with text"]


@pytest.mark.long
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


@pytest.mark.long
def test_a_clip_that_the_person_had_paused_stays_paused(writer):
    writer.press("Space")
    writer.expect_state("paused")
    field(writer).click()
    writer.press("Escape")
    writer.expect_state("paused")
    assert stands(writer)


@pytest.mark.long
def test_a_tap_beside_the_field_leaves_it_and_does_not_pause(writer, own_server):
    field(writer).click()
    writer.until(lambda: stands(writer), "the clip to be held")
    writer.page.mouse.click(180, 140)
    expect(field(writer)).not_to_be_focused()
    writer.expect_playing(own_server.feed()[0])


@pytest.mark.long
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


@pytest.mark.long
def test_a_swipe_over_the_field_moves_its_text_and_nothing_else(open_page, own_server):
    viewer = arrive(open_page(own_server, has_touch=True))
    field(viewer).fill("\n".join(f"line {number}" for number in range(30)))
    expect(form(viewer)).to_have_attribute("data-scrolls", "")
    field(viewer).evaluate("(field) => { field.scrollTop = 0; }")
    box = field(viewer).bounding_box()

    def swipe(start, way):
        """A finger from there, so far, at the pace of a hand."""
        for step in range(13):
            viewer.cdp.send("Input.dispatchTouchEvent", {
                "type": "touchMove" if step else "touchStart", "touchPoints": [{"x": box["x"] + 60, "y": start + way * step / 12}]})
            # A finger that rests where it came down would be a long press.
            if step:
                viewer.page.evaluate("new Promise(requestAnimationFrame)")
        viewer.cdp.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def top():
        """The page hears of what the browser scrolls a frame or more later."""
        return field(viewer).evaluate("(field) => field.scrollTop")

    low, high = box["y"] + box["height"] - 10, box["y"] + 10
    swipe(low, -80)
    viewer.until(lambda: top() > 40, "the text to move with the finger")
    first = top()
    # Far beyond the field, and beyond the end of the text.
    swipe(low, -400)
    viewer.until(lambda: top() > first + 100, "the text to move on")
    swipe(low, -400)
    swipe(high, 500)
    swipe(high, 500)
    assert viewer.current() == own_server.feed()[0]["id"]
    assert viewer.page.evaluate("document.getElementById('track').style.transform") in ("", "translate3d(0px, 0%, 0px)")
    expect(field(viewer)).to_be_focused()


@pytest.mark.long
def test_text_is_white_and_what_it_says_before_is_lighter(writer):
    hint = writer.page.locator("#messages .hint")
    assert style(hint, "color") == "rgba(255, 255, 255, 0.72)"
    field(writer).fill("words")
    assert style(field(writer), "color") == "rgb(255, 255, 255)"


@pytest.mark.long
def test_everything_has_a_name_for_those_who_do_not_see_it(writer, own_server):
    name = own_server.feed()[0]["author"]["name"]
    expect(field(writer)).to_have_accessible_name(f"Send message to {name}")
    group = form(writer).get_by_role("group", name="Quick reactions")
    expect(group.get_by_role("button", name="React with laughter")).to_have_count(1)
    assert group.get_by_role("button").count() == 3, "of a narrow phone"
    field(writer).fill("words")
    expect(form(writer).get_by_role("button", name="Send", exact=True)).to_be_visible()
    expect(group).to_be_hidden()
    assert form(writer).get_by_role("button").count() == 1


@pytest.mark.long
def test_characters_are_counted_as_people_count_them(writer):
    field(writer).fill("👩‍👩‍👧‍👦" * 480)
    expect(form(writer)).to_contain_text("20 left")
    field(writer).fill("a" * 501)
    expect(form(writer)).to_contain_text("1 too many")
    expect(plane(writer)).to_be_disabled()


@pytest.mark.long
def test_a_guest_where_guests_may_not_write_is_asked_to_sign_in(open_page, own_data, monkeypatch):
    monkeypatch.setenv("CLIPFEED_GUEST_COMMENTS", "off")
    server = Server(own_data)
    try:
        viewer = open_page(server)
        viewer.expect_playing()
        expect(form(viewer)).to_have_attribute("data-access", "signed-out")
        expect(reactions(viewer)).to_be_hidden()
        field(viewer).click()
        viewer.page.get_by_role("dialog", name="Your account").or_(viewer.page.locator("#account-screen")).first.wait_for()
    finally:
        server.stop()


@pytest.mark.long
@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_reaction_is_counted_and_floats_for_a_moment(open_page, own_server, motion):
    viewer = arrive(open_page(own_server, reduced_motion=motion))
    for count in (1, 2):
        with viewer.page.expect_request("**/reactions") as request:
            reactions(viewer).get_by_role("button", name="React with laughter").click()
        assert request.value.post_data_json == {"reaction": "laugh"}
        assert request.value.response().status == 200
        expect(reactions(viewer).get_by_role("button").first).to_have_accessible_name(f"React with laughter, {count} so far")
        expect(reactions(viewer).get_by_role("button").first).to_have_text(str(count))
    # Drawn by us: no font is asked for it.
    assert viewer.page.locator("#messages .reactions svg path").count() > 5
    viewer.page.locator(".floating").first.wait_for(state="detached")
    assert not stands(viewer)
    assert own_server.feed()[0]["counts"]["reactions"] == {"laugh": 2}
    viewer.page.reload()
    arrive(viewer)
    expect(reactions(viewer).get_by_role("button").first).to_have_text("2")
    assert not viewer.complaints


@pytest.mark.long
def test_a_reaction_that_fails_is_taken_back_and_said(writer):
    writer.page.route("**/reactions", lambda route: route.abort())
    reactions(writer).get_by_role("button", name="React with laughter").click()
    noticed(writer, "Your reaction was not sent.")
    expect(reactions(writer).get_by_role("button").first).to_have_text("")


@pytest.mark.long
def test_everything_is_done_by_keys_alone(writer, own_server):
    feed = own_server.feed()
    writer.press("d")
    expect(field(writer)).to_be_focused()
    writer.page.keyboard.type("first")
    writer.press("Shift+Enter")
    writer.page.keyboard.type("second")
    writer.press("Enter")
    says(writer, "Sent")
    assert [text for text, _ in messages(writer, own_server)] == ["first\nsecond"]
    # Whoever goes on to the button beside the field still writes.
    writer.press("d")
    writer.page.keyboard.type("third")
    writer.until(lambda: stands(writer), "the clip to be held")
    writer.press("Tab")
    expect(plane(writer)).to_be_focused()
    assert stands(writer)
    writer.press("Enter")
    writer.until(lambda: len(messages(writer, own_server)) == 2, "the message")
    expect(field(writer)).to_have_value("")
    writer.expect_playing(feed[0])


@pytest.mark.long
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


@pytest.mark.long
def test_a_bar_that_did_not_come_is_asked_for_again_with_the_next_clip(open_page, own_server):
    # The page before has its own by then.
    viewer = arrive(open_page(own_server))
    module = "**/app/messages/messages.js"
    viewer.page.route(module, lambda route: route.abort())
    with viewer.page.expect_event("requestfailed", lambda request: "messages.js" in request.url):
        viewer.page.reload()
    viewer.expect_playing()
    viewer.page.unroute(module)
    viewer.press("ArrowDown")
    viewer.expect_playing(own_server.feed()[1])
    expect(form(viewer)).to_have_attribute("data-access", "open")


@pytest.mark.long
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
    # They come back by growing.
    viewer.until(lambda: reactions(viewer).evaluate("(all) => all.getAnimations().length === 0"), "the reactions in their size")
    for button in reactions(viewer).get_by_role("button").all():
        box = button.bounding_box()
        assert box["width"] >= 38 and box["height"] >= 44
        assert box["x"] + box["width"] <= 390


# A keyboard on the screen leaves less of the page to see; headless browsers have none.
KEYBOARD = """Object.defineProperty(window, 'visualViewport', {
  value: Object.assign(new EventTarget(), { height: 640, offsetTop: 0, scale: 1 }) });"""


@pytest.mark.long
def test_the_bar_stands_above_the_keyboard_of_the_screen(open_page, own_server):
    viewer = arrive(open_page(own_server, script=KEYBOARD))

    def lower_edge():
        box = form(viewer).bounding_box()
        return round(box["y"] + box["height"])

    def picture():
        clip = viewer.current()
        return viewer.page.locator(f"video[data-clip='{clip}']").bounding_box()

    field(viewer).click()
    before = picture()
    for height, pushed in [(380, 0), (380, 60), (640, 0)]:
        viewer.page.evaluate("""([height, pushed]) => {
          visualViewport.height = height;
          visualViewport.offsetTop = pushed;
          visualViewport.dispatchEvent(new Event('resize'));
        }""", [height, pushed])
        viewer.until(lambda: lower_edge() == height + pushed, f"the bar to stand at {height + pushed}")
        # The clip neither moves nor is made smaller, seen from where the browser has pushed the page.
        now = picture()
        assert (now["width"], now["height"], now["x"]) == (before["width"], before["height"], before["x"])
        assert round(now["y"] - pushed) == round(before["y"])


def test_a_text_that_was_not_sent_is_its_writers(open_page, own_server):
    viewer = sign_up(arrive_with_account(open_page(own_server)), "ada")
    field(viewer).fill("as ada")
    viewer.press("Escape")
    # One below, which is not on the screen when its writer goes.
    viewer.press("ArrowDown")
    expect(field(viewer)).to_have_value("")
    field(viewer).fill("below")
    viewer.press("Escape")
    viewer.press("ArrowUp")
    expect(field(viewer)).to_have_value("as ada")
    sign_out(viewer)
    expect(field(viewer)).to_have_value("")
    expect(viewer.page.locator("#messages .hint i")).to_be_hidden()
    sign_up(viewer, "bob")
    expect(field(viewer)).to_have_value("")
    field(viewer).click()
    expect(plane(viewer)).to_be_hidden()
    viewer.press("Escape")
    viewer.press("ArrowDown")
    field(viewer).click()
    expect(field(viewer)).to_have_value("")
    viewer.press("Enter")
    viewer.press("Escape")
    viewer.press("ArrowUp")
    field(viewer).fill("as bob")
    viewer.press("Escape")
    sign_out(viewer)
    # What a guest has written goes along into the account.
    expect(field(viewer)).to_have_value("")
    field(viewer).fill("as a guest")
    viewer.press("Escape")
    sign_in(viewer, "ada")
    expect(field(viewer)).to_have_value("as ada\nas a guest")
    viewer.reload_feed()
    arrive(viewer)
    expect(field(viewer)).to_have_value("as ada\nas a guest")
    field(viewer).click()
    plane(viewer).click()
    says(viewer, "Sent")
    clip = own_server.feed()[0]["id"]
    assert messages(viewer, own_server) == [("as ada\nas a guest", clip)]
    viewer.press("ArrowDown")
    expect(field(viewer)).to_have_value("below")
    assert not viewer.complaints


def test_a_message_that_fails_once_its_writer_is_gone_waits_for_them(open_page, own_server):
    viewer = sign_up(arrive_with_account(open_page(own_server)), "ada")
    held = []
    viewer.page.route(SENT, lambda route: held.append(route) if route.request.method == "POST" else route.continue_())
    send(viewer, "as ada")
    viewer.until(lambda: held, "the message on its way")
    sign_out(viewer)
    held[0].fulfill(status=503, content_type="application/problem+json", body='{"code": "unavailable", "status": 503}')
    viewer.until(lambda: any("503" in words for words in viewer.complaints), "the answer")
    field(viewer).click()
    expect(field(viewer)).to_have_value("")
    expect(plane(viewer)).to_be_hidden()
    viewer.press("Escape")
    viewer.page.unroute(SENT)
    sign_in(viewer, "ada")
    expect(field(viewer)).to_have_value("as ada")

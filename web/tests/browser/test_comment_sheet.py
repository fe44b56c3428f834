"""The sheet of comments itself: what is new while one reads, orders, pages, drafts of replies, names, keys, and hostile texts."""

import re

import pytest
from playwright.sync_api import expect

from geometry import faults
from server import Server
from test_account import arrive, sign_up
from test_comments import post_by_api
from test_conversations import PHONE, bob, choose, clip, comment, field, open_comments, reply, reopen, rows, say, sheet, told  # noqa: F401
from test_messages import position
from test_offline import NOTE_NOTICES
from test_offline import told as noticed
from test_sizes import settle

pytestmark = pytest.mark.long

POSTED = "**/api/v1/clips/*/comments"


@pytest.fixture
def busy(own_data, monkeypatch, request):
    """A server that takes each address for another person, under whose first clip thirty have commented."""
    monkeypatch.setenv("CLIPFEED_PROXIES", "1")
    server = Server(own_data)
    request.addfinalizer(server.stop)
    for number in range(30):
        post_by_api(server, f"comment {number}", number)
    return server


def look(viewer):
    """The page is looked at again, and asks at once what is new."""
    viewer.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def words(viewer):
    return rows(viewer).locator(".words")


def test_what_is_new_moves_nothing_that_is_read(open_page, busy):
    viewer = arrive(open_page(busy, viewport=PHONE))
    open_comments(viewer)
    # At the top it is seen at once.
    expect(words(viewer).first).to_have_text("comment 29")
    post_by_api(busy, "seen at once", 50)
    look(viewer)
    expect(words(viewer).first).to_have_text("seen at once")
    expect(sheet(viewer).get_by_role("heading")).to_have_text("31 comments")
    comment(viewer, "comment 20").scroll_into_view_if_needed()
    before = comment(viewer, "comment 20").bounding_box()
    for number in [51, 52]:
        post_by_api(busy, f"new {number}", number)
    look(viewer)
    waiting = sheet(viewer).get_by_role("button", name="2 new comments")
    waiting.wait_for()
    post_by_api(busy, "new 53", 53)
    look(viewer)
    sheet(viewer).get_by_role("button", name="3 new comments").wait_for()
    assert comment(viewer, "comment 20").bounding_box() == before
    sheet(viewer).get_by_role("button", name="3 new comments").click()
    expect(words(viewer).filter(has_text=re.compile("new|once"))).to_have_text(["new 53", "new 52", "new 51", "seen at once"])
    expect(comment(viewer, "new 53")).to_be_focused()
    expect(comment(viewer, "new 53")).to_be_in_viewport()
    expect(sheet(viewer).locator(".news button")).to_have_count(0)


def test_what_came_meanwhile_is_all_there_also_where_it_is_more_than_a_page(open_page, busy):
    viewer = arrive(open_page(busy, viewport=PHONE))
    open_comments(viewer)
    expect(words(viewer).first).to_have_text("comment 29")
    for number in range(25):
        post_by_api(busy, f"later {number}", 100 + number)
    look(viewer)
    expect(words(viewer).first).to_have_text("later 24")
    sheet(viewer).locator(".scroller").evaluate("(element) => { element.scrollTop = 5000; }")
    expect(words(viewer).nth(24)).to_have_text("later 0")
    expect(words(viewer).nth(25)).to_have_text("comment 29")


def test_the_most_liked_come_first_and_nothing_old_is_called_new(open_page, busy):
    viewer = arrive(open_page(busy, viewport=PHONE))
    open_comments(viewer)
    top, newest = (sheet(viewer).get_by_role("button", name=name, exact=True) for name in ["Top", "Newest"])
    expect(newest).to_have_attribute("aria-pressed", "true")
    # The orders are there before anything that scrolls.
    expect(words(viewer).first).to_have_text("comment 29")
    sheet(viewer).locator(".scroller").evaluate("(element) => { element.scrollTop = 5000; }")
    liked = comment(viewer, "comment 3").get_by_role("button", name=re.compile("^Like"))
    liked.click()
    # Likes are added up a second later.
    first = busy.feed()[0]["id"]
    viewer.until(lambda: told(busy, f"clips/{first}/comments?order=top")["items"][0]["text"] == "comment 3", "the like in the order")
    top.click()
    expect(top).to_have_attribute("aria-pressed", "true")
    expect(words(viewer).first).to_have_text("comment 3")
    expect(words(viewer).nth(1)).to_have_text("comment 29")
    look(viewer)
    post_by_api(busy, "really new", 60)
    look(viewer)
    sheet(viewer).get_by_role("button", name="1 new comment").click()
    expect(words(viewer).first).to_have_text("really new")
    expect(newest).to_have_attribute("aria-pressed", "true")


def test_replies_come_page_by_page_oldest_first(open_page, busy):
    first = told(busy, f"clips/{busy.feed()[0]['id']}/comments")["items"][0]["id"]
    for number in range(13):
        post_by_api(busy, f"answer {number}", 100 + number, reply_to=first)
    viewer = arrive(open_page(busy, viewport=PHONE))
    open_comments(viewer)
    thread = sheet(viewer).get_by_role("list", name="Replies to Guest").first
    sheet(viewer).get_by_role("button", name="View 13 replies").click()
    expect(thread.locator(".words")).to_have_text([f"answer {number}" for number in range(10)])
    more = sheet(viewer).get_by_role("button", name="View 3 more replies")
    # What is written here stands at the end, and comes once.
    reply(viewer, "comment 29", "mine")
    expect(thread.locator(".words").last).to_have_text("mine")
    more.press("Enter")
    expect(thread.locator(".words")).to_have_text([f"answer {number}" for number in range(13)] + ["mine"])
    # Whoever came by keys goes on with what has come.
    expect(comment(viewer, "answer 10")).to_be_focused()
    hide = sheet(viewer).get_by_role("button", name="Hide replies")
    hide.click()
    expect(thread).to_be_hidden()
    sheet(viewer).get_by_role("button", name="View 14 replies").click()
    expect(thread.locator(".words")).to_have_count(14)


def test_the_draft_of_a_reply_outlives_the_page_and_is_taken_back(open_page, own_server, bob, clip):
    say(bob, clip, "answer me")
    viewer = arrive(open_page(own_server))
    open_comments(viewer)
    comment(viewer, "answer me").get_by_role("button", name="Reply to Bob").click()
    expect(sheet(viewer).locator(".replying")).to_contain_text("Reply to Bob")
    expect(field(viewer)).to_have_accessible_name("Reply to Bob")
    field(viewer).fill("half a thou")
    viewer.page.reload()
    arrive(viewer)
    open_comments(viewer)
    expect(field(viewer)).to_have_value("half a thou")
    expect(field(viewer)).to_have_accessible_name("Reply to Bob")
    # What fails comes back, and says so.
    viewer.page.route(POSTED, lambda route: route.abort() if route.request.method == "POST" else route.continue_())
    sheet(viewer).get_by_role("button", name="Post the reply").click()
    expect(sheet(viewer).get_by_role("status")).to_contain_text("Not posted")
    expect(field(viewer)).to_have_value("half a thou")
    viewer.page.unroute(POSTED)
    # The cross makes it a comment of its own.
    sheet(viewer).get_by_role("button", name="Do not reply").click()
    expect(field(viewer)).to_have_accessible_name("Write a comment")
    expect(field(viewer)).to_have_value("half a thou")
    expect(field(viewer)).to_be_focused()
    sheet(viewer).locator(".post").click()
    expect(words(viewer)).to_have_text(["half a thou", "answer me"])


def test_a_reply_that_fails_behind_ones_back_is_a_notice(open_page, own_server, bob, clip):
    say(bob, clip, "answer me")
    viewer = arrive(open_page(own_server, script=NOTE_NOTICES))
    open_comments(viewer)
    held = []
    viewer.page.route(POSTED, lambda route: held.append(route) if route.request.method == "POST" else route.continue_())
    comment(viewer, "answer me").get_by_role("button", name="Reply to Bob").click()
    field(viewer).fill("an answer")
    sheet(viewer).get_by_role("button", name="Post the reply").click()
    viewer.until(lambda: held, "the reply on its way")
    viewer.press("Escape")
    expect(sheet(viewer)).to_have_count(0)
    held[0].abort()
    noticed(viewer, "Your reply to Bob is waiting there.")
    viewer.page.unroute(POSTED)
    open_comments(viewer)
    expect(field(viewer)).to_have_value("an answer")


def test_people_are_suggested_by_keys_and_by_touch(open_page, own_server, bob):
    sign_up(arrive(open_page(own_server)), "bobby.b")
    viewer = arrive(open_page(own_server, viewport=PHONE, has_touch=True))
    open_comments(viewer)
    options = sheet(viewer).get_by_role("option")
    # In one piece: between letters that come slowly it is asked after each, and another list would come under the keys below.
    field(viewer).fill("hello @bob")
    expect(options).to_have_count(2)
    expect(field(viewer)).to_have_role("combobox")
    expect(field(viewer)).to_have_attribute("aria-expanded", "true")
    for key in ["ArrowDown", "ArrowUp", "ArrowUp"]:
        viewer.press(key)
    chosen = sheet(viewer).locator("[aria-selected=true]")
    expect(field(viewer)).to_have_attribute("aria-activedescendant", chosen.get_attribute("id"))
    handle = chosen.locator("span").last.inner_text()
    viewer.press("Enter")
    expect(field(viewer)).to_have_value(f"hello {handle} ")
    expect(options).to_have_count(0)
    expect(field(viewer)).to_have_role("textbox")
    # Escape closes the list and nothing else.
    viewer.page.keyboard.insert_text("@bobb")
    expect(options).to_have_count(1)
    viewer.press("Escape")
    expect(options).to_have_count(0)
    expect(sheet(viewer)).to_be_visible()
    # Nobody is taken who was found by less than what is typed.
    field(viewer).press_sequentially("y")
    expect(options).to_have_count(1)
    field(viewer).press_sequentially("x")
    viewer.press("Tab")
    expect(field(viewer)).to_have_value(f"hello {handle} @bobbyx")
    field(viewer).focus()
    viewer.press("Backspace")
    options.first.tap()
    expect(field(viewer)).to_have_value(f"hello {handle} @bobby.b ")
    expect(field(viewer)).to_be_focused()
    sheet(viewer).locator(".post").click()
    comment(viewer, "hello").get_by_role("link", name="@bobby.b").last.click()
    expect(viewer.page.locator("#account-screen").get_by_role("heading", name="Bobby.B")).to_be_visible()
    assert not viewer.complaints


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_the_clip_goes_on_smaller_above_the_sheet_of_a_phone(open_page, own_server, clip, motion):
    viewer = arrive(open_page(own_server, viewport=PHONE, reduced_motion=motion))
    feed = viewer.page.locator("#feed")
    whole = feed.bounding_box()
    feed.evaluate("""(feed) => {
      globalThis.glides = [];
      feed.addEventListener('transitionrun', ({ target, propertyName }) => target === feed && glides.push(propertyName));
    }""")
    open_comments(viewer)
    settle(viewer.page)
    assert viewer.page.evaluate("glides") == ([] if motion == "reduce" else ["transform"])
    box, below = feed.bounding_box(), sheet(viewer).bounding_box()
    assert 0 <= box["y"] and box["y"] + box["height"] <= below["y"] and box["height"] > 0.28 * PHONE["height"]
    at = position(viewer)
    viewer.until(lambda: position(viewer) != at, "a clip that goes on")
    # A finger takes the sheet down, and the clip grows with it.
    viewer.page.mouse.move(195, below["y"] + 20)
    viewer.page.mouse.down()
    viewer.page.mouse.move(195, below["y"] + 110, steps=3)
    assert feed.bounding_box()["height"] > box["height"] + 40
    viewer.page.mouse.up()
    settle(viewer.page)
    assert feed.bounding_box() == box
    # Turned round in the middle it comes to rest where it should.
    viewer.press("Escape")
    # A step back that comes late would close what is opened by then.
    viewer.page.wait_for_function("() => !history.state?.comments")
    viewer.press("c")
    viewer.page.wait_for_function("() => history.state?.comments")
    settle(viewer.page)
    assert feed.bounding_box() == box and sheet(viewer).bounding_box() == below
    viewer.press("Escape")
    expect(sheet(viewer)).to_have_count(0)
    settle(viewer.page)
    assert feed.bounding_box() == whole
    viewer.expect_playing(clip)


def test_everything_in_it_is_reached_by_keys_and_escape_closes_the_menu_first(open_page, own_server, bob, clip):
    say(bob, clip, "words of bob, @bob")
    viewer = arrive(open_page(own_server))
    viewer.page.locator(".page[aria-current] .comments button").focus()
    viewer.press("Enter")
    comment(viewer, "words of bob").wait_for()
    names = []
    for _ in range(9):
        viewer.press("Tab")
        names.append(viewer.page.evaluate("document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent.trim()"))
    assert names == ["Close the comments", "Comments, newest first", "Bob", "@bob", "Reply to Bob", "More about the comment of Bob",
                     "Like the comment of Bob, 0 likes", "Write a comment", names[-1]]
    comment(viewer, "words of bob").get_by_role("button", name=re.compile("^More")).focus()
    viewer.press("Enter")
    viewer.page.get_by_role("dialog", name="Comment of Bob").wait_for()
    viewer.press("Escape")
    expect(viewer.page.locator("#menu")).to_have_count(0)
    expect(comment(viewer, "words of bob").get_by_role("button", name=re.compile("^More"))).to_be_focused()
    expect(sheet(viewer)).to_be_visible()
    viewer.press("Shift+Tab")
    viewer.press("Enter")
    expect(field(viewer)).to_be_focused()
    viewer.page.keyboard.type("by keys")
    viewer.press("Enter")
    expect(sheet(viewer).get_by_role("list", name="Replies to Bob")).to_contain_text("by keys")
    # Keys of the feed do nothing here.
    sheet(viewer).locator(".scroller").focus()
    viewer.press("ArrowDown")
    viewer.press("l")
    assert viewer.current() == clip["id"]
    viewer.press("Escape")
    expect(sheet(viewer)).to_have_count(0)
    expect(viewer.page.locator(".page[aria-current] .comments button")).to_be_focused()


HOSTILE = [
    "<script>globalThis.owned = 1</script><img src=x onerror='globalThis.owned = 1'>", "\u202egnp.exe \u2066\u2067\u2069\u2069 end",
    "🎉" * 500, "A" * 500, "javascript:alert(1) @<b>x</b> @bob'\"><svg onload=alert(1)>", "line\n" * 80 + "end"]


@pytest.mark.parametrize("direction", ["ltr", "rtl"])
def test_hostile_texts_are_texts(open_page, own_server, bob, clip, direction):
    for text in HOSTILE:
        made = say(bob, clip, text)
        assert made["text"].strip(), made
    say(bob, clip, HOSTILE[0], made["id"])
    viewer = arrive(open_page(own_server, viewport=PHONE))
    viewer.page.evaluate("(direction) => { document.documentElement.dir = direction; }", direction)
    open_comments(viewer)
    expect(rows(viewer)).to_have_count(len(HOSTILE))
    sheet(viewer).get_by_role("button", name="View 1 reply").click()
    expect(rows(viewer).locator(".words")).to_have_count(len(HOSTILE) + 1)
    field(viewer).fill("🎉" * 1000)
    expect(sheet(viewer)).to_contain_text("500 too many")
    expect(sheet(viewer).locator(".post")).to_be_disabled()
    assert viewer.page.evaluate("""() => ({ owned: globalThis.owned ?? null,
      foreign: [...document.querySelectorAll('#comments .words *')].filter((e) => !e.matches('a.to-profile')).length,
      wide: document.querySelector('#comments .scroller').scrollWidth > document.querySelector('#comments .scroller').clientWidth,
      // A text that runs the other way ends with its own element.
      isolated: [...document.querySelectorAll('#comments :is(.words, strong)')].every((e) => /isolate|plaintext/.test(getComputedStyle(e).unicodeBidi)) })""") \
        == {"owned": None, "foreign": 0, "wide": False, "isolated": True}
    assert faults(viewer.page, "#comments") == []
    # None of it ran, and nobody had to stop it: violations of the policy would stand here.
    assert not viewer.complaints


# By WCAG and the rules of axe that hold for what is here: names, roles, ids, targets, and what a role needs.
RULES = """() => {
  const root = document.getElementById('comments');
  const wrong = [];
  const nameOf = (e) => e.getAttribute('aria-label') || e.textContent.trim();
  const seen = (e) => e.checkVisibility({ visibilityProperty: true });
  for (const e of root.querySelectorAll('button, a, textarea')) {
    if (!seen(e)) continue;
    if (!nameOf(e)) wrong.push(`no name: ${e.outerHTML.slice(0, 80)}`);
    const { width, height } = e.getBoundingClientRect();
    if (e.matches('button') && Math.min(width, height) < 44) wrong.push(`small: ${nameOf(e)} ${Math.round(width)} by ${Math.round(height)}`);
  }
  for (const e of root.querySelectorAll('ol, ul')) for (const row of e.children) if (row.localName !== 'li') wrong.push('a list with something else');
  for (const name of ['aria-controls', 'aria-labelledby', 'aria-describedby', 'aria-activedescendant']) {
    for (const e of root.querySelectorAll(`[${name}]`)) if (seen(e) && !document.getElementById(e.getAttribute(name))) wrong.push(`${name} of ${nameOf(e)} leads nowhere`);
  }
  const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
  for (const id of ids) if (ids.filter((other) => other === id).length > 1) wrong.push(`twice: ${id}`);
  if (root.querySelector('[tabindex]:not([tabindex="0"], [tabindex="-1"])')) wrong.push('an order of its own');
  // Contrast over the plain ground of the sheet.
  const light = ([r, g, b]) => [r, g, b].map((c) => c / 255).map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, at) => sum + c * [0.2126, 0.7152, 0.0722][at], 0);
  const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number);
  for (const e of root.querySelectorAll('.words, time, strong, .acts button, .like b, h2, .thread > button, .marks span, .words a')) {
    if (!seen(e)) continue;
    const [r, g, b, a = 1] = numbers(getComputedStyle(e).color);
    const ground = [18, 20, 28];
    const ink = [r, g, b].map((c, at) => c * a + ground[at] * (1 - a));
    const ratio = (Math.max(light(ink), light(ground)) + 0.05) / (Math.min(light(ink), light(ground)) + 0.05);
    if (ratio < 4.5) wrong.push(`pale: ${nameOf(e).slice(0, 20)} ${ratio.toFixed(2)}`);
  }
  return wrong;
}"""


def test_it_keeps_the_rules_of_accessibility(open_page, own_server, bob, clip):
    made = say(bob, clip, "hello @bob and others")
    say(bob, clip, "an answer", made["id"])
    say(bob, clip, "another")
    viewer = arrive(open_page(own_server, viewport=PHONE))
    open_comments(viewer)
    sheet(viewer).get_by_role("button", name="View 1 reply").click()
    comment(viewer, "an answer").get_by_role("button", name="Reply to Bob").click()
    field(viewer).press_sequentially("@bo")
    sheet(viewer).get_by_role("option").first.wait_for()
    assert viewer.page.evaluate(RULES) == []

"""Clips from words: asked for, watched while they are made, looked at, made otherwise, published and discarded."""

import re

import pytest
from playwright.sync_api import expect

from server import Server
from studio import ALLOWED, RecordScreen
from test_account import ada, arrive, guest, row, screen, sign_up, tap  # noqa: F401
from upload import UploadScreen

PHONE = {"width": 390, "height": 844}
# ffmpeg draws it, and then it is converted as any other clip.
PATIENCE_MS = 150_000
ASK, OFFER = "**/api/v1/generations", "**/api/v1/generation-offer"
ONE = "**/api/v1/generations/one"


@pytest.fixture
def drawing(own_data):
    """A server that has ffmpeg draw clips from words: `--generation-providers drawn`."""
    server = Server(own_data, workers=1, environment={"CLIPFEED_GENERATION_PROVIDERS": "drawn"})
    yield server
    server.stop()


@pytest.fixture
def nobody(own_data):
    """A server on which nobody makes clips from words."""
    server = Server(own_data, environment={"CLIPFEED_GENERATION_PROVIDERS": "none"})
    yield server
    server.stop()


def go(viewer, address):
    viewer.page.evaluate("""(address) => {
      history.pushState({ fromFeed: true }, '', address);
      dispatchEvent(new PopStateEvent('popstate', { state: history.state }));
    }""", address)


def asking(viewer):
    return screen(viewer, "Generate a clip")


def one(viewer):
    return screen(viewer, "Your clip from words")


def prompt(viewer):
    return asking(viewer).get_by_role("textbox", name="What is to be seen")


def hears(viewer, text):
    expect(viewer.page.locator("#account-screen .news")).to_contain_text(text)


def is_made(viewer):
    expect(one(viewer).get_by_role("heading", name="Your clip is made")).to_be_visible(timeout=PATIENCE_MS)
    return one(viewer)


# What a server would say.

def offer(**changes):
    return {"credits_left": 45, "credits_per_day": 60, "aspects": ["9:16", "1:1", "16:9"], "starts_from_clips": False, "under_way": 0, "most_under_way": 3,
            "lengths": [{"seconds": 5, "credits": 5, "usual_ms": 31_000}, {"seconds": 10, "credits": 10}, {"seconds": 15, "credits": 50}], **changes}


def said(**changes):
    return {"id": "one", "state": "in_progress", "prompt": "a fox in the snow", "seconds": 5, "style": "none", "aspect": "9:16", "credits": 5,
            "created_at": "2026-11-01T10:00:00Z", "permille": 0, "is_published": False, **changes}


def offering(viewer, **changes):
    viewer.page.route(OFFER, lambda route: route.fulfill(json=offer(**changes)))
    return viewer


def listing(viewer, *items):
    viewer.page.route(f"{ASK}?*", lambda route: route.fulfill(json={"items": list(items), "next_cursor": None}))
    return viewer


def saying(viewer, *answers, ended=None):
    """What it says of one, look after look; the last answer stays, until it is `ended`. None: the connection breaks."""
    left, asked = list(answers), []

    def answer(route):
        asked.append(route.request.method)
        if route.request.method == "DELETE":
            left[:] = [ended]
            return route.fulfill(status=204)
        item = left.pop(0) if len(left) > 1 else left[0]
        return route.fulfill(json=item) if item is not None else route.abort()
    viewer.page.route(ONE, answer)
    return asked


# The whole way, by the server that draws

@pytest.mark.long
def test_words_become_a_clip_that_others_see_with_its_label(open_page, drawing):
    viewer = sign_up(arrive(open_page(drawing, viewport=PHONE, **ALLOWED)), "ada")
    RecordScreen(viewer).open().tap("Generate")
    form = asking(viewer)
    expect(form.get_by_role("status").filter(has_text="5 credits. You have 60 of 60 credits left today.")).to_be_visible()
    prompt(viewer).fill("a paper boat on a rainy street")
    form.get_by_role("radio", name="5 s 5 credits").check()
    form.get_by_role("radio", name="Cinematic").check()
    tap(viewer, "Generate")
    expect(one(viewer).get_by_role("progressbar", name="How much is made")).to_be_visible()
    expect(one(viewer)).to_contain_text("a paper boat on a rainy street")
    expect(one(viewer)).to_contain_text("5 s · Upright · Cinematic · 5 credits")
    # Whoever goes on watching hears of it there.
    viewer.press("Escape")
    expect(one(viewer)).to_have_count(0)
    notice = viewer.page.locator("#notice")
    expect(notice).to_contain_text("Your clip is made.", timeout=PATIENCE_MS)
    notice.get_by_role("button", name="Have a look").click()
    made = is_made(viewer)
    expect(made).to_contain_text("only you see it, and it is kept until you publish or discard it")

    # In the feed's own player, and back.
    made.get_by_role("button", name="Watch it").click()
    expect(one(viewer)).to_have_count(0)
    viewer.expect_playing()
    expect(viewer.page.locator(".page[aria-current] .ai-label")).to_have_text("Made with AI")
    # It goes on behind its five seconds by itself, on the same clock or on a new one.
    viewer.page.wait_for_function("""() => {
      const video = document.querySelector(`video[data-clip="${document.querySelector('.page[aria-current]').dataset.clip}"]`);
      const before = globalThis.before ?? 0;
      globalThis.before = video.currentTime;
      return video.currentTime < before || video.currentTime > 6;
    }""", timeout=20_000)
    viewer.page.get_by_role("button", name="Back to Your clip").click()
    is_made(viewer)

    # Another version; the one before stays, and can be gone back to.
    another = one(viewer).get_by_role("textbox", name="Another version")
    expect(another).to_have_value("a paper boat on a rainy street")
    another.fill("a red paper boat on a rainy street")
    tap(viewer, "Make this version")
    versions = one(viewer).get_by_role("navigation", name="Versions").get_by_role("button")
    expect(versions).to_have_count(2)
    expect(versions.nth(1).locator("mark")).to_have_text("red")
    is_made(viewer)
    expect(versions.nth(1)).to_have_attribute("aria-current", "true")
    versions.nth(0).click()
    expect(versions.nth(0)).to_have_attribute("aria-current", "true")

    made = is_made(viewer)
    publish = made.get_by_role("form", name="Publish")
    publish.get_by_label("Caption").fill("Look #boat")
    publish.get_by_label("Tags").fill("rain")
    publish.get_by_role("button", name="Publish", exact=True).click()
    expect(one(viewer).get_by_role("heading", name="Published")).to_be_visible()
    hears(viewer, "Your clip is published.")

    other = arrive(open_page(drawing))
    page = other.page.locator(".page", has_text="Look #boat").first
    expect(page.locator(".ai-label")).to_have_text("Made with AI")
    expect(page).to_have_accessible_name(re.compile("Ada Look #boat Made with AI$"))

    # The list has both; the other one is discarded, after a question.
    go(viewer, "#account/generations")
    rows = viewer.page.get_by_role("list", name="Made from words").get_by_role("listitem")
    expect(rows).to_have_count(2)
    expect(rows.nth(0)).to_contain_text("Draft")
    expect(rows.nth(1)).to_contain_text("Published")
    rows.nth(0).locator(".open").click()
    is_made(viewer)
    tap(viewer, "Discard")
    expect(one(viewer).get_by_role("button", name="Keep it")).to_be_focused()
    tap(viewer, "Yes, discard it")
    # First what goes by itself: the list is loaded anew meanwhile.
    hears(viewer, "Discarded.")
    expect(rows).to_have_count(1)
    assert not [text for text in viewer.complaints if "404" not in text]


@pytest.mark.long
def test_the_cover_of_a_draft_is_chosen_before_it_is_published(open_page, drawing):
    viewer = sign_up(arrive(open_page(drawing, viewport=PHONE)), "ada")
    go(viewer, "#account/generate")
    prompt(viewer).fill("a city of books")
    tap(viewer, "Generate")
    made = is_made(viewer)
    slider = made.get_by_role("slider", name="Cover")
    expect(slider).to_be_enabled(timeout=60_000)
    slider.focus()
    for _ in range(5):
        viewer.press("ArrowRight")
    made.get_by_role("form", name="Publish").get_by_label("Caption").fill("Of books")
    chosen = slider.input_value()
    made.get_by_role("button", name="Watch it").click()
    expect(one(viewer)).to_have_count(0)
    viewer.page.go_back()
    made = is_made(viewer)
    expect(slider).to_be_enabled(timeout=60_000)
    expect(slider).to_have_value(chosen)
    with viewer.page.expect_request("**/publication") as published:
        made.get_by_role("button", name="Publish", exact=True).click()
    assert published.value.post_data_json["cover_ms"] == int(chosen) > 0
    assert published.value.post_data_json["caption"] == "Of books"
    expect(one(viewer).get_by_role("heading", name="Published")).to_be_visible()


# Before anybody taps

def test_a_guest_is_told_what_it_needs(guest):  # noqa: F811
    for address, title in [("#account/generate", "Generate a clip"), ("#account/generations", "Clips from words"), ("#account/generation/x", "Your clip from words")]:
        go(guest, address)
        expect(screen(guest, title)).to_contain_text("With an account you have clips made from your words.")
    screen(guest, "Your clip from words").get_by_role("button", name="Sign in").click()
    expect(screen(guest, "Sign in")).to_be_visible()


@pytest.mark.long
def test_where_nobody_makes_any_that_is_said(open_page, nobody):
    viewer = sign_up(arrive(open_page(nobody)), "ada")
    UploadScreen(viewer).open().tap("Or have one made from words")
    expect(asking(viewer)).to_contain_text("whoever runs this site has set up nobody who makes them")
    expect(asking(viewer).get_by_role("button", name="Generate", exact=True)).to_have_count(0)


def test_price_and_time_are_said_and_what_is_not_enough(ada):  # noqa: F811
    go(offering(ada), "#account/generate")
    form, terms = asking(ada), ada.page.locator("#account-screen .terms")
    expect(terms).to_have_text("5 credits. You have 45 of 60 credits left today. It usually takes 31 s.")
    assert form.get_by_role("group", name="Shape").get_by_role("radio").count() == 3
    form.get_by_role("radio", name="15 s 50 credits").check()
    expect(terms).to_contain_text("which is not enough. Choose a shorter one")
    submit = form.get_by_role("button", name="Generate", exact=True)
    expect(submit).to_have_attribute("aria-disabled", "true")
    sent = []
    ada.page.on("request", lambda request: sent.append(request.method) if request.url.endswith("/generations") else None)
    prompt(ada).fill("a fox")
    # It says so to whoever tries all the same.
    submit.focus()
    ada.press("Enter")
    expect(form.get_by_role("alert").filter(has_text="which is not enough")).to_be_focused()
    assert sent == []
    form.get_by_role("radio", name="10 s 10 credits").check()
    expect(terms).to_contain_text("Nobody knows yet how long it takes.")
    expect(submit).to_have_attribute("aria-disabled", "false")


@pytest.mark.long
def test_as_many_as_may_be_are_under_way(ada):  # noqa: F811
    go(offering(ada, under_way=3), "#account/generate")
    expect(asking(ada).locator(".terms")).to_contain_text("wait for one, or cancel one")


def test_what_is_typed_outlives_the_page_and_runs_as_it_is_written(ada):  # noqa: F811
    go(offering(ada), "#account/generate")
    form = asking(ada)
    example = form.get_by_role("group", name="Examples").get_by_role("button").first
    words = example.text_content()
    example.click()
    expect(prompt(ada)).to_have_value(words)
    expect(prompt(ada)).to_be_focused()
    # What is written is not written over.
    expect(form.get_by_role("group", name="Examples")).to_be_hidden()
    prompt(ada).fill("שועל בשלג 🦊")
    form.get_by_role("radio", name="Square").check()
    assert ada.page.evaluate("getComputedStyle(document.querySelector('#account-screen textarea')).direction") == "rtl"
    expect(form).to_contain_text("11 of 4,000")
    ada.page.reload()
    expect(prompt(ada)).to_have_value("שועל בשלג 🦊")
    expect(form.get_by_role("radio", name="Square")).to_be_checked()


@pytest.mark.long
def test_a_prompt_that_is_empty_or_too_long_is_not_sent(ada):  # noqa: F811
    go(offering(ada), "#account/generate")
    tap(ada, "Generate")
    expect(asking(ada).get_by_role("alert")).to_have_text("Say in some words what is to be seen.")
    expect(prompt(ada)).to_be_focused()
    prompt(ada).fill("🦊" * 4001)
    expect(asking(ada)).to_contain_text("1 too many")
    tap(ada, "Generate")
    expect(asking(ada).get_by_role("alert")).to_contain_text("4,000 characters at most")
    prompt(ada).fill("🦊" * 4000)
    expect(asking(ada)).to_contain_text("0 left")


# One tap, one clip

def test_two_taps_and_a_lost_answer_make_one(ada):  # noqa: F811
    keys, held = [], []

    def answer(route):
        keys.append(route.request.headers["idempotency-key"])
        if len(keys) == 1:
            held.append(route)
        else:
            route.fulfill(status=202, json=said(state="reserved", place=1))
    offering(ada)
    listing(ada)
    ada.page.route(ASK, answer)
    saying(ada, said(state="reserved", place=1))
    go(ada, "#account/generate")
    prompt(ada).fill("a fox in the snow")
    asking(ada).get_by_role("button", name="Generate", exact=True).dblclick()
    ada.until(lambda: len(keys) == 1, "the first request")
    held[0].abort()
    expect(asking(ada).get_by_role("alert")).to_contain_text("The server does not answer.")
    # Also after a reload.
    ada.page.reload()
    expect(prompt(ada)).to_have_value("a fox in the snow")
    tap(ada, "Generate")
    expect(one(ada)).to_contain_text("It is next.")
    assert len(keys) == 2 and keys[0] == keys[1]
    go(ada, "#account/generate")
    expect(prompt(ada)).to_have_value("")


@pytest.mark.long
@pytest.mark.parametrize(("status", "code", "words"), [
    (422, "content_policy", "Not now."), (402, "insufficient_credits", "The next day begins at"),
    (409, "generations_under_way", "Wait for one, or cancel one."), (403, "generation_unavailable", "cannot be made from words here"),
    (429, "too_many_requests", "Try again in 2 min.")])
def test_a_refusal_is_said_in_words_that_help(ada, status, code, words):  # noqa: F811
    offering(ada)
    ada.page.route(ASK, lambda route: route.fulfill(status=status, headers={"Retry-After": "90"} if status == 429 else {},
                                                    json={"code": code, "detail": "Not now.", **({"field": "prompt"} if status == 422 else {})}))
    go(ada, "#account/generate")
    prompt(ada).fill("a fox")
    tap(ada, "Generate")
    expect(asking(ada).get_by_role("alert").filter(has_text=words)).to_be_visible()
    expect(prompt(ada)).to_have_value("a fox")


# While it is made

def test_place_share_and_time_are_the_servers_and_never_go_back(ada):  # noqa: F811
    listing(offering(ada))
    # NB: the page looks every two seconds, which a busy machine takes to see what is shown: the next is said once the last was seen.
    saying(ada, said(state="reserved", place=3, remaining_ms=95_000))
    go(ada, "#account/generation/one")
    expect(one(ada)).to_contain_text("In line: 2 go before it at most. About 2 min left.")
    saying(ada, said(permille=428, remaining_ms=11_200))
    bar = one(ada).get_by_role("progressbar", name="How much is made")
    expect(bar).to_have_js_property("value", 428, timeout=20_000)
    expect(one(ada)).to_contain_text("42 % is made. About 12 s left.")
    cancel = one(ada).get_by_role("button", name="Cancel")
    cancel.focus()
    saying(ada, said(permille=300, remaining_ms=95_000))
    # An answer that is older: what it says of the time is taken.
    expect(one(ada)).to_contain_text("42 % is made. About 2 min left.", timeout=20_000)
    expect(bar).to_have_js_property("value", 428)
    expect(cancel).to_be_focused()
    saying(ada, None)
    expect(one(ada).get_by_text("The server does not answer at the moment.")).to_be_visible(timeout=20_000)
    saying(ada, said(state="failed", problem="capacity"))
    expect(one(ada).get_by_role("heading", name="Not made")).to_be_focused(timeout=60_000)
    expect(one(ada)).to_contain_text("Nobody had room for it. Try it again later. It cost nothing: 5 credits are back.")


def test_cancelling_gives_the_credits_back_and_the_same_prompt_is_one_tap(ada):  # noqa: F811
    listing(offering(ada))
    asked = saying(ada, said(permille=1), ended=said(state="cancelled"))
    bodies = []

    def answer(route):
        bodies.append(route.request.post_data_json)
        route.fulfill(status=202, json=said(id="two", state="reserved", place=1))
    ada.page.route(ASK, answer)
    ada.page.route(f"{ASK}/two", lambda route: route.fulfill(json=said(id="two", state="reserved", place=1)))
    go(ada, "#account/generation/one")
    one(ada).get_by_role("button", name="Cancel").click()
    hears(ada, "Cancelled. 5 credits are back.")
    assert "DELETE" in asked
    tap(ada, "Again for 5 credits")
    expect(one(ada)).to_contain_text("It is next.")
    assert bodies == [{"prompt": "a fox in the snow", "seconds": 5, "style": "none", "aspect": "9:16"}]


@pytest.mark.long
def test_what_is_ready_is_not_discarded_by_a_late_cancel(ada):  # noqa: F811
    listing(offering(ada))
    asked = saying(ada, said(permille=900), said(state="ready", permille=1000))
    # Clicked as it appears: the page asks again two seconds later, and a busy machine would come too late for that.
    ada.page.evaluate("""new MutationObserver((_, observer) => {
      const cancel = [...document.querySelectorAll('button')].find((button) => button.textContent.startsWith('Cancel'));
      if (cancel) { observer.disconnect(); cancel.click(); }
    }).observe(document, { subtree: true, childList: true, characterData: true })""")
    go(ada, "#account/generation/one")
    hears(ada, "It was over already.")
    expect(one(ada).get_by_role("heading", name="Your clip is made")).to_be_visible()
    assert "DELETE" not in asked


def publishing(viewer):
    return one(viewer).get_by_role("form", name="Publish")


def test_what_is_said_about_a_draft_outlives_a_look_at_it(ada, own_server):  # noqa: F811
    clip = own_server.feed()[1]
    draft = said(state="ready", permille=1000, clip_id=clip["id"], upload_id="theirs")
    ada.page.route("**/api/v1/uploads/theirs/clip*", lambda route: route.fulfill(json=clip))
    listing(offering(ada), draft)
    saying(ada, draft)
    go(ada, "#account/generation/one")
    publishing(ada).get_by_label("Caption").fill("Look #fox")
    publishing(ada).get_by_label("Tags").fill("snow")
    publishing(ada).get_by_label("Unlisted").check()
    publishing(ada).get_by_label("Adults").check()

    def expect_kept():
        expect(publishing(ada).get_by_label("Caption")).to_have_value("Look #fox")
        expect(publishing(ada).get_by_label("Tags")).to_have_value("snow")
        expect(publishing(ada).get_by_label("Unlisted")).to_be_checked()
        expect(publishing(ada).get_by_label("Adults")).to_be_checked()
    one(ada).get_by_role("button", name="Watch it").click()
    expect(one(ada)).to_have_count(0)
    ada.expect_playing()
    ada.page.go_back()
    expect_kept()
    ada.page.reload()
    expect_kept()
    # Published, it is the server's.
    sent = []

    def answer(route):
        sent.append(route.request.post_data_json)
        route.fulfill(json={**draft, "is_published": True})
    ada.page.route(f"{ONE}/publication", answer)
    publishing(ada).get_by_role("button", name="Publish", exact=True).click()
    expect(one(ada).get_by_role("heading", name="Published")).to_be_visible()
    assert sent == [{"caption": "Look #fox", "tags": ["snow"], "visibility": "unlisted", "for_adults": True}]
    assert ada.page.evaluate("localStorage['clipfeed.generation'] ?? null") is None


@pytest.mark.long
def test_what_was_refused_asks_for_other_words(ada):  # noqa: F811
    listing(offering(ada), said(state="failed", problem="content_policy"))
    saying(ada, said(state="failed", problem="content_policy"))
    go(ada, "#account/generation/one")
    expect(one(ada)).to_contain_text("against the rules of whoever makes videos here")
    expect(one(ada).get_by_role("button", name="Again for 5 credits")).to_have_count(0)
    expect(one(ada).get_by_role("textbox", name="Other words")).to_have_value("a fox in the snow")
    go(ada, "#account/generations")
    item = ada.page.get_by_role("list", name="Made from words").get_by_role("listitem")
    expect(item).to_contain_text("Not made")
    expect(item.get_by_role("button")).to_have_count(1)


@pytest.mark.long
def test_the_list_follows_what_is_made(ada):  # noqa: F811
    listing(ada, said(permille=100))
    ada.press("a")
    row(ada, "Clips from words")
    item = ada.page.get_by_role("list", name="Made from words").get_by_role("listitem")
    expect(item).to_contain_text("10 %")
    item.locator(".open").focus()
    listing(ada, said(permille=305))
    expect(item).to_contain_text("30 %", timeout=20_000)
    expect(item.locator(".open")).to_be_focused()
    listing(ada, said(state="failed", problem="timeout"))
    expect(item).to_contain_text("Not made", timeout=20_000)
    expect(item.get_by_role("button", name="Again, for 5 credits: a fox in the snow")).to_be_visible()
    expect(item.locator(".open")).to_be_focused()


@pytest.mark.long
def test_one_that_is_not_there_says_so(ada):  # noqa: F811
    go(ada, "#account/generation/none")
    expect(one(ada).get_by_role("alert")).to_contain_text("It is not there any more.")


def test_all_of_it_works_with_the_keyboard_alone(ada):  # noqa: F811
    listing(offering(ada))
    ada.page.route(ASK, lambda route: route.fulfill(status=202, json=said(state="reserved", place=1)))
    saying(ada, said(state="reserved", place=1))
    go(ada, "#account/generate")
    expect(prompt(ada)).to_be_focused()
    current = ada.current()
    ada.page.keyboard.type("a fox, jumping")
    # The lengths are one stop, and the arrows choose.
    ada.press("Tab")
    ada.press("ArrowRight")
    expect(asking(ada).get_by_role("radio", name="10 s 10 credits")).to_be_checked()
    for _ in range(3):
        ada.press("Tab")
    expect(asking(ada).get_by_role("button", name="Generate", exact=True)).to_be_focused()
    ada.press("Enter")
    expect(one(ada)).to_contain_text("It is next.")
    ada.press("Escape")
    expect(one(ada)).to_have_count(0)
    # No key was the feed's.
    assert ada.current() == current


# The label

def test_a_clip_made_by_ai_says_so_and_no_other(open_page, own_server):
    viewer = open_page(own_server)

    def answer(route):
        page = route.fetch().json()
        page["items"][0]["ai_generated"] = True
        route.fulfill(json=page)
    viewer.page.route("**/api/v1/feed*", answer)
    viewer.reload_feed()
    arrive(viewer)
    expect(viewer.page.locator(".page[aria-current] .ai-label")).to_have_text("Made with AI")
    expect(viewer.page.locator(".page[aria-current]")).to_have_accessible_name(re.compile("Made with AI$"))
    viewer.press("ArrowDown")
    viewer.expect_playing()
    expect(viewer.page.locator(".page[aria-current] .ai-label")).to_have_count(0)

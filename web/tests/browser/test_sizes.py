"""Every screen at every size: nothing is cut off, covered or too small to use."""

import os

import pytest

from geometry import apart, faults
from studio import ALLOWED, RecordScreen
from test_account import arrive, sign_up
from test_head import captioned_now_and_then
from test_inbox import entry, conversations, person, thread_field, write
from test_notifications import ask, rows, say
from upload import UploadScreen, lasting

import clips

pytestmark = pytest.mark.long

# Phones from the narrowest, one on its side, tablets, a desktop, that one at 200 %, and 1280 by 1024 at 400 % (WCAG 1.4.10).
ALL_SIZES = [(280, 653), (320, 568), (360, 740), (390, 844), (844, 390), (568, 320), (820, 1180), (1180, 820), (1440, 900), (720, 450), (320, 256)]
# Those at which most breaks; make proof-browser asks for all.
SOME_SIZES = [(280, 653), (390, 844), (844, 390), (1440, 900), (320, 256)]
SIZES = ALL_SIZES if os.environ.get("CLIPFEED_PROOF") == "browser" else SOME_SIZES
LONG = "A harbour before dawn.\nNobody is up but the gulls, two fishermen and whoever sells them coffee. " * 4


def saying(width, height):
    """The feed with long words, clips of that shape, by somebody with a long name."""
    def answer(route):
        page = route.fetch().json()
        for clip in page["items"]:
            author = clip["author"] | {"name": "Somebody Whose Name Goes On And On", "handle": "somebody.with.a.long.handle"}
            clip |= {"caption": LONG, "author": author, "width": width, "height": height, "ai_generated": True, "sound_id": "some"}
        route.fulfill(json=page)
    return answer


@pytest.fixture
def ada(open_page, own_server):
    """Somebody with an account who was written to, and may use the camera."""
    viewer = open_page(own_server, **ALLOWED)
    sign_up(arrive(viewer), "ada.with.a.long.handle")
    bob = sign_up(arrive(open_page(own_server)), "bob.with.a.long.handle")
    write(bob, person(viewer), "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft " * 3)
    return viewer


def at_each_size(viewer, name, *parts, root="body"):
    """What is wrong with what is open, by size; `parts` are what must not lie over each other besides."""
    page, found = viewer.page, {}
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        settle(page)
        if folder := os.environ.get("CLIPFEED_SHOTS"):
            page.screenshot(path=f"{folder}/{name}-{width}x{height}.png")
        wrong = faults(page, root) + apart(page, *parts)
        if wrong:
            found[f"{width}x{height}"] = wrong
    return found


def settle(page):
    """Nothing moves any more but what moves for ever."""
    page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    page.wait_for_function("""() => document.getAnimations().every(({ playState, effect }) =>
      playState !== 'running' || effect.getTiming().iterations === Infinity || effect.target.closest('#bar'))""")


def go(page, address):
    page.evaluate("""(address) => {
      history.pushState({ fromFeed: true }, '', address);
      dispatchEvent(new PopStateEvent('popstate', { state: history.state }));
    }""", address)


FEED = [".page[aria-current] .texts", ".page[aria-current] .rail", "#top > *", "#tabs", "#scrub", "#messages .line", "#messages .reactions"]


@pytest.mark.parametrize("shape", [(1080, 1920), (1920, 1080)], ids=["upright", "wide"])
def test_the_feed(open_page, own_server, shape):
    viewer = open_page(own_server)
    viewer.page.route("**/api/v1/feed*", saying(*shape))
    viewer.reload_feed()
    arrive(viewer)
    viewer.page.locator(".page[aria-current] .more").wait_for()
    viewer.page.locator("#tabs").wait_for()
    assert at_each_size(viewer, f"feed-{shape[0]}", *FEED) == {}
    viewer.page.locator(".page[aria-current] [data-action=caption]").click()
    assert at_each_size(viewer, f"caption-{shape[0]}", *FEED) == {}
    viewer.page.locator(".page[aria-current] [data-action=caption]").click()
    viewer.page.locator("#messages textarea").click()
    viewer.page.locator("#messages textarea").fill("one\ntwo\nthree")
    assert at_each_size(viewer, f"writing-{shape[0]}", root="#messages") == {}


def test_comments(ada):
    ada.press("c")
    sheet = ada.page.locator("#comments")
    field, posted = sheet.locator("textarea"), sheet.get_by_role("status").filter(has_text="Posted")
    parts = ["#comments header", "#comments .scroller", "#comments form"]
    for words in ["Short", "Hello @ada.with.a.long.handle, and more words than fit into a line of a phone"]:
        field.fill(words)
        sheet.locator(".post").click()
        sheet.locator(".words", has_text=words).wait_for()
        posted.wait_for()
    sheet.get_by_role("button", name="Reply to Ada").first.click()
    field.fill("An answer that is longer than a line, @ada.with.a.long.handle")
    sheet.locator(".post").click()
    sheet.locator(".thread .words").wait_for()
    posted.wait_for()
    field.fill("one\ntwo")
    assert at_each_size(ada, "comments", *parts, root="#comments") == {}
    sheet.locator(".thread .reply").click()
    field.fill("one\ntwo")
    assert at_each_size(ada, "comments-reply", *parts, root="#comments") == {}
    field.fill("")
    field.press_sequentially("@ada")
    sheet.get_by_role("option").first.wait_for()
    assert at_each_size(ada, "comments-people", root="#comments form") == {}
    ada.press("Escape")
    sheet.locator(".thread .more").click()
    ada.page.locator("#menu").get_by_role("button", name="Delete").wait_for()
    assert at_each_size(ada, "comments-menu", root="#menu") == {}


def test_the_inbox(ada):
    entry(ada).click()
    conversations(ada).first.wait_for()
    assert at_each_size(ada, "inbox", "#inbox-screen header", "#inbox-screen .place") == {}
    conversations(ada).first.get_by_role("button").click()
    thread_field(ada).fill("one\ntwo\nthree")
    assert at_each_size(ada, "thread", "#inbox-screen header", "#inbox-screen .scroller", "#inbox-screen form") == {}


def test_notifications(ada, own_server, open_page):
    clip = own_server.feed()[0]["id"]
    bob = sign_up(arrive(open_page(own_server)), "bobby.with.a.long.handle.too")
    ask(bob, "PUT", f"/authors/{person(ada)}/follow")
    first = say(ada, clip, "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft " * 3)
    say(bob, clip, "Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz " * 4, first)
    go(ada.page, "#notifications")
    rows(ada).nth(1).wait_for()
    assert at_each_size(ada, "notifications", "#notifications-screen header", "#notifications-screen .places", "#notifications-screen .middle") == {}
    ada.page.get_by_role("button", name="Settings of notifications").click()
    ada.page.locator("#notify-push-like").wait_for()
    assert at_each_size(ada, "notification-settings", "#notifications-screen header", "#notifications-screen .middle") == {}


def test_the_search(ada, own_server):
    ada.press("/")
    field = ada.page.get_by_role("combobox", name="Search")
    field.fill("bob")
    ada.page.get_by_role("option").first.wait_for()
    assert at_each_size(ada, "search-suggestions", root="#search-screen header") == {}
    author = {"id": "somebody", "handle": "somebody.with.a.long.handle", "name": "Somebody Whose Name Goes On And On"}
    sound = {"id": "some", "clips": 123_456_789, "author": author, "caption": LONG, "poster": own_server.feed()[0]["poster"]}
    ada.page.route("**/api/v1/search/sounds*", listing([sound, sound | {"id": "other"}]))
    for tab in ["clips", "people", "tags", "sounds"]:
        go(ada.page, f"#search/{tab}/{'bob' if tab == 'people' else 'clip'}")
        ada.page.locator("#search-screen .turning").wait_for(state="hidden")
        assert at_each_size(ada, f"search-{tab}", "#search-screen > header", "#search-screen .tabs", "#search-screen .middle") == {}, tab
    go(ada.page, "#search")
    assert at_each_size(ada, "search-recent", "#search-screen > header", "#search-screen .middle") == {}


def test_the_account_of_a_guest(open_page, own_server):
    viewer = open_page(own_server)
    arrive(viewer)
    for place in ["", "/join", "/forgot", "/likes", "/playback", "/feed"]:
        go(viewer.page, f"#account{place}")
        viewer.page.locator("#account-screen .middle > *").first.wait_for()
        assert at_each_size(viewer, f"guest{place.replace('/', '-')}") == {}, place


def test_an_empty_tab(open_page, own_server):
    viewer = open_page(own_server)
    arrive(viewer)
    viewer.page.get_by_role("tab", name="Following").click()
    viewer.page.get_by_role("button", name="See For you").wait_for()
    assert at_each_size(viewer, "following", "#empty", "#tabs", "#top > *") == {}


def test_why_a_clip_is_shown_and_what_resembles_it(open_page, own_server):
    viewer = open_page(own_server)
    viewer.page.route("**/api/v1/feed*", saying(1080, 1920))
    viewer.page.route("**/api/v1/clips/*/similar*", lambda route: route.fulfill(json={"items": own_server.feed(), "next_cursor": None}))
    viewer.reload_feed()
    arrive(viewer)
    viewer.page.locator(".page[aria-current] .more").click()
    viewer.page.get_by_role("button", name="Not interested").wait_for()
    assert at_each_size(viewer, "menu", root="#menu") == {}
    viewer.page.get_by_role("button", name="Why this clip?").click()
    viewer.page.get_by_role("heading", name="Why this clip?").wait_for()
    assert at_each_size(viewer, "why", root="#menu") == {}
    viewer.page.get_by_role("button", name="More like this").click()
    viewer.page.locator("#account-screen .tile").first.wait_for()
    assert at_each_size(viewer, "similar") == {}
    viewer.page.locator("#account-screen .tile").first.click()
    arrive(viewer)
    assert at_each_size(viewer, "grid", *(part if part != "#tabs" else "#grid-back" for part in FEED)) == {}


def test_the_account(ada):
    ada.press("l")
    ada.press("a")
    for place in ["", "edit", "password", "access", "two-step", "passkeys", "keys", "devices", "security", "likes", "bookmarks", "following", "blocks", "playback", "kept", "delete"]:
        go(ada.page, f"#account/{place}")
        ada.page.wait_for_function("(place) => document.getElementById('account-screen')?.dataset.view === place", arg=place)
        ada.page.locator("#account-screen .turning").wait_for(state="hidden")
        assert at_each_size(ada, f"account-{place}") == {}, place


def test_ones_data(ada):
    one = {"id": "one", "state": "working", "permille": 428, "remaining_ms": 11_200, "created_at": "2026-11-01T10:00:00Z"}
    ready = one | {"state": "ready", "size_bytes": 123_456_789_012, "records": 123_456_789, "files": 12_345, "expires_at": "2026-12-04T12:00:00Z",
                   "url": "/exports/one/seal"}
    for item in [one, ready, one | {"state": "failed", "problem": "storage_full"}]:
        ada.page.route("**/api/v1/account/exports", lambda route, _, item=item: route.fulfill(json={"items": [item]}))
        go(ada.page, "#account/data")
        ada.page.locator(f"#account-screen .one[data-state={item['state']}]").wait_for()
        assert at_each_size(ada, f"account-data-{item['state']}") == {}, item["state"]
        go(ada.page, "#account")
        ada.page.locator("#account-screen .person").wait_for()


def test_how_a_clip_does(open_page, own_server):
    days = [{"day": f"2026-11-{day:02}T00:00:00Z", "impressions": 1_234_567, "views": 234_567, "likes": 99_999, "bookmarks": 1234,
             "shares": 0, "comments": -1} for day in range(1, 29)]
    found = {"impressions": 123_456_789, "views": 12_345_678, "viewers": 9_876_543, "likes": 0, "bookmarks": 0, "shares": 0, "comments": 0,
             "found": [{"source": source, "impressions": 12_345_678, "views": 0} for source in ["for_you", "similar", "dreams"]], "days": days,
             "duration_ms": 9500, "starts": 1_000_000, "starts_needed": 30, "counted_since": "2026-11-01T10:00:00Z",
             "staying": {"watched_share": 640_000, "completion_share": 412_000, "retention": [1_000_000 - 30_000 * n for n in range(30)]}}
    viewer = open_page(own_server)
    viewer.page.route("**/api/v1/clips/*/insights", lambda route: route.fulfill(json=found))
    arrive(viewer)
    go(viewer.page, "#insights/some-clip")
    viewer.page.locator("#account-screen .figures").wait_for()
    for summary in viewer.page.locator("#account-screen summary").all():
        summary.click()
    assert at_each_size(viewer, "insights") == {}
    viewer.page.locator("#account-screen .days").scroll_into_view_if_needed()
    assert at_each_size(viewer, "insights-below") == {}


def test_profiles(ada, own_server):
    handle, words = "ada.with.a.long.handle", "Donaudampfschifffahrtselektrizitätenhauptbetriebswerk " * 2
    ada.page.evaluate("""(bio) => fetch('/api/v1/account/profile', { method: 'PATCH', headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ bio, links: [`example.org/${'a'.repeat(200)}`, 'example.org'] }) })""", words)
    author = own_server.feed()[0]["author"]["handle"]
    for name, address in [("own", f"#profile/{handle}"), ("other", f"#profile/{author}"), ("followers", f"#profile/{author}/followers"),
                          ("nobody", "#profile/nobody"), ("edit", "#account/about")]:
        go(ada.page, address)
        ada.page.wait_for_function("(view) => document.getElementById('account-screen')?.dataset.view === view", arg="about" if name == "edit" else "profile")
        ada.page.locator("#account-screen .turning").first.wait_for(state="hidden")
        assert at_each_size(ada, f"profile-{name}") == {}, name
    go(ada.page, f"#profile/{handle}")
    ada.page.get_by_role("tab", name="Liked").click()
    ada.page.locator("#account-screen .seen-by").wait_for()
    assert at_each_size(ada, "profile-liked") == {}


def listing(items):
    return lambda route: route.fulfill(json={"items": items, "next_cursor": None})


def test_reports_and_moderation(ada, own_server):
    words, then = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerk " * 3, "2026-11-01T10:00:00Z"
    somebody = {"id": "somebody", "handle": "somebody.with.a.long.handle", "name": "Somebody Whose Name Goes On And On"}
    reasons = ["minors", "self_harm", "violence", "hate", "harassment", "illegal", "nudity", "rights", "misinformation", "other", "spam"]
    appeal = {"text": words, "created_at": then}
    decision = {"id": "some", "kind": "clip", "subject_id": "clip", "text": words, "action": "suspend", "reason": "rights", "statement": words,
                "state": "standing", "created_at": then, "until": "2099-11-01T10:00:00Z", "appeal_until": "2099-11-01T10:00:00Z"}
    summary = {"id": "case", "kind": "clip", "subject_id": "clip", "person": somebody, "text": words, "clip": own_server.feed()[0], "state": "open",
               "reasons": [{"reason": reason, "count": 1_234_567} for reason in reasons], "reporters": 1_234_567, "is_gone": False,
               "opened_at": then, "reported_at": then}
    report = {"id": "some", "kind": "clip", "subject_id": "clip", "reason": "rights", "state": "dismissed", "created_at": then}
    file = {"summary": summary, "reports": [report | {"reporter": somebody, "note": words, "acted": 1234, "dismissed": 5678}],
            "decisions": [{"decision": decision | {"appeal": appeal}, "moderator": somebody, "can_review": True},
                          {"decision": decision | {"id": "other"}, "moderator": somebody, "reviewer": somebody, "can_review": True}],
            "record": {"removals": 123, "warnings": 456, "suspensions": 789, "is_suspended": True}}
    pages = {"account/reports": [report] * 3, "account/decisions": [decision, decision | {"id": "other", "appeal_until": None,
             "appeal": appeal | {"outcome": "upheld", "answer": words}}], "moderation/cases": [summary, summary | {"kind": "comment"}]}
    for path, items in pages.items():
        ada.page.route(f"**/api/v1/{path}?*", listing(items))
    ada.page.route("**/api/v1/moderation/cases/case", lambda route: route.fulfill(json=file))
    for place in ["reports", "decisions", "moderation", "case/case"]:
        go(ada.page, f"#account/{place}")
        ada.page.wait_for_function("(place) => document.getElementById('account-screen')?.dataset.view === place", arg=place.split("/")[0])
        ada.page.locator("#account-screen .middle li").first.wait_for()
        for more in ada.page.locator("#account-screen summary").all():
            more.click()
        assert at_each_size(ada, f"account-{place.replace('/', '-')}") == {}, place
    ada.page.get_by_role("radio", name="Suspend").check()
    assert at_each_size(ada, "account-case-suspend") == {}
    go(ada.page, f"#profile/{own_server.feed()[0]['author']['handle']}")
    ada.page.locator("#account-screen").get_by_role("button", name="Report").click()
    ada.page.get_by_role("radio", name="Violence or threats").check()
    ada.page.locator("#report textarea").fill("x" * 1100)
    assert at_each_size(ada, "report", root="#report") == {}
    ada.page.locator("#report textarea").fill("x")
    ada.page.route("**/api/v1/reports", lambda route: route.fulfill(status=201, json=report))
    ada.page.locator("#report").get_by_role("button", name="Send").click()
    ada.page.locator("#report .thanks").wait_for()
    assert at_each_size(ada, "report-thanks", root="#report") == {}


def test_the_comment_filters(ada, own_server):
    words = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerk " * 3
    somebody = {"id": "somebody", "handle": "somebody.with.a.long.handle", "name": "Somebody Whose Name Goes On And On"}
    comment = {"id": "some", "author": somebody, "text": words, "created_at": "2026-11-01T10:00:00Z", "clip_id": own_server.feed()[0]["id"],
               "parent_id": None, "replies": 0, "likes": 0, "liked": False, "pinned": False, "own": False, "held": True}
    held = [{"comment": comment, "reason": "word", "word": words}, {"comment": comment | {"id": "other"}, "reason": "link"}]
    ada.page.route("**/api/v1/account/held-comments?*", lambda route: route.fulfill(json={"items": held, "next_cursor": None, "held": 100}))
    ada.page.route("**/api/v1/account/comment-filters", lambda route: route.fulfill(json={"words": [words] * 9, "hold_links": True, "followers_only": False}))
    go(ada.page, "#account/filters")
    ada.page.locator("#account-screen .held li").first.wait_for()
    ada.page.locator("#filters-hold_links").wait_for()
    assert at_each_size(ada, "account-filters") == {}


def test_the_webhooks(ada):
    hook = {"id": "one", "address": "https://hooks.example.org/" + "donaudampfschifffahrt" * 12, "events": ["clip.published"], "enabled": False, "problem": "failing",
            "created_at": "2026-11-01T10:00:00Z"}
    delivery = {"id": "d", "event": "generation.failed", "state": "failed", "tries": 19, "status": 500, "took_ms": 9000, "created_at": "2026-11-01T10:00:00Z"}
    waiting = delivery | {"id": "e", "state": "waiting", "status": None, "problem": "address_refused", "next_at": "2026-11-02T10:00:00Z"}
    ada.page.route("**/api/v1/account/webhooks", lambda route: route.fulfill(json={"items": [hook, hook | {"id": "two", "enabled": True, "problem": None}], "most": 5, "verified": True}))
    ada.page.route("**/api/v1/account/webhooks/one/deliveries", lambda route: route.fulfill(json={"items": [delivery, waiting]}))
    go(ada.page, "#account/webhooks")
    ada.page.locator("#account-screen .hooks > li").nth(1).wait_for()
    assert at_each_size(ada, "account-webhooks") == {}
    ada.page.get_by_role("button", name="Last messages").first.click()
    ada.page.locator("#account-screen .messages li").nth(1).wait_for()
    assert at_each_size(ada, "account-webhooks-messages") == {}


def test_restricted_mode(ada):
    ada.page.route("**/api/v1/account/restricted-mode", lambda route: route.fulfill(
        json={"restricted": True} if route.request.method == "GET" else {"code": "adult_unconfirmed", "detail": "Say it."},
        status=200 if route.request.method == "GET" else 403))
    go(ada.page, "#account/restricted")
    ada.page.locator("#restricted-mode").click()
    ada.page.get_by_role("button", name="I am an adult").wait_for()
    assert at_each_size(ada, "account-restricted") == {}


def test_clips_from_words(ada, own_server):
    words = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft " * 4
    lengths = [{"seconds": seconds, "credits": seconds * 100_000, "usual_ms": 3_600_000} for seconds in [5, 10, 15]]
    ada.page.route("**/api/v1/generation-offer", lambda route: route.fulfill(
        json={"credits_left": 1, "credits_per_day": 60_000_000, "aspects": ["9:16", "1:1", "16:9"], "starts_from_clips": True, "starts_from_pictures": True, "under_way": 0, "most_under_way": 3,
              "lengths": lengths}))
    go(ada.page, "#account/generate")
    ada.page.locator("#account-screen .terms").wait_for()
    assert at_each_size(ada, "generate") == {}
    ada.page.locator("#account-screen .from-words textarea").fill(words * 20)
    assert at_each_size(ada, "generate-long") == {}
    one = {"id": "one", "state": "reserved", "prompt": words, "seconds": 15, "style": "cinematic", "aspect": "9:16", "credits": 1_500_000, "place": 12_345,
           "remaining_ms": 3_600_000, "created_at": "2026-11-01T10:00:00Z", "permille": 0, "is_published": False}
    two = one | {"id": "two", "state": "failed", "problem": "content_policy", "refines_id": "one"}
    states = {"course": one, "draft": one | {"state": "ready", "permille": 1000}, "published": one | {"state": "ready", "is_published": True},
              "ended": one | {"state": "failed", "problem": "capacity"}}
    for kind, item in states.items():
        ada.page.route("**/api/v1/generations?*", lambda route, _, item=item: route.fulfill(json={"items": [two, item], "next_cursor": None}))
        ada.page.route("**/api/v1/generations/one", lambda route, _, item=item: route.fulfill(json=item))
        go(ada.page, "#account/generations")
        ada.page.locator("#account-screen .generations li").nth(1).wait_for()
        assert at_each_size(ada, f"generations-{kind}") == {}, kind
        go(ada.page, "#account/generation/one")
        ada.page.locator(f"#account-screen [data-kind={kind}]").wait_for()
        ada.page.locator("#account-screen .versions li").nth(1).wait_for()
        ada.page.locator("#account-screen .turning").wait_for(state="hidden")
        assert at_each_size(ada, f"generation-{kind}") == {}, kind
    ada.page.get_by_role("button", name="Take it off the list").click()
    assert at_each_size(ada, "generation-discarding") == {}


UPLOAD = ["#uploader .head", "#uploader .middle", "#uploader .foot", "#uploader [data-part=line]", "#uploader .acts"]


def test_the_upload(open_page, own_server):
    viewer = open_page(own_server)
    arrive(viewer)
    screen = UploadScreen(viewer).open()
    assert at_each_size(viewer, "upload-empty", "#uploader .head", "#uploader .middle") == {}
    screen.choose(clips.sources([5])[0])
    viewer.page.locator("#uploader [data-action=publish]:enabled").wait_for()
    assert at_each_size(viewer, "upload", *UPLOAD) == {}


def test_an_upload_over_the_feed(open_page, own_server):
    viewer = open_page(own_server)
    viewer.page.route("**/api/v1/feed*", captioned_now_and_then)
    viewer.reload_feed()
    arrive(viewer)
    viewer.page.locator("#captions").wait_for()
    screen = UploadScreen(viewer).open()
    screen.choose(clips.sources([5])[0]).expect("complete")
    viewer.press("Escape")
    screen.pill.get_by_text("Publish it?").wait_for()
    assert at_each_size(viewer, "uploading", *FEED) == {}


def test_the_trimmer(open_page, own_server, tmp_path):
    viewer = open_page(own_server)
    arrive(viewer)
    UploadScreen(viewer).open().choose(lasting(70, tmp_path / "long.mp4")).expect("trimOffered")
    viewer.page.locator("#uploader [data-action=useTrim]").wait_for()
    assert at_each_size(viewer, "trimmer", *UPLOAD) == {}


STUDIO = ["#studio [data-part=length]", "#studio .tools", "#studio .row > *", "#studio .choices", "#studio .tray", "#studio .above .round"]


def test_the_recorder(open_page, own_server):
    viewer = open_page(own_server, **ALLOWED)
    arrive(viewer)
    studio = RecordScreen(viewer).open()
    # NB: a video that is shorter than a second cannot be finished.
    studio.record(1.2)
    assert at_each_size(viewer, "recorder", *STUDIO) == {}
    for width, height in [(390, 844), (360, 740), (280, 653)]:
        viewer.page.set_viewport_size({"width": width, "height": height})
        settle(viewer.page)
        finder, shutter = studio.finder().bounding_box(), studio.shutter.bounding_box()
        assert finder["y"] + finder["height"] < shutter["y"]
        assert abs(finder["width"] / finder["height"] - 9 / 16) < 0.01
    for tray in ["Speed", "Timer", "Looks"]:
        studio.tap(tray)
        assert at_each_size(viewer, f"recorder-{tray}", *STUDIO) == {}, tray
        studio.tap(tray)
    viewer.press("Escape")
    viewer.page.get_by_role("alertdialog").wait_for()
    settle(viewer.page)
    # What is behind is dimmed by a layer over it: made translucent itself, the camera would show through a second time.
    assert viewer.page.evaluate("[...document.querySelectorAll('#studio > [inert]')].every((one) => '01'.includes(getComputedStyle(one).opacity))")
    assert "rgba(5, 6, 10" in viewer.page.evaluate("getComputedStyle(document.querySelector('#studio [data-part=question]')).boxShadow")
    assert at_each_size(viewer, "recorder-question") == {}
    studio.tap("Stay here")
    studio.tap("Finish")
    studio.expect_stage("finished", patience=60)
    assert at_each_size(viewer, "recorder-finished") == {}
    for width, height in SIZES:
        viewer.page.set_viewport_size({"width": width, "height": height})
        settle(viewer.page)
        panel = viewer.page.get_by_role("region", name="Your video").bounding_box()
        assert panel["y"] >= 0 and panel["y"] + panel["height"] <= height, (width, height)

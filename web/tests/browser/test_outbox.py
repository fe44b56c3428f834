"""What somebody does without a network: kept on the device, sent once when it is back, also when no page is open."""

import pytest
from playwright.sync_api import expect

from test_account import arrive, button, sign_in, sign_out, sign_up
from test_comments import comments, opener, post, sheet
from test_comments import says as sheet_says
from test_inbox import open_thread, person, rows, thread_field, write
from test_messages import SENT, field, messages, says, send
from versions import ON_A_FAST_LINK, Site, keep_page, open_anew

API = "**/api/v1/**"
WAITS = "It goes by itself."
BLOCKED = '{"code": "author_blocked", "detail": "You have blocked them."}'


@pytest.fixture
def viewer(open_page, own_server):
    return arrive(open_page(own_server))


@pytest.fixture
def site(own_data, tmp_path):
    site = Site(own_data, tmp_path)
    yield site
    site.stop()


def nothing_comes(route):
    route.abort()


def offline(viewer, is_so=True):
    # A page with a worker may get around what the browser is told.
    if is_so:
        viewer.page.route(API, nothing_comes)
    else:
        viewer.page.unroute(API, nothing_comes)
    viewer.page.context.set_offline(is_so)


def kept(viewer):
    """The places of what waits on this device."""
    return viewer.page.evaluate("clipfeedQueue.all().then((all) => all.map(({ place }) => place.split(' ')[0]))")


def refuse(viewer, status, body):
    """From now on, as soon as there is a network: a browser asks here before it looks for one."""
    viewer.page.route(SENT, lambda route: route.fulfill(status=status, content_type="application/problem+json", body=body)
                      if route.request.method == "POST" else route.continue_())


def test_likes_bookmarks_and_follows_are_shown_at_once_and_saved_when_the_network_is_back(viewer, own_server):
    first = own_server.feed()[0]
    offline(viewer)
    for act in ["like", "bookmark", "follow"]:
        button(viewer, act).click()
        expect(button(viewer, act)).to_have_attribute("aria-pressed", "true")
    # The last wish counts, and asks for nothing that it was before.
    button(viewer, "bookmark").click()
    wishes = "clipfeedQueue.all().then((all) => all.map(({ place, method }) => `${place.split(' ')[0]} ${method}`).sort())"
    viewer.until(lambda: viewer.page.evaluate(wishes) == ["bookmark DELETE", "follow PUT", "like PUT"], "all three on the device")
    offline(viewer, False)
    viewer.until(lambda: kept(viewer) == [], "all three with the server")
    assert own_server.feed()[0]["counts"]["likes"] == first["counts"]["likes"] + 1
    viewer.reload_feed()
    arrive(viewer)
    for act, is_on in [("like", "true"), ("bookmark", "false"), ("follow", "true")]:
        expect(button(viewer, act)).to_have_attribute("aria-pressed", is_on)


def test_messages_go_once_and_in_order_when_the_network_is_back(viewer, own_server):
    offline(viewer)
    for text in ["one", "two"]:
        send(viewer, text)
        says(viewer, WAITS)
        expect(field(viewer)).to_have_value("")
    # NB: the second time it was said already.
    viewer.until(lambda: kept(viewer) == ["conversation", "conversation"], "both on the device")
    offline(viewer, False)
    viewer.until(lambda: kept(viewer) == [], "the messages with the server")
    assert [text for text, _ in messages(viewer, own_server)] == ["two", "one"]
    viewer.page.reload()
    arrive(viewer)
    expect(field(viewer)).to_have_value("")
    assert len(messages(viewer, own_server)) == 2


def test_a_comment_waits_and_stands_in_the_list_when_it_is_there(viewer, own_server):
    opener(viewer).click()
    sheet(viewer).wait_for()
    expect(sheet(viewer).get_by_text("No comments yet")).to_be_visible()
    offline(viewer)
    post(viewer, "from a tunnel")
    sheet_says(viewer, WAITS)
    offline(viewer, False)
    expect(sheet(viewer).get_by_role("listitem")).to_contain_text("from a tunnel")
    assert comments(own_server) == ["from a tunnel"]


@pytest.mark.long
def test_a_message_in_a_conversation_waits_and_says_so_when_one_comes_back_to_it(open_page, own_server):
    ada = sign_up(arrive(open_page(own_server)), "ada")
    bob = sign_up(arrive(open_page(own_server)), "bob")
    write(bob, person(ada), "hello")
    open_thread(ada, "Bob")
    expect(rows(ada)).to_have_count(1)
    offline(ada)
    thread_field(ada).fill("from a tunnel")
    ada.press("Enter")
    expect(ada.page.locator("#inbox-screen .thread .state")).to_contain_text(WAITS)
    expect(thread_field(ada)).to_have_value("")
    offline(ada, False)
    expect(rows(ada)).to_contain_text(["hello", "from a tunnel"])
    expect(ada.page.locator("#inbox-screen .thread .state")).to_have_text("")


def test_a_text_that_is_refused_comes_back_with_a_notice_that_leads_to_it(viewer, own_server):
    offline(viewer)
    send(viewer, "for nobody")
    says(viewer, WAITS)
    viewer.press("Escape")
    refuse(viewer, 403, BLOCKED)
    clip = viewer.current()
    viewer.press("ArrowDown")
    viewer.until(lambda: viewer.current() != clip, "the next clip")
    offline(viewer, False)
    notice = viewer.page.locator("#notice")
    expect(notice).to_contain_text("Your message was not sent. You have blocked them. It is waiting at its clip.")
    notice.get_by_role("button", name="Look").click()
    viewer.expect_playing(own_server.feed()[0])
    expect(field(viewer)).to_have_value("for nobody")
    assert kept(viewer) == []


@pytest.mark.long
def test_what_waits_is_never_sent_as_somebody_else(open_page, own_server):
    viewer = sign_up(arrive(open_page(own_server)), "ada")
    offline(viewer)
    send(viewer, "of ada")
    says(viewer, WAITS)
    viewer.press("Escape")
    refuse(viewer, 503, '{"code": "unavailable", "detail": "Later."}')
    offline(viewer, False)
    sign_out(viewer)
    sign_up(viewer, "bob")
    viewer.page.unroute(SENT)
    # The next look at the network would send it.
    viewer.page.evaluate("dispatchEvent(new Event('online'))")
    viewer.page.wait_for_timeout(500)
    assert kept(viewer) == ["conversation"]
    assert messages(viewer, own_server) == []
    sign_out(viewer)
    sign_in(viewer, "ada")
    viewer.until(lambda: kept(viewer) == [], "the message with the server")
    assert [text for text, _ in messages(viewer, own_server)] == ["of ada"]


def worker_of(viewer):
    """By what the browser knows the page's worker, to wake it by."""
    found = []
    viewer.cdp.on("ServiceWorker.workerRegistrationUpdated",
                  lambda event: found.extend(one["registrationId"] for one in event["registrations"] if not one["isDeleted"]))
    viewer.cdp.send("ServiceWorker.enable")
    viewer.until(lambda: found, "the page's worker")
    return found[0]


def leave_for_the_worker(viewer, site):
    """No page is open any more; answers what wakes the worker."""
    worker = worker_of(viewer)
    viewer.page.goto("about:blank")
    about = {"origin": site.url, "registrationId": worker}
    return lambda kind, tag, **more: viewer.cdp.send(f"ServiceWorker.dispatch{kind}Event", about | {"tag": tag} | more)


def test_the_worker_sends_what_waits_when_no_page_is_open(open_page, site):
    viewer = arrive(open_page(site, script=ON_A_FAST_LINK, service_workers="allow"))
    keep_page(viewer)
    opener(viewer).click()
    sheet(viewer).wait_for()
    offline(viewer)
    post(viewer, "from a tunnel")
    sheet_says(viewer, WAITS)
    viewer.press("Escape")
    # The way back is the browser's own, takes its time, and must not end what leads away.
    viewer.page.wait_for_function("() => !history.state?.comments")
    wake = leave_for_the_worker(viewer, site)
    offline(viewer, False)

    def is_sent():
        # Until the worker has heard of the network as well: a browser would wake it again by itself, minutes later.
        wake("Sync", "clipfeed-outbox", lastChance=False)
        return comments(site) == ["from a tunnel"]

    viewer.until(is_sent, "the comment with the server")
    open_anew(viewer)
    arrive(viewer)
    # Nothing is left for the page to send once more. The server has a comment before the worker has its answer, and has noted that.
    viewer.until(lambda: kept(viewer) == [], "the worker has noted it")
    assert comments(site) == ["from a tunnel"]


@pytest.mark.long
def test_what_waits_survives_a_reload_without_a_network(open_page, site):
    viewer = arrive(open_page(site, script=ON_A_FAST_LINK, service_workers="allow"))
    keep_page(viewer)
    open_anew(viewer)
    arrive(viewer)
    first = viewer.current()
    offline(viewer)
    button(viewer, "like").click()
    viewer.until(lambda: kept(viewer) == ["like"], "the like on the device")
    site.cut()
    offline(viewer, False)
    open_anew(viewer)
    viewer.page.wait_for_selector("#stage")
    site.come_back()
    viewer.until(lambda: any(clip["id"] == first and clip["counts"]["likes"] == 1 for clip in site.feed()), "the like with the server")

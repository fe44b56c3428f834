"""What happened to somebody: the list, what is new in it, what they want to hear of, and a browser that tells it while no page is open."""

import os
import uuid

import pytest
from playwright.sync_api import expect

from pushing import PushService
from server import Server
from test_account import arrive, sign_up
from test_inbox import PHONE, ada, bob, entry, person, write  # noqa: F401
from viewer import Viewer


def screen(viewer):
    return viewer.page.locator("#notifications-screen")


def rows(viewer):
    return screen(viewer).get_by_role("list", name="Notifications").get_by_role("listitem")


def ask(viewer, method, path, body=None, key=None):
    """Past the page, as another device would."""
    return viewer.page.evaluate("""async ([method, path, body, key]) => {
        const answer = await fetch(`/api/v1${path}`, { method, body: body && JSON.stringify(body),
            headers: { ...(body && { 'Content-Type': 'application/json' }), ...(key && { 'Idempotency-Key': key }) } });
        if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
        return answer.status === 204 ? null : answer.json();
    }""", [method, path, body, key])


def say(viewer, clip, text, reply_to=None):
    body = {"text": text} | ({"reply_to": reply_to} if reply_to else {})
    return ask(viewer, "POST", f"/clips/{clip}/comments", body, f"comment-{uuid.uuid4()}")["id"]


def open_list(viewer):
    viewer.page.evaluate("""() => { history.pushState({ fromFeed: true }, '', '#notifications');
        dispatchEvent(new PopStateEvent('popstate', { state: history.state })); }""")
    screen(viewer).wait_for()


def test_nothing_happened_yet_and_a_guest_is_told_how_it_would(open_page, own_server):
    viewer = arrive(open_page(own_server, viewport=PHONE))
    open_list(viewer)
    expect(screen(viewer)).to_contain_text("With an account you see here")
    screen(viewer).get_by_role("button", name="Sign in").click()
    expect(viewer.page.locator("#account-screen")).to_be_visible()
    viewer.press("Escape")
    expect(viewer.page.locator("#account-screen")).to_be_hidden()
    sign_up(viewer, "ada")
    open_list(viewer)
    expect(screen(viewer)).to_contain_text("Nothing yet.")
    viewer.press("Escape")
    expect(screen(viewer)).to_have_count(0)
    expect(entry(viewer)).to_be_focused()
    assert not viewer.complaints


def test_what_happened_is_counted_listed_and_seen(ada, bob, own_server):
    clip = own_server.feed()[0]
    first = say(ada, clip["id"], "what a <b>sea</b>")
    ask(bob, "PUT", f"/authors/{person(ada)}/follow")
    reply = say(bob, clip["id"], "indeed @ada", first)
    ask(bob, "PUT", f"/comments/{first}/like")
    expect(entry(ada)).to_have_accessible_name("Messages, 3 new notifications")
    expect(entry(ada)).to_contain_text("3")
    entry(ada).click()
    expect(screen(ada).get_by_role("heading")).to_have_text("Notifications")
    expect(rows(ada)).to_have_count(3)
    expect(rows(ada)).to_contain_text(["Bob liked your comment", "Bob replied to you", "Bob followed you"])
    expect(rows(ada).nth(0)).to_contain_text("what a <b>sea</b>")
    assert rows(ada).locator("b").count() == 0
    expect(rows(ada).nth(1)).to_have_attribute("data-new", "")
    expect(rows(ada).nth(1).get_by_role("button")).to_have_accessible_name(f"New, Bob replied to you, indeed @ada, {clip['caption']}, now")
    expect(entry(ada)).to_have_accessible_name("Messages")
    # The reply is read where it stands.
    rows(ada).nth(1).get_by_role("button").click()
    expect(screen(ada)).to_have_count(0)
    linked = ada.page.locator("#comments [data-linked] > .comment")
    expect(linked).to_contain_text("indeed @ada")
    assert reply
    ada.press("Escape")
    # The way back is the browser's own, and takes its time.
    ada.page.wait_for_function("() => !history.state?.comments")
    # Once seen, nothing is new.
    open_list(ada)
    expect(rows(ada)).to_have_count(3)
    assert rows(ada).locator("[data-new]").count() == 0
    # A name leads to its person.
    rows(ada).nth(2).get_by_role("link", name="Bob").click()
    expect(ada.page.locator("#account-screen")).to_contain_text("@bob")
    assert not ada.complaints


def test_it_arrives_while_one_looks_and_goes_when_it_is_taken_back(ada, bob, own_server):
    open_list(ada)
    # Its words are there from the start, and to be seen once the server has said so.
    expect(screen(ada).get_by_text("Nothing yet.")).to_be_visible()
    ask(bob, "PUT", f"/authors/{person(ada)}/follow")
    expect(rows(ada)).to_contain_text(["Bob followed you"])
    expect(screen(ada).locator(".none:visible")).to_have_count(0)
    assert not ada.page.locator("#notice:visible").count()
    ask(bob, "DELETE", f"/authors/{person(ada)}/follow")
    ada.until(lambda: ask(ada, "GET", "/notifications?limit=5")["items"] == [], "an empty list at the server")
    ada.press("Escape")
    expect(screen(ada)).to_have_count(0)
    open_list(ada)
    expect(screen(ada)).to_contain_text("Nothing yet.")
    assert not ada.complaints


def test_one_goes_from_messages_to_notifications_and_back_to_the_feed(ada, bob, own_server):
    write(bob, person(ada), "hello")
    ask(bob, "PUT", f"/authors/{person(ada)}/follow")
    expect(entry(ada)).to_have_accessible_name("Messages, 1 unread, 1 new notification")
    entry(ada).click()
    inbox = ada.page.locator("#inbox-screen")
    inbox.get_by_role("navigation", name="Inbox").get_by_role("button", name="Notifications, 1 new").click()
    expect(inbox).to_have_count(0)
    expect(rows(ada)).to_contain_text(["Bob followed you"])
    screen(ada).get_by_role("button", name="Messages, 1 new").click()
    expect(inbox).to_be_visible()
    ada.press("Escape")
    expect(inbox).to_have_count(0)
    assert not ada.page.evaluate("location.hash")
    assert not ada.complaints


@pytest.mark.long
def test_a_list_that_does_not_come_says_so_and_is_tried_again(ada, bob):
    ask(bob, "PUT", f"/authors/{person(ada)}/follow")
    ada.page.route("**/api/v1/notifications?*", lambda route: route.fulfill(status=503, json={"code": "unavailable", "detail": "Not now."}))
    open_list(ada)
    expect(screen(ada).get_by_role("alert")).to_contain_text("Not now.")
    ada.page.unroute("**/api/v1/notifications?*")
    screen(ada).get_by_role("button", name="Try again").click()
    expect(rows(ada)).to_contain_text(["Bob followed you"])


def test_what_one_wants_to_hear_of_is_kept(ada, bob):
    ask(bob, "PUT", f"/authors/{person(ada)}/follow")
    open_list(ada)
    expect(rows(ada)).to_have_count(1)
    screen(ada).get_by_role("button", name="Settings of notifications").click()
    follow = screen(ada).locator("#notify-list-follow")
    expect(follow).to_be_checked()
    expect(screen(ada).locator("#notify-push-comment_like")).not_to_be_checked()
    # This server writes to no browser.
    expect(screen(ada).locator("#notify-device")).to_be_disabled()
    expect(screen(ada)).to_contain_text("This server sends no notifications to browsers.")
    with ada.page.expect_response("**/notification-settings"):
        follow.click()
    ada.press("Escape")
    expect(screen(ada)).to_contain_text("Nothing yet.")
    assert not ada.complaints


# MARK: while no page is open


@pytest.fixture
def push_service(tmp_path):
    service = PushService(tmp_path)
    yield service
    service.stop()


@pytest.fixture
def telling(own_data):
    """A server that writes to browsers, also to those whose push service is on this machine."""
    server = Server(own_data, environment={"CLIPFEED_WEB_PUSH_CONTACT": "mailto:ops@example.org", "CLIPFEED_WEB_PUSH_ADDRESSES": "127.0.0.1"})
    yield server
    server.stop()


@pytest.fixture
def own_browser(push_service, telling, tmp_path, chromium):
    """A browser with a profile, since one without has no push."""
    contexts = []

    def open_browser(permissions=("notifications",)):
        context = chromium.browser_type.launch_persistent_context(
            tmp_path / "profile", executable_path=os.environ.get("CLIPFEED_CHROMIUM", "/usr/bin/chromium"), viewport=PHONE,
            args=["--no-sandbox", *push_service.arguments], ignore_default_args=["--disable-background-networking"])
        contexts.append(context)
        context.grant_permissions(list(permissions), origin=telling.url)
        context.add_init_script("localStorage['clipfeed.tab'] ??= 'latest'")

        def readdress(route):
            body = route.request.post_data_json
            route.continue_(post_data=body | {"endpoint": push_service.endpoint(body["endpoint"])})

        context.route("**/api/v1/account/web-devices", readdress)
        return Viewer(context.pages[0], telling).open()

    yield open_browser
    for context in contexts:
        context.close()


def shown(viewer):
    """What the service worker shows, as the system has it."""
    return viewer.page.evaluate("""() => navigator.serviceWorker.getRegistration('/').then((worker) => worker?.getNotifications() ?? [])
        .then((all) => all.map(({ title, body, tag, data }) => ({ title, body, tag, url: new URL(data.url).pathname + new URL(data.url).hash })))""")


def wait_shown(viewer, count):
    viewer.until(lambda: len(shown(viewer)) == count, f"{count} notifications")
    return shown(viewer)


def test_a_browser_shows_what_was_encrypted_for_it(own_browser, telling, push_service, open_page):
    bob = sign_up(arrive(open_page(telling)), "bob")
    ada = sign_up(arrive(own_browser()), "ada")
    assert not ada.page.evaluate("""() => navigator.serviceWorker.getRegistration('/')
        .then((worker) => worker?.pushManager.getSubscription()).then(Boolean)"""), "nobody has asked for it"
    open_list(ada)
    screen(ada).get_by_role("button", name="Settings of notifications").click()
    device = screen(ada).locator("#notify-device")
    expect(device).not_to_be_checked()
    with ada.page.expect_response("**/web-devices") as answer:
        device.click()
    assert answer.value.ok
    expect(screen(ada)).to_contain_text("This browser tells you while the page is closed.")
    expect(device).to_be_checked()
    # What Chromium made and gave the page is what the server was told: with it alone can be written what it reads.
    ask(bob, "PUT", f"/authors/{person(ada)}/follow")
    push_service.wait(lambda: push_service.pushes or push_service.refusals)
    assert not push_service.refusals
    assert b"Bob" not in push_service.pushes[0][2], "the push service reads nothing"
    assert wait_shown(ada, 1) == [{"title": "Clipfeed", "body": "Bob follows you", "tag": "follow", "url": "/#notifications"}]
    write(bob, person(ada), "are you there? <b>")
    assert {"title": "Bob", "body": "are you there? <b>", "url": f"/#messages/{person(bob)}"}.items() <= next(
        one for one in wait_shown(ada, 2) if one["title"] == "Bob").items()
    # Kinds that are switched off are told no more.
    with ada.page.expect_response("**/notification-settings"):
        screen(ada).locator("#notify-push-message").click()
    expect(screen(ada).locator("#notify-push-message")).not_to_be_checked()
    # Switched off here, nothing comes any more, and the server knows of no browser.
    device.click()
    expect(screen(ada)).to_contain_text("Also while this page is closed.")
    ada.until(lambda: ask(ada, "GET", "/account/devices")["items"] == [], "no browser at the server")
    assert ada.page.evaluate("""navigator.serviceWorker.ready.then((worker) => worker.pushManager.getSubscription())""") is None
    assert not ada.complaints


def test_who_comes_back_is_registered_anew_and_signing_out_ends_it(own_browser, telling, push_service):
    ada = sign_up(arrive(own_browser()), "ada")
    open_list(ada)
    screen(ada).get_by_role("button", name="Settings of notifications").click()
    with ada.page.expect_response("**/web-devices"):
        screen(ada).locator("#notify-device").click()
    expect(screen(ada).locator("#notify-device")).to_be_checked()
    # Said once the page has noted for the next visit what the server answered.
    expect(screen(ada)).to_contain_text("This browser tells you while the page is closed.")
    before = ask(ada, "GET", "/account/devices")["items"]
    with ada.page.expect_response("**/web-devices"):
        ada.page.goto(telling.url)
    after = ask(ada, "GET", "/account/devices")["items"]
    assert [one["id"] for one in after] == [one["id"] for one in before] and "environment" not in after[0]
    assert not ada.complaints
    # Whatever the page still asks for is refused from now on, and complained of.
    ask(ada, "DELETE", "/sessions/current")


@pytest.mark.long
def test_who_refused_is_told_what_to_do(own_browser, telling):
    ada = sign_up(arrive(own_browser()), "ada")
    ada.page.context.clear_permissions()
    ada.page.evaluate("Notification.requestPermission = async () => 'denied'")
    open_list(ada)
    screen(ada).get_by_role("button", name="Settings of notifications").click()
    device = screen(ada).locator("#notify-device")
    device.click()
    expect(device).not_to_be_checked()
    expect(screen(ada).get_by_role("status")).to_contain_text("Allow them in its settings")
    assert not ada.complaints

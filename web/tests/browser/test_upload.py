"""A clip goes up from the browser, whatever happens on the way, and plays in the feed."""

import shutil

import pytest
from playwright.sync_api import expect

import clips
from server import Server
from studio import ALLOWED, RecordScreen
from test_account import arrive, sign_in, sign_up
from upload import MB, UploadScreen, lasting, padded, source

KEPT_FILE = ["file", "row"]


@pytest.fixture(scope="module")
def busy_server(tmp_path_factory):
    """Makes clips of what it is sent."""
    data = tmp_path_factory.mktemp("uploads") / "data"
    server = Server(shutil.copytree(clips.library("small", [0, 10, 20, 30]), data), workers=1)
    yield server
    server.stop()


@pytest.fixture(scope="module")
def idle_server(tmp_path_factory):
    """Takes uploads and leaves them."""
    data = tmp_path_factory.mktemp("uploads") / "data"
    server = Server(shutil.copytree(clips.library("small", [0, 10, 20, 30]), data))
    yield server
    server.stop()


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """A clip in several requests."""
    return padded(source(7), tmp_path_factory.mktemp("clips") / "large.mp4", 4 * MB)


@pytest.fixture
def screen(open_page, idle_server):
    return UploadScreen(open_page(idle_server)).open()


def under_way(screen, file, percent=30):
    """A part of it there already, and the rest on a link on which it does not end before something is done about it."""
    # NB: not slower from some share on: a change of the link lets go at once what it held back.
    screen.slow(MB // 4)
    screen.choose(file).expect("sending")
    screen.expect_share(percent)
    return screen


def full_speed(screen):
    screen.slow(-1)


@pytest.mark.long
def test_nothing_of_it_is_fetched_before_somebody_wants_to_upload(open_page, idle_server):
    viewer = open_page(idle_server)
    fetched = []
    viewer.page.on("request", lambda request: fetched.append(request.url))
    viewer.page.reload(wait_until="networkidle")
    viewer.expect_playing()
    assert fetched and not [url for url in fetched if "upload" in url]
    UploadScreen(viewer).open()
    assert any("upload.wasm" in url for url in fetched)
    assert any("/app/upload/" in url for url in fetched) and not any("/app/studio/" in url for url in fetched)


def test_a_clip_goes_up_and_plays_on_top_of_the_feed(open_page, busy_server):
    viewer = open_page(busy_server)
    viewer.expect_playing()
    screen = UploadScreen(viewer).open()
    screen.choose(source(5)).expect("complete")
    screen.expect_facts("3.0 s · 360 × 640")
    screen.describe("At the #pier, clip 5", "dawn, Harbour")
    # Whoever closes the screen of what is published already finds no pill: the news of it waits until it is closed.
    held = []
    polls = "**/api/v1/uploads/*"
    viewer.page.route(polls, lambda route: held.append(route) if route.request.method == "GET" else route.continue_())
    screen.tap("Publish")
    screen.expect("processing")
    # The person goes on watching, and comes back by the pill.
    viewer.press("Escape")
    screen.expect_closed()
    viewer.expect_playing()
    for route in held:
        route.continue_()
    viewer.page.unroute(polls)
    screen.pill.get_by_text("Published").wait_for(timeout=60_000)
    screen.pill.click()
    screen.expect("published", patience=60)
    assert screen.clip()["tags"] == ["dawn", "harbour", "pier"]
    screen.tap("Watch it")
    screen.expect_closed()
    [top, *_] = busy_server.feed()
    assert top["caption"] == "At the #pier, clip 5"
    viewer.expect_playing(top)
    assert screen.pill.count() == 0
    viewer.until(lambda: screen.stored() == [], "nothing on the disk")
    viewer.press("ArrowDown")
    viewer.expect_playing()
    assert viewer.complaints == []


def test_what_cannot_be_taken_is_refused_before_a_byte_moves(screen, tmp_path):
    words = tmp_path / "words.mp4"
    words.write_text("This is no video at all. " * 100)
    assert "MP4, MOV, WebM" in screen.choose(words).trouble()
    # What cannot be cut here either.
    huge = lasting(3, tmp_path / "huge.mkv")
    with open(huge, "r+b") as file:
        file.truncate(51 * MB)
    screen.choose(huge)
    screen.root.get_by_role("heading", name="Too large").wait_for()
    assert "50 MB at most" in screen.trouble()
    screen.choose(lasting(70, tmp_path / "long.mkv"))
    screen.root.get_by_role("heading", name="Too long").wait_for()
    assert "Cut it to a minute" in screen.trouble()
    empty = tmp_path / "empty.mp4"
    empty.touch()
    screen.choose(empty)
    screen.root.get_by_role("heading", name="This file can’t be uploaded").wait_for()
    assert screen.created == 0 and screen.stored() == []
    screen.choose(source(6)).expect("complete")
    assert not screen.page.locator("#uploader [data-part=trouble]").is_visible()


def test_a_pause_holds_every_byte_until_it_is_resumed(screen, large):
    under_way(screen, large)
    screen.tap("Pause")
    screen.expect("paused")
    offset = screen.settled_offset()
    requests = len(screen.sent)
    full_speed(screen)
    screen.viewer.moves()
    assert screen.settled_offset() == offset and len(screen.sent) == requests
    assert screen.asks_to_stay()
    screen.tap("Resume")
    screen.expect("complete")
    assert screen.settled_offset() == 4 * MB
    # It went on where the server was.
    assert screen.sent[requests] == offset
    assert not screen.asks_to_stay()
    assert screen.viewer.complaints == []


def test_without_a_network_it_waits_and_goes_on_by_itself(screen, large):
    under_way(screen, large)
    screen.page.context.set_offline(True)
    screen.expect("offline")
    assert "No connection" in screen.root.inner_text()
    offset = screen.settled_offset()
    requests = len(screen.sent)
    screen.page.context.set_offline(False)
    full_speed(screen)
    screen.expect("complete")
    assert screen.sent[requests] == offset
    assert screen.settled_offset() == 4 * MB


def end_all_sessions(viewer):
    assert viewer.page.evaluate("fetch('/api/v1/sessions', { method: 'DELETE' }).then((answer) => answer.status)") == 204


def held_up(open_page, server, large, handle):
    """Of an account whose session has ended while its upload was under way."""
    viewer = sign_up(arrive(open_page(server)), handle)
    other = sign_in(arrive(open_page(server)), handle)
    screen = under_way(UploadScreen(viewer).open(), large, percent=10)
    end_all_sessions(other)
    screen.expect("signInNeeded")
    return screen


def test_a_session_that_ends_meanwhile_holds_it_until_somebody_signs_in(open_page, idle_server, large):
    screen = held_up(open_page, idle_server, large, "uploader")
    viewer = screen.viewer
    assert "Sign in to continue." in screen.root.inner_text()
    # Nobody is taken for signed in any more, so that one can sign in again.
    expect(viewer.page.locator("#person")).to_have_attribute("aria-label", "Account")
    full_speed(screen)
    requests = len(screen.sent)
    viewer.press("Escape")
    screen.expect_closed()
    sign_in(viewer, "uploader")
    screen.pill.get_by_text("Publish it?").wait_for()
    # It went on where the server was, as the same upload.
    assert screen.sent[requests] > 0
    assert screen.created == 1


def test_what_one_account_chose_is_not_gone_on_with_by_another(open_page, idle_server, large):
    screen = held_up(open_page, idle_server, large, "chooser")
    viewer = screen.viewer
    full_speed(screen)
    requests = len(screen.sent)
    viewer.press("Escape")
    screen.expect_closed()
    sign_up(viewer, "stranger")
    screen.pill.click()
    screen.expect("signInNeeded")
    # Nor by the page of the next visit.
    screen.page.goto("about:blank")
    viewer.open()
    screen.pill.click()
    screen.expect("signInNeeded")
    assert len(screen.sent) == requests
    assert screen.created == 1


def test_a_token_that_is_over_is_renewed_without_asking_anybody(open_page, idle_server, large):
    viewer = sign_up(arrive(open_page(idle_server)), "renewing")
    screen = UploadScreen(viewer).open()
    asked = []

    def refuse_once(route):
        if route.request.method != "PATCH" or "octet-stream" not in (route.request.headers.get("content-type") or "") or asked:
            return route.continue_()
        asked.append(route.request.url)
        return route.fulfill(status=401, content_type="application/problem+json", body='{"code": "access_token_invalid", "detail": "No."}')
    viewer.page.route("**/api/v1/uploads/*", refuse_once)
    screen.choose(large).expect("complete")
    assert asked


def test_after_a_reload_it_goes_on_without_being_asked(screen, large):
    under_way(screen, large)
    screen.describe("Kept over a reload")
    assert screen.asks_to_stay()
    screen.viewer.until(lambda: screen.stored() == KEPT_FILE, "the file on the disk")
    screen.page.goto("about:blank")
    offset = screen.settled_offset()
    assert 0 < offset < 4 * MB
    requests = len(screen.sent)
    full_speed(screen)
    screen.viewer.open()
    screen.pill.get_by_text("Publish it?").wait_for()
    assert screen.sent[requests] == offset
    screen.pill.click()
    screen.expect("complete")
    assert screen.root.get_by_role("textbox", name="Caption").input_value() == "Kept over a reload"
    assert "large.mp4" in screen.root.inner_text()
    screen.tap("Publish")
    screen.expect("processing")
    assert screen.status()["details"]["caption"] == "Kept over a reload"
    # Made from here on without this page; it asks nobody to stay.
    assert not screen.asks_to_stay()


NO_ROOM = "navigator.storage.estimate = async () => ({ quota: 1000, usage: 990 });"


@pytest.mark.long
@pytest.mark.long
def test_where_the_file_cannot_be_kept_the_same_one_is_asked_for(open_page, idle_server, large, tmp_path):
    screen = UploadScreen(open_page(idle_server, script=NO_ROOM)).open()
    under_way(screen, large)
    screen.root.get_by_text("If this page closes, the file has to be chosen again.").wait_for()
    screen.page.goto("about:blank")
    offset = screen.settled_offset()
    requests = len(screen.sent)
    full_speed(screen)
    screen.viewer.open()
    screen.pill.get_by_text("Upload waits").wait_for()
    screen.pill.click()
    screen.expect("findingFile")
    assert "Choose large.mp4 again" in screen.trouble()
    screen.choose(padded(source(8), tmp_path / "other.mp4", 4 * MB))
    screen.root.get_by_role("heading", name="That is another file").wait_for()
    screen.choose(large).expect("complete")
    assert screen.sent[requests] == offset


def test_a_server_that_is_killed_and_comes_back_costs_no_byte(open_page, own_data, large):
    servers = [Server(own_data)]
    try:
        screen = UploadScreen(open_page(servers[0])).open()
        under_way(screen, large, percent=40)
        servers[0].kill()
        screen.expect("waiting")
        # Nobody else can say now, and the page goes on as soon as there is somebody to ask.
        [kept] = own_data.rglob(f"*{screen.id}*")
        offset = kept.stat().st_size
        requests = len(screen.sent)
        full_speed(screen)
        servers.append(Server(own_data, port=servers[0].port))
        # Until the next try it is as long as was drawn, the longer the longer it was away.
        screen.expect("complete", patience=90)
        assert offset > 0 and screen.sent[requests] == offset
        assert screen.settled_offset() == 4 * MB
    finally:
        for server in servers:
            server.stop()


def test_a_cancelled_upload_is_forgotten_by_all(screen, large):
    under_way(screen, large)
    screen.tap("Cancel")
    question = screen.page.get_by_role("alertdialog", name="Cancel this upload?")
    question.wait_for()
    screen.viewer.press("Escape")
    question.wait_for(state="hidden")
    screen.expect("sending")
    screen.tap("Cancel")
    screen.tap("Cancel the upload")
    full_speed(screen)
    screen.expect("empty")
    assert not screen.is_known()
    # What was still being written goes when it is there.
    screen.viewer.until(lambda: screen.stored() == [], "nothing on the disk")
    screen.choose(source(6)).expect("complete")


@pytest.mark.long
@pytest.mark.long
def test_what_is_said_after_publish_was_pressed_counts(open_page, busy_server, tmp_path):
    screen = UploadScreen(open_page(busy_server)).open()
    under_way(screen, padded(source(9), tmp_path / "late.mp4", 3 * MB))
    screen.describe("Too early")
    screen.tap("Publish")
    screen.describe("Late, but in time", "evening", unlisted=True)
    full_speed(screen)
    screen.expect("published", patience=60)
    clip = screen.clip()
    assert clip["caption"] == "Late, but in time" and clip["tags"] == ["evening"]
    assert clip["id"] not in [item["id"] for item in busy_server.feed()]
    screen.tap("Watch it")
    screen.viewer.expect_playing({"id": clip["id"], "caption": "clip 9"})
    assert screen.viewer.complaints == []


HOSTILE = [
    "<img src=x onerror=document.title='caught'>.mp4", "‮4pm.exe‬.mp4", "🎬" * 60 + ".mp4",
    "a" * 200 + ".mp4", "CON", "; rm -rf ~ #.mp4", "%00%2e%2e%2f.mp4", "Ṱ̺̺̕o͞ ̷i̲̬͇̪͙n̝̗͕v̟̜̘̦͟o̶̙̰̠kè͚̮̺̪.mp4",
]


def test_hostile_names_and_captions_are_only_text(screen, idle_server):
    bytes_ = source(6).read_bytes()
    for name in HOSTILE:
        screen.choose({"name": name, "mimeType": "video/mp4", "buffer": bytes_})
        screen.expect("complete", "sending", "creating", "hashing")
        assert screen.page.locator("#uploader [data-part=name]").text_content() == name
        root = screen.root.bounding_box()
        for box in [screen.page.locator("#uploader .file").bounding_box()]:
            assert box["x"] >= root["x"] and box["x"] + box["width"] <= root["x"] + root["width"]
        screen.describe(name * 2)
        screen.tap("Cancel")
        confirm = screen.root.get_by_role("button", name="Cancel the upload")
        if confirm.is_visible():
            confirm.click()
        screen.expect("empty")
    assert screen.page.title() == "Clipfeed" and screen.viewer.complaints == []


@pytest.mark.long
def test_a_caption_that_is_too_long_cannot_be_published(screen):
    screen.choose(source(6)).expect("complete")
    screen.describe("x" * 301)
    assert "-1 left" in screen.root.inner_text()
    assert "300 characters at most" in screen.root.inner_text()
    assert screen.root.get_by_role("button", name="Publish").is_disabled()
    screen.describe("👩‍👩‍👧" * 300)
    assert screen.root.get_by_role("button", name="Publish").is_enabled()


@pytest.mark.long
@pytest.mark.long
def test_a_file_that_is_dropped_anywhere_opens_it(open_page, idle_server):
    viewer = open_page(idle_server)
    viewer.expect_playing()
    screen = UploadScreen(viewer)
    # Drops come last of all, behind what hears keys. Who asked for the module first is told first.
    viewer.page.evaluate("import('/app/screens/drops.js').then(() => {})")
    screen.drop(source(6))
    screen.expect("complete")
    assert viewer.page.url.endswith("#upload")
    screen.drop(source(5))
    screen.root.get_by_text("One upload at a time.").wait_for()
    assert source(6).name in screen.root.inner_text()
    # Going back leaves the screen, not the upload.
    viewer.page.evaluate("history.back()")
    screen.expect_closed()
    screen.pill.get_by_text("Publish it?").wait_for()
    viewer.expect_playing()


@pytest.mark.long
def test_all_of_it_works_with_the_keyboard_alone(open_page, idle_server):
    viewer = open_page(idle_server)
    viewer.expect_playing()
    current = viewer.current()
    viewer.page.on("filechooser", lambda chooser: chooser.set_files(source(11)))
    screen = UploadScreen(viewer).open()
    viewer.press("Tab")
    viewer.press("Tab")
    viewer.press("Enter")
    screen.expect("complete")
    # The caption has the focus, and no key of the feed's is heard.
    viewer.page.keyboard.type("murmur cj")
    viewer.press("Tab")
    viewer.page.keyboard.type("rum u")
    screen.page.locator("#uploader .cover input:enabled").wait_for()
    viewer.press("Tab")
    viewer.press("ArrowRight")
    viewer.press("Tab")
    viewer.press("ArrowRight")
    assert screen.root.get_by_role("radio", name="Unlisted").is_checked()
    # Behind whom it is for, and the way out.
    for _ in range(3):
        viewer.press("Tab")
    viewer.press("Enter")
    screen.expect("processing")
    details = screen.status()["details"]
    assert details == {"caption": "murmur cj", "tags": ["rum", "u"], "visibility": "unlisted", "cover_ms": 100, "for_adults": False}
    viewer.press("ArrowDown")
    viewer.press("Escape")
    screen.expect_closed()
    assert viewer.current() == current
    assert viewer.page.evaluate("document.activeElement.id") in ("record", "uploading")
    viewer.press("r")
    viewer.page.wait_for_function("() => location.hash === '#record'")


@pytest.mark.long
def test_every_control_has_a_role_and_a_name_and_is_large_enough(screen):
    assert 'button "Choose a video' in screen.root.aria_snapshot()
    screen.choose(source(6)).expect("complete")
    screen.page.locator("#uploader .cover input:enabled").wait_for()
    tree = screen.root.aria_snapshot()
    for line in ['dialog "Upload a clip"', 'button "Close"', 'textbox "Caption', 'textbox "Tags"',
                 'slider "Cover"', 'radio "Everyone in the feed" [checked]',
                 'progressbar "Upload"', 'button "Publish"', 'button "Cancel"']:
        assert line in tree, tree
    assert "The upload is complete" in screen.root.get_by_role("status").inner_text()
    for control in screen.root.locator("button:visible, input:visible, textarea:visible").all():
        box = control.bounding_box()
        assert box["width"] >= 44 and box["height"] >= 44, control.evaluate("(it) => it.outerHTML")


@pytest.mark.long
@pytest.mark.long
def test_one_tab_at_a_time_uploads_and_the_other_takes_over(screen, idle_server, large):
    under_way(screen, large)
    screen.tap("Pause")
    screen.viewer.until(lambda: screen.stored() == KEPT_FILE, "the file on the disk")
    other = screen.page.context.new_page()
    other.goto(f"{idle_server.url}/#upload")
    other.get_by_role("heading", name="Uploading in another tab").wait_for()
    screen.page.close()
    other.locator("#uploader[data-phase=paused]").wait_for()
    other.get_by_role("button", name="Resume").click()
    other.locator("#uploader[data-phase=complete]").wait_for()


@pytest.mark.long
@pytest.mark.long
def test_a_page_without_the_browsers_hashes_uploads_as_well(open_page, idle_server, large):
    screen = UploadScreen(open_page(idle_server, script="""
      Object.defineProperty(crypto, 'subtle', { value: undefined });
      Object.defineProperty(navigator, 'locks', { value: undefined });
      Object.defineProperty(navigator, 'storage', { value: undefined });""")).open()
    screen.choose(large).expect("complete")
    screen.tap("Publish")
    # The server has held it against its own hash.
    screen.expect("processing")
    assert screen.viewer.complaints == []


@pytest.mark.long
@pytest.mark.long
def test_the_record_screen_leads_here_with_a_file_and_without(open_page, idle_server):
    recorder = RecordScreen(open_page(idle_server, **ALLOWED)).open()
    screen = UploadScreen(recorder.viewer)
    recorder.tap("Upload")
    screen.expect("empty")
    screen.tap("Close")
    screen.expect_closed()
    recorder.open().record(1.2)
    recorder.tap("Finish")
    recorder.expect_stage("finished", patience=60)
    recorder.tap("Post")
    screen.expect("complete")
    assert "clipfeed-" in screen.root.inner_text()
    screen.tap("Publish")
    screen.expect("processing")
    screen.tap("Close")
    screen.expect_closed()
    # Nothing of the recording is lost meanwhile.
    recorder.open()
    assert recorder.marks() == 1

"""Clips by their own address, and clips that are not for everybody."""

import hashlib
import json
import shutil
import subprocess
import time
import urllib.error
import urllib.request

import pytest

import clips
from server import Server
from test_offline import NOTE_NOTICES
from test_offline import told as noticed
from upload import UploadScreen, source
from viewer import PATIENCE

pytestmark = pytest.mark.long


def pasted(context):
    """What lies in the clipboard, on a page of nobody's: ours may write there and not read (Permissions-Policy)."""
    page = context.new_page()
    page.set_content("<textarea></textarea>")
    page.focus("textarea")
    page.keyboard.press("Control+V")
    text = page.input_value("textarea")
    page.close()
    return text


@pytest.fixture(scope="module")
def busy_server(tmp_path_factory):
    """Makes clips of what it is sent."""
    data = tmp_path_factory.mktemp("visibility") / "data"
    server = Server(shutil.copytree(clips.library("small", [0, 10, 20, 30]), data), workers=1)
    yield server
    server.stop()


def ask(url, method="GET", body=None, **headers):
    request = urllib.request.Request(url, method=method, data=body, headers=headers)
    with urllib.request.urlopen(request, timeout=20) as answer:
        return answer.read()


def status(url):
    try:
        ask(url)
        return 200
    except urllib.error.HTTPError as error:
        return error.code


@pytest.fixture(scope="module")
def upload(busy_server):
    """A clip that somebody sent by themselves: (upload, clip)."""
    def upload(number, visibility):
        data = source(number).read_bytes()
        details = {"caption": f"My <b>clip</b> {number}", "visibility": visibility}
        new = {"size_bytes": len(data), "sha256": hashlib.sha256(data).hexdigest(), "type": "video/mp4", "details": details}
        made = json.loads(ask(
            f"{busy_server.url}/api/v1/uploads", "POST", json.dumps(new).encode(),
            **{"Content-Type": "application/json", "Idempotency-Key": f"{visibility}-{number:08}"}))
        place = f"{busy_server.url}/api/v1/uploads/{made['id']}"
        ask(place, "PATCH", data, **{"Content-Type": "application/offset+octet-stream", "Upload-Offset": "0"})
        ask(f"{place}/commit", "POST")
        while (state := json.loads(ask(place)))["state"] == "processing":
            # Nobody may ask without end.
            time.sleep(0.1)
        assert state["state"] == "published", state
        return made["id"], state["clip"]["id"]
    return upload


@pytest.fixture
def open_at(open_page, busy_server):
    """Opens an address of the server; the last page that was opened by it is left as it was."""
    def open_at(path, **options):
        viewer = open_page(busy_server, **options)
        viewer.page.goto("about:blank")
        viewer.complaints.clear()
        viewer.answer = viewer.page.goto(busy_server.url + path)
        return viewer
    return open_at


def numbered(clip_id, number):
    return {"id": clip_id, "caption": f"clip {number}"}


def test_the_address_of_a_clip_starts_with_it_and_goes_on_with_the_feed(open_at, busy_server):
    feed = busy_server.feed()
    last = feed[-1]
    viewer = open_at(f"/c/{last['id']}")
    assert viewer.answer.status == 200
    viewer.expect_playing(last)
    assert viewer.page.title() == f"{last['caption']} · Clipfeed"
    for clip in feed[:-1]:
        viewer.press("ArrowDown")
        viewer.expect_playing(clip)
    # It does not come a second time.
    viewer.press("ArrowDown")
    viewer.page.locator("#end").wait_for()
    assert viewer.page.evaluate("clipfeed.clips()") == len(feed)
    assert not viewer.complaints


def test_nothing_of_it_is_fetched_where_the_feed_starts_by_itself(open_page, busy_server):
    viewer = open_page(busy_server)
    fetched = []
    # It has fetched all of it by then.
    viewer.page.wait_for_function("() => location.pathname.startsWith('/c/')")
    viewer.page.on("request", lambda request: fetched.append(request.url))
    viewer.reload_feed()
    viewer.expect_playing()
    viewer.page.wait_for_function("() => location.pathname.startsWith('/c/')")
    # But for what gives the page its address, which comes once a clip moves.
    moved = next(at for at, url in enumerate(fetched) if "/app/social/" in url)
    assert not [url for url in fetched[:moved] if "/app/clip-link/" in url]


def test_the_clip_of_the_address_is_asked_for_once(open_at, busy_server):
    clip = busy_server.feed()[2]
    viewer = open_at("/", tab="for_you")
    asked = []
    # What that one still asks for is not what this is about.
    viewer.page.goto("about:blank")
    viewer.page.on("request", lambda request: asked.append(request.url))
    viewer.page.goto(f"{busy_server.url}/c/{clip['id']}")
    viewer.expect_playing(clip)
    # By the page's head, before any module; the feed likewise.
    assert len([url for url in asked if "/api/v1/clips/" in url]) == 1
    assert len([url for url in asked if "/api/v1/feed" in url]) == 1
    assert not [text for text in viewer.complaints if "preload" in text]


def test_an_unlisted_clip_plays_at_its_address_alone(open_at, upload, busy_server):
    _, clip = upload(4, "unlisted")
    assert clip not in [item["id"] for item in busy_server.feed()]
    viewer = open_at(f"/c/{clip}")
    viewer.expect_playing(numbered(clip, 4))
    assert viewer.page.locator("meta[name=robots]").get_attribute("content") == "noindex"
    image = viewer.page.locator("meta[property='og:image']").get_attribute("content")
    assert "/sealed/" in image and ask(image).startswith(b"\xff\xd8")
    assert viewer.page.locator("meta[property='og:title']").get_attribute("content") == "My <b>clip</b> 4"
    # It stays for the moment and not on the device.
    viewer.press("ArrowDown")
    viewer.expect_playing(busy_server.feed()[0])
    kept = viewer.page.evaluate("""async () => (await (await caches.open('clipfeed-media-1')).keys()).map(({ url }) => url)""")
    assert not [url for url in kept if "sealed" in url]
    assert not viewer.complaints


def test_a_private_clip_plays_for_whoever_has_its_upload(open_at, upload, busy_server):
    secret, clip = upload(5, "private")
    pages = []
    viewer = open_at(f"/c/{clip}#{secret}", script=NOTE_NOTICES)
    viewer.page.on("request", lambda request: pages.append(request.url))
    viewer.expect_playing(numbered(clip, 5))
    viewer.page.reload()
    viewer.expect_playing(numbered(clip, 5))
    assert viewer.page.url.endswith(f"/c/{clip}#{secret}")
    # What opens over the feed comes and goes, and the address is what it was.
    UploadScreen(viewer).open()
    viewer.press("Escape")
    viewer.page.wait_for_function("secret => location.hash === '#' + secret", arg=secret)
    viewer.expect_playing(numbered(clip, 5))
    viewer.page.locator("[aria-current] .shares button").click()
    noticed(viewer, "Only you can see this clip.")


def test_a_private_clip_is_nothing_to_others_and_their_feed_plays(open_at, upload, busy_server):
    secret, clip = upload(6, "private")
    viewer = open_at(f"/c/{clip}", script=NOTE_NOTICES)
    assert viewer.answer.status == 404
    noticed(viewer, "This clip is gone, or not for everyone.")
    viewer.expect_playing(busy_server.feed()[0])
    assert "clip</b>" not in viewer.page.content() and viewer.page.title() == "Clipfeed"
    # A change of mind works at once, both ways.
    def say(visibility):
        ask(f"{busy_server.url}/api/v1/uploads/{secret}", "PATCH", json.dumps({"visibility": visibility}).encode(),
            **{"Content-Type": "application/merge-patch+json"})
    say("unlisted")
    viewer.page.goto(f"{busy_server.url}/c/{clip}")
    viewer.expect_playing(numbered(clip, 6))
    say("private")
    assert status(f"{busy_server.url}/c/{clip}") == 404
    assert status(f"{busy_server.url}/api/v1/clips/{clip}") == 404


def test_addresses_that_are_over_are_renewed_while_a_clip_plays(open_at, upload, busy_server):
    secret, clip = upload(7, "private")
    viewer = open_at("/")
    refused, asked = [], []

    def over(route):
        # As the server answers after an hour or two.
        if len(refused) < 2:
            refused.append(route.request.url)
            route.fulfill(status=403, content_type="application/problem+json", body='{"code": "media_address_expired"}')
        else:
            route.continue_()
    viewer.page.route("**/sealed/**/*.mp4", over)
    viewer.page.on("request", lambda request: asked.append(request.url))
    viewer.page.goto(f"{busy_server.url}/c/{clip}#{secret}")
    viewer.expect_playing(numbered(clip, 7))
    assert len(refused) == 2
    assert len([url for url in asked if url.endswith(f"/uploads/{secret}/clip")]) >= 2


def test_a_clip_is_uploaded_for_oneself_and_its_link_is_the_way_back(open_page, open_at, busy_server):
    viewer = open_page(busy_server, permissions=["clipboard-read", "clipboard-write"])
    viewer.expect_playing()
    screen = UploadScreen(viewer).open()
    screen.choose(source(8)).expect("complete")
    screen.root.get_by_role("radio", name="Private").check()
    screen.tap("Publish")
    screen.expect("published", patience=3 * PATIENCE)
    assert "Only you can see it." in screen.root.inner_text()
    screen.tap("Copy link")
    screen.root.get_by_text("The link is copied.").wait_for()
    link = pasted(viewer.page.context)
    clip = screen.status()["clip"]["id"]
    assert link == f"{busy_server.url}/c/{clip}#{screen.id}"
    screen.tap("Watch it")
    viewer.expect_playing(numbered(clip, 8))
    assert clip not in [item["id"] for item in busy_server.feed()]
    other = open_at(link.removeprefix(busy_server.url))
    other.expect_playing(numbered(clip, 8))


def test_the_link_of_the_clip_on_the_screen_is_copied(open_page, open_at, busy_server):
    viewer = open_page(busy_server, permissions=["clipboard-read", "clipboard-write"], script=NOTE_NOTICES)
    viewer.expect_playing()
    clip = viewer.current()
    # By the keyboard too: only the clip on the screen has a button to come to.
    assert viewer.page.locator(".shares button:not([tabindex='-1'])").count() == 1
    viewer.page.locator("[aria-current] .shares button").focus()
    viewer.page.keyboard.press("Enter")
    noticed(viewer, "The link is copied.")
    link = pasted(viewer.page.context)
    assert link == f"{busy_server.url}/c/{clip}"
    viewer.expect_playing()


def test_the_command_tells_where_the_clip_is(busy_server, open_at, tmp_path):
    done = subprocess.run(
        [clips.SERVER, "upload", source(9), "--server", busy_server.url, "--visibility", "private"], text=True,
        capture_output=True, timeout=120, env={"XDG_STATE_HOME": str(tmp_path), "PATH": "/usr/bin:/bin"})
    assert done.returncode == 0, done.stdout + done.stderr
    address = done.stdout.strip().splitlines()[-1]
    viewer = open_at(address.removeprefix(busy_server.url))
    viewer.expect_playing(numbered(address.split("/c/")[1].split("#")[0], 9))

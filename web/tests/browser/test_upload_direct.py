"""A clip goes up from the browser straight into a bucket, of another origin than the page."""

import shutil

import pytest

import clips
from bucket import Bucket
from server import Server
from upload import MB, UploadScreen, padded, source


@pytest.fixture(scope="module")
def bucket():
    running = Bucket()
    yield running
    running.close()


@pytest.fixture
def settings(bucket):
    return bucket.settings()


@pytest.fixture
def screen(open_page, settings, tmp_path):
    """Of a server that leaves what was uploaded. Viewers' clips lie in the bucket as well, of which this part is empty."""
    server = Server(tmp_path / "data", environment=settings)
    # A browser that cannot encode sends the file as it is.
    yield UploadScreen(open_page(server, script="delete globalThis.VideoEncoder; delete globalThis.MediaRecorder;")).open()
    server.stop()


@pytest.fixture
def large(tmp_path):
    """A clip in three parts."""
    return padded(source(7), tmp_path / "large.mp4", 12 * MB)


@pytest.fixture
def to_bucket(screen, bucket):
    """What the page sends to the bucket, by method."""
    sent = []
    screen.page.on(
        "request", lambda request: sent.append(request.method) if request.url.startswith(bucket.endpoint) else None)
    return sent


def test_a_clip_goes_up_past_the_server(screen, settings, bucket, to_bucket, large):
    screen.choose(large).expect("complete", patience=60)
    # No request with bytes for the server.
    assert screen.sent == [] and to_bucket.count("PUT") == 3
    assert list((screen.viewer.server.data / "uploads").iterdir()) == []
    screen.tap("Publish")
    screen.expect("processing", patience=60)
    assert bucket.holds(large, settings)
    assert screen.viewer.complaints == []


def test_after_a_reload_only_what_is_missing_goes_there(screen, bucket, to_bucket, large):
    held = []

    def hold(route):
        """One of the three that go at once arrives; the others are on their way until the page goes."""
        held.append(route)
        if len(held) == 1:
            route.continue_()

    parts = f"{bucket.endpoint}/**"
    screen.page.route(parts, hold)
    screen.choose(large).expect("sending")
    screen.viewer.until(lambda: screen.stored() == ["file", "row"], "the file on the disk")
    screen.viewer.until(lambda: len(held) == 3 and screen.status()["direct"]["stored"], "a part in the bucket")
    screen.page.goto("about:blank")
    for route in held[1:]:
        # To let go of the addresses would send on what still waits there.
        route.abort()
    screen.page.unroute(parts)
    assert len(screen.status()["direct"]["stored"]) == 1 and to_bucket.count("PUT") == 3
    screen.viewer.open()
    screen.pill.get_by_text("Publish it?").wait_for(timeout=60_000)
    assert to_bucket.count("PUT") == 3 + 2
    assert screen.sent == []


def test_addresses_that_ended_are_asked_for_anew(screen, bucket, settings, to_bucket, large):
    ended = []

    def end(route):
        ended.append(route.request.url)
        route.fulfill(status=403, headers={"Access-Control-Allow-Origin": "*"}, body="<Error/>")
    screen.page.route(f"{bucket.endpoint}/**", end, times=2)
    screen.choose(large).expect("complete", patience=60)
    assert len(ended) == 2 and screen.sent == []
    screen.tap("Publish")
    screen.expect("processing", patience=60)
    assert bucket.holds(large, settings)


def test_a_bucket_that_lets_nobody_in_is_left_alone(screen, bucket, settings, large):
    screen.page.route(f"{bucket.endpoint}/**", lambda route: route.abort())
    screen.choose(large).expect("complete", patience=60)
    assert screen.sent and screen.sent[0] == 0
    assert "direct" not in screen.status()
    screen.tap("Publish")
    screen.expect("processing", patience=60)
    assert bucket.holds(large, settings)


def test_a_cancelled_upload_leaves_nothing_in_the_bucket(screen, large):
    screen.slow(MB)
    screen.choose(large).expect("sending")
    screen.expect_share(20)
    screen.tap("Cancel")
    screen.tap("Cancel the upload")
    screen.slow(-1)
    screen.expect("empty")
    assert not screen.is_known()
    # What was still being written goes when it is there.
    screen.viewer.until(lambda: screen.stored() == [], "nothing on the disk")

"""Videos from words by OpenAI's own library, which knows nothing of Clipfeed but its address and a key."""

import struct
import time
import zlib

import openai
import pytest
import requests
from conftest import PASSWORD, signed_up
from server import Server

# A drawn video takes some seconds, and its conversion too, beside whatever else the machine does.
PATIENCE_S = 480


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    server = Server(
        tmp_path_factory.mktemp("dialect") / "data", workers=1,
        environment={"CLIPFEED_GENERATION_PROVIDERS": "drawn", "CLIPFEED_GENERATION_CREDITS": "30"})
    yield server
    server.stop()


def sign_up(site, handle):
    """A session's headers."""
    return {"Authorization": f"Bearer {signed_up(site, handle)}"}


def make_key(site, session, *scopes):
    made = requests.post(
        f"{site.url}/api/v1/account/keys", timeout=20, headers=session, json={
            "name": "Library", "scopes": scopes or ["videos:read", "videos:write"], "owner": {"password": PASSWORD}})
    made.raise_for_status()
    return made.json()


def library(site, key, **more):
    return openai.OpenAI(api_key=key, base_url=f"{site.url}/v1", timeout=30, **more)


def test_a_video_is_made_polled_downloaded_listed_remixed_and_deleted(site):
    client = library(site, make_key(site, sign_up(site, "mara"))["secret"])
    asked = client.videos.create(prompt="A fox, running", model="sora-2", seconds="4", size="720x1280")
    assert (asked.object, asked.status, asked.progress, asked.seconds, asked.size) == ("video", "queued", 0, "5", "720x1280")
    assert asked.id.startswith("video_") and asked.error is None and asked.completed_at is None
    with pytest.raises(openai.ConflictError) as early:
        client.with_options(max_retries=0).videos.download_content(asked.id)
    assert early.value.code == "clip_not_ready"

    end = time.monotonic() + PATIENCE_S
    while client.videos.retrieve(asked.id).status in ("queued", "in_progress"):
        assert time.monotonic() < end
        time.sleep(0.5)
    video = client.videos.poll(asked.id)
    assert (video.status, video.progress, video.error) == ("completed", 100, None)
    assert video.completed_at >= video.created_at == asked.created_at
    assert client.videos.download_content(asked.id).read()[4:8] == b"ftyp"
    assert client.videos.download_content(asked.id, variant="thumbnail").read()[:2] == b"\xff\xd8"

    remix = client.videos.remix(asked.id, prompt="A red fox")
    assert remix.remixed_from_video_id == asked.id and remix.seconds == "5"
    page = client.videos.list(limit=1)
    assert [one.id for one in page.data] == [remix.id] and page.has_more
    # The library turns the pages.
    assert [one.id for one in client.videos.list(limit=1)] == [remix.id, asked.id]
    assert [one.id for one in client.videos.list(order="asc")] == [asked.id, remix.id]

    for one in (remix, asked):
        gone = client.videos.delete(one.id)
        assert (gone.id, gone.deleted, gone.object) == (one.id, True, "video.deleted")
        with pytest.raises(openai.NotFoundError) as missing:
            client.videos.retrieve(one.id)
        assert missing.value.code == "generation_not_found"
    assert client.videos.list().data == []


def png(side):
    """A grey square."""
    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
    head = struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)
    pixels = zlib.compress((b"\0" + b"\x80" * side) * side)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def test_a_form_is_read_as_the_library_writes_it(site):
    client = library(site, make_key(site, sign_up(site, "form"))["secret"])
    asked = client.videos.create(prompt="It moves", seconds="4", size="1280x720", input_reference=("grey.png", png(64), "image/png"))
    assert (asked.status, asked.seconds, asked.size) == ("queued", "5", "1280x720")
    end = time.monotonic() + PATIENCE_S
    while (video := client.videos.retrieve(asked.id)).status in ("queued", "in_progress"):
        assert time.monotonic() < end
        time.sleep(0.5)
    assert (video.status, video.error) == ("completed", None)
    with pytest.raises(openai.BadRequestError) as refused:
        client.videos.create(prompt="A fox", input_reference=("fox.png", b"<svg/>", "image/png"))
    assert refused.value.code == "picture_unreadable"
    with pytest.raises(openai.BadRequestError) as refused:
        client.videos.create(prompt="A fox", input_reference=("fox.png", b"\x89PNG", "image/png"))
    assert (refused.value.code, refused.value.param) == ("picture_unreadable", "input_reference")


def test_what_is_refused_is_an_exception_of_the_library(site):
    session = sign_up(site, "errors")
    made = make_key(site, session)
    client = library(site, made["secret"], max_retries=0)
    with pytest.raises(openai.BadRequestError) as refused:
        client.videos.create(prompt="A fox", seconds="20")
    assert (refused.value.code, refused.value.param) == ("generation_not_possible", "seconds")
    assert refused.value.type == "invalid_request_error" and refused.value.message
    with pytest.raises(openai.NotFoundError):
        client.videos.retrieve("video_none")

    # 15 of 30 credits, then 10; 5 are left.
    for seconds in ("15", "10"):
        client.videos.create(prompt="A fox", seconds=seconds)
    with pytest.raises(openai.RateLimitError) as poor:
        client.videos.create(prompt="A fox", seconds="10")
    assert poor.value.code == "insufficient_quota" and poor.value.response.headers["retry-after"]
    client.videos.create(prompt="A fox")
    with pytest.raises(openai.RateLimitError) as busy:
        client.videos.create(prompt="A fox")
    assert busy.value.code == "rate_limit_exceeded" and busy.value.response.headers["retry-after"]
    for one in client.videos.list():
        client.videos.delete(one.id)

    with pytest.raises(openai.PermissionDeniedError) as narrow:
        library(site, make_key(site, session, "videos:read")["secret"]).videos.create(prompt="A fox")
    assert narrow.value.code == "api_key_not_allowed"
    requests.delete(
        f"{site.url}/api/v1/account/keys/{made['key']['id']}", timeout=20, headers=session).raise_for_status()
    for key in (made["secret"], "sk-of-somebody-else", session["Authorization"].split()[1]):
        with pytest.raises(openai.AuthenticationError) as stranger:
            library(site, key).videos.list()
        assert stranger.value.code == "invalid_api_key"

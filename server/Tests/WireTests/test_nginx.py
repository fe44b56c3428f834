"""deploy/nginx.conf in front of the real server, by a real nginx."""

import json
import os
import sqlite3
import time

import pytest
import requests

import front
from conftest import MEDIA
from test_limits import make, send


@pytest.fixture
def nginx(server, tmp_path):
    with front.nginx(tmp_path / "nginx", server.port) as address:
        yield address


def ask(url, first=None, last=None, **headers):
    if first is not None:
        headers["Range"] = f"bytes={first}-{last}"
    return requests.get(url, headers=headers, timeout=20)


def test_ranges_come_from_the_cache_and_are_the_right_bytes(nginx, server, media):
    for first, last in ((0, 9), (1_048_000, 1_050_000), (3_399_990, 3_399_999), (0, 9)):
        answer = ask(nginx + media, first, last)
        assert answer.status_code == 206 and answer.content == MEDIA[first:last + 1]
        assert answer.headers["Content-Range"] == f"bytes {first}-{last}/{len(MEDIA)}"
        assert "immutable" in answer.headers["Cache-Control"]
    assert answer.headers["X-Cache"] == "HIT"
    assert ask(nginx + media).content == MEDIA
    tag = answer.headers["ETag"]
    assert ask(nginx + media, **{"If-None-Match": tag}).status_code == 304
    # The server behind may go away: what was seen is still shown.
    server.kill()
    assert ask(nginx + media, 1_048_000, 1_050_000).content == MEDIA[1_048_000:1_050_001]


def test_a_missing_name_is_not_kept(nginx, server, media):
    other = media.replace(media[7:11], "1111" if media[7:11] == "0000" else "0000")
    assert ask(nginx + other).status_code == 404
    assert ask(nginx + media, len(MEDIA) + 5, len(MEDIA) + 9).status_code == 416


def publish(server, media, visibility):
    """A clip that needs this blob, as the pipeline would leave it, and what its owner knows."""
    data = b"\0\0\0\x18ftypmp42" + os.urandom(64)
    upload = make(server, data).json()["id"]
    place = f"{server.url}/api/v1/uploads/{upload}"
    assert send(server, upload, data, 0).status_code == 204
    clip = requests.post(f"{place}/commit", timeout=20).json()["clip"]["id"]
    poster = {"url": media, "width": 1, "height": 1, "placeholder": ""}
    rendition = {"name": "360", "url": media, "width": 1, "height": 1, "frame_rate": 30, "codecs": "x", "peak_bps": 1,
                 "average_bps": 1, "init": {"offset": 0, "size": 1}, "segments": []}
    playback = {"duration_ms": 1000, "hls_url": media, "renditions": [rendition]}
    with sqlite3.connect(server.data / "clipfeed.sqlite", timeout=20) as database:
        database.execute(
            "UPDATE clips SET state = 'ready', published_number = 1, width = 1, height = 1, duration_ms = 1000, poster = ?,"
            " playback = ? WHERE id = ?", (json.dumps(poster), json.dumps(playback), clip))
        database.execute("INSERT INTO clip_blobs (clip_id, name) VALUES (?, ?)", (clip, media.split("/")[-1]))
    say(server, upload, visibility)
    return upload, clip


def say(server, upload, visibility):
    answer = requests.patch(
        f"{server.url}/api/v1/uploads/{upload}", json={"visibility": visibility}, timeout=20,
        headers={"Content-Type": "application/merge-patch+json"})
    assert answer.status_code == 200, answer.text


def test_a_sealed_address_is_judged_by_the_server_each_time(nginx, server, stray):
    upload, clip = publish(server, stray, "unlisted")
    url = requests.get(f"{nginx}/api/v1/clips/{clip}", timeout=20).json()["poster"]["url"]
    assert url.startswith("/sealed/")
    for first, last in ((0, 9), (1_048_000, 1_050_000), (0, 9)):
        answer = ask(nginx + url, first, last)
        assert answer.status_code == 206 and answer.content == MEDIA[first:last + 1]
        assert answer.headers["Cache-Control"].startswith("private, max-age=")
        assert "X-Cache" not in answer.headers
    assert ask(nginx + stray, 0, 9).status_code == 404
    say(server, upload, "private")
    assert ask(nginx + url, 0, 9).status_code == 404
    assert requests.get(f"{nginx}/c/{clip}", timeout=20).status_code == 404
    owned = requests.get(f"{nginx}/api/v1/uploads/{upload}/clip", timeout=20).json()["poster"]["url"]
    assert ask(nginx + owned, 0, 9).content == MEDIA[:10]
    cached = [path.read_bytes() for path in (server.data.parent / "nginx/cache").rglob("*") if path.is_file()]
    assert not [content for content in cached if MEDIA[:64] in content]
    server.kill()
    assert ask(nginx + owned, 0, 9).status_code == 502


def test_the_page_of_a_clip_names_the_host_that_it_was_asked_for(nginx, server, media):
    _, clip = publish(server, media, "public")
    page = requests.get(f"{nginx}/c/{clip}", headers={"Host": "clips.example"}, timeout=20)
    assert f'<meta property="og:image" content="http://clips.example{media}">' in page.text


def test_an_upload_passes_through_as_it_comes(nginx, server):
    data = b"\0\0\0\x18ftypmp42" + os.urandom(2_000_000)
    upload = make(server, data).json()["id"]

    def half():
        yield data[:1_000_000]
        # It has arrived before the rest is sent: nothing waits in between.
        end = time.monotonic() + 120
        while time.monotonic() < end:
            if requests.get(f"{server.url}/api/v1/uploads/{upload}", timeout=20).json()["offset"] == 1_000_000:
                break
            time.sleep(0.02)
        else:
            raise AssertionError("the bytes wait in nginx")
        yield data[1_000_000:]

    class Through:
        url = nginx
    assert send(Through, upload, half(), 0).status_code == 204
    assert requests.post(f"{nginx}/api/v1/uploads/{upload}/commit", timeout=20).json()["state"] == "processing"


def test_the_draft_works_without_its_interim_response(nginx, server):
    data = b"\0\0\0\x18ftypmp42" + os.urandom(5000)
    answer = requests.post(
        f"{nginx}/api/v1/uploads", data=data, timeout=20,
        headers={"Upload-Complete": "?1", "Upload-Draft-Interop-Version": "6", "Content-Type": "video/mp4"})
    assert answer.status_code == 201 and answer.json()["state"] == "processing"
    assert answer.headers["Location"].startswith("/api/v1/uploads/")

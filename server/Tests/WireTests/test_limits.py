"""What a person or a machine may do wrong with an upload, and what the disk may."""

import base64
import hashlib
import json
import os
import subprocess
import urllib.parse

import pytest
import requests

from conftest import ROOT


def make(server, data, key="0123456789", **more):
    new = {"size_bytes": len(data), "sha256": hashlib.sha256(data).hexdigest(), "type": "video/mp4", "details": {}}
    return requests.post(
        f"{server.url}/api/v1/uploads", json=new | more, headers={"Idempotency-Key": key}, timeout=20)


def send(server, upload, data, offset):
    return requests.patch(
        f"{server.url}/api/v1/uploads/{upload}", data=data, timeout=60,
        headers={"Upload-Offset": str(offset), "Content-Type": "application/offset+octet-stream"})


HOSTILE = (ROOT / "../shared/media/HOSTILE_FILENAMES.txt").resolve()


@pytest.mark.skipif(not HOSTILE.exists(), reason="needs the list of hostile file names")
def test_a_file_name_is_only_text(server):
    names = HOSTILE.read_bytes().split(b"\n")
    assert len(names) > 20
    upload = make(server, b"\0\0\0\x18ftypmp42" + os.urandom(2000)).json()["id"]
    for name in names:
        said = {"caption": name.decode("utf-8", "replace"), "tags": [name.decode("utf-8", "replace")]}
        answer = requests.patch(
            f"{server.url}/api/v1/uploads/{upload}", data=json.dumps(said), timeout=20,
            headers={"Content-Type": "application/merge-patch+json"})
        assert answer.status_code == 200, said
        metadata = base64.b64encode(name).decode()
        answer = requests.post(
            f"{server.url}/api/v1/uploads", timeout=20,
            headers={"Tus-Resumable": "1.0.0", "Upload-Length": "9", "Upload-Metadata": f"filename {metadata}"})
        # What is no UTF-8 is no text; and one address that makes so many is right to be slowed down.
        assert answer.status_code in (201, 400, 429)
    # Nothing was made outside of the places that are for it.
    assert sorted(path.name for path in server.data.iterdir() if not path.name.startswith("clipfeed.sqlite")) == [
        "media", "sources", "uploads", "work"]


@pytest.mark.parametrize("name", ["../x", "..%2f..%2fetc%2fpasswd", "%00", "a" * 5000, "x/../y"])
def test_an_id_is_no_path(server, name):
    for method in ("GET", "HEAD", "PATCH", "DELETE"):
        answer = requests.request(
            method, f"{server.url}/api/v1/uploads/{urllib.parse.quote(name, safe='%')}", timeout=20,
            headers={"Upload-Offset": "0", "Content-Type": "application/offset+octet-stream"})
        assert answer.status_code in (400, 404, 405, 414, 431)


def test_a_full_disk_keeps_what_came_and_the_upload_goes_on_once_there_is_room(server):
    if os.geteuid() != 0:
        pytest.skip("only root can mount a small disk")
    folder = server.data / "uploads"
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=600m", "tmpfs", folder], check=True)
    try:
        filler = folder / "filler"
        data = b"\0\0\0\x18ftypmp42" + os.urandom(8 << 20)
        upload = make(server, data).json()["id"]
        free = os.statvfs(folder).f_bavail * os.statvfs(folder).f_frsize
        first = send(server, upload, data[:1 << 20], 0)
        assert first.status_code == 204
        # Less than the reserve is left: what has come stays, and not a byte of the rest is taken.
        with filler.open("wb") as file:
            os.posix_fallocate(file.fileno(), 0, free - (3 << 20))
        full = send(server, upload, data[1 << 20:], 1 << 20)
        assert full.status_code == 507 and full.json()["code"] == "storage_full"
        assert int(full.headers["Retry-After"]) > 0
        held = requests.get(f"{server.url}/api/v1/uploads/{upload}", timeout=20).json()
        assert held["state"] == "receiving" and held["offset"] == 1 << 20
        filler.unlink()
        rest = send(server, upload, data[held["offset"]:], held["offset"])
        assert rest.status_code == 204
        commit = requests.post(f"{server.url}/api/v1/uploads/{upload}/commit", timeout=60)
        assert commit.json()["state"] == "processing"
    finally:
        server.stop()
        subprocess.run(["umount", folder], check=True)

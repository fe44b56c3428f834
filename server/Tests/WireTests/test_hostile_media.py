"""Files that lie about times, sizes and counts, through upload and worker: the site answers all the while, and every job ends in
a code that the description has. `make proof-media` sends 300; without it a dozen."""

import os
import time

import requests

import hostile_media
from server import Server

COUNT = 300 if os.environ.get("CLIPFEED_PROOF") == "media" else 12
# What a stranger's file may be refused as. Everything else would be a fault of ours.
STATED = {
    "not_a_video", "unsupported_container", "unsupported_codec", "unreadable", "damaged", "truncated", "too_short", "too_long",
    "dimensions_unsupported", "no_video_stream", "encrypted", "transcoding_failed",
}
TUS = {"Tus-Resumable": "1.0.0", "Content-Type": "application/offset+octet-stream"}


def send(server, number, data):
    """The address of the upload; None with the code if it was refused at the door."""
    made = requests.post(
        f"{server.url}/api/v1/uploads", data=data, timeout=60,
        headers=TUS | {"Upload-Length": str(len(data)), "X-Forwarded-For": f"10.{number >> 6 & 255}.{number & 63}.7"})
    if made.status_code != 201:
        return None, made.json()["code"]
    return server.url + made.headers["Location"], None


def test_every_file_ends_in_a_stated_code_while_the_site_answers(tmp_path):
    server = Server(tmp_path / "data", workers=1, environment={"CLIPFEED_PROXIES": "1"})
    ended, open_ones = {}, {}
    try:
        def is_well():
            assert requests.get(f"{server.url}/healthz", timeout=20).status_code == 200
            assert server.lives()

        for number, (name, data) in enumerate(hostile_media.all_of(COUNT, tmp_path)):
            address, code = send(server, number, data)
            if address:
                open_ones[name] = address
            else:
                ended[name] = code
            is_well()
        limit = time.monotonic() + 120 + 20 * COUNT
        while open_ones:
            assert time.monotonic() < limit, f"never ended: {sorted(open_ones)}"
            for name, address in list(open_ones.items()):
                state = requests.get(address, timeout=20).json()
                if state["state"] in ("published", "refused"):
                    # Published is the first rendition; the job ends behind it.
                    ended[name] = state["problem"]["code"] if state["state"] == "refused" else "published"
                    del open_ones[name]
            is_well()
            time.sleep(0.2)
        wrong = {name: code for name, code in ended.items() if code not in STATED | {"published"}}
        assert not wrong, wrong
        assert ended["endless.mkv"] in STATED
        counts = {code: list(ended.values()).count(code) for code in sorted(set(ended.values()))}
        print(f"{len(ended)} files: {counts}")
        assert not any("runtime failure" in line or "Fatal error" in line for line in server.log)
    finally:
        server.stop()

"""`clipfeed upload` over a link that cuts, past a killed server and after its own death."""

import os
import random
import subprocess
import time

from clips import SERVER
from conftest import CUTS, stored
from hostile_link import Fault, HostileLink

# The largest part that the core plans.
PART = 8 * 1024 * 1024
OVERHEAD = 64 * 1024


def begin(link, file, state):
    return subprocess.Popen(
        [SERVER, "upload", file, "--server", link.url], env=os.environ | {"XDG_STATE_HOME": str(state)},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def wait(seen, upload, what):
    end = time.monotonic() + 120
    while not seen():
        assert upload.poll() is None, upload.stdout.read()
        assert time.monotonic() < end, what
        time.sleep(0.02)


def test_an_upload_by_command_outlives_cuts_its_server_and_itself(server, file, tmp_path):
    chance = random.Random(3)
    size = file.stat().st_size
    link = HostileLink(server.port, [Fault(chance.randrange(20_000, 300_000)) for _ in range(CUTS)])
    upload = begin(link, file, tmp_path)
    wait(lambda: link.bytes_up > size / 3, upload, "a third of the bytes")
    server.again()
    wait(lambda: link.bytes_up > size * 2 / 3, upload, "two thirds of the bytes")
    upload.kill()
    upload.wait()
    upload = begin(link, file, tmp_path)
    wait(lambda: stored(server, file), upload, "the whole file")
    upload.kill()
    again = link.bytes_up - size
    print(f"{link.cuts} cuts, 2 kills: {again / 1024:.0f} KiB came twice")
    assert again < (link.cuts + 2) * PART + OVERHEAD
    link.close()


def test_what_cannot_become_a_clip_costs_no_byte(server, tmp_path):
    link = HostileLink(server.port)
    for name, content, said in (
            ("empty.mp4", b"", "empty_file"), ("page.mp4", b"<html>" * 300, "not_a_video"),
            ("large.mp4", b"\0\0\0\x18ftypmp42" + bytes(50 << 20), "50 MB")):
        path = tmp_path / name
        path.write_bytes(content)
        upload = begin(link, path, tmp_path)
        assert upload.wait(60) == 1 and said in upload.stdout.read()
    assert link.bytes_up == 0
    link.close()


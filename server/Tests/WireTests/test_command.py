"""`clipfeed upload` over a link that cuts, past a killed server and after its own death."""

import os
import random
import sqlite3
import subprocess
import time
from contextlib import closing

import pytest

from clips import SERVER
from conftest import CUTS, Server, stored
from hostile_link import Fault, HostileLink

# The largest part that the core plans.
PART = 8 * 1024 * 1024
OVERHEAD = 64 * 1024


def begin(link, file, state, *options):
    return subprocess.Popen(
        [SERVER, "upload", file, "--server", link.url, *options], env=os.environ | {"XDG_STATE_HOME": str(state)},
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


def test_a_cover_is_chosen_in_seconds(server, file, tmp_path):
    for wrong in ("-1", "60.6", "nan", "soon"):
        said = subprocess.run(
            [SERVER, "upload", file, "--server", "http://localhost", f"--cover={wrong}"], capture_output=True, text=True)
        assert said.returncode == 64 and "--cover" in said.stderr
    link = HostileLink(server.port)
    upload = begin(link, file, tmp_path, "--cover", "1.25")
    wait(lambda: stored(server, file), upload, "the whole file")

    def covers():
        with closing(sqlite3.connect(server.data / "clipfeed.sqlite", timeout=20)) as database:
            return database.execute("SELECT cover_ms FROM clips").fetchall()
    # The file comes first, and then the clip.
    wait(covers, upload, "the clip")
    upload.kill()
    link.close()
    assert (1250,) in covers()


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



def video(path, seconds, size, *more):
    """A clip with a beep and the noise of a camera."""
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", f"testsrc2=s={size}:r=30,noise=alls=30:allf=t", "-f", "lavfi", "-i",
         "sine=f=440:r=48000", "-t", str(seconds), "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p",
         "-c:a", "aac", *more, path], check=True, timeout=120)
    return path


def probe(path, what):
    return subprocess.run(
        ["ffprobe", "-v", "error", "-show_entries", what, "-of", "csv=p=0", path], check=True, capture_output=True,
        text=True).stdout.split()


def sources(server):
    return [path for path in (server.data / "sources").glob("*/*.bin")]


@pytest.mark.parametrize("quality, megabytes", [(24, range(10, 50)), (12, range(50, 100))])
def test_a_large_file_is_compressed_before_a_byte_moves(server, tmp_path, quality, megabytes):
    path = video(tmp_path / "large.mp4", 3, "720x1280", "-crf", str(quality))
    assert path.stat().st_size >> 20 in megabytes
    link, state = HostileLink(server.port), tmp_path / "clipfeed/uploads"
    server.kill()
    upload = begin(link, path, tmp_path)
    wait(lambda: list(state.glob("*.json")), upload, "the smaller file, and that it is remembered")
    upload.kill()
    upload.wait()
    made = next(state.glob("*.video")).read_bytes()
    assert len(made) < path.stat().st_size / 2
    # The next run goes on with what was made.
    server.again()
    upload = begin(link, path, tmp_path)
    wait(lambda: sources(server), upload, "the source")
    source = sources(server)[0]
    assert source.read_bytes() == made and link.bytes_up < len(made) + OVERHEAD
    assert probe(source, "stream=width,height")[0] == "720,1280" and abs(float(probe(source, "format=duration")[0]) - 3) < 0.1
    wait(lambda: not list(state.glob("*.video")), upload, "the end of a file that has served its purpose")
    upload.kill()
    link.close()


def test_a_long_file_is_cut_where_the_person_says(tmp_path):
    path = video(tmp_path / "long.mp4", 70, "160x284", "-g", "300")
    server = Server(tmp_path / "data", workers=1)
    link = HostileLink(server.port)
    upload = begin(link, path, tmp_path)
    assert upload.wait(60) == 1
    said = upload.stdout.read()
    assert "70 seconds" in said and "--trim-from" in said and link.bytes_up == 0
    upload = begin(link, path, tmp_path, "--trim-from", "5")
    assert upload.wait(480) == 0, upload.stdout.read()
    assert abs(server.feed()[0]["playback"]["duration_ms"] - 60_000) < 300
    assert not list((tmp_path / "clipfeed/uploads").iterdir())
    server.stop()
    link.close()

"""What tests of prepared videos share: files, what is in them, a server whose worker takes them, and the screen."""

import array
import json
import shutil
import struct
import subprocess

import pytest

import clips
from server import Server

X264 = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-g", "70"]
# Such a browser encodes only what plays, and such a one nothing at all.
PLAYER = "delete globalThis.VideoEncoder; delete globalThis.VideoDecoder;"
BARE = PLAYER + "delete globalThis.MediaRecorder;"


def rotate(file):
    """It is written only where nothing is encoded."""
    upright = file.rename(file.with_stem("upright"))
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", upright, "-c", "copy", "-metadata:s:v:0", "rotate=90", file], check=True, timeout=60)


def marked(file, to):
    """The same, and behind it a box with XMP that says that AI made it."""
    packet = b'<a Iptc4xmpExt:DigitalSourceType="http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia"/>'
    content = bytes.fromhex("be7acfcb97a942e89c71999491e3afac") + packet
    to.write_bytes(file.read_bytes() + struct.pack(">I4s", len(content) + 8, b"uuid") + content)
    return to


def shape(file):
    """Width and height of the stored pictures, and by how much they are turned."""
    said = json.loads(subprocess.check_output(
        ["ffprobe", "-v", "error", "-select_streams", "v", "-show_streams", "-of", "json", file], timeout=30))["streams"][0]
    return said["width"], said["height"], [one["rotation"] for one in said.get("side_data_list", []) if "rotation" in one]


def pictures(file, *options):
    """The decoded pictures by their digests."""
    said = subprocess.run(
        ["ffmpeg", "-v", "error", *options, "-i", file, "-map", "0:v", "-fps_mode", "passthrough", "-f", "framemd5", "-"],
        check=True, timeout=100, capture_output=True, text=True)
    return [line.split(",")[-1].strip() for line in said.stdout.splitlines() if not line.startswith("#")]


def sound(file, *options):
    said = subprocess.run(
        ["ffmpeg", "-v", "error", *options, "-i", file, "-map", "0:a", "-af", "aresample=async=1:first_pts=0", "-ac", "1", "-ar", "16000",
         "-f", "s16le", "-"], check=True, timeout=100, capture_output=True)
    return array.array("h", said.stdout)


def length(file):
    said = subprocess.run(
        ["ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", file],
        check=True, timeout=30, capture_output=True, text=True)
    return float(said.stdout)


def probed(file):
    return json.loads(subprocess.check_output(
        ["ffprobe", "-v", "error", "-show_streams", "-show_format", "-of", "json", file], timeout=30))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("long")


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return shutil.copytree(clips.library("small", [0, 10, 20, 30]), tmp_path_factory.mktemp("uploads") / "data")


@pytest.fixture(scope="module")
def busy_server(data):
    server = Server(data, workers=1)
    yield server
    server.stop()


def cancel(screen):
    screen.tap("Cancel")
    screen.tap("Cancel the upload")
    screen.expect("empty")


def megabytes(screen):
    """What the screen says of the file that goes up."""
    return float(screen.page.locator("#uploader [data-part=facts]").inner_text().split(" MB")[0])

"""Clips that a capture of the screen can tell apart, and libraries (data folders) made of them by
`clipfeed import`. Both are kept under .build-e2e, named after all that they depend on."""

import fcntl
import hashlib
import os
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
CACHE = ROOT / ".build-e2e"
SERVER = Path(os.environ.get("CLIPFEED_SERVER", ROOT / "server/.build/debug/clipfeed"))

WIDTH, HEIGHT = 360, 640
COUNT = 32
# Two half bands of six colours name 36 clips; both halves survive compression and colour conversion.
BAND_COLOURS = [(230, 30, 30), (30, 190, 40), (40, 60, 230), (235, 220, 30), (220, 40, 210), (30, 210, 220)]
BAND_TOP, BAND_HEIGHT = 160, 96  # clear of everything that lies over a clip


def band_of(number):
    return BAND_COLOURS[number % 6], BAND_COLOURS[number // 6]


def duration_of(number):
    """Seconds, with a fraction of a frame's length more or less, as real clips have."""
    return 3 + (number * 7 % 5) * 0.53


def clip_in(image):
    """The number of the clip whose band the picture shows; None if it shows no whole band."""
    y = round((BAND_TOP + BAND_HEIGHT / 2) / HEIGHT * image.height)
    halves = []
    for x in (0.1, 0.7):
        pixel = image.getpixel((round(x * image.width), y))[:3]
        distance, index = min(
            (sum((a - b) ** 2 for a, b in zip(pixel, colour)), i) for i, colour in enumerate(BAND_COLOURS))
        if distance > 60**2:
            return None
        halves.append(index)
    number = halves[0] + 6 * halves[1]
    return number if number < COUNT else None


def sources(numbers):
    """The files of these clips, made by ffmpeg the first time."""
    folder = CACHE / f"sources-{_digest(Path(__file__).read_bytes())}"
    folder.mkdir(parents=True, exist_ok=True)
    files = [folder / f"clip {number:02}.mp4" for number in numbers]
    with _alone("sources"), ThreadPoolExecutor(2) as pool:
        list(pool.map(_draw, files, numbers))
    return files


def library(name, numbers):
    """A data folder with these clips. Their order in the feed is for the feed to tell."""
    key = _digest(Path(__file__).read_bytes(), _server_digest(), repr(numbers).encode())
    data = CACHE / f"library-{name}-{key}"
    with _alone(name):
        if not data.exists():
            for old in CACHE.glob(f"library-{name}-*"):
                shutil.rmtree(old)
            fresh = data.with_suffix(".new")
            shutil.rmtree(fresh, ignore_errors=True)
            add(fresh, sources(numbers))
            fresh.rename(data)
    return data


def add(data, files, environment=None):
    done = subprocess.run(
        [SERVER, "import", "--data", data, "--workers", "2", *files], env=os.environ | (environment or {}),
        capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr


@contextmanager
def _alone(name):
    """The tests run in two processes, and one of them makes what both need."""
    CACHE.mkdir(exist_ok=True)
    with open(CACHE / f"{name}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _draw(file, number):
    """A light, slowly turning gradient, a ball that never rests, the band, and a tone. Never dark."""
    if file.exists():
        return
    seconds = duration_of(number)
    left, right = ("0x%02x%02x%02x" % colour for colour in band_of(number))
    tints = ["0xffe0c0", "0xd0f0ff", "0xe8ffd0", "0xffd8f0"]
    inputs = [
        f"gradients=s={WIDTH}x{HEIGHT}:r=30:c0={tints[number % 4]}:c1={tints[number * 3 % 4]}:n=2:speed=0.02",
        "color=c=0x5060a0:s=80x80:r=30", f"sine=f={220 + 30 * number}:r=48000",
    ]
    picture = (
        f"[0][1]overlay=x='mod(t*{160 + 9 * number},{WIDTH - 80})':y='360+60*sin(t*{4 + number % 3})',"
        f"drawbox=y={BAND_TOP}:w={WIDTH // 2}:h={BAND_HEIGHT}:color={left}:t=fill,"
        f"drawbox=x={WIDTH // 2}:y={BAND_TOP}:w={WIDTH // 2}:h={BAND_HEIGHT}:color={right}:t=fill[v]")
    part = file.with_suffix(".part.mp4")
    command = ["ffmpeg", "-v", "error", "-nostdin", "-y"]
    for source in inputs:
        command += ["-f", "lavfi", "-i", source]
    command += ["-filter_complex", picture, "-map", "[v]", "-map", "2", "-t", str(seconds)]
    command += ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "aac", part]
    subprocess.run(command, check=True, timeout=60)
    part.rename(file)


@cache
def _server_digest():
    """Of a file of up to two hundred megabytes, asked for by nearly every test."""
    return _digest(SERVER.read_bytes()).encode()


def _digest(*parts):
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part)
    return digest.hexdigest()[:12]

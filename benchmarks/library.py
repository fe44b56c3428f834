"""The clips that the feed shows in the benchmarks: 64 portrait clips of 5 to 13 s with the detail and
bit rates of real ones, through `clipfeed import` once, then kept under .build-bench."""

import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from common import CACHE, ROOT, SERVER_PROGRAM, digest

COUNT = 64
QUICK_COUNT = 10
# Places of the Mandelbrot set with detail at every scale.
PLACES = [(-0.74364, 0.13182, 0.02), (-0.7463, 0.1102, 0.005), (0.2820, 0.0100, 0.01), (-1.2500, 0.0200, 0.03),
          (-0.1592, 1.0317, 0.02), (-0.7453, 0.1127, 0.0065), (0.3750, 0.2160, 0.02), (-1.7490, 0.0000, 0.02)]


def seconds_of(number):
    return 5 + number * 29 % 64 / 8


def library(quick=False):
    """The data folder. What it depends on is in its name."""
    count = QUICK_COUNT if quick else COUNT
    code = [ROOT / "server/Sources" / file for file in ("Transcoding/Ladder.swift", "FFmpeg/EncodeArguments.swift")]
    key = digest(*(_drawing(number, "") for number in range(count)), *(file.read_bytes() for file in code))
    data = CACHE / f"library-{count}-{key}"
    if data.exists():
        return data
    print(f"Making {count} clips; this is done once and takes some ten seconds for each.", flush=True)
    fresh = data.with_suffix(".new")
    # Whoever was interrupted goes on where it ended.
    made = fresh.with_suffix(".made")
    with TemporaryDirectory() as folder:
        for number in range(int(made.read_text()) if made.exists() else 0, count):
            source = Path(folder) / f"bench {number:02}.mp4"
            subprocess.run(
                ["ffmpeg", "-v", "error", "-nostdin", "-y", *_drawing(number, source)], check=True, timeout=300)
            subprocess.run(
                [SERVER_PROGRAM, "import", "--data", fresh, source], check=True, timeout=600,
                stdout=subprocess.DEVNULL)
            source.unlink()
            made.write_text(str(number + 1))
    made.unlink()
    for old in CACHE.glob(f"library-{count}-*"):
        if old != fresh:
            shutil.rmtree(old)
    fresh.rename(data)
    return data


def _drawing(number, file):
    """A detailed picture that moves past, with the noise of a camera, and a tone."""
    x, y, scale = PLACES[number % len(PLACES)]
    across, down = (3 + number * 7 % 11) / 2000, (number * 5 % 9 - 4) / 2000
    picture = (
        f"[0]trim=end_frame=1,loop=loop=-1:size=1,setpts=N/30/TB,scroll=h={across}:v={down},crop=720:1280:0:0,"
        f"hue=h={number * 47 % 360}:s=0.7,noise=alls={5 + number % 4 * 3}:allf=t,fps=30,format=yuv420p[v]")
    return [
        "-f", "lavfi", "-i", f"mandelbrot=s=1280x1440:r=1:start_scale={scale}:start_x={x}:start_y={y}:maxiter=600",
        "-f", "lavfi", "-i", f"sine=f={220 + 9 * number}:r=48000",
        "-filter_complex", picture, "-map", "[v]", "-map", "1", "-t", str(seconds_of(number)),
        "-c:v", "libx264", "-preset", "ultrafast", "-crf", "18", "-threads", "2", "-c:a", "aac", str(file),
    ]


if __name__ == "__main__":
    print(library())

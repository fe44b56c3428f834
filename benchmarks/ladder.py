"""Bytes and quality of each rendition against one of a fixed bit rate, as a plain ladder would have it: 0.6, 1.5, 3 and
6 Mb/s, sound included, by the same encoder at the same speed. SSIM is of the luma, against the source scaled to the size of
the rendition, as ffmpeg's filter has it (Wang et al. 2004); bytes do not depend on what else the machine does."""

import argparse
import json
import re
import shutil
import sqlite3
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

import pipeline
from common import CACHE, ROOT, SERVER_PROGRAM, table

MEDIA = ROOT / "../shared/media/good"
# Sources at a constant rate, so that frame follows frame in all that is compared.
REAL = {"a phone's film (720)": MEDIA / "android_rot270.mp4"}


def calm():
    """Soft colours that drift: what a wall, a sky or a face out of focus asks of an encoder."""
    file = CACHE / "ladder-calm.mp4"
    if not file.exists():
        pipeline.ffmpeg(
            "-f", "lavfi", "-i", "gradients=s=1080x1920:r=30:speed=0.01:c0=0x203050:c1=0xc08060:c2=0x406050:n=3:seed=4",
            "-f", "lavfi", "-i", "sine=f=330:r=48000", "-t", "10", "-vf", "noise=alls=2:allf=t,format=yuv420p", "-c:v",
            "libx264", "-preset", "veryfast", "-crf", "16", "-c:a", "aac", "-f", "mp4", file.with_suffix(".part"))
        file.with_suffix(".part").rename(file)
    return file


def ours(file, folder):
    """The renditions of a clip: descriptor and file of each."""
    subprocess.run([SERVER_PROGRAM, "import", "--data", folder, file], check=True, stdout=subprocess.DEVNULL, timeout=1200)
    with sqlite3.connect(folder / "clipfeed.sqlite") as database:
        playback = json.loads(database.execute("SELECT playback FROM clips").fetchone()[0])
    return [(rendition, next((folder / "media").glob("*/" + rendition["url"].rsplit("/", 1)[1])))
            for rendition in playback["renditions"]]


def fixed(file, rendition, bits, sound, folder):
    made = folder / f"fixed-{rendition['name']}.mp4"
    rate = bits - sound
    pipeline.ffmpeg(
        "-i", file, "-vf", shape(rendition), "-c:v", "libx264", "-preset", "veryfast", "-profile:v", "high", "-b:v", rate,
        "-maxrate", rate, "-bufsize", rate, "-g", round(2 * rendition["frame_rate"]), "-c:a", "aac", "-b:a", sound, "-ar", "48000",
        "-ac", "2", "-movflags", "+faststart", made)
    return made


def shape(rendition):
    return f"fps={rendition['frame_rate']},scale={rendition['width']}:{rendition['height']}:flags=bicubic,setsar=1,format=yuv420p"


def ssim(made, source, rendition):
    graph = f"[0:v]setpts=N/TB/30[a];[1:v]{shape(rendition)},setpts=N/TB/30[b];[a][b]ssim=shortest=1"
    said = subprocess.run(
        ["ffmpeg", "-hide_banner", "-nostdin", "-i", made, "-i", source, "-lavfi", graph, "-f", "null", "-"], check=True,
        capture_output=True, text=True, timeout=600).stderr
    return float(re.search(r"SSIM Y:([\d.]+)", said)[1])


def main():
    argparse.ArgumentParser(description=__doc__).parse_args()
    sources = {"detail and noise (1080)": pipeline.source(), "soft colours (1080)": calm()}
    sources |= {name: file for name, file in REAL.items() if file.exists()}
    rates = {str(edge): (cap, sound) for edge, cap, sound in pipeline.RUNGS}
    rows, sums = [], [0, 0]
    for name, source in sources.items():
        with TemporaryDirectory(dir=CACHE) as text:
            folder = Path(text)
            for rendition, file in ours(source, folder / "data"):
                plain = fixed(source, rendition, *rates[rendition["name"]], folder)
                sizes = [path.stat().st_size for path in (file, plain)]
                seconds = sum(part["duration_ms"] for part in rendition["segments"]) / 1000
                likeness = [ssim(path, source, rendition) for path in (file, plain)]
                rows.append([
                    f"{name} {rendition['name']}", f"{sizes[0] * 8 / seconds / 1e6:.2f}", f"{sizes[1] * 8 / seconds / 1e6:.2f}",
                    f"{sizes[0] / sizes[1]:.2f}", f"{likeness[0]:.4f}", f"{likeness[1]:.4f}"])
                sums = [sums[0] + sizes[0], sums[1] + sizes[1]]
            shutil.rmtree(folder / "data")
    rows.append(["all", "", "", f"{sums[0] / sums[1]:.2f}", "", ""])
    print(table(["rendition", "Mb/s", "fixed", "bytes to fixed", "SSIM", "fixed"], rows))


if __name__ == "__main__":
    main()

"""Seconds and processor time per clip through `clipfeed import`, and when its first rendition can be played, against
the best plain ffmpeg command that makes the same four renditions with the same encoder settings, and against one
such command per rendition. All take turns in one run, in changing order, so that they see the same machine."""

import argparse
import resource
import shutil
import sqlite3
import subprocess
import time
from statistics import median

from common import CACHE, SERVER_PROGRAM, table

SECONDS = 15
NICE = "5"
# As the ladder has them: short edge, cap and sound in bits per second.
RUNGS = [(360, 600_000, 96_000), (540, 1_500_000, 96_000), (720, 3_000_000, 128_000), (1080, 6_000_000, 128_000)]
CUTS = "0," + ",".join(f"{second - 0.25 / 30:.6f}" for second in range(1, SECONDS, 2))


def source():
    """1080×1920, 30 frames a second, with sound: detail that moves, and the noise of a camera."""
    file = CACHE / f"pipeline-{SECONDS}.mp4"
    if not file.exists():
        CACHE.mkdir(exist_ok=True)
        picture = (
            "[0]trim=end_frame=1,loop=loop=-1:size=1,setpts=N/30/TB,scroll=h=0.004:v=0.002,crop=1080:1920:0:0,"
            "noise=alls=8:allf=t,fps=30,format=yuv420p[v]")
        ffmpeg(
            "-f", "lavfi", "-i", "mandelbrot=s=1920x2160:r=1:start_scale=0.02:start_x=-0.74364:start_y=0.13182:maxiter=600",
            "-f", "lavfi", "-i", "anoisesrc=c=pink:a=0.3:r=48000", "-filter_complex", picture, "-map", "[v]",
            "-map", "1", "-t", SECONDS, "-c:v", "libx264", "-preset", "veryfast", "-crf", "20", "-c:a", "aac",
            "-f", "mp4", file.with_suffix(".part"))
        file.with_suffix(".part").rename(file)
    return file


def ffmpeg(*arguments):
    subprocess.run(["nice", "-n", NICE, "ffmpeg", "-v", "error", "-nostdin", "-y", *map(str, arguments)], check=True, timeout=600)


def encode(file, folder, rungs, threads):
    """One command with one decode for these rungs; `threads` of each encoder, 0 leaves it to x264."""
    top = rungs[-1][0]
    labels = "".join(f"[s{i}]" for i in range(len(rungs)))
    graph = [f"[0:v]fps=30,{scale(top, 1080)},format=yuv420p,split={len(rungs)}{labels}"]
    outputs = []
    for i, (edge, cap, sound) in enumerate(rungs):
        graph.append(f"[s{i}]{scale(edge, top)}[v{i}]")
        room = (cap - sound) * 0.97
        outputs += [
            "-map", f"[v{i}]", "-map", "0:a", "-c:v", "libx264", "-preset", "veryfast", "-profile:v", "high",
            "-crf", "23", "-maxrate", int(room * 0.8), "-bufsize", int(room * 0.6), "-bf", "3", "-flags:v", "+cgop",
            "-threads:v", threads,
            "-x264-params", "keyint=infinite:min-keyint=1:scenecut=0:open-gop=0:vbv-init=0.4",
            "-force_key_frames", CUTS, "-c:a", "aac", "-b:a", sound, "-ar", "48000", "-ac", "2",
            "-movflags", "+frag_keyframe+empty_moov+default_base_moof+negative_cts_offsets", folder / f"{edge}.mp4"]
    # NB: import lets ffmpeg stand back behind requests; on a busy machine only the same is comparable.
    ffmpeg("-i", file, "-filter_complex", ";".join(graph), *outputs)


def scale(edge, source):
    return "null" if edge == source else f"scale={edge}:{edge * 16 // 9}:flags=bicubic"


def plain(threads):
    return lambda file, folder: encode(file, folder, RUNGS, threads)


def one_by_one(file, folder):
    for rung in RUNGS:
        encode(file, folder, [rung], 0)


def ours(file, folder):
    """Seconds from the source being there to its first rendition being visible, and to the last."""
    process = subprocess.Popen([SERVER_PROGRAM, "import", "--data", folder, file], stdout=subprocess.DEVNULL)
    moments, runs, database = {}, True, None
    while runs:
        runs = process.poll() is None
        # One connection: looking must not take from what is looked at.
        database = database or connected(folder)
        for moment in seen(database) if database else []:
            moments.setdefault(moment, time.monotonic())
        time.sleep(0.02)
    database.close()
    if process.returncode or "done" not in moments:
        raise SystemExit("clipfeed import failed")
    return moments["visible"] - moments["registered"], moments["done"] - moments["registered"]


def connected(folder):
    """None while there is no file."""
    try:
        return sqlite3.connect(f"file:{folder}/clipfeed.sqlite?mode=ro", uri=True, timeout=5)
    except sqlite3.OperationalError:
        return None


def seen(database):
    """What the database says by now; nothing while it is being made."""
    try:
        clips = database.execute("SELECT state FROM clips").fetchall()
        done = database.execute("SELECT COUNT(*) FROM jobs WHERE state = 'done'").fetchone()[0]
    except sqlite3.OperationalError:
        return []
    return ["registered"] * bool(clips) + ["visible"] * (("ready",) in clips) + ["done"] * done


def timed(work, file):
    folder = CACHE / "pipeline-run"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    began, spent = time.monotonic(), cpu_seconds()
    moments = work(file, folder)
    seconds, cpu = time.monotonic() - began, cpu_seconds() - spent
    size = sum(f.stat().st_size for f in folder.rglob("*.mp4") if "sources" not in f.parts)
    shutil.rmtree(folder)
    return seconds, cpu, size, *(moments or ())


def cpu_seconds():
    """Of all children that have ended, theirs included. It depends less on what else the machine does."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


WAYS = {
    "plain ffmpeg, one command": plain(0),
    "the same, a thread per encoder": plain(1),
    "one ffmpeg per rendition": one_by_one,
    "clipfeed import": ours,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    file = source()
    runs = {name: [] for name in WAYS}
    count = 1 if options.quick else options.runs
    for number in range(count):
        order = list(WAYS)
        for name in order[number % len(order):] + order[:number % len(order)]:
            runs[name].append(timed(WAYS[name], file))
    middle = {name: [median(values) for values in zip(*results)] for name, results in runs.items()}
    names = list(WAYS)
    # The best of either measure, whichever of the two commands has it: nobody may say it was held back.
    best = [min(middle[name][column] for name in names[:2]) for column in (0, 1)]
    each = middle[names[2]]
    rows = []
    for name in names:
        seconds, cpu, size = middle[name][:3]
        spread = f"{min(r[0] for r in runs[name]):.1f} to {max(r[0] for r in runs[name]):.1f}"
        rows.append([name, f"{seconds:.1f}", spread, f"{seconds / best[0]:.2f}", f"{seconds / each[0]:.2f}", f"{cpu:.1f}",
                     f"{cpu / best[1]:.2f}", f"{cpu / each[1]:.2f}", f"{size / 1e6:.2f}"])
    build = "release" if "release" in str(SERVER_PROGRAM) else "debug"
    print(f"{SECONDS} s, 1080×1920, 30 frames/s, four renditions; {count} runs of each in turn, {build} build\n")
    print(table(["", "seconds per clip", "from to", "to the best", "to one each", "CPU seconds", "to the best",
                 "to one each", "MB made"], rows))
    first = median(r[3] for r in runs[names[3]])
    whole = median(r[4] for r in runs[names[3]])
    share = median(r[3] / r[4] for r in runs[names[3]])
    print(f"\nFirst rendition visible after {first:.1f} s of {whole:.1f} s: {share:.2f} of the full ladder's time.")


if __name__ == "__main__":
    main()

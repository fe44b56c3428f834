"""Seconds per clip through `clipfeed import`, against the plain ffmpeg command that makes the same
renditions with the same encoder settings. Run by run in turn, so that both see the same machine."""

import argparse
import resource
import shutil
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


def plain(file, folder):
    labels = "".join(f"[s{i}]" for i in range(len(RUNGS)))
    graph = [f"[0:v]fps=30,format=yuv420p,split={len(RUNGS)}{labels}"]
    outputs = []
    for i, (edge, cap, sound) in enumerate(RUNGS):
        scale = "null" if edge == 1080 else f"scale={edge}:{edge * 16 // 9}:flags=bicubic"
        graph.append(f"[s{i}]{scale}[v{i}]")
        rate = (cap - sound) * 0.97 / 1.175
        outputs += [
            "-map", f"[v{i}]", "-map", "0:a", "-c:v", "libx264", "-preset", "veryfast", "-profile:v", "high",
            "-crf", "23", "-maxrate", int(rate), "-bufsize", int(rate * 0.35), "-bf", "3", "-flags:v", "+cgop",
            "-x264-params", "keyint=infinite:min-keyint=1:scenecut=0:open-gop=0:vbv-init=0.5",
            "-force_key_frames", CUTS, "-c:a", "aac", "-b:a", sound, "-ar", "48000", "-ac", "2",
            "-movflags", "+frag_keyframe+empty_moov+default_base_moof+negative_cts_offsets", folder / f"{edge}.mp4"]
    # NB: import lets ffmpeg stand back behind requests; on a busy machine only the same is comparable.
    ffmpeg("-i", file, "-filter_complex", ";".join(graph), *outputs)


def ours(file, folder):
    subprocess.run(
        [SERVER_PROGRAM, "import", "--data", folder, file], check=True, timeout=600, stdout=subprocess.DEVNULL)


def timed(work, file):
    folder = CACHE / "pipeline-run"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    began, spent = time.monotonic(), cpu_seconds()
    work(file, folder)
    seconds, cpu = time.monotonic() - began, cpu_seconds() - spent
    size = sum(f.stat().st_size for f in folder.rglob("*.mp4") if "sources" not in f.parts)
    shutil.rmtree(folder)
    return seconds, cpu, size


def medians(results):
    return [median(values) for values in zip(*results)]


def cpu_seconds():
    """Of all children that have ended, theirs included. It depends less on what else the machine does."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    file = source()
    runs = {"plain ffmpeg": [], "clipfeed import": []}
    for _ in range(1 if options.quick else options.runs):
        runs["plain ffmpeg"].append(timed(plain, file))
        runs["clipfeed import"].append(timed(ours, file))
    base, base_cpu, _ = medians(runs["plain ffmpeg"])
    rows = []
    for name, results in runs.items():
        seconds, cpu, size = medians(results)
        spread = f"{min(r[0] for r in results):.1f} to {max(r[0] for r in results):.1f}"
        rows.append([name, f"{seconds:.1f}", spread, f"{seconds / base:.2f}", f"{cpu:.1f}", f"{cpu / base_cpu:.2f}",
                     f"{size / 1e6:.2f}"])
    build = "release" if "release" in str(SERVER_PROGRAM) else "debug"
    print(f"{SECONDS} s, 1080×1920, 30 frames/s, four renditions; {len(results)} runs of each in turn, {build} build\n")
    print(table(["", "seconds per clip", "from to", "ratio", "CPU seconds", "ratio", "MB made"], rows))


if __name__ == "__main__":
    main()

"""A program of the operator's that makes videos, for `make proof-generation`: it reads what is wanted as
docs/design/video-providers.md says, takes its time, and writes a clip. It ends with 4 where whoever calls it breaks a
promise, which ends a generation as `invalid_request`.

    python3 video_command.py CLIP SECONDS FAILS    FAILS: the part of runs that fail"""

import json
import os
import random
import sys
import time
from pathlib import Path

WANTED = {"version", "prompt", "seconds", "aspect", "width", "height", "output"}


def complaint(wanted):
    """None: it is called as it was promised."""
    if set(wanted) != WANTED or wanted["version"] != 1 or wanted["output"] != "video.mp4":
        return f"the input: {sorted(wanted)}"
    if wanted["seconds"] not in (5, 10, 15) or wanted["aspect"] not in ("9:16", "1:1", "16:9"):
        return "length or aspect"
    if any(name.startswith("CLIPFEED") for name in os.environ):
        return "settings of the server in the environment"
    if any(wanted["prompt"] in argument for argument in sys.argv):
        return "the prompt as an argument"
    return None


def main():
    clip, seconds, fails = sys.argv[1], float(sys.argv[2]), float(sys.argv[3])
    # One sign for each time that it was begun in this folder.
    with open("began", "a") as began:
        began.write("x")
    fault = complaint(json.load(sys.stdin))
    if fault:
        print(fault, file=sys.stderr)
        return 4
    run = Path.cwd().parent.name
    for step in range(4):
        print(f"progress {step / 4}", flush=True)
        time.sleep(seconds / 4)
    if random.Random(run).random() < fails:
        print("out of memory", file=sys.stderr)
        return 1
    content = run.encode()
    # Bytes of its own for each: readers of MP4 skip a box of type "free".
    box = (8 + len(content)).to_bytes(4, "big") + b"free" + content
    Path("video.mp4").write_bytes(Path(clip).read_bytes() + box)
    return 0


if __name__ == "__main__":
    sys.exit(main())

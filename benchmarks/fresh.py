"""From a fresh clone to the first moving frame, by `make run` alone; then once more. See README.md."""

import os
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[1]
PATIENCE_S = 3600
MOVES = "[...document.querySelectorAll('video')].some((video) => video.currentTime > 0.05)"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def until(condition, run, log):
    """Waits until the condition holds; ends with the log if `make run` ends first."""
    began = time.monotonic()
    while not condition():
        if run.poll() is not None or time.monotonic() - began > PATIENCE_S:
            raise SystemExit(f"make run did not come that far:\n{log.read_text()[-2000:]}")
        time.sleep(0.1)


def answers(address):
    try:
        return urlopen(f"{address}/readyz", timeout=1).status == 200
    except (URLError, OSError):
        return False


def measure(clone, chromium):
    """Seconds from `make run` until it listens and until a clip moves."""
    port = free_port()
    address, log = f"http://127.0.0.1:{port}", clone / "run.log"
    began = time.monotonic()
    with log.open("w") as output:
        run = subprocess.Popen(
            ["make", "run"], cwd=clone, env=os.environ | {"CLIPFEED_PORT": str(port)}, stdin=subprocess.DEVNULL,
            stdout=output, stderr=subprocess.STDOUT, start_new_session=True)
    try:
        until(lambda: answers(address), run, log)
        listening = time.monotonic() - began
        page = chromium.new_page()
        page.goto(address)
        until(lambda: page.evaluate(MOVES), run, log)
        return listening, time.monotonic() - began
    finally:
        if run.poll() is None:
            os.killpg(run.pid, signal.SIGTERM)
            run.wait(30)


def main():
    with tempfile.TemporaryDirectory(prefix="clipfeed-fresh-") as folder, sync_playwright() as playwright:
        clone = Path(folder) / "clipfeed"
        subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
        chromium = playwright.chromium.launch(
            executable_path=os.environ.get("CLIPFEED_CHROMIUM", "/usr/bin/chromium"), args=["--no-sandbox"])
        for name in ("first time", "second time"):
            listening, moving = measure(clone, chromium)
            print(f"{name}: listening after {listening:.1f} s, first moving frame after {moving:.1f} s", flush=True)


if __name__ == "__main__":
    main()

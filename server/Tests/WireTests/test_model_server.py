"""A model of the operator's own behind the real MLServer: what it prefers comes first, and when it is gone all goes on."""

import json
import os
import shutil
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import clips
import pytest
import requests
from conftest import free_port, signed_up
from server import Server

EXAMPLE = clips.ROOT / "deploy/mlserver/short-clips"
MLSERVER = Path(sys.executable).with_name("mlserver")
# Seconds: of three clips, and of the six beside them.
SHORT, LONG = 1, 6


@contextmanager
def serving_models(folder):
    """MLServer with the example that operators get, and with its opposite. Gives its address, and what ends it."""
    shutil.copytree(EXAMPLE, folder / "short-clips", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "long-clips").mkdir()
    (folder / "long-clips/long_clips.py").write_text(
        (EXAMPLE / "short_clips.py").read_text().replace("-features", "features").replace("Short", "Long"))
    (folder / "long-clips/model-settings.json").write_text(
        json.dumps({"name": "long-clips", "implementation": "long_clips.LongClips"}))
    port = free_port()
    # Without processes of its own for models: two of them need none.
    settings = {"HOST": "127.0.0.1", "HTTP_PORT": port, "GRPC_PORT": 0, "METRICS_PORT": 0, "PARALLEL_WORKERS": 0}
    environment = os.environ | {f"MLSERVER_{name}": str(value) for name, value in settings.items()}
    with open(folder / "log", "w") as log:
        process = subprocess.Popen(
            [MLSERVER, "start", folder], cwd=folder, stdout=log, stderr=log, env=environment)

    def end():
        process.kill()
        process.wait()

    try:
        address = f"http://127.0.0.1:{port}"
        limit = time.monotonic() + 120
        while not all(is_ready(address, name) for name in ("short-clips", "long-clips")):
            assert process.poll() is None and time.monotonic() < limit, (folder / "log").read_text()
            time.sleep(0.1)
        yield address, end
    finally:
        end()


def is_ready(address, model):
    try:
        return requests.get(f"{address}/v2/models/{model}/ready", timeout=5).status_code == 200
    except requests.RequestException:
        return False


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """Three short clips between six long ones."""
    folder = tmp_path_factory.mktemp("lengths")
    files = [folder / f"{number}.mp4" for number in range(9)]
    for number, file in enumerate(files):
        subprocess.run(
            ["ffmpeg", "-v", "error", "-nostdin", "-f", "lavfi", "-i", f"testsrc2=s=90x160:r=15,hue=h={number * 30}",
             "-t", str(SHORT if number % 3 == 1 else LONG), "-c:v", "libx264", "-preset", "ultrafast",
             "-pix_fmt", "yuv420p", file], check=True, timeout=60)
    clips.add(folder / "data", files)
    return folder / "data"


def settings(address, model):
    # The longest that can be said: the machine of the tests may be much slower than others.
    return {"CLIPFEED_MODEL_SERVER": address, "CLIPFEED_MODEL_NAME": model, "CLIPFEED_MODEL_MS": "120"}


@contextmanager
def serving(data, address, model):
    server = Server(data, environment=settings(address, model) | {"CLIPFEED_METRICS_PORT": "0"})
    try:
        assert server.says("Metrics: ")
        line = next(line for line in server.log if "Metrics: " in line)
        server.metrics = line.split("Metrics: ")[1].strip()
        yield server
    finally:
        server.stop()


def page(server, token):
    answer = requests.get(
        f"{server.url}/api/v1/feed", params={"tab": "for_you", "limit": 10}, timeout=20,
        headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == 200
    return answer.json()["items"]


def scored(server):
    """How many pages the model scored."""
    for line in requests.get(server.metrics, timeout=20).text.splitlines():
        if line.startswith('clipfeed_ranking_model_total{outcome="scored"}'):
            return float(line.split()[1])
    return 0


def page_that_was_scored(server, token):
    """A page of which nothing but the model chose the order. On a busy machine it may be late a few times, and is then
    left alone for some seconds."""
    end = time.monotonic() + 120
    while True:
        before = scored(server)
        items = page(server, token)
        # What comes when the page itself was late has no reasons.
        if scored(server) > before and all(item.get("reason") for item in items):
            return items
        assert time.monotonic() < end, "".join(server.log)
        time.sleep(0.2)


def lengths(items):
    """Of those clips whose place was given by the order, not by lot or to a new one."""
    return [round(item["playback"]["duration_ms"] / 1000) for item in items if item["reason"]["kind"] not in ("new", "drawn")]


def test_the_order_goes_by_the_model(library, tmp_path):
    with serving_models(tmp_path) as (address, end):
        for model, first in (("short-clips", SHORT), ("long-clips", LONG)):
            with serving(library, address, model) as server:
                token = signed_up(server, model.replace("-", "_"))
                for _ in range(5):
                    order = lengths(page_that_was_scored(server, token))
                    # Farther down likeness to what came before may weigh as much.
                    best = min(order.count(first), 3)
                    assert order[:best] == [first] * best
                doctor = subprocess.run(
                    [clips.SERVER, "doctor", "--data", library, "--web", clips.ROOT / "web"], text=True,
                    env=os.environ | settings(address, model), capture_output=True, timeout=120)
                assert f"model server: {address} has {model} and scores two made-up clips" in doctor.stdout
                if model == "long-clips":
                    end()
                    # Nobody is there any more, and everybody gets their pages.
                    for _ in range(8):
                        assert len(page(server, token)) == 9
                    assert server.says("the model server fails; pages go by our own scores")

"""Captions by command and by an operator's program, past a killed server."""

import subprocess
import time
import urllib.request

import clips
import requests
from clips import SERVER
from server import Server
from test_command import begin

SUBRIP = "1\n00:00:00,200 --> 00:00:01,000\nGood <i>morning</i>\n"


def until(seen, what):
    end = time.monotonic() + 240
    while not (found := seen()):
        assert time.monotonic() < end, what
        time.sleep(0.05)
    return found


def captions(server):
    items = server.feed()
    return items[0]["playback"].get("captions", []) if items else []


def text(server, track):
    with urllib.request.urlopen(server.url + track["url"], timeout=60) as answer:
        assert answer.headers["Content-Type"] == "text/vtt; charset=utf-8"
        return answer.read().decode()


def test_a_clip_goes_up_with_its_captions(tmp_path):
    server = Server(tmp_path / "data", workers=1)
    file = tmp_path / "clip.srt"
    file.write_text("no captions")
    command = [SERVER, "upload", clips.sources([3])[0], "--server", server.url, "--captions", file]
    refused = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert refused.returncode == 1 and "captions_unreadable" in refused.stderr and server.feed() == []
    file.write_bytes(SUBRIP.encode("utf-16"))
    done = subprocess.run(
        [*command, "--captions-language", "en_gb"], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    [track] = captions(server)
    assert (track["language"], track["automatic"]) == ("en-GB", False)
    assert text(server, track).endswith("\n\n00:00:00.200 --> 00:00:01.000\nGood <i>morning</i>\n")
    # An operator sees them, and takes them away.
    [clip] = server.feed()

    def operate(*words):
        return subprocess.run(
            [SERVER, "captions", clip["id"], *words, "--data", server.data], capture_output=True, text=True, timeout=60)
    assert track["url"] in operate().stdout
    assert operate("--remove", "--language", "EN-gb").returncode == 0 and captions(server) == []
    again = operate("--remove", "--language", "en-GB")
    assert again.returncode == 1 and "captions_not_found" in again.stderr
    assert operate("--language", "english", "x.vtt").returncode == 64
    assert "not_a_file" in operate("--language", "en", tmp_path).stderr
    server.stop()


def test_an_operators_program_makes_captions_also_past_a_killed_server(tmp_path, monkeypatch):
    program, go = tmp_path / "captioner with a blank", tmp_path / "go"
    # It waits for a sign, so that the server can be killed while it works.
    (tmp_path / "answer").write_text(SUBRIP)
    program.write_text(
        f"#!/bin/sh\necho $$ >> '{tmp_path}/runs'\nwhile [ ! -e '{go}' ]; do sleep 0.05; done\n"
        f"[ \"$1\" = nl ] && [ -s \"$2\" ] && cat '{tmp_path}/answer'\n")
    program.chmod(0o755)
    monkeypatch.setenv("CLIPFEED_CAPTIONER", f"'{program}' {{language}} {{file}}")
    monkeypatch.setenv("CLIPFEED_CAPTIONER_LANGUAGE", "nl")
    server = Server(tmp_path / "data", workers=1)
    begin(server, clips.sources([4])[0], tmp_path).wait(120)
    runs = until(lambda: (tmp_path / "runs").exists() and (tmp_path / "runs").read_text().split(), "the program")

    def jobs():
        return subprocess.run(
            [SERVER, "jobs", "--data", server.data], capture_output=True, text=True, timeout=60).stdout
    # Progress is written down now and then.
    line = until(lambda: next((line for line in jobs().splitlines() if "captioning" in line), None), "its progress")
    assert line.startswith("running  captioner  ")
    server.kill()
    # It dies with the server, whatever it does.
    until(lambda: not is_alive(runs[0]), "the end of the program")
    server.__init__(server.data, port=server.port, workers=1)
    go.touch()
    [track] = until(lambda: captions(server), "the captions")
    assert (track["language"], track["label"], track["automatic"]) == ("nl", "Nederlands", True)
    assert "Good <i>morning</i>" in text(server, track)

    def master():
        return requests.get(server.url + server.feed()[0]["playback"]["hls_url"], timeout=60).text
    until(lambda: 'LANGUAGE="nl"' in master(), "the playlist with them")
    server.stop()


def is_alive(pid):
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def test_a_captioner_that_is_not_there_is_said_at_the_start(tmp_path):
    done = subprocess.run(
        [SERVER, "work", "--data", tmp_path / "data", "--captioner", "no-such-program {file}"],
        capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and "no-such-program is not there" in done.stderr
    for words in (["--captioner", "a 'b"], ["--captioner", "sh", "--captioner-language", "x"],
                  ["--captioner", "sh", "--captioner-seconds", "0"]):
        done = subprocess.run(
            [SERVER, "work", "--data", tmp_path / "data", *words], capture_output=True, text=True, timeout=60)
        assert done.returncode == 64, words

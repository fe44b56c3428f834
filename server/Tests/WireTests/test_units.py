"""deploy/*.service, as systemd's own tools judge them, and what they promise to each other."""

import re
import shutil
import subprocess

import pytest

from clips import ROOT, SERVER

UNITS = ["clipfeed.service", "clipfeed-work.service"]
# What systemd adds up over all that a room could forbid: 10 is no room at all. The rest is the network that a server is for,
# and the namespaces that ffmpeg's own room is made of.
MOST_EXPOSED = 23


@pytest.fixture
def installed(tmp_path):
    """The units with a program that is there."""
    for name in UNITS:
        text = (ROOT / "deploy" / name).read_text()
        assert text.count("/usr/local/bin/clipfeed ") >= 1
        (tmp_path / name).write_text(text.replace("=/usr/local/bin/clipfeed ", f"={SERVER.resolve()} "))
    return tmp_path


@pytest.mark.parametrize("name", UNITS)
def test_systemd_finds_nothing_wrong(installed, name):
    told = subprocess.run(
        ["systemd-analyze", "verify", "--recursive-errors=no", installed / name], capture_output=True, text=True, timeout=60)
    # NB: it complains of units of the machine that it stumbles over, too.
    assert not [line for line in (told.stdout + told.stderr).splitlines() if "clipfeed" in line], told.stderr


@pytest.mark.parametrize("name", UNITS)
def test_the_room_is_closed(name):
    told = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", f"--threshold={MOST_EXPOSED}", "--no-pager",
         ROOT / "deploy" / name], capture_output=True, text=True, timeout=60)
    assert told.returncode == 0, told.stdout[-2000:] + told.stderr


def settings(name):
    text = (ROOT / "deploy" / name).read_text()
    return re.findall(r"^([A-Za-z]+)=(.*)$", text, re.M)


def test_workers_have_the_same_room():
    """From UMask on: a line that one of the two lacks would be a hole in that one."""
    def room(name):
        all_of = settings(name)
        return all_of[[key for key, _ in all_of].index("UMask"):]
    assert room(UNITS[0]) == room(UNITS[1])
    assert len(room(UNITS[0])) > 20


def test_the_commands_are_those_of_the_program():
    for name in UNITS:
        command = dict(settings(name))["ExecStart"].split()
        helped = subprocess.run([SERVER, command[1], "--help"], capture_output=True, text=True, timeout=60).stdout
        for option in command[2:]:
            if option.startswith("--"):
                assert option in helped
    assert shutil.which("systemd-analyze")

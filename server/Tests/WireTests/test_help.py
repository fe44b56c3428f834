"""What `--help` says: of each option what it does, of all of them once where else they can be set."""

import subprocess

import pytest

from clips import SERVER


def help_of(*command):
    done = subprocess.run([SERVER, *command, "--help"], capture_output=True, text=True, timeout=60, check=True)
    return " ".join(done.stdout.split())


@pytest.mark.parametrize("command", ["serve", "work", "import", "jobs list", "doctor", "sweep"])
def test_where_else_an_option_can_be_set_is_said_once(command):
    said = help_of(*command.split())
    assert said.count("What no option says, the environment says (for --data it is CLIPFEED_DATA), else this file.") == 1
    assert said.count("CLIPFEED_") == 2 and said.count("CLIPFEED_CONFIG") == 1
    assert said.count("without it") <= 3


def test_an_option_says_what_it_does_and_what_counts_without_it():
    said = help_of("serve")
    assert "The port to listen on. (default: 8080)" in said
    assert "Whether guests may upload. (default: on)" in said
    assert "The PostgreSQL database. --" in said

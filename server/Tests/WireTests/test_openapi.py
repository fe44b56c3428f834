"""The server and its description agree: a machine that knows nothing else tries to show that they do not."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import requests
from conftest import PASSWORD, ROOT, mainly_on
from openapi_spec_validator import validate

HERE = Path(__file__).parent
# For what depends little on where rows lie.
ON_ONE = pytest.mark.parametrize("running", ["sqlite"], indirect=True)


@ON_ONE
def test_the_document_is_one_of_openapi(document):
    assert document["openapi"].startswith("3.1")
    validate(document)


@ON_ONE
def test_it_is_kept_and_asked_for_again_by_its_tag(running):
    address = f"{running.url}/openapi.json"
    first, second = (requests.get(address, timeout=20) for _ in range(2))
    assert first.content == second.content and first.headers["ETag"] == second.headers["ETag"]
    assert first.headers["Content-Encoding"] == "gzip"
    again = requests.get(address, headers={"If-None-Match": first.headers["ETag"]}, timeout=20)
    assert again.status_code == 304 and not again.content
    plain = requests.get(address, headers={"Accept-Encoding": "identity"}, timeout=20)
    assert plain.json() == first.json() and plain.headers["ETag"] != first.headers["ETag"]


def agree(server, *arguments, tokens=()):
    """No answer contradicts the description. The output says which does, and how to see it again."""
    known = {
        "CLIPFEED_URL": server.url, "CLIPFEED_CLIPS": " ".join(server.clips), "CLIPFEED_UPLOAD": server.upload,
        "CLIPFEED_AUTHOR": server.author, "CLIPFEED_TOKENS": " ".join(tokens),
        "CLIPFEED_PASSWORD": PASSWORD}
    arguments += ("-H", f"Authorization: Bearer {tokens[0]}") if tokens else ()
    done = subprocess.run(
        [Path(sys.executable).parent / "schemathesis", "--config-file", HERE / "schemathesis.toml", "run",
         f"{server.url}/openapi.json", "--checks", "all", *arguments],
        cwd=ROOT, env=os.environ | known, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr


@ON_ONE
def test_no_answer_contradicts_the_description(running):
    agree(running, "--phases", "examples,coverage,fuzzing", "--max-examples", "15")


@mainly_on("postgresql")
def test_no_answer_to_an_account_does(running):
    # NB: one answer to that, and all that follow are 401.
    agree(
        running, "--phases", "examples,coverage,fuzzing", "--max-examples", "8", "--exclude-operation-id", "endSessions",
        tokens=running.tokens)


@ON_ONE
def test_what_follows_from_each_other_agrees_too(running):
    agree(running, "--phases", "stateful", "--max-examples", "10")

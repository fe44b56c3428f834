"""A real S3 server beside the tests that need one (scripts/lib/s3-server.sh), and what lies in its bucket."""

import hashlib
import json
import subprocess
import sys
import uuid

import requests

from clips import ROOT

# Says what it was told, and stays until nobody listens any more.
CHILD = """
import json, os, sys
print(json.dumps({name: value for name, value in os.environ.items() if name.startswith("CLIPFEED_TEST_S3_")}), flush=True)
sys.stdin.read()
"""


class Bucket:
    def __init__(self):
        self._process = subprocess.Popen(
            ["bash", ROOT / "scripts/lib/s3-server.sh", sys.executable, "-c", CHILD],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        said = json.loads(self._process.stdout.readline())
        self._settings = {name.removeprefix("CLIPFEED_TEST_S3_"): value for name, value in said.items()}
        self.endpoint = self._settings["ENDPOINT"]
        self.port = int(self.endpoint.rsplit(":", 1)[1])

    def close(self):
        self._process.stdin.close()
        self._process.wait(60)

    def settings(self, endpoint=None):
        """The environment of a server on a part of the bucket that is its own, whose uploads go straight there.
        `endpoint`: another way to the same bucket. Addresses are signed for the host that they name."""
        names = ("BUCKET", "REGION", "ACCESS_KEY", "SECRET_KEY")
        return {f"CLIPFEED_S3_{name}": self._settings[name] for name in names} | {
            "CLIPFEED_S3_ENDPOINT": endpoint or self.endpoint, "CLIPFEED_S3_PREFIX": str(uuid.uuid4()),
            "CLIPFEED_S3_UPLOADS": "direct"}

    def holds(self, file, settings):
        """Whether exactly this file is a source there."""
        digest = hashlib.sha256(file.read_bytes()).hexdigest()
        content = self._content(f"{settings['CLIPFEED_S3_PREFIX']}/sources/{digest[:2]}/{digest}.bin")
        return content is not None and hashlib.sha256(content).hexdigest() == digest

    def _content(self, key):
        """By the storage's own words, which know no signatures."""
        signed_in = requests.get(
            f"{self.endpoint}/auth/v1.0", timeout=20,
            headers={"X-Auth-User": self._settings["ACCESS_KEY"], "X-Auth-Key": self._settings["SECRET_KEY"]})
        answer = requests.get(
            f"{signed_in.headers['X-Storage-Url']}/{self._settings['BUCKET']}/{key}", timeout=60,
            headers={"X-Auth-Token": signed_in.headers["X-Auth-Token"]})
        return answer.content if answer.ok else None

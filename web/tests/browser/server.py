"""The real server as a process of its own."""

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import threading
import urllib.request

from clips import ROOT, SERVER


def held(port=0):
    """A port that nobody else gets as long as this is there. A server of ours may listen there: both allow that (SO_REUSEADDR)."""
    place = socket.socket()
    place.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    place.bind(("127.0.0.1", port))
    return place


class Server:
    def __init__(self, data, port=0, web=ROOT / "web", workers=0, environment=None):
        self.data = data
        self.log = []
        self._told = threading.Condition()
        self._process = subprocess.Popen(
            [SERVER, "serve", "--data", data, "--web", web, "--port", str(port),
             "--workers", str(workers)], env=os.environ | (environment or {}),
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self._ready = threading.Event()
        threading.Thread(target=self._read, daemon=True).start()
        assert self._ready.wait(120), "the server did not start:\n" + "".join(self.log)

    def _read(self):
        for line in self._process.stdout:
            with self._told:
                self.log.append(line)
                self._told.notify_all()
            if match := re.search(r"running: (http://\S+:(\d+))", line):
                self.url, self.port = match[1], int(match[2])
                self._ready.set()

    def says(self, words, within=60):
        """Whether the log has these words, or gets them soon: they come by a pipe, maybe behind the answer."""
        with self._told:
            return self._told.wait_for(lambda: any(words in line for line in self.log), within)

    def feed(self):
        """All clips in the order of the feed, as the API tells them now; a kept page may be a moment old."""
        items, cursor = [], ""
        while cursor is not None:
            fresh = urllib.request.Request(
                f"{self.url}/api/v1/feed?limit=10{cursor}", headers={"Cache-Control": "no-cache"})
            with urllib.request.urlopen(fresh, timeout=30) as answer:
                page = json.load(answer)
            items += page["items"]
            cursor = page["next_cursor"] and f"&cursor={page['next_cursor']}"
        return items

    @property
    def pid(self):
        return self._process.pid

    def lives(self):
        return self._process.poll() is None

    def hold(self):
        """It takes connections and answers nobody, until it is killed."""
        self._process.send_signal(signal.SIGSTOP)

    def kill(self):
        """As `kill -9` does, without a word."""
        self._process.kill()
        self._process.wait()
        self._hold_port()

    def stop(self):
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            try:
                self._process.wait(10)
                self._hold_port()
            except subprocess.TimeoutExpired:
                self.kill()

    def _hold_port(self):
        # Another server may listen there already.
        with contextlib.suppress(OSError):
            self._held = held(self.port)

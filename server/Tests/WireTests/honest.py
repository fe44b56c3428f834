"""Ten people who use the site as people do, each from an address of their own: how long each thing took them, and whatever went wrong.

    python honest.py PLAN    PLAN: JSON with port, seconds, people, clips, media, video (a path); tells JSON at its end"""

import http.client
import json
import os
import random
import socket
import sys
import threading
import time
import uuid

PASSWORD = "nobody else's"
# Between two things that somebody does, in seconds.
PAUSE = 0.5
# How long somebody waits for a clip of theirs to be published, in seconds.
PATIENCE = 240
GONE = (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError)


class Person(threading.Thread):
    def __init__(self, plan, number):
        super().__init__()
        self.plan, self.number, self.chance = plan, number, random.Random(number)
        self.address, self.handle = f"127.1.0.{number + 1}", f"honest{number}"
        self.cookies, self.connection, self.begun = {}, None, time.time()
        # Of each request: when it began, its kind, milliseconds.
        self.took, self.failures, self.reconnected, self.open, self.texts = [], [], 0, {}, []
        self.cursor, self.published = None, 0

    def run(self):
        self.ask("sign up", "POST", "/api/v1/accounts", {"handle": self.handle, "password": PASSWORD, "transport": "cookie"}, 201)
        end = time.monotonic() + self.plan["seconds"]
        turn = self.number
        while time.monotonic() < end:
            time.sleep(PAUSE * (0.5 + self.chance.random()))
            self.do(turn)
            turn += 1
            self.look()
        # Whatever was sent is waited for.
        while self.open:
            time.sleep(PAUSE)
            self.look()

    def do(self, turn):
        clip = self.chance.choice(self.plan["clips"])
        if turn % 80 == 0:
            self.sign_in()
        elif turn % 120 == 7:
            self.upload()
        elif turn % 12 == 1:
            self.ask("page", "GET", "/")
        elif turn % 12 == 3:
            self.ask("like", "PUT", f"/api/v1/clips/{clip}/like")
        elif turn % 12 == 5:
            text = str(uuid.uuid4())
            if self.ask("comment", "POST", f"/api/v1/clips/{clip}/comments", {"text": text}, 201) is not None:
                self.texts.append(text)
        elif turn % 12 == 7:
            event = {"id": str(uuid.uuid4()), "clip_id": clip, "kind": "progress", "at_ms": int(time.time() * 1000), "watched_ms": 2500}
            self.ask("events", "POST", "/api/v1/events", {"events": [event]}, 202)
        elif turn % 3 == 0:
            page = self.ask("feed", "GET", "/api/v1/feed" + (f"?cursor={self.cursor}" if self.cursor else ""))
            self.cursor = page and json.loads(page)["next_cursor"]
        else:
            start = self.chance.randrange(4) * 4096
            said = {"Range": f"bytes={start}-{start + 65_535}"}
            self.ask("segment", "GET", self.chance.choice(self.plan["media"]), None, 206, said)

    def sign_in(self):
        self.ask("sign in", "POST", "/api/v1/sessions", {"handle": self.handle, "password": PASSWORD, "transport": "cookie"})

    def upload(self):
        # A box that nobody reads makes it a clip of its own.
        body = self.plan["bytes"] + b"\0\0\0\x18free" + os.urandom(16)
        headers = {"Tus-Resumable": "1.0.0", "Content-Type": "application/offset+octet-stream", "Upload-Length": str(len(body))}
        begun = time.time()
        if self.ask("upload", "POST", "/api/v1/uploads", body, 201, headers) is not None:
            self.open[self.location] = begun

    def look(self):
        for place, begun in list(self.open.items()):
            told = self.ask("upload's state", "GET", place)
            state = json.loads(told)["state"] if told else "unknown"
            if state == "published":
                self.took.append((begun, "upload until published", (time.time() - begun) * 1000))
                self.published += 1
                del self.open[place]
            elif state == "refused" or time.time() - begun > PATIENCE:
                self.failures.append(f"{self.handle}: an upload is {state} after {time.time() - begun:.0f} s: {told}")
                del self.open[place]

    def ask(self, kind, method, path, body=None, status=200, headers=None):
        """The answer's body; None if it went wrong."""
        said = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())} | (headers or {})
        if method == "POST":
            said["Idempotency-Key"] = str(uuid.uuid4())
        if isinstance(body, dict):
            said["Content-Type"], body = "application/json", json.dumps(body)
        begun, start = time.time(), time.monotonic()
        try:
            answer, data = self.exchange(method, path, body, said)
        except (OSError, http.client.HTTPException) as error:
            self.connection = None
            self.failures.append(f"{self.handle}: {kind} {method} {path} at {begun - self.begun:.0f} s: {error!r}")
            return None
        self.took.append((begun, kind, (time.monotonic() - start) * 1000))
        for line in answer.headers.get_all("Set-Cookie") or []:
            name, _, value = line.split(";")[0].partition("=")
            self.cookies[name] = value
        self.location = answer.headers.get("Location")
        if answer.status != status:
            self.failures.append(f"{self.handle}: {kind} {method} {path} at {begun - self.begun:.0f} s: {answer.status} {data[:300]!r}")
            return None
        return data

    def exchange(self, method, path, body, headers):
        """A kept connection may have been ended meanwhile: any client connects again."""
        for is_kept in (self.connection is not None, False):
            if not is_kept:
                self.connection = http.client.HTTPConnection(
                    "127.0.0.1", self.plan["port"], timeout=60, source_address=(self.address, 0))
                self.connection.connect()
                # As browsers do: head and body of a request leave at once.
                self.connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            try:
                self.connection.request(method, path, body, headers)
                answer = self.connection.getresponse()
                return answer, answer.read()
            except GONE:
                if not is_kept:
                    raise
                self.reconnected += 1
        raise AssertionError("unreachable")


def main(plan):
    with open(plan["video"], "rb") as file:
        plan["bytes"] = file.read()
    people = [Person(plan, number) for number in range(plan["people"])]
    for person in people:
        person.start()
    for person in people:
        person.join()
    return {
        "took": [one for person in people for one in person.took], "failures": [one for person in people for one in person.failures],
        "texts": [one for person in people for one in person.texts], "reconnected": sum(person.reconnected for person in people),
        "published": sum(person.published for person in people),
    }


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        print(json.dumps(main(json.load(file))))

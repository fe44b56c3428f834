"""Two servers and two workers on one PostgreSQL and one Redis, behind nginx."""

import hashlib
import json
import os
import random
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event, Thread

import pytest

from clips import sources
from cluster import Cluster, Person

pytestmark = pytest.mark.skipif(
    not (os.environ.get("CLIPFEED_TEST_POSTGRES") and os.environ.get("CLIPFEED_TEST_REDIS")),
    reason="needs PostgreSQL and Redis: scripts/wire-tests.sh starts them")

WRITES = 500


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    running = Cluster(tmp_path_factory.mktemp("cluster"))
    yield running
    running.stop()


@pytest.fixture(scope="module")
def people(cluster):
    return [Person(cluster, f"person{number}") for number in range(10)]


@pytest.fixture(scope="module")
def clips(cluster, people):
    """Two clips, each of another person, sent through nginx and made by the workers."""
    return [publish(people[number], file) for number, file in enumerate(sources([0, 1]))]


def publish(person, file):
    data = file.read_bytes()
    made = person.insist(
        "POST", "/api/v1/uploads", headers={"Idempotency-Key": uuid.uuid4().hex},
        json={"size_bytes": len(data), "sha256": hashlib.sha256(data).hexdigest(), "type": "video/mp4",
              "details": {"caption": file.stem}})
    assert made.status_code == 201, made.text
    path = f"/api/v1/uploads/{made.json()['id']}"
    sent = person.insist("PATCH", path, data=data, headers={
        "Upload-Offset": "0", "Content-Type": "application/offset+octet-stream"})
    assert sent.status_code in (200, 204), sent.text
    assert person.insist("POST", f"{path}/commit", json={}).status_code in (200, 202)
    for _ in range(2400):
        state = person.insist("GET", path).json()
        if state["state"] == "published":
            return state["clip"]["id"]
        assert state["state"] != "refused", state
        time.sleep(0.1)
    raise AssertionError("the clip was never published")


def wait(condition, what):
    for _ in range(1200):
        if condition():
            return
        time.sleep(0.1)
    raise AssertionError(f"never: {what}")


def test_who_signed_in_on_one_is_known_on_the_other_until_the_session_ends(cluster):
    first, second = cluster.servers
    person = Person(cluster, "wanderer")
    for server in (first, second):
        assert person.call("GET", "/api/v1/account", server).json()["handle"] == "wanderer"
    assert person.call("DELETE", "/api/v1/sessions/current", first).status_code == 204
    wait(lambda: person.call("GET", "/api/v1/account", second).status_code == 401, "the other server hears of it")


def test_a_like_on_one_arrives_live_on_the_other(cluster, people, clips):
    first, second = cluster.servers
    owner, fan = people[0], people[5]
    stream = owner.call("GET", "/api/v1/live", second, stream=True, headers={"Accept": "text/event-stream"})
    assert stream.headers["Content-Type"].startswith("text/event-stream")
    seen, listening = [], Event()

    def listen():
        for line in stream.iter_lines():
            listening.set()
            if line.startswith(b"data:") and b"like" in line:
                seen.append(json.loads(line[5:]))
                return
    listener = Thread(target=listen, daemon=True)
    listener.start()
    wait(listening.is_set, "the stream says that it is there")
    assert fan.call("PUT", f"/api/v1/clips/{clips[0]}/like", first).status_code == 200
    listener.join(120)
    assert seen and clips[0] in json.dumps(seen)
    stream.close()


def test_a_killed_server_loses_no_acknowledged_write_and_repeats_none(cluster, people, clips):
    """What was answered is what everybody sees in the end; what was not answered was sent again and counts once."""
    done, told, half = [], {}, Event()
    begin = Barrier(len(people))
    witness = Person(cluster, "witness")

    def live(number):
        person, chance = people[number], random.Random(number)
        begin.wait()
        for turn in range(WRITES // len(people)):
            clip = chance.choice(clips)
            kind = chance.choice(["like", "bookmark", "follow", "comment", "share"])
            method = chance.choice(["PUT", "PUT", "DELETE"])
            if kind in ("like", "bookmark"):
                answer = person.insist(method, f"/api/v1/clips/{clip}/{kind}")
                told[number, kind, clip] = method == "PUT"
            elif kind == "follow":
                author = people[clips.index(clip)]
                if author is person:
                    continue
                answer = person.insist(method, f"/api/v1/authors/{author.id}/follow")
                told[number, kind, author.id] = method == "PUT"
            else:
                key = f"{number}-{turn}-{uuid.uuid4().hex}"
                body = {"json": {"text": key}} if kind == "comment" else {}
                answer = person.insist(
                    "POST", f"/api/v1/clips/{clip}/{kind}s", headers={"Idempotency-Key": key}, **body)
                told[number, kind, clip, key] = True
            assert answer.status_code in (200, 201), (kind, answer.status_code, answer.text)
            done.append(kind)
            if len(done) >= WRITES // 3:
                half.set()

    def ask_the_doomed(key):
        told[len(people), "comment", clips[0], key] = True
        return witness.insist(
            "POST", f"/api/v1/clips/{clips[0]}/comments", first=cluster.servers[0],
            headers={"Idempotency-Key": key}, json={"text": key})

    with ThreadPoolExecutor(len(people) + 1) as pool:
        lives = [pool.submit(live, number) for number in range(len(people))]
        assert half.wait(120)
        # Held, it answers nobody any more: whatever it is asked is in flight when it dies.
        cluster.hold(0)
        asked = pool.submit(ask_the_doomed, f"witness-{uuid.uuid4().hex}")
        cluster.kill(0)
        cluster.workers[0].kill()
        wait(lambda: len(done) > WRITES * 2 // 3, "the other server goes on")
        cluster.start_again(0)
        for one in lives:
            one.result()
        assert asked.result().status_code == 201
    assert witness.retries > 0, "a request to the server that died was answered"

    def counted(kind, clip):
        return sum(value for key, value in told.items() if key[1] == kind and key[2] == clip)

    for server in cluster.servers:
        for clip in clips:
            shown = people[9].call("GET", f"/api/v1/clips/{clip}", server).json()
            assert shown["counts"]["comments"] == counted("comment", clip)
            assert shown["counts"]["shares"] == counted("share", clip)
            assert shown["counts"]["likes"] == counted("like", clip)
            texts = comments(people[9], clip, server)
            assert sorted(texts) == sorted(key[3] for key in told if key[1] == "comment" and key[2] == clip)
            for number, person in enumerate(people):
                viewer = person.call("GET", f"/api/v1/clips/{clip}", server).json().get("viewer") or {}
                assert viewer.get("liked", False) == told.get((number, "like", clip), False)
                assert viewer.get("bookmarked", False) == told.get((number, "bookmark", clip), False)
                author = people[clips.index(clip)]
                assert viewer.get("following", False) == told.get((number, "follow", author.id), False)


def comments(person, clip, server):
    texts, cursor = [], ""
    while cursor is not None:
        page = person.call("GET", f"/api/v1/clips/{clip}/comments?limit=50{cursor}", server).json()
        texts += [comment["text"] for comment in page["items"]]
        cursor = page["next_cursor"] and f"&cursor={page['next_cursor']}"
    return texts

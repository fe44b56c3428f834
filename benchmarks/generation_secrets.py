"""Where keys of vendors must not be, and what is ready must be there to be watched (generation_proof.py)."""

import io
import json
import os
import subprocess
import tarfile
import time

from generation_run import Broken
from load import SERVER_PROGRAM


def archive(person):
    """What the person takes along, as it is downloaded."""
    status, answer = person.ask("POST", "/api/v1/account/exports", key=f"export-of-{person.handle}")
    if status != 202:
        raise Broken(f"an export was answered {status}: {answer}")
    end = time.monotonic() + 300
    while time.monotonic() < end:
        status, answer = person.ask("GET", "/api/v1/account/exports")
        newest = answer["items"][0] if status == 200 and answer["items"] else {}
        if newest.get("state") == "ready":
            status, content = person.ask("GET", path_of(newest["url"]))
            if status != 200:
                raise Broken(f"an archive was answered {status}")
            return content
        if newest.get("state") == "failed":
            raise Broken(f"an export failed: {newest}")
        time.sleep(0.5)
    raise Broken("an export was not made in time")


def path_of(address):
    """Addresses may have an origin in front."""
    return address if address.startswith("/") else "/" + address.split("/", 3)[3]


def records(content, name):
    """The lines of one list."""
    with tarfile.open(fileobj=io.BytesIO(content)) as tar:
        return [json.loads(line) for line in tar.extractfile(f"records/{name}.jsonl").read().splitlines()]


def check_secrets(promises, world, api, keys, people):
    """Keys are nowhere but at their vendors; addresses of vendors may be in logs beside that. Some of the people take their
    data along."""
    addresses = [f"127.0.0.1:{port}" for port in world.vendors.ports.values()]
    files = [file for file in world.data.rglob("*") if file.is_file()]
    promises.check("no key is in a file of the instance", (
        f"{file}" for file in files if holds(content_of(file), keys)), len(files))
    logs = [process.log for process in world.processes.values()]
    promises.check("no key is in a log", (
        f"{log}" for log in logs if holds(content_of(log), keys)), f"{sum(log.stat().st_size for log in logs)} bytes")
    promises.check("no address of a vendor is in the database", (
        f"{file}" for file in world.data.glob("clipfeed.sqlite*") if holds(content_of(file), addresses)))
    lines = []
    for words in (["list", "--limit", "10000"], ["spending"]):
        done = subprocess.run(
            [SERVER_PROGRAM, "generation", *words, "--data", world.data], capture_output=True, timeout=120,
            env={name: value for name, value in os.environ.items() if not name.startswith("CLIPFEED_GENERATION")})
        lines.append(done.stdout + done.stderr)
        if done.returncode:
            raise Broken(f"clipfeed generation {words[0]}: {lines[-1][-500:]}")
    promises.check("no key is in what the operator is shown", (
        "clipfeed generation" for text in lines if holds(text, keys)), f"{sum(map(len, lines))} bytes")
    archives = {person.handle: archive(person) for person in people[:4]}
    promises.check("no key and no address of a vendor is in an export", (
        handle for handle, content in archives.items() if holds(content, keys + addresses)), len(archives))
    promises.check("an export has the person's generations and entries", (
        handle for handle, content in archives.items()
        if not records(content, "generations") or not records(content, "credits")), len(archives))
    promises.check("no key and no address of a vendor is in an answer", api.leaks, api.answers)
    promises.check("nobody is asked but vendors", world.vendors.trapped, sum(
        count for vendor in world.vendors.all.values() for kind, count in vendor.troubles.items() if "elsewhere" in kind))
    asked = [begin for vendor in world.vendors.all.values() for begin in vendor.begins]
    persons = [person.handle.encode() for person in people] + [person.id.encode() for person in people]
    promises.check("a vendor hears of no person", (
        "a handle or an id" for begin in asked if any(name in begin for name in persons)), len(asked))


def content_of(file):
    """Nothing of one that was removed meanwhile."""
    try:
        return file.read_bytes()
    except FileNotFoundError:
        return b""


def holds(content, texts):
    return any(text.encode() in content for text in texts)


def check_media(promises, rows):
    """`rows`: id, person of each that is ready. Its clip is there, says what it is, and each of its files can be fetched."""
    missing, files = [], 0
    for id, person in rows:
        status, shown = person.ask("GET", f"/api/v1/generations/{id}")
        if status != 200 or shown["state"] != "ready" or not shown.get("upload_id"):
            missing.append(f"{id}: {status} {shown}")
            continue
        status, clip = person.ask("GET", f"/api/v1/uploads/{shown['upload_id']}/clip")
        if status != 200 or clip["id"] != shown["clip_id"] or clip.get("ai_generated") is not True:
            missing.append(f"{id}: its clip is answered {status}: {clip}")
            continue
        playback = clip["playback"]
        for address in [clip["poster"]["url"], playback["hls_url"], *(one["url"] for one in playback["renditions"])]:
            files += 1
            status, content = person.ask("GET", path_of(address))
            if status != 200 or not content:
                missing.append(f"{id}: {address}: {status}")
    promises.check("what is ready can be watched, and says that AI made it", missing, f"{len(rows)}, {files} files")

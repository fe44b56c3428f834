"""What schemathesis cannot know from the description: which clips and uploads there are, and which headers belong to
which of the three protocols of uploads."""

import itertools
import json
import os
import random

import requests
import schemathesis
from schemathesis import GenerationMode
from schemathesis.core import NotSet
from schemathesis.generation.meta import TestPhase

URL = os.environ["CLIPFEED_URL"]
CLIPS = os.environ["CLIPFEED_CLIPS"].split()
PUBLISHED = os.environ["CLIPFEED_UPLOAD"]
AUTHOR = os.environ["CLIPFEED_AUTHOR"]
PASSWORD = os.environ["CLIPFEED_PASSWORD"]
TOKENS = os.environ["CLIPFEED_TOKENS"].split()
CURSORS = set()
ORDER = random.Random(1)
NUMBER = itertools.count(1)
OF_TUS = {"Tus-Resumable", "Upload-Metadata", "Upload-Checksum"}
OF_DRAFT = {"Upload-Draft-Interop-Version", "Upload-Complete", "Upload-Incomplete"}


BYTES = (
    "application/offset+octet-stream", "application/partial-upload", "text/vtt", "application/x-subrip", "image/jpeg", "image/png", "image/webp")


# As they are; schemathesis knows JSON and a few others.
@schemathesis.serializer(*BYTES, "text/plain")
def as_bytes(context, value):
    text = value if isinstance(value, (bytes, str)) else json.dumps(value)
    return text if isinstance(text, bytes) else text.encode(errors="surrogatepass")


def address():
    """Of somebody else each time, so that nobody comes too often."""
    number = next(NUMBER)
    return f"10.{os.getpid() % 250}.{number >> 8 & 255}.{number & 255}"


def key():
    return f"a-key-of-{os.getpid()}-{next(NUMBER)}"


def new_upload():
    answer = requests.post(
        f"{URL}/api/v1/uploads", json={"size_bytes": 4000, "sha256": "0" * 64, "type": "video/mp4", "details": {}},
        headers={"Idempotency-Key": key(), "X-Forwarded-For": address()}, timeout=20)
    return answer.json()["id"]


def cursor(path):
    """Of the second page, which every list of the test has."""
    return requests.get(f"{URL}{path}?limit=1", timeout=20).json().get("next_cursor") or ""


def one_protocol(case):
    """A request speaks one of the protocols. What OpenAPI cannot say: which headers then go together."""
    headers = case.headers
    if isinstance(case.body, NotSet):
        dropped, added = OF_DRAFT, {"Tus-Resumable": "1.0.0", "Upload-Length": "100"}
    elif case.media_type in ("application/json", "application/merge-patch+json"):
        dropped, added = OF_TUS | OF_DRAFT, {"Idempotency-Key": key()}
    elif case.media_type == "application/offset+octet-stream":
        dropped = OF_DRAFT | {"Upload-Metadata", "Upload-Checksum"}
        added = {"Tus-Resumable": "1.0.0", "Upload-Length": "100", "Upload-Offset": "0"}
    else:
        dropped = OF_TUS | {"Upload-Incomplete", "Upload-Draft-Interop-Version", "Upload-Length"}
        added = {"Upload-Complete": ORDER.choice(["?0", "?1"]), "Upload-Offset": "0"}
    for name in list(headers):
        if name.lower() in {drop.lower() for drop in dropped}:
            del headers[name]
    headers.update(added)


@schemathesis.hook
def filter_case(context, case):
    """A body of bytes has no other type on the wire: a number in its place is bytes as well, and breaks nothing."""
    return case.media_type not in BYTES or isinstance(case.body, (str, bytes, NotSet))


@schemathesis.hook
def before_call(context, case, kwargs):
    # The client underneath takes a 104 for the answer.
    case.headers = dict(case.headers or {}) | {"X-Forwarded-For": address(), "X-No-Interim": "1"}
    # Limits count by account; what is an account's own needs the one that schemathesis knows of.
    if TOKENS and {} in case.operation.definition.raw["security"]:
        case.headers["Authorization"] = f"Bearer {ORDER.choice(TOKENS)}"
    if case.meta is None or case.meta.generation.mode != GenerationMode.POSITIVE:
        return
    path, method = case.operation.path, case.operation.method.upper()
    if "/uploads" in path and method in ("POST", "PATCH"):
        one_protocol(case)
    # A name that is free, and one that is known with its password: nobody finds these by chance.
    if method == "POST" and path.endswith(("/accounts", "/sessions")) and ORDER.random() < 0.5:
        is_new = path.endswith("/accounts")
        case.body |= {"handle": f"p{os.getpid()}.{next(NUMBER)}" if is_new else "person0", "password": PASSWORD}
    # Most find something, the others find nothing there. What follows from an answer names its own.
    is_free = case.meta.phase.name != TestPhase.STATEFUL
    if is_free and "id" in case.path_parameters and ORDER.random() < 0.8:
        if "/authors/" in path:
            case.path_parameters["id"] = AUTHOR
        elif "/clips/" in path:
            case.path_parameters["id"] = ORDER.choice(CLIPS)
        elif "/captions" in path or path.endswith("/clip") or ORDER.random() < 0.3 and method != "DELETE":
            case.path_parameters["id"] = PUBLISHED
        elif "/uploads/" in path:
            case.path_parameters["id"] = new_upload()
    if case.query and "cursor" in case.query and case.query["cursor"] not in CURSORS:
        case.query["cursor"] = cursor(case.formatted_path) if ORDER.random() < 0.8 else ""


@schemathesis.hook
def after_call(context, case, response):
    if response.status_code == 200 and b"next_cursor" in response.content:
        CURSORS.add(response.json()["next_cursor"])

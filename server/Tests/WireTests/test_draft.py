"""The IETF's resumable uploads (draft-ietf-httpbis-resumable-upload) by a client that knows nothing of them: Python's own."""

import http.client
import json
import os

import pytest

FILE = b"\0\0\0\x18ftypmp42" + os.urandom(5000)


@pytest.mark.parametrize("words", [{}, {"Upload-Draft-Interop-Version": "4"}])
def test_a_client_that_names_no_known_version_gets_one_answer_to_one_request(server, words):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    # Kept: an interim response too many would be taken for this answer, and this answer for the next one's.
    for _ in range(2):
        connection.request("POST", "/api/v1/uploads", FILE, {"Upload-Complete": "?1", "Content-Type": "video/mp4"} | words)
        made = connection.getresponse()
        assert made.status == 201, made.status
        upload = json.loads(made.read())
        connection.request("GET", made.headers["Location"])
        state = connection.getresponse()
        assert state.status == 200
        assert json.loads(state.read())["id"] == upload["id"]
    connection.close()

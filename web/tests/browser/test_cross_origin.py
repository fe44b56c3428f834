"""A page of another origin in a real browser: one that the operator lists, and one that is not listed."""

import functools
import http.server
import json
import threading
import urllib.request

import pytest

from server import Server

pytestmark = pytest.mark.long

# Answers what came of a request, or that the browser let nothing through.
ASK = """async ([url, options]) => {
  try {
    const answer = await fetch(url, options);
    return [answer.status, Boolean(answer.headers.get('X-Request-Id')), await answer.text()];
  } catch (error) { return error.name; }
}"""


@pytest.fixture
def elsewhere(tmp_path):
    """Serves an empty page on a port of its own, by two names: two origins."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    (folder / "index.html").write_text("<!doctype html><title>Elsewhere</title>")

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *words):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_port
    server.shutdown()


def test_a_listed_page_does_what_ours_does_and_any_other_sees_what_is_everybodys(chromium, own_data, elsewhere):
    server = Server(own_data, environment={"CLIPFEED_ALLOWED_ORIGINS": f"http://127.0.0.1:{elsewhere}"})
    context = chromium.new_context()
    try:
        page = context.new_page()
        clip = server.feed()[0]
        like = f"{server.url}/api/v1/clips/{clip['id']}/like"
        media = server.url + clip["playback"]["renditions"][0]["url"]

        def ask(url, **options):
            return page.evaluate(ASK, [url, options])

        def counts():
            # NB: not of the feed, whose first page is kept for a moment.
            with urllib.request.urlopen(f"{server.url}/api/v1/clips/{clip['id']}", timeout=10) as answer:
                return json.load(answer)["counts"]

        page.goto(f"http://127.0.0.1:{elsewhere}/")
        # The first makes a guest, who is known the second time.
        for _ in range(2):
            assert ask(like, method="PUT", credentials="include")[:2] == [200, True]
        assert counts()["likes"] == 1
        feed = ask(f"{server.url}/api/v1/feed?limit=1", credentials="include")
        assert feed[0] == 200 and '"liked":true' in feed[2]
        assert ask(f"{server.url}/api/v1/account", credentials="include")[0] == 401
        comment = ask(f"{server.url}/api/v1/clips/{clip['id']}/comments", method="POST", body='{"text": "hello"}',
                      headers={"Content-Type": "application/json", "Idempotency-Key": "from-elsewhere"})
        assert comment[0] == 201
        page.goto(f"http://localhost:{elsewhere}/")
        for options in ({"method": "PUT"}, {"method": "DELETE"}, {"method": "GET"}):
            assert ask(like, credentials="include", **options) == "TypeError"
        # What a browser sends without asking first is refused by the server (no share is counted below), and the browser keeps
        # even an answer without content from the page (Cross-Origin-Resource-Policy).
        assert ask(f"{server.url}/api/v1/clips/{clip['id']}/shares", method="POST", mode="no-cors") == "TypeError"
        assert ask(f"{server.url}/api/v1/feed") == "TypeError"
        assert ask(media, headers={"Range": "bytes=0-9"})[0] == 206
        assert ask(f"{server.url}/openapi.json")[0] == 200
        assert (counts()["likes"], counts()["shares"]) == (1, 0)
    finally:
        context.close()
        server.stop()

"""Every text that a stranger can give, with letters that join with what stands beside them, in everything that the server
writes: pages, oEmbed, JSON, captions, playlists, mail, log, metrics and heads, read as bytes by the grammar of each."""

import base64
import html
import itertools
import json
from urllib.parse import quote

import pytest
import requests

import clips
import extremes
from conftest import PASSWORD, free_port
from described import Table, put
from joining import (
    MARKS, OF_JOINT, OF_MARK, Page, check_log, check_metrics, read_captions, read_json, read_mail, read_playlist, seen, send)
from server import Server
from test_captions import until

ADDRESS = itertools.count(1)
SHOWN, REFUSED, COMPARED, SECRET = "shown", "refused", "compared", "secret"
# Every field of a body that takes any text, and what becomes of it: it is shown to others, it cannot have such letters in it, it
# is held against what is known, or nobody may ever see it. A new one has to be said here, and if it is shown, below.
FIELDS = {
    "NewAccount.name": SHOWN, "AccountChange.name": SHOWN, "NewcomerAccount.name": SHOWN, "SignInAnswer.name": SHOWN,
    "NewPasskey.name": SHOWN, "PasskeyChange.name": SHOWN, "NewAPIKey.name": SHOWN,
    "NewAPIKey.owner.password": SECRET, "NewAPIKey.owner.proof": SECRET, "NewAPIKey.owner.code": SECRET,
    "NewUpload.details.caption": SHOWN, "NewUpload.details.tags[0]": SHOWN, "ClipDetails.caption": SHOWN, "ClipDetails.tags[0]": SHOWN,
    "NewComment.text": SHOWN, "CommentFilters.words[0]": COMPARED, "NewMessage.text": SHOWN, "ProfileChange.bio": SHOWN, "ProfileChange.links[0]": REFUSED,
    "NewReport.note": SHOWN, "NewDecision.statement": SHOWN, "NewAppeal.text": SHOWN, "DecisionReview.statement": SHOWN,
    "NewAccount.handle": REFUSED, "NewAccount.email": REFUSED, "AccountChange.email": REFUSED, "NewcomerAccount.handle": REFUSED,
    "NewcomerAccount.email": REFUSED,
    # Nobody but who wrote it sees a prompt; it is held against the words that the site refuses.
    "NewGeneration.prompt": COMPARED, "GenerationRefinement.prompt": COMPARED,
    "NewUpload.type": COMPARED, "NewSession.handle": COMPARED, "PasswordResetRequest.handle": COMPARED, "NewSignIn.provider": COMPARED,
    "NewAccountSignIn.provider": COMPARED, "Dismissal.subject": COMPARED, "SignInAnswer.state": COMPARED, "SignInAnswer.iss": COMPARED,
    "NewAccount.password": SECRET, "NewSession.password": SECRET, "SessionRefresh.refresh_token": SECRET,
    "AccountChange.password": SECRET, "AccountChange.proof": SECRET, "AccountDeletion.password": SECRET, "AccountDeletion.proof": SECRET,
    "PasswordChange.current_password": SECRET, "PasswordChange.new_password": SECRET, "PasswordChange.proof": SECRET,
    "NewPassword.password": SECRET, "SignInAnswer.flow": SECRET, "SignInAnswer.code": SECRET, "SignInAnswer.id_token": SECRET,
    "NewcomerAccount.ticket": SECRET, "NewIdentity.ticket": SECRET, "NewIdentity.password": SECRET, "NewIdentity.proof": SECRET,
    "IdentityRemoval.password": SECRET, "IdentityRemoval.proof": SECRET, "OwnerProof.password": SECRET, "OwnerProof.proof": SECRET,
    "OwnerProof.code": SECRET, "CodeAppConfirmation.code": SECRET, "SecondStep.code": SECRET,
}
# The same of queries and headers that the description names.
PARAMETERS = {"label": SHOWN, "Upload-Metadata": SHOWN, "q": COMPARED, "subject": COMPARED, "Last-Event-ID": COMPARED, "X-No-Interim": COMPARED,
              "webhook-signature": COMPARED}
# Bodies that are no JSON: what of them is text.
TEXTS = {"text/vtt", "application/x-subrip", "text/plain"}
BYTES = {"application/offset+octet-stream", "application/partial-upload", "image/jpeg", "image/png", "image/webp"}


CAPTIONS = "WEBVTT\n\n00:00.100 --> 00:01.000\n{}\n\n00:01.000 --> 00:02.000\nplain\n"


def of_one_line(text):
    return text.replace("\r", "").replace("\n", "")


def is_text(table, schema):
    schema = table.resolved(schema)
    return "string" in table.types(schema) and not {"enum", "pattern", "format"} & schema.keys()


def fields(table):
    """Of each operation: a name for the field, the way to it, and a body to put it into."""
    for path, method, operation in table.operations():
        for media, content in operation.get("requestBody", {}).get("content", {}).items():
            # What has no name of its own is somebody else's, and is shown to nobody.
            if media.endswith("json") and "$ref" in content["schema"]:
                name = content["schema"]["$ref"].rsplit("/", 1)[1]
                for way, schema, _ in table.places(content["schema"]):
                    if is_text(table, schema):
                        yield path, method, operation, media, content["schema"], f"{name}.{named(way)}", way


def named(way):
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in way).lstrip(".")


class Site:
    def __init__(self, folder):
        self.folder, self.metrics = folder, free_port()
        (folder / "mail").mkdir()
        (folder / "coming").mkdir()
        program = folder / "keep-mail"
        # Nobody reads half of one.
        program.write_text(
            f"#!/bin/sh\nset -e\nmail=$(mktemp '{folder}/coming/XXXXXX')\ncat > \"$mail\"\nmv \"$mail\" '{folder}/mail/'\n")
        program.chmod(0o755)
        port = free_port()
        self.server = Server(folder / "data", port=port, workers=1, environment={
            "CLIPFEED_PROXIES": "1", "CLIPFEED_LOG": "info", "CLIPFEED_METRICS_PORT": str(self.metrics),
            "CLIPFEED_MAIL_COMMAND": str(program), "CLIPFEED_MAIL_FROM": "clips@clips.example",
            "CLIPFEED_ORIGIN": f"http://127.0.0.1:{port}"})
        self.table = Table(self.ask("GET", "/openapi.json").json())
        self.session = self.sign_up("the.owner", name="Plain", email="owner@clips.example")
        self.peer = self.sign_up("the.peer")
        self.upload = self.publish(3, "plain", self.session)
        self.caption("en", CAPTIONS.format("plain").encode(), "plain")
        self.clip = self.ask("GET", f"/api/v1/uploads/{self.upload}/clip").json()["id"]

    def ask(self, method, path, body=None, headers=(), session=None, data=b""):
        """From another address each time, so that limits by address hide nothing."""
        number = next(ADDRESS)
        said, own = list(headers), {name.lower() for name, _ in headers}
        if "x-forwarded-for" not in own:
            said.append(("X-Forwarded-For", b"10.%d.%d.7" % (number >> 8 & 255, number & 255)))
        if session:
            said.append(("Authorization", b"Bearer " + session["access_token"].encode()))
        if "idempotency-key" not in own:
            said.append(("Idempotency-Key", b"joining-key-%d" % number))
        if body is not None:
            data = json.dumps(body, ensure_ascii=False).encode()
            if "content-type" not in own:
                said.append(("Content-Type", b"application/json"))
        answer = send(self.server, method, path, said, data)
        if answer.kind.endswith("json"):
            read_json(answer.body)
        return answer

    def own(self, method, path, body=None, **more):
        answer = self.ask(method, path, body, session=self.session, **more)
        assert answer.status < 300, answer.body
        return answer

    def sign_up(self, handle, agent=b"plain", **more):
        answer = self.ask("POST", "/api/v1/accounts", {"handle": handle, "password": PASSWORD, "transport": "token"} | more,
                          [("User-Agent", agent)])
        assert answer.status == 201, answer.body
        return answer.json()

    def publish(self, number, caption, session=None):
        file = clips.sources([number])[0].read_bytes()
        told = {"filename": caption, "caption": caption, "filetype": "video/mp4"}
        metadata = ",".join(f"{name} {base64.b64encode(value.encode()).decode()}" for name, value in told.items())
        made = self.ask("POST", "/api/v1/uploads", session=session, data=file, headers=[
            ("Tus-Resumable", b"1.0.0"), ("Content-Type", b"application/offset+octet-stream"),
            ("Upload-Length", b"%d" % len(file)), ("Upload-Metadata", metadata.encode())])
        assert made.status == 201, made.body
        place = made.headers["Location"]
        until(lambda: self.ask("GET", place).json()["state"] == "published", "the clip")
        return place.rsplit("/", 1)[1]

    def describe(self, **details):
        return self.own("PATCH", f"/api/v1/uploads/{self.upload}", details, headers=[("Content-Type", b"application/merge-patch+json")])

    def caption(self, language, file, label):
        place = f"/api/v1/uploads/{self.upload}/captions/{language}?label={quote(label)}"
        return self.own("PUT", place, data=file, headers=[("Content-Type", b"text/vtt")]).json()

    def page(self, path):
        answer = self.ask("GET", path, headers=[("Cache-Control", b"no-cache")])
        assert (answer.status, answer.kind) == (200, "text/html")
        return Page(answer.body)

    def oembed(self):
        page = quote(f"{self.server.url}/c/{self.clip}", safe="")
        return self.ask("GET", f"/oembed?url={page}").json()

    def mails(self):
        return [read_mail(file.read_bytes()) for file in (self.folder / "mail").iterdir()]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    site = Site(tmp_path_factory.mktemp("joining"))
    site.forms = {path: site.page(path).shape for path in (f"/c/{site.clip}", f"/e/{site.clip}")}
    site.forms["oembed"] = Page(site.oembed()["html"].encode()).shape
    yield site
    site.server.stop()


def test_every_text_of_the_contract_is_known_here(site):
    found = {name for *_, name, _ in fields(site.table)}
    assert found == FIELDS.keys()
    parameters = {
        one["name"] for _, _, operation in site.table.operations() for one in operation.get("parameters", [])
        if one["in"] != "path" and is_text(site.table, one["schema"])}
    assert parameters == PARAMETERS.keys()
    bodies = {media for _, _, operation in site.table.operations() for media in operation.get("requestBody", {}).get("content", {})
              if not media.endswith("json")}
    assert bodies == TEXTS | BYTES


@pytest.mark.parametrize("mark", MARKS, ids=ascii)
def test_what_is_shown_is_the_text_that_was_given_and_nothing_else(site, mark):
    text = OF_MARK[mark]
    # A name with a line's end is refused; whatever joins with that.
    refused = site.ask("PATCH", "/api/v1/account", {"name": text}, session=site.session)
    assert (refused.status == 422) == ("\n" in mark) and refused.status in (200, 422), refused.body
    name = of_one_line(text)
    site.own("PATCH", "/api/v1/account", {"name": name})
    site.own("PATCH", "/api/v1/account/profile", {"bio": name})
    site.describe(caption=text, tags=[text])
    site.own("POST", f"/api/v1/clips/{site.clip}/comments", {"text": text})
    clip = site.ask("GET", f"/api/v1/clips/{site.clip}", headers=[("Cache-Control", b"no-cache")]).json()
    assert seen(clip["caption"]) == seen(text) and seen(clip["author"]["name"]) == seen(name)
    # Tags are words: nothing that means something anywhere is left of it.
    assert clip["tags"] and not set("<>\"&',]\r\n ") & set("".join(clip["tags"]))
    comment = site.ask("GET", f"/api/v1/clips/{site.clip}/comments").json()["items"][0]
    peer = site.peer["account"]["id"]
    site.own("POST", f"/api/v1/conversations/{peer}/messages", {"text": text, "clip_id": site.clip})
    inbox = site.ask("GET", "/api/v1/conversations", session=site.peer).json()["items"]
    assert seen(inbox[0]["last"]["text"]) == seen(text) and seen(inbox[0]["peer"]["name"]) == seen(name)
    me = site.session["account"]["id"]
    [*_, message] = site.ask("GET", f"/api/v1/conversations/{me}/messages", session=site.peer).json()["items"][:1]
    assert seen(message["text"]) == seen(text)
    assert seen(comment["text"]) == seen(text) and seen(comment["author"]["name"]) == seen(name)
    assert seen(site.own("GET", "/api/v1/account").json()["name"]) == seen(name)
    profile = site.ask("GET", "/api/v1/profiles/the.owner").json()
    assert seen(profile["bio"]) == seen(name) and seen(profile["author"]["name"]) == seen(name)

    page = site.page(f"/c/{site.clip}")
    assert page.shape == site.forms[f"/c/{site.clip}"]
    assert seen(page.values["og:title"]) == seen(page.values["twitter:title"]) == seen(text)
    assert seen(page.values["og:description"]).startswith(seen(name))
    embed = site.page(f"/e/{site.clip}")
    assert embed.shape == site.forms[f"/e/{site.clip}"]
    assert seen(embed.values["video aria-label"]) == seen(text)
    assert f"{seen(name)} on Clipfeed" in seen("".join(embed.texts))
    told = site.oembed()
    assert seen(told["title"]) == seen(text) and seen(told["author_name"]) == seen(name)
    frame = Page(told["html"].encode())
    assert frame.shape == site.forms["oembed"] and seen(frame.values["iframe title"]) == seen(text)


@pytest.mark.parametrize("mark", MARKS, ids=ascii)
def test_captions_and_their_name_stay_in_their_places(site, mark):
    text = OF_MARK[mark].replace("\r\n", "\n")
    speaker = html.escape(text.replace("\n", " "), quote=False)
    written = html.escape(text, quote=False)
    label = OF_MARK[mark][:38]
    track = site.caption("en", CAPTIONS.format(f"<v {speaker}>{written}").encode(), label)
    # Nothing can escape a quotation mark in a playlist, so there is none.
    label = label.replace('"', "'")
    assert seen(label).startswith(seen(track["label"])) and len(track["label"]) > 5 and '"' not in track["label"]
    cues = read_captions(site.ask("GET", track["url"]).body)
    assert [seen(text) for _, text in cues] == [seen(text), "plain"]
    assert [seen(name) for name in cues[0][0]] == [seen(text)] and not cues[1][0]

    def named():
        playback = site.ask("GET", f"/api/v1/clips/{site.clip}", headers=[("Cache-Control", b"no-cache")]).json()["playback"]
        lists = read_playlist(site.ask("GET", playback["hls_url"]).body)
        return [said["NAME"] for kind, said in lists if said.get("TYPE") == "SUBTITLES"]
    until(lambda: named() == [track["label"]], "the playlist with this name")
    embed = site.page(f"/e/{site.clip}")
    assert embed.values["track label"] == track["label"]


def test_captions_in_which_nothing_was_escaped_are_refused_or_harmless(site):
    upload = site.publish(4, "a guest's")
    for text in [*OF_MARK.values(), *OF_JOINT.values()]:
        for media, raw in ((b"text/vtt", CAPTIONS.format(f"<v {text}>{text}")),
                           (b"application/x-subrip", f"1\n00:00:00,100 --> 00:00:01,000\n{text}\n")):
            answer = site.ask("PUT", f"/api/v1/uploads/{upload}/captions/nl", data=raw.encode(), headers=[("Content-Type", media)])
            assert answer.status in (200, 400, 422), answer.body
            if answer.status == 200:
                assert read_captions(site.ask("GET", answer.json()["url"]).body)


def test_a_device_a_file_and_a_draft_are_called_what_they_were_called(site):
    for number, text in enumerate(OF_JOINT.values()):
        text = of_one_line(text)
        session = site.sign_up(f"device.{number}", text.encode(), name=of_one_line(OF_JOINT["accent"])[:40])
        [open_session] = site.ask("GET", "/api/v1/sessions", session=session).json()["items"]
        assert seen(text).startswith(seen(open_session["client"])) and len(open_session["client"]) > 20
        draft = site.ask("POST", "/api/v1/uploads", {
            "size_bytes": 1000, "sha256": f"{number:064x}", "type": "video/mp4", "details": {"caption": text, "tags": [text]}},
            session=session)
        assert draft.status == 201 and seen(draft.json()["details"]["caption"]) == seen(text)
        told = {"filename": text + ".mp4", "caption": text, "filetype": text}
        metadata = ",".join(f"{name} {base64.b64encode(value.encode()).decode()}" for name, value in told.items())
        made = site.ask("POST", "/api/v1/uploads", session=session, headers=[
            ("Tus-Resumable", b"1.0.0"), ("Upload-Length", b"1000"), ("Upload-Metadata", metadata.encode())])
        if made.status == 201:
            kept = site.ask("GET", made.headers["Location"]).json()["details"]["caption"]
            assert seen(kept) == seen(text)


def test_whatever_a_field_holds_every_answer_has_its_form(site):
    """Each field of each body holds all marks at each joint: the head and the JSON of the answer are as ever."""
    sessions = [site.sign_up(f"asker.{number}") for number in range(6)]
    turn, limited, asked = itertools.cycle(sessions), 0, 0
    for path, method, operation, media, schema, name, way in fields(site.table):
        place = path.replace("{id}", site.upload if "/uploads/" in path else site.peer["account"]["id"] if "/conversations/" in path else site.clip).replace("{token}", "none.none")
        for joint, text in OF_JOINT.items():
            if FIELDS[name] == SECRET and joint not in ("prepend", "accent"):
                continue
            answer = site.ask(method, place, put(site.table.sample(schema), way, text), [("Content-Type", media.encode())], next(turn))
            asked, limited = asked + 1, limited + (answer.status == 429)
            assert answer.status < 500, (name, joint, answer.body)
            if FIELDS[name] == REFUSED:
                assert answer.status >= 400, (name, joint, answer.body)
            if FIELDS[name] == SECRET:
                assert "\u0d4e".encode() not in answer.body and "\u0301".encode() not in answer.body
    assert asked > 100 and limited < asked / 10


def test_whatever_a_header_or_an_address_holds_every_answer_has_its_form(site):
    told = quote(f"{site.server.url}/c/{site.clip}", safe="")
    pages = [("GET", f"/c/{site.clip}"), ("GET", f"/e/{site.clip}"), ("GET", f"/oembed?url={told}"), ("GET", "/api/v1/feed"),
             ("GET", "/api/v1/sessions"), ("POST", "/api/v1/uploads"), ("OPTIONS", "/api/v1/uploads"), ("GET", "/sign-in/none")]
    for joint, text in OF_JOINT.items():
        value = of_one_line(text).encode()
        for (method, path), name in itertools.product(pages, extremes.headers()):
            if name in extremes.FRAMING - {"host"}:
                continue
            answer = site.ask(method, path, headers=[(name, value)])
            assert answer.status < 500, (path, name, joint)
            if answer.kind == "text/html" and answer.status == 200:
                assert Page(answer.body).shape == site.forms[path], (path, name, joint)
            if answer.status == 200 and path.startswith("/oembed"):
                assert Page(answer.json()["html"].encode()).shape == site.forms["oembed"]
        part = quote(text, safe="")
        for path in (f"/c/{part}", f"/e/{part}", f"/media/{part}", f"/sealed/{part}/{part}/{part}", f"/{part}", f"/sign-in/{part}",
                     f"/api/v1/clips/{part}", f"/api/v1/feed?cursor={part}&limit={part}", f"/oembed?url={told}{part}",
                     f"/oembed?url={part}&format={part}&maxwidth={part}", f"/c/{site.clip}?{part}={part}",
                     f"/sign-in/none?state={part}&code={part}&error={part}&iss={part}", f"/api/v1/uploads/{site.upload}/captions/{part}"):
            answer = site.ask("GET", path)
            assert answer.status < 500 or answer.json()["code"] == "embed_format_unsupported", path
            # The clip's own caption is on its page; nothing of an address ever is.
            if path.startswith(f"/c/{site.clip}"):
                assert Page(answer.body).shape == site.forms[f"/c/{site.clip}"]
            else:
                assert "\u0d4e".encode() not in answer.body, path


def test_mail_metrics_and_log_have_their_form(site):
    agent = "phone " + of_one_line(OF_JOINT["prepend"])
    link = until(lambda: [mail for mail in site.mails() if "#confirm=" in mail.get_content()], "the mail")[0]
    token = link.get_content().split("#confirm=")[1].split()[0]
    assert site.ask("PUT", f"/api/v1/email-confirmations/{token}").status == 204
    site.own("PATCH", "/api/v1/account", {"name": of_one_line(OF_JOINT["prepend"])[:45]})
    signed = site.ask("POST", "/api/v1/sessions", {"handle": "the.owner", "password": PASSWORD, "transport": "token"},
                      [("User-Agent", agent.encode())])
    assert signed.status == 200
    before = len(site.mails())
    assert site.ask("POST", "/api/v1/password-resets", {"handle": "the.owner"}).status == 202
    until(lambda: len(site.mails()) > before and any("#reset=" in mail.get_content() for mail in site.mails()), "the mail")
    assert all(mail["To"] == "owner@clips.example" for mail in site.mails() if "#reset=" in mail.get_content())
    metrics = requests.get(f"http://127.0.0.1:{site.metrics}/metrics", timeout=20)
    assert metrics.status_code == 200
    check_metrics(metrics.content)
    assert site.server.says("clipfeed.security: ") and site.server.says("/api/v1/feed")
    check_log(list(site.server.log), "text")


def test_a_log_of_objects_has_its_form(tmp_path):
    server = Server(tmp_path / "data", environment={
        "CLIPFEED_PROXIES": "1", "CLIPFEED_LOG": "debug", "CLIPFEED_LOG_FORMAT": "json"})
    try:
        for text in OF_JOINT.values():
            value = of_one_line(text).encode()
            for name in extremes.headers():
                if name not in extremes.FRAMING:
                    send(server, "GET", "/api/v1/account", [(name, value)])
            send(server, "GET", "/" + quote(text, safe=""))
            send(server, "POST", "/api/v1/sessions", [("Content-Type", b"application/json")], json.dumps(
                {"handle": text, "password": text, "transport": "token"}, ensure_ascii=False).encode())
        assert server.says("sign-in")
        check_log(list(server.log), "json")
    finally:
        server.stop()

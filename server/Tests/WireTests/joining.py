"""Letters that join with what stands beside them, and readers of everything that the server writes. To most libraries of text a
`<` beside such a letter is no `<`; to whoever reads the output it is one. So what comes out is read as bytes, by the grammar
of each output."""

import email.policy
import html.parser
import http.client
import io
import json
import re
import socket
import unicodedata
from email import message_from_bytes

# What means something in a page, a list of attributes, a header, a section of XML, captions, a line.
MARKS = ["<", ">", '"', "&", "&lt;", "'", ",", "]]>", "-->", "\r\n", "\n"]
# A letter that takes the next one for its own; an accent; a joiner on either side; a selector; half flags; half syllables.
JOINTS = {
    "prepend": "\u0d4e{}", "accent": "{}\u0301", "joiner behind": "{}\u200d", "joiner before": "\u200d{}",
    "selector": "{}\ufe0f", "flags": "\U0001f1e9{}\U0001f1ea", "jamo": "\u1112{}\u1161\u11ab",
}
# Each mark between all of them, and all marks at each of them.
OF_MARK = {mark: "a" + "b".join(joint.format(mark) for joint in JOINTS.values()) + "z" for mark in MARKS}
OF_JOINT = {name: "a" + "b".join(joint.format(mark) for mark in MARKS) + "z" for name, joint in JOINTS.items()}


def seen(text):
    """What is left of a text when it is kept as text of one line: blanks are blanks, and what has no width may go."""
    kept = "".join(letter for letter in unicodedata.normalize("NFC", text) if letter not in "\u200d\ufe0f")
    return " ".join(kept.split())


class Answer:
    """One answer over a plain socket."""

    # All that the server ever says. Whatever else stands in a head, somebody has put it there.
    NAMES = set("""
        accept-ranges access-control-allow-credentials access-control-allow-headers access-control-allow-methods
        access-control-allow-origin access-control-expose-headers access-control-max-age allow cache-control connection content-encoding
        content-length content-range content-security-policy content-type cross-origin-opener-policy cross-origin-resource-policy
        date etag last-modified location permissions-policy referrer-policy retry-after server set-cookie
        strict-transport-security transfer-encoding upload-complete upload-draft-interop-version upload-expires upload-incomplete
        upload-length upload-limit upload-offset vary www-authenticate x-content-type-options x-frame-options x-request-id www-authenticate
        tus-resumable tus-version tus-extension tus-max-size tus-checksum-algorithm""".split())

    def __init__(self, raw, method):
        head, _, _ = raw.partition(b"\r\n\r\n")
        lines = head.split(b"\r\n")
        assert re.fullmatch(rb"HTTP/1\.1 \d{3} [A-Za-z -]*", lines[0]), lines[0]
        for line in lines[1:]:
            # NB: bytes of ASCII that can be seen, and nothing else.
            found = re.fullmatch(rb"([A-Za-z0-9-]+): ([\x20-\x7e]*)", line)
            assert found, line
            assert found[1].decode().lower() in self.NAMES, line
        read = http.client.HTTPResponse(_Kept(raw), method=method)
        read.begin()
        self.status, self.headers, self.body = read.status, read.headers, read.read()

    @property
    def kind(self):
        return (self.headers["Content-Type"] or "").split(";")[0]

    def json(self):
        return read_json(self.body)


class _Kept:
    def __init__(self, data):
        self.data = data

    def makefile(self, _):
        return io.BytesIO(self.data)


def send(server, method, path, headers=(), body=b""):
    """`headers`: pairs of a name and bytes, which go out as they are."""
    lines = [f"{method} {path} HTTP/1.1".encode(), b"Connection: close"]
    own = {name.lower() for name, _ in headers}
    if "host" not in own:
        lines.append(b"Host: 127.0.0.1:%d" % server.port)
    if "content-length" not in own and (body or method in ("POST", "PUT", "PATCH")):
        lines.append(b"Content-Length: %d" % len(body))
    lines += [name.encode() + b": " + value for name, value in headers]
    raw = b""
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as connection:
        connection.sendall(b"\r\n".join(lines) + b"\r\n\r\n" + body)
        while piece := connection.recv(65_536):
            raw += piece
            if b"text/event-stream" in raw.partition(b"\r\n\r\n")[0]:
                break
    while re.match(rb"HTTP/1\.1 1\d\d ", raw):
        raw = raw.partition(b"\r\n\r\n")[2]
    return Answer(raw, method)


# Readers


def read_json(data):
    """Strictly: UTF-8, no control as it is, no name twice."""
    data = data.removesuffix(b"\n")
    assert not re.search(rb"[\x00-\x1f]", data), data

    def once(pairs):
        assert len(dict(pairs)) == len(pairs), pairs
        return dict(pairs)
    return json.loads(data.decode(), object_pairs_hook=once)


class Page(html.parser.HTMLParser):
    """`form`: all of a page but for what is text in it."""

    def __init__(self, data):
        super().__init__(convert_charrefs=True)
        self.form, self.values, self.texts = [], {}, []
        self.bytes = {mark: data.count(mark) for mark in (b"<", b">", b'"', b"'")}
        self.feed(data.decode())
        self.close()

    def handle_starttag(self, tag, attributes):
        self.form.append((tag, tuple(name for name, _ in attributes)))
        said = dict(attributes)
        if tag == "meta":
            self.values[said.get("property") or said.get("name")] = said.get("content")
        self.values |= {f"{tag} {name}": value for name, value in attributes}

    def handle_endtag(self, tag):
        self.form.append(f"/{tag}")

    def handle_data(self, data):
        self.texts.append(data)

    def handle_comment(self, data):
        self.form.append(("comment", data))

    def handle_decl(self, data):
        self.form.append(("declaration", data))

    def unknown_decl(self, data):
        self.form.append(("unknown", data))

    def handle_pi(self, data):
        self.form.append(("instruction", data))

    @property
    def shape(self):
        return self.form, self.bytes


ESCAPED = r"(?:[^<>&\r\n]|&(?:amp|lt|gt);)"
PAYLOAD = re.compile(rf"(?:{ESCAPED}|\n|<v {ESCAPED}+>|</v>|</?[biu]>)*")


def read_captions(data):
    """The cues of WebVTT as (speakers, text)."""
    text = data.decode()
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x85\u2028\u2029]", text), text
    head, *blocks = re.split(r"\n\n+", text.rstrip("\n"))
    assert re.fullmatch(r"WEBVTT(\n[A-Z-]+=\S+)*", head), head
    cues = []
    for block in blocks:
        timing, _, payload = block.partition("\n")
        assert re.fullmatch(r"[\d:.]+ --> [\d:.]+", timing), block
        assert PAYLOAD.fullmatch(payload) and "-->" not in payload, payload
        speakers = [html.unescape(name) for name in re.findall(r"<v ([^>]*)>", payload)]
        cues.append((speakers, html.unescape(re.sub(r"<[^>]*>", "", payload))))
    return cues


def read_playlist(data):
    """The attributes of each line that has some (RFC 8216, section 4.2)."""
    assert b"\r" not in data and b"\0" not in data
    lists = []
    for line in data.decode().split("\n"):
        if found := re.match(r"#(EXT-X-(?:MEDIA|STREAM-INF)):(.*)$", line, re.DOTALL):
            parts = re.findall(r'([A-Z0-9-]+)=("[^"]*"|[^",]+)(?:,|$)', found[2])
            assert ",".join(f"{name}={value}" for name, value in parts) == found[2], line
            lists.append((found[1], {name: value.strip('"') for name, value in parts}))
        else:
            assert re.fullmatch(r"(#EXT[A-Z0-9-]*(:[\w.:-]+)?|[\w./-]*)", line), line
    return lists


def read_mail(data):
    """A message whose head has what ours have, in ASCII."""
    head = data.replace(b"\r\n", b"\n").partition(b"\n\n")[0]
    assert re.fullmatch(rb"[\x20-\x7e\n]*", head), head
    mail = message_from_bytes(data, policy=email.policy.default)
    assert not mail.defects, mail.defects
    names = [name.lower() for name in mail.keys()]
    assert len(names) == len(set(names)), names
    assert set(names) <= {
        "from", "to", "subject", "date", "message-id", "mime-version", "content-type", "content-transfer-encoding",
        "auto-submitted"}, names
    return mail


def check_metrics(data):
    """The text format of Prometheus, line by line."""
    text = r'[a-z_]+="(?:[^"\\\n]|\\["\\n])*"'
    for line in data.decode().split("\n"):
        assert re.fullmatch(rf"|# (?:HELP|TYPE) [a-z_]+ [^\r]*|[a-z_]+(?:\{{{text}(?:,{text})*\}})? [-+.\deInfNa]+", line), line


LEVELS = "trace|debug|info|notice|warning|error|critical"


def check_log(lines, format):
    """Whatever came, an entry is a line, and no stranger wrote in it."""
    assert lines
    for line in lines:
        line = line.removesuffix("\n")
        assert not re.search(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u0d4e\u0301]", line), repr(line)
        if format == "json" and line.startswith("{"):
            entry = read_json(line.encode())
            assert {"time", "level", "label", "message"} <= entry.keys(), line
        else:
            # What the program says at its start and end is for people.
            assert re.match(rf"\d\d:\d\d:\d\d\.\d+ (?:{LEVELS}) [a-zA-Z.-]+: |Clipfeed |Metrics: |clipfeed: |  ", line), line

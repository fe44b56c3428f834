"""`clipfeed import` of streams that others serve: a list of them, and what those others might try."""

import os
import sqlite3
import subprocess
import time

import pytest

from clips import SERVER
from streams import Streams, endless, make_apart, make_stream, master


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    """Streams of each kind that ffmpeg makes."""
    folder = tmp_path_factory.mktemp("streams")
    make_stream(folder / "ts", 1)
    make_stream(folder / "fmp4", 2, "-hls_segment_type", "fmp4")
    make_stream(folder / "ranges", 3, "-hls_segment_type", "fmp4", "-hls_flags", "single_file")
    make_stream(folder / "small", 4, size="90x160", rate=60)
    make_stream(folder / "large", 4)
    make_apart(folder / "apart", 5)
    return folder


@pytest.fixture
def streams(made):
    running = Streams(made)
    yield running
    running.close()


def take(data, *arguments):
    done = subprocess.run(
        [SERVER, "import", "--data", data, "--allow-address", "127.0.0.1", *arguments], env=os.environ, capture_output=True,
        text=True, timeout=240)
    print(done.stdout, done.stderr)
    return done


def take_over_tls(root, data, *arguments):
    """Where that root is trusted and no other, and `streams.example` is this machine: for this one command alone."""
    hosts = root.with_name("hosts")
    hosts.write_text("127.0.0.1 localhost streams.example\n")
    script = ('mount --bind "$1" /etc/ssl/certs/ca-certificates.crt && mount --bind "$2" /etc/hosts && shift 2 && exec "$@"')
    done = subprocess.run(
        ["unshare", "--map-root-user", "--mount", "sh", "-c", script, "sh", root, hosts, SERVER, "import", "--data", data,
         "--allow-address", "127.0.0.1", *arguments], env=os.environ, capture_output=True, text=True, timeout=240)
    print(done.stdout, done.stderr)
    return done


@pytest.fixture(scope="session")
def vouched(tmp_path_factory):
    """The file of a root, and what makes a certificate: its issuer may be another root, or itself."""
    folder = tmp_path_factory.mktemp("certificates")

    def openssl(*arguments):
        subprocess.run(["openssl", *arguments], check=True, capture_output=True, cwd=folder, timeout=30)

    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]

    def root(name):
        openssl("req", "-x509", *key, "-days", "2", "-subj", f"/CN={name}", "-keyout", f"{name}.key", "-out", f"{name}.crt")

    def certificate(name, issuer="root"):
        openssl("req", *key, "-subj", f"/CN={name}", "-addext", f"subjectAltName=DNS:{name}", "-keyout", "its.key", "-out", "its.csr")
        (folder / "names").write_text(f"subjectAltName=DNS:{name}")
        openssl("x509", "-req", "-in", "its.csr", "-CA", f"{issuer}.crt", "-CAkey", f"{issuer}.key", "-CAcreateserial", "-days", "2",
                "-extfile", "names", "-out", "its.crt")
        return folder / "its.crt", folder / "its.key"

    root("root")
    root("other")
    return folder / "root.crt", certificate


def clips_in(data):
    with sqlite3.connect(data / "clipfeed.sqlite") as database:
        return database.execute(
            "SELECT caption, width, height, duration_ms, playback FROM clips WHERE state = 'ready' ORDER BY published_number").fetchall()


def refusal(data, address, *arguments):
    """Why the only thing that was asked for was not taken. Nothing of it is left."""
    done = take(data, "--workers", "0", address, *arguments)
    assert done.returncode == 1 and "imported 0, already there 0, refused 1" in done.stdout
    assert not list((data / "work").iterdir())
    return done.stdout.split("  refused  ")[-1].strip()


def test_a_list_of_streams_becomes_clips_once(streams, tmp_path):
    streams.said["/list/manifest.json"] = {"videos": [
        f"{streams.url}/ts/media.m3u8", "../fmp4/media.m3u8", {"url": "/ranges/media.m3u8", "caption": "A ball\u202e #rolls"},
        "/both/master.m3u8", "/apart/master.m3u8", f"{streams.url}/ts/media.m3u8#again"]}
    streams.said["/both/master.m3u8"] = master(
        ("../gone.m3u8", 2160, 20_000_000), ("/small/media.m3u8", 90, 100_000), ("/large/media.m3u8", 180, 400_000))
    streams.said["/apart/master.m3u8"] = (
        '#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="a",DEFAULT=YES,URI="sound/media.m3u8"\n'
        '#EXT-X-STREAM-INF:BANDWIDTH=400000,RESOLUTION=180x320,AUDIO="a"\npicture/media.m3u8\n')
    address = f"{streams.url}/list/manifest.json"
    done = take(tmp_path, address, "--workers", "2")
    assert done.returncode == 0 and "imported 5, already there 0, refused 0" in done.stdout
    clips = clips_in(tmp_path)
    assert sorted(clip[0] for clip in clips) == ["", "", "A ball #rolls", "media", "media"]
    assert all(clip[1:3] == (180, 320) and abs(clip[3] - 2000) < 100 and "mp4a" in clip[4] for clip in clips)
    # A stream in one file comes in one request behind its list, and of two sizes the better one.
    assert len([path for path in streams.paths() if path == "/ranges/media.m4s"]) == 2
    assert not [path for path in streams.paths() if path.startswith("/small")]
    done = take(tmp_path, address, "--workers", "2")
    assert done.returncode == 0 and "imported 0, already there 5, refused 0" in done.stdout
    assert len(clips_in(tmp_path)) == 5 and not list((tmp_path / "work").iterdir())


def test_what_is_bad_in_a_list_does_not_end_the_rest(streams, tmp_path):
    streams.said["/list.json"] = ["/gone.m3u8", 7, None, {"url": 3}, "ftp://a/b", "/page.m3u8", "/ts/media.m3u8"]
    streams.said["/page.m3u8"] = "<html>nothing here</html>"
    done = take(tmp_path, f"{streams.url}/list.json")
    assert done.returncode == 1 and "imported 1, already there 0, refused 6" in done.stdout
    for reason in ("gone.m3u8 answers 404", "entry 2: the entry has no address", "entry 5: the entry is no address of https",
                   "page.m3u8 is no HLS playlist"):
        assert reason in done.stdout
    assert len(clips_in(tmp_path)) == 1


def test_a_single_stream_is_taken_too(streams, tmp_path):
    streams.said["/dusk%20at%20the_pier.m3u8"] = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nts/media.m3u8\n"
    assert take(tmp_path, f"{streams.url}/dusk%20at%20the_pier.m3u8").returncode == 0
    assert clips_in(tmp_path)[0][0] == "dusk at the pier"


def test_a_server_without_ranges_gives_the_same_clip(streams, tmp_path):
    address = f"{streams.url}/ranges/media.m3u8"
    streams.rangeless.add("/ranges/media.m4s")
    assert take(tmp_path, address).returncode == 0
    streams.rangeless.clear()
    assert "already there 1" in take(tmp_path, address).stdout


def test_a_list_comes_over_tls_from_whom_the_system_trusts(made, vouched, tmp_path):
    root, certificate = vouched
    streams = Streams(made, certificate=certificate("streams.example"), name="streams.example")
    try:
        streams.said["/list.json"] = {"videos": ["/ts/media.m3u8", "/moved.m3u8"]}
        streams.said["/moved.m3u8"] = (302, {"Location": f"{streams.url}/ranges/media.m3u8"})
        done = take_over_tls(root, tmp_path, f"{streams.url}/list.json", "--workers", "2")
        assert done.returncode == 0 and "imported 2, already there 0, refused 0" in done.stdout
        assert len(clips_in(tmp_path)) == 2
    finally:
        streams.close()


@pytest.mark.parametrize("name, issuer", [("elsewhere.example", "root"), ("streams.example", "other")])
def test_nothing_is_asked_of_who_cannot_prove_its_name(made, vouched, tmp_path, name, issuer):
    """The connection goes to an address that was looked at; the certificate is for the name."""
    root, certificate = vouched
    streams = Streams(made, certificate=certificate(name, issuer), name="streams.example")
    try:
        done = take_over_tls(root, tmp_path, "--workers", "0", f"{streams.url}/ts/media.m3u8")
        assert done.returncode == 1 and "imported 0, already there 0, refused 1" in done.stdout
        assert "cannot be fetched" in done.stdout and not streams.asked
    finally:
        streams.close()


def test_only_hosts_that_somebody_named_are_asked(streams, made, tmp_path):
    other = Streams(made)
    streams.said["/list.json"] = [f"{other.url}/ts/media.m3u8"]
    named = f"127.0.0.1:{other.port}"
    try:
        said = refusal(tmp_path, f"{streams.url}/list.json")
        assert said.endswith(f"the host {named} is not allowed; add it with --allow-host {named}") and not other.asked
        # Pieces and redirects as well.
        streams.said["/media.m3u8"] = f"#EXTM3U\n#EXTINF:1,\n{other.url}/ts/media0.ts\n#EXT-X-ENDLIST\n"
        assert "is not allowed" in refusal(tmp_path, f"{streams.url}/media.m3u8")
        streams.said["/moved.m3u8"] = (302, {"Location": f"{other.url}/ts/media.m3u8"})
        assert "is not allowed" in refusal(tmp_path, f"{streams.url}/moved.m3u8") and not other.asked
        done = take(tmp_path, f"{streams.url}/list.json", "--allow-host", named)
        assert done.returncode == 0 and other.asked
    finally:
        other.close()


def test_no_address_of_an_inner_network_is_asked_unless_it_is_named(streams, made, tmp_path):
    """Nothing listens at most of these. What is refused is not dialled: an attempt would be told as no answer."""
    inner = Streams(made, "127.0.0.2")
    port = inner.port
    hosts = ["169.254.169.254", "10.0.0.1", "192.168.1.1", "100.64.0.1", "[::1]", "[::ffff:10.0.0.1]", "[64:ff9b::a00:1]",
             "[2002:a00:1::]", "0.0.0.0", "localhost", "127.0.0.2", "2130706434", "0x7f000002", "127.2"]
    try:
        for host in hosts:
            streams.said["/moved.m3u8"] = (302, {"Location": f"http://{host}:{port}/ts/media.m3u8"})
            # `localhost` is 127.0.0.1 as well, which is allowed here; its other addresses are not.
            said = refusal(tmp_path, f"{streams.url}/moved.m3u8", "--allow-host", f"{host}:{port}")
            assert "is no address of the open network; if it is meant, add --allow-address" in said or host == "localhost"
        assert not inner.asked
        # Whoever names the host alone has not named its address.
        said = subprocess.run(
            [SERVER, "import", "--data", tmp_path, "--workers", "0", f"{inner.url}/ts/media.m3u8"], capture_output=True, text=True,
            timeout=60)
        assert said.returncode == 1 and "add --allow-address 127.0.0.2" in said.stdout and not inner.asked
    finally:
        inner.close()


def piece(address):
    return f"#EXTM3U\n#EXTINF:1,\n{address}\n#EXT-X-ENDLIST\n"


def trickle(handler):
    handler.send_response(200)
    handler.end_headers()
    while True:
        handler.wfile.write(b" ")
        handler.wfile.flush()
        time.sleep(0.1)


HOSTILE = {
    "not JSON": (b"{", "neither an HLS playlist nor JSON"),
    "deep JSON": (b"[" * 100_000, "neither an HLS playlist nor JSON"),
    "no list": ({"clips": []}, 'the list has no "videos"'),
    "10,000 entries": ({"videos": [f"/{number}.m3u8" for number in range(10_000)]}, "10000 streams, and 1000 are taken at most"),
    "no end to it": (endless(b'{"videos": [', b'"/a.m3u8", ' * 5000), "has more than 4 MB"),
    "redirects to itself": ((302, {"Location": "/it"}), "more than 5 redirects"),
    "leads nowhere": ((302, {}), "leads on to nowhere"),
    "leads to a file": ((302, {"Location": "file:///etc/passwd"}), "no address of https"),
    "an error": ((503, {}), "answers 503"),
    "names itself": (master(("/it", 180, 1)), "they may go round in a circle"),
    "a trickle": (trickle, "comes too slowly"),
    "live": ("#EXTM3U\n#EXTINF:1,\nts/media0.ts\n", "it is a live stream"),
    "encrypted": ('#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI="k"\n#EXTINF:1,\nts/media0.ts\n#EXT-X-ENDLIST\n', "is encrypted"),
    "an hour": ("#EXTM3U\n" + "#EXTINF:10,\nts/media0.ts\n" * 360 + "#EXT-X-ENDLIST\n", "3600 seconds long; 60 are allowed"),
    "many pieces": ("#EXTM3U\n" + "#EXTINF:0.001,\na.ts\n" * 2001 + "#EXT-X-ENDLIST\n", "more than 2000 pieces"),
    "a file": (piece("file:///etc/passwd"), "names something that is no address of https"),
    "a password": (piece("http://127.0.0.1@example.org/a.ts"), "names something that is no address of https"),
    "no video": (piece("/list"), "neither MPEG-TS nor fragmented MP4"),
    "a playlist in a piece": (piece("/ts/media.m3u8"), "neither MPEG-TS nor fragmented MP4"),
    "a piece without end": (piece("/endless.ts"), "has more than 50 MB"),
    "a piece that is cut": (
        "#EXTM3U\n#EXTINF:1,\n#EXT-X-BYTERANGE:1000000000@0\nts/media0.ts\n#EXT-X-ENDLIST\n", "more than 50 MB"),
    "beyond the end": ("#EXTM3U\n#EXTINF:1,\n#EXT-X-BYTERANGE:900000@0\nts/media0.ts\n#EXT-X-ENDLIST\n", "ends before the bytes"),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_what_is_hostile_ends_in_words(kind, streams, tmp_path):
    answer, words = HOSTILE[kind]
    streams.said["/it"] = answer
    streams.said["/list"] = "a text of some length, and no more than that"
    packet = b"\x47" + b"\0" * 187
    streams.said["/endless.ts"] = endless(packet * 10, packet * 1000)
    assert words in refusal(tmp_path, f"{streams.url}/it")


def test_the_command_says_what_is_wrong_with_an_address(tmp_path):
    for address in ("https://", "https://a:b@c/", "http://[::1", "https://a b/", "https://host:99999/"):
        said = subprocess.run([SERVER, "import", "--data", tmp_path, address], capture_output=True, text=True, timeout=20)
        assert said.returncode == 64 and "is no address that can be asked" in said.stderr

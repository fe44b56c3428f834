"""Fills a database with a service that has been running for a while: clips with playback of real size, their authors and
folded counts, what as many viewers as clips like, and the walks of those who will ask for the feed. The same numbers give
the same rows on both engines."""

import base64
import hashlib
import hmac
import json
import random
import sqlite3
import subprocess

BEGAN_MS = 1_790_000_000_000
SECRETS = {
    "guest_secret": "load-guests", "cursor_secret": "load-cursors",
    "access_token_keys": "load-accounts-of-a-benchmark-that-nobody-else-has"}
LIKES_EACH = 3
# Viewers that have watched the feed from its top, and how far the farthest of them are.
WALKERS, FARTHEST = 2000, 600
# As an import of a portrait clip makes them: width, height, codec, average and peak bit rate.
LADDER = {
    "360": (360, 640, "avc1.64001e,mp4a.40.2", 407330, 484352),
    "540": (540, 960, "avc1.64001f,mp4a.40.2", 836546, 1070632),
    "720": (720, 1280, "avc1.64001f,mp4a.40.2", 1638204, 2112408),
    "1080": (1080, 1920, "avc1.640028,mp4a.40.2", 3982035, 4464272),
}
WORDS = "a cat finds the box nobody else wanted and moves in at once with all of its friends".split()


def identifier(ms, kind, number):
    """Of the form and order of those that the server makes; whose they are stands in `kind`."""
    return f"{ms >> 16:08x}-{ms & 0xffff:04x}-7{kind:03x}-8{number >> 32 & 0xfff:03x}-{number & 0xffffffff:012x}"


def clip_id(number):
    return identifier(BEGAN_MS + number * 1000, 1, number)


def viewer_id(number):
    return identifier(BEGAN_MS + number * 10, 2, number)


def author_id(number):
    return identifier(BEGAN_MS + number, 3, number)


def guest_token(viewer, secret=SECRETS["guest_secret"]):
    """As the server makes it (GuestTokens)."""
    tag = hmac.new(secret.encode(), f"guest/2\n{viewer}".encode(), hashlib.sha256).digest()[:16]
    return f"g2.{viewer}.{tag.hex()}"


def access_token(account, now_ms):
    """Good for a day, as the server makes it (JWTAccessTokens)."""
    key = SECRETS["access_token_keys"]
    header = {"alg": "HS256", "kid": hashlib.sha256(f"kid/{key}".encode()).hexdigest()[:8], "typ": "at+jwt"}
    claims = {"sub": account, "sid": account, "role": "member", "made_ms": now_ms, "exp": now_ms // 1000 + 86_400}
    signed = ".".join(base64url(json.dumps(part).encode()) for part in (header, claims))
    return f"{signed}.{base64url(hmac.new(key.encode(), signed.encode(), hashlib.sha256).digest())}"


def base64url(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def list_cursor(where, of=""):
    """A cursor (CursorCodec): `where` is a number or words, `of` the name of the list."""
    body = b"\x01" + where.to_bytes(8, "big") if isinstance(where, int) else b"\x02" + where.encode()
    secret = SECRETS["cursor_secret"] + (f"/{of}" if of else "")
    return base64url(body + hmac.new(secret.encode(), body, hashlib.sha256).digest()[:8])


def cursor(below, now_ms):
    """A place in a walk that began just now."""
    return list_cursor(f"new {below} {now_ms}")


def hashes(number, count):
    """Names of blobs, as good as random."""
    text = hashlib.shake_256(f"clip {number}".encode()).hexdigest(32 * count)
    return [text[start:start + 64] for start in range(0, 64 * count, 64)]


def playback_of_size(size):
    """With its hashes left open. Fifteen seconds in eight segments, as a clip has them whose pictures need `size` permille
    of what the ladder says."""
    source, renditions = random.Random(size), []
    for name, (width, height, codecs, average, peak) in LADDER.items():
        segments, offset = [], 1257
        for index in range(8):
            duration = 1000 if index == 0 else 2000
            bytes_of_it = average * duration * size // 8_000_000 * source.randrange(700, 1300) // 1000
            segments.append({"duration_ms": duration, "offset": offset, "size": bytes_of_it})
            offset += bytes_of_it
        renditions.append({
            "average_bps": average * size // 1000, "codecs": codecs, "frame_rate": 30, "height": height,
            "init": {"offset": 0, "size": 1257}, "name": name, "peak_bps": peak * size // 1000, "segments": segments,
            "url": "/media/@@.mp4", "width": width})
    playback = {
        "duration_ms": 15000, "hls_url": "/media/@@.m3u8", "renditions": renditions,
        "storyboard": {
            "columns": 5, "count": 15, "interval_ms": 1000, "tile_height": 160, "tile_width": 90,
            "url": "/media/@@.jpg", "vtt_url": "/media/@@.vtt"}}
    text = json.dumps(playback, separators=(",", ":"), sort_keys=True)
    return text.replace("%", "%%").replace("@@", "%s")


def authors(clips):
    for number in range(clips // 20):
        yield author_id(number), f"maker{number}", f"Maker number {number}", BEGAN_MS


def rows_of_clips(clips):
    templates, makers = [playback_of_size(200 + 17 * step) for step in range(64)], clips // 20
    for number in range(1, clips + 1):
        names = hashes(number, 9)
        caption = " ".join(WORDS[:4 + number % 12])
        poster = (
            f'{{"height":960,"placeholder":"YpgFNAY7tc86ZqZ5lIdAeUr3iA==","url":"/media/{names[0]}.jpg","width":540}}')
        yield (
            clip_id(number), author_id(number * 7919 % makers), f"{caption} {number}", names[8], "ready",
            BEGAN_MS + number * 1000, number, 15000, 1080, 1920, poster, templates[number % 61] % tuple(names[1:8]), "public", "cat box")


def blobs(clips):
    """One of each clip is enough: of which none is known, the hourly sweep looks for all of them, beside what is measured."""
    for number in range(1, clips + 1):
        yield clip_id(number), f"{hashes(number, 1)[0]}.jpg"


def totals(clips):
    for number in range(1, clips + 1):
        yield clip_id(number), number % 977, number % 40, 0, number % 9973


def likes(clips):
    """Most like what most like: the newest clips, by Zipf's law."""
    rows = random.Random(1)
    for viewer in range(clips):
        liked = sorted({popular(clips, rows) for _ in range(LIKES_EACH)})
        for place, number in enumerate(liked):
            ms = BEGAN_MS + viewer * 10 + place
            yield viewer_id(viewer), clip_id(number), identifier(ms, 4, viewer * 8 + place), ms


def popular(clips, source):
    """The number of a clip: the newest is as popular as the second and the third together, and so on."""
    return clips + 1 - int((clips + 1) ** source.random())


def watched(clips):
    """How many of the newest clips each walker has seen."""
    source = random.Random(2)
    return [int(10 * min(FARTHEST, clips // 2) ** source.random()) // 10 for _ in range(WALKERS)]


def seen(clips):
    for viewer, count in enumerate(watched(clips)):
        for number in range(clips - count + 1, clips + 1):
            ms = BEGAN_MS + number * 1000
            yield viewer_id(viewer), clip_id(number), ms, ms


def spans(clips, now_ms):
    """As the feed has learnt them: stretches grow by 64 clips at least."""
    for viewer, count in enumerate(watched(clips)):
        if count >= 64:
            yield viewer_id(viewer), f"{clips - count // 64 * 64 + 1}-{clips}", now_ms


def tables(clips, now_ms):
    yield "authors", "id handle name created_at_ms", authors(clips)
    yield ("clips", "id author_id caption source_hash state created_at_ms published_number duration_ms width height poster "
           "playback visibility tags", rows_of_clips(clips))
    yield "clip_blobs", "clip_id name", blobs(clips)
    yield "clip_totals", "clip_id likes comments shares views", totals(clips)
    yield "likes", "viewer_id clip_id id created_at_ms", likes(clips)
    yield "seen", "viewer_id clip_id seen_at_ms viewed_at_ms", seen(clips)
    yield "feed_spans", "viewer_id spans as_of_ms", spans(clips, now_ms)


def fill_sqlite(path, clips, now_ms):
    database = sqlite3.connect(path, isolation_level=None)
    for pragma in ("journal_mode = OFF", "synchronous = OFF", "cache_size = -2000000", "locking_mode = EXCLUSIVE"):
        database.execute(f"PRAGMA {pragma}")
    database.execute("BEGIN")
    for table, columns, rows in tables(clips, now_ms):
        marks = ", ".join("?" for _ in columns.split())
        database.executemany(f"INSERT INTO {table} ({', '.join(columns.split())}) VALUES ({marks})", rows)
    database.executemany("INSERT INTO settings (name, value) VALUES (?, ?)", SECRETS.items())
    database.execute("UPDATE feed_numbers SET last = ?", (clips,))
    database.execute("COMMIT")
    database.execute("PRAGMA journal_mode = WAL")
    database.close()


def fill_postgresql(psql, clips, now_ms):
    """`psql`: a command that takes SQL on its standard input."""
    process = subprocess.Popen(psql, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    out = process.stdin
    # Neither triggers of references for rows that are known to be right, nor a log of what is lost with the folder anyway.
    out.write(b"SET client_min_messages = warning; SET session_replication_role = replica; SET synchronous_commit = off;\n")
    for table, columns, rows in tables(clips, now_ms):
        names = ", ".join(columns.split())
        out.write(f"BEGIN; TRUNCATE {table} CASCADE; COPY {table} ({names}) FROM STDIN;\n".encode())
        lines = []
        for row in rows:
            lines.append("\t".join(map(str, row)))
            if len(lines) == 1000:
                out.write(("\n".join(lines) + "\n").encode())
                lines = []
        out.write(("\n".join(lines) + "\n" if lines else "").encode() + b"\\.\nCOMMIT;\n")
    for name, value in SECRETS.items():
        out.write(f"INSERT INTO settings (name, value) VALUES ('{name}', '{value}');\n".encode())
    # What autovacuum would do by itself, if it were given the time.
    out.write(f"UPDATE feed_numbers SET last = {clips};\nVACUUM ANALYZE;\nCHECKPOINT;\n".encode())
    out.close()
    if process.wait():
        raise RuntimeError("PostgreSQL was not filled")

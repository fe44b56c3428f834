"""Blobs in a server's store that no pipeline made."""

import hashlib
import sqlite3


def put_blob(server, content, public=False):
    """The address of a blob of these bytes. What no public clip needs is nobody's, so one is written down for it."""
    digest = hashlib.sha256(content).hexdigest()
    name = f"{digest}.mp4"
    folder = server.data / "media" / digest[:2]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content)
    if public:
        with sqlite3.connect(server.data / "clipfeed.sqlite", timeout=20) as database:
            database.execute("INSERT INTO authors (id, handle, name, created_at_ms) VALUES ('blobs', 'blobs', 'Blobs', 0)")
            database.execute(
                "INSERT INTO clips (id, author_id, caption, source_hash, state, created_at_ms)"
                " VALUES ('blobs', 'blobs', '', ?, 'processing', 0)", (digest,))
            database.execute("INSERT INTO clip_blobs (clip_id, name) VALUES ('blobs', ?)", (name,))
    return f"/media/{name}"

"""How long comments take under a clip that has few and one that has many (filled.py: on which databases, and how that is
measured). A fifth of them are replies, to one comment in twenty."""

import random

import filled
import load_seed as seed
from load import line

CLIP = seed.clip_id(1)
WRITERS = 5000
COLUMNS = "clip_id number id parent_id text idempotency_key created_at_ms author_id likes replies"


def comment_id(number):
    return seed.identifier(seed.BEGAN_MS + number, 4, number)


def parent(number):
    """Of four in twenty; the comment itself is the last one before them whose number ends a twenty."""
    return number - number % 20 if number % 20 in (1, 2, 3, 4) and number >= 20 else None


def rows_of(comments, clip=CLIP):
    for number in range(1, comments + 1):
        above = parent(number)
        text = " ".join(seed.WORDS[number % 7:number % 7 + 9])
        likes = number * 7919 % 1000 if above is None and number % 3 == 0 else 0
        replies = 4 if number % 20 == 0 and number + 4 <= comments else 0
        yield (clip, number, comment_id(number), above and comment_id(above), text, f"key-{number}", seed.BEGAN_MS + number,
               seed.author_id(number % WRITERS), likes, replies)


def tables(comments):
    yield "authors", "id handle name created_at_ms", seed.authors(20 * WRITERS)
    clip = (CLIP, seed.author_id(1), "clip", "hash", "ready", seed.BEGAN_MS, 1, 15000, 1080, 1920, filled.POSTER, filled.PLAYBACK, "public", "")
    yield ("clips", "id author_id caption source_hash state created_at_ms published_number duration_ms width height poster playback "
           "visibility tags", [clip])
    yield "comments", COLUMNS, rows_of(comments)


def requests(comments):
    source = random.Random(7)
    under = f"/api/v1/clips/{CLIP}/comments"

    def some(make):
        return [line("GET", make(), None, source) for _ in range(4000)]

    def twenty():
        return comment_id(source.randrange(1, comments // 20) * 20)

    yield "newest, first page", some(lambda: f"{under}?limit=20")
    yield "most liked, first page", some(lambda: f"{under}?order=top&limit=20")
    yield "one comment", some(lambda: f"/api/v1/comments/{twenty()}")
    yield "its replies", some(lambda: f"/api/v1/comments/{twenty()}/replies?limit=10")


if __name__ == "__main__":
    filled.run("comments", tables, requests, lambda comments: "UPDATE feed_numbers SET last = 1")

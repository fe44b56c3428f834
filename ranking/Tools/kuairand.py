"""Turns the tables of KuaiRand-Pure into columns of 64-bit numbers that `rank-eval` reads: FROM TO.

Rows as they are read in ranking/Sources/RankingEvaluation/KuaiRand.swift. Gao et al.: "KuaiRand: An Unbiased Sequential
Recommendation Dataset with Randomly Exposed Videos", CIKM 2022 (CC BY-SA 4.0); the split is that of the repository
wmyh-0416/kuairand-short-video-recommender.
"""
import array
import datetime
import pathlib
import sys

import pyarrow.parquet

source, target = map(pathlib.Path, sys.argv[1:3])


def table(name, columns):
    read = pyarrow.parquet.read_table(source / f"{name}.parquet", columns=columns)
    return zip(*(read.column(column).to_pylist() for column in columns))


def write(name, rows):
    numbers = array.array("q")
    for row in rows:
        numbers.extend(int(number) for number in row)
    if sys.byteorder != "little":
        numbers.byteswap()
    (target / name).write_bytes(numbers.tobytes())


def day(text):
    """Midnight in Beijing, in milliseconds since 1970."""
    zone = datetime.timezone(datetime.timedelta(hours=8))
    return datetime.datetime.fromisoformat(str(text)[:10]).replace(tzinfo=zone).timestamp() * 1000


def tags(text):
    found = [int(tag) for tag in str(text).split(",") if tag.strip().isdigit()]
    return (found + [-1, -1, -1])[:3]


target.mkdir(parents=True, exist_ok=True)
write(
    "clips",
    (
        (video, author, music if music is not None else -1, duration or 30_000, day(uploaded), *tags(text))
        for video, author, music, duration, uploaded, text in table(
            "item_features", ["video_id", "author_id", "music_id", "video_duration", "upload_dt", "tag"]
        )
    ),
)
kinds = ["watch_seq", "like_seq", "long_watch_seq"]
write(
    "histories",
    (
        (user, last, kind, video)
        for user, last, *sequences in table("user_sequences", ["user_id", "last_time_ms", *kinds])
        for kind, sequence in enumerate(sequences)
        for video in sequence
    ),
)
columns = ["user_id", "video_id", "time_ms", "is_positive", "long_view", "is_like", "is_follow", "is_comment"]
columns += ["is_forward", "is_hate", "play_time_ms", "tab"]
write("events", (row for name in ("val", "test") for row in table(name, columns)))

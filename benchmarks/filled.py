"""A database with as many rows as somebody has after years, on SQLite and on PostgreSQL, and how long a server answers from it
(load.py: what sends, and what answers). What the rows are and what is asked is for whoever measures."""

import argparse
import itertools
import os
import sqlite3
import subprocess
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

import load
from load import PostgreSQL, measured, say, table

GROWTH = 1.5
# Of a clip that nobody plays.
PLAYBACK = (
    '{"duration_ms":15000,"hls_url":"/media/x.m3u8","renditions":[{"average_bps":1,"codecs":"avc1.64001e","frame_rate":30,'
    '"height":640,"init":{"offset":0,"size":1},"name":"360","peak_bps":1,"segments":[],"url":"/media/x.mp4","width":360}]}')
POSTER = '{"height":960,"placeholder":"YpgFNAY7tc86ZqZ5lIdAeUr3iA==","url":"/media/x.jpg","width":540}'


def fill(database, path, tables, behind, settings=None):
    """`tables`: name, columns and rows of each; `behind`: a statement that follows. `settings`: values of the instance by their
    names. `database`: None for the file of SQLite at `path`."""
    settings = settings or {}
    if not database:
        target = sqlite3.connect(path, isolation_level=None)
        for pragma in ("journal_mode = OFF", "synchronous = OFF", "cache_size = -1000000", "foreign_keys = OFF"):
            target.execute(f"PRAGMA {pragma}")
        target.execute("BEGIN")
        for name, columns, rows in tables:
            marks = ", ".join("?" for _ in columns.split())
            target.executemany(f"INSERT INTO {name} ({', '.join(columns.split())}) VALUES ({marks})", rows)
        target.executemany("INSERT INTO settings (name, value) VALUES (?, ?)", settings.items())
        target.execute(behind)
        target.execute("COMMIT")
        target.execute("PRAGMA journal_mode = WAL")
        target.close()
        return
    process = subprocess.Popen(database.psql, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    out = process.stdin
    out.write(b"SET client_min_messages = warning; SET session_replication_role = replica; SET synchronous_commit = off;\n")
    for name, columns, rows in tables:
        out.write(f"BEGIN; TRUNCATE {name} CASCADE; COPY {name} ({', '.join(columns.split())}) FROM STDIN;\n".encode())
        for some in iter(lambda rows=iter(rows): list(itertools.islice(rows, 5000)), []):
            out.write(("\n".join("\t".join("\\N" if value is None else str(value) for value in row) for row in some) + "\n").encode())
        out.write(b"\\.\nCOMMIT;\n")
    for name, value in settings.items():
        out.write(f"INSERT INTO settings (name, value) VALUES ('{name}', '{value}');\n".encode())
    out.write(f"{behind};\nVACUUM ANALYZE;\nCHECKPOINT;\n".encode())
    out.close()
    if process.wait():
        raise RuntimeError("PostgreSQL was not filled")


@contextmanager
def instance(engine, folder):
    """A database with its tables: the server of PostgreSQL or None, what a server of ours is told of it, and its data folder."""
    database, data = PostgreSQL(folder) if engine == "PostgreSQL" else None, folder / "data"
    try:
        environment = database.environment if database else {}
        subprocess.run(
            [load.SERVER_PROGRAM, "migrate", "--data", data], env=os.environ | environment, check=True, stdout=subprocess.DEVNULL)
        yield database, environment, data
    finally:
        if database:
            database.stop()


def cell(engine, rows, folder, options, tables, requests, behind, settings=None, measured=measured):
    """All figures of one engine with so many rows."""
    with instance(engine, folder) as (database, environment, data):
        began = time.monotonic()
        fill(database, data / "clipfeed.sqlite", tables(rows), behind(rows), settings)
        say(f"{engine}, {rows} rows: filled in {time.monotonic() - began:.0f} s")
        return measured(data, environment, requests(rows), options)


def compared(figures, name):
    rows = []
    for (engine, count), found in figures.items():
        fewest = figures[min(key for key in figures if key[0] == engine)]
        for what, figure in found.items():
            growth = [f"{figure[key] / fewest[what][key]:.2f}" for key in ("p50", "p99")] if found is not fewest else ["", ""]
            rows.append([engine, f"{count:,}", what, round(figure["rps"]), f"{figure['p50']:.2f}", f"{figure['p99']:.2f}", *growth])
    return table(["database", name, "what", "requests/s", "p50 ms", "p99 ms", "p50 to the fewest", "p99 to the fewest"], rows)


def counts(text):
    """Numbers, with commas between them."""
    return [int(number) for number in text.split(",")]


def arguments(name, connections=2):
    """What each of these benchmarks can be told; `name` is what the rows are called."""
    parser = argparse.ArgumentParser()
    parser.add_argument(f"--{name}", dest="rows", type=counts, nargs="+", default=[[10_000, 1_000_000]])
    parser.add_argument("--engines", nargs="+", default=["SQLite", "PostgreSQL"], choices=["SQLite", "PostgreSQL"])
    parser.add_argument("--seconds", type=int, default=2, help="of a round")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--connections", type=int, default=connections)
    parser.add_argument("--folder", default="/var/tmp", help="some 8 GB are needed there with a million rows")
    parser.add_argument("--quick", action="store_true", help="a smoke run")
    return parser


def parsed(parser):
    options = parser.parse_args()
    options.rows = sorted(itertools.chain(*options.rows))
    if options.quick:
        options.rows, options.seconds, options.rounds = [1000, 2000], 1, 1
    return options


def report(figures, name):
    print(compared(figures, name))
    for (engine, rows), found in figures.items():
        fewest = figures[min(key for key in figures if key[0] == engine)]
        for what, figure in found.items():
            if figure["p99"] > GROWTH * fewest[what]["p99"]:
                say(f"missed: {engine}, {rows:,} {name}, {what}: p99 has grown {figure['p99'] / fewest[what]['p99']:.2f} times")


def run(name, tables, requests, behind):
    """`tables(rows)`, `requests(rows)` and `behind(rows)`; `name` is what the rows are called."""
    options = parsed(arguments(name))
    figures = {}
    for engine in options.engines:
        for rows in options.rows:
            with tempfile.TemporaryDirectory(dir=options.folder, prefix=f"clipfeed-{name}-") as folder:
                figures[engine, rows] = cell(engine, rows, Path(folder), options, tables, requests, behind)
    report(figures, name)

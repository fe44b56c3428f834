"""How long the lists take that somebody with much opens, among few and among many rows of all others (people_seed.py: what the
databases hold; filled.py: on which, and how that is measured), and what it takes when somebody whom many follow publishes
(publication.py)."""

import argparse
import functools
import random
import tempfile
import time
from pathlib import Path

import filled
import load
import load_seed as seed
import people_seed as people
import publication
from load import line
from people_seed import PERSON

SIZE = 20


# MARK: What is asked

def pages(path, rows, most, place, other, viewer=0):
    """The first page of the person's list, one from anywhere in its middle half, and the first page of one of the others'.

    `place(number)`: where the page below the person's row of that number starts. `other(source)`: whose list another one is,
    who asks, and its path. `viewer`: who asks for the person's."""
    source, now_ms = random.Random(7), int(time.time() * 1000)
    mine = people.share(rows, most)

    def ask(number, path):
        return line("GET", path, None, source, token=seed.access_token(seed.author_id(number), now_ms))

    def some(make):
        return [make() for _ in range(4000)]

    def middle():
        return ask(viewer, f"{path}?limit={SIZE}&cursor={place(source.randrange(mine // 4, mine * 3 // 4) + 1)}")

    def others():
        number, list_path = other(source)
        return ask(number, f"{list_path}?limit={SIZE}")

    yield "first page", some(lambda: ask(viewer, f"{path}?limit={SIZE}"))
    yield "a page in the middle", some(middle)
    yield "another's first page", some(others)


def profile_pages(rows):
    every, makers = people.step(rows, people.CLIPS), people.others(rows, people.CLIPS)

    def path(number):
        return f"/api/v1/profiles/maker{number}/clips"

    # Somebody else looks.
    return pages(
        path(0), rows, people.CLIPS, lambda number: seed.list_cursor(number * every, of=f"author {PERSON}"),
        lambda source: (0, path(source.randrange(1, 1 + makers))), viewer=1)


def inbox_pages(rows):
    count = rows // 2
    every, mine = people.step(count, people.CONVERSATIONS), people.share(count, people.CONVERSATIONS)
    path = "/api/v1/conversations"
    return pages(
        path, count, people.CONVERSATIONS,
        lambda number: seed.list_cursor(people.inbox_message(number * every, 1), of=f"conversations/{PERSON}"),
        lambda source: (source.randrange(1 + mine, 1 + mine + 2 * people.circle(rows)), path))


def conversation_pages(rows):
    count = people.others(rows, people.MESSAGES)

    def path(number):
        return f"/api/v1/conversations/{seed.author_id(number)}/messages"

    def other(source):
        first, second = people.talkers(source.randrange(1, 1 + count))
        return first, path(second)

    return pages(
        path(1), rows, people.MESSAGES,
        lambda number: seed.list_cursor(number, of=f"messages/{PERSON}/{seed.author_id(1)}"), other)


def notification_pages(rows):
    notices = people.Notices(rows)
    path = "/api/v1/notifications"

    def place(number):
        row = notices.person_row(number - 1)
        return seed.list_cursor(f"{row[-1]} {row[2]}", of=f"notifications/{PERSON}")

    return pages(path, rows, people.NOTICES, place, lambda source: (source.randrange(1, 1 + notices.accounts), path))


# What each is called, what is in its tables, what is asked, and how many clips there are.
LISTS = {
    "profile": ("clips of a profile", people.profiles, profile_pages, lambda rows: rows),
    "inbox": ("conversations of an inbox", people.inboxes, inbox_pages, lambda rows: 0),
    "conversation": ("messages of a conversation", people.talks, conversation_pages, lambda rows: 0),
    "notifications": (
        "notifications", lambda rows: people.Notices(rows).tables(), notification_pages, lambda rows: people.Notices(rows).clips),
}


# MARK: How it is measured

def one_and_many(url, lines, pid, options):
    """How long an answer takes to who asks alone; how many a second so many at once get."""
    many = argparse.Namespace(**{**vars(options), "connections": options.clients})
    return load.measure(url, lines, pid, options) | {"rps": load.measure(url, lines, pid, many)["rps"]}


def cell(engine, rows, name, options):
    title, tables, requests, clips = LISTS[name]
    measured = functools.partial(load.measured, each=one_and_many)
    with tempfile.TemporaryDirectory(dir=options.folder, prefix=f"clipfeed-{name}-") as folder:
        found = filled.cell(
            engine, rows, Path(folder), options, tables, requests, lambda rows: f"UPDATE feed_numbers SET last = {clips(rows)}",
            settings=publication.settings(), measured=measured)
    return {f"{title}, {what}": figure for what, figure in found.items()}


def main():
    parser = filled.arguments("rows", connections=1)
    parser.add_argument("--clients", type=int, default=8, help="at once, where requests a second are counted")
    parser.add_argument("--lists", nargs="*", default=list(LISTS), choices=list(LISTS))
    parser.add_argument("--followers", type=int, default=100_000, help="of who publishes; 0: nobody does")
    options = filled.parsed(parser)
    if options.quick:
        options.followers = min(options.followers, 2000)
    figures = {}
    for engine in options.engines if options.lists else []:
        for rows in options.rows:
            figures[engine, rows] = {}
            for name in options.lists:
                figures[engine, rows] |= cell(engine, rows, name, options)
    if figures:
        filled.report(figures, "rows")
    if options.followers:
        publication.run(options)


if __name__ == "__main__":
    main()

"""How long a search takes with few and with many clips (filled.py: on which databases, and how that is measured)."""

import bisect
import itertools
import os
import random
import subprocess
import tempfile
from collections import Counter
from functools import cache
from pathlib import Path

import filled
import load_seed as seed
from load import line

VOCABULARY = 200_000


# MARK: Captions

def vocabulary():
    """Words that can be said, the shortest first, as the most used ones are short."""
    source = random.Random(5)
    starts, middles = "b br c d f fl g gr h k l m n p r s st t tr v w".split(), "a e i o u ai ea ou".split()
    words = {}
    for count in itertools.cycle((1, 2, 2, 3, 3, 3, 4)):
        word = "".join(source.choice(starts) + source.choice(middles) for _ in range(count)) + source.choice(["", "n", "r", "s", "t"])
        words.setdefault(word)
        if len(words) == VOCABULARY:
            return sorted(words, key=len)


WORDS = vocabulary()
# By Zipf's law: the most used word is in nearly every second caption, most are in a handful.
SHARES = list(itertools.accumulate(1 / rank for rank in range(1, VOCABULARY + 1)))


def word(source):
    return WORDS[bisect.bisect_left(SHARES, source.random() * SHARES[-1])]


def captions(clips):
    source = random.Random(6)
    for number in range(1, clips + 1):
        yield number, [word(source) for _ in range(3 + number % 11)]


# MARK: What the database holds, as the server would have written it (server/Sources/Search)

def level(count):
    return min(15, ((count + 1).bit_length() - 1) // 2)


def level_of(number):
    likes, views = number % 977, number % 9973
    return max(level(views), min(15, level(likes) + 1) if likes else 0)


def handle_of(clips, number):
    return f"maker{number * 7919 % max(1, clips // 20)}"


def terms_of(clips, number, words):
    return list(dict.fromkeys([*words, handle_of(clips, number)]))


@cache
def bits_of(term):
    number = 0xCBF29CE484222325
    for byte in term.encode():
        number = (number ^ byte) * 0x100000001B3 & (1 << 64) - 1
    number ^= number >> 32
    return 1 << (number & 63) | 1 << (number >> 6 & 63)


def signature(terms):
    bits = 0
    for term in terms:
        bits |= bits_of(term)
    return bits - (1 << 64) if bits >> 63 else bits


def rows_of_clips(clips):
    for number, words in captions(clips):
        yield (seed.clip_id(number), seed.author_id(number * 7919 % max(1, clips // 20)), " ".join(words), f"hash{number}", "ready",
               seed.BEGAN_MS + number * 1000, number, 15000, 1080, 1920, filled.POSTER, filled.PLAYBACK, "public", "")


def entries(clips):
    for number, words in captions(clips):
        terms = terms_of(clips, number, words)
        yield "clip", seed.clip_id(number), level_of(number), " ".join(terms), "", signature(terms)


def postings(clips):
    """In the order of their key, so that a tree is filled from one side."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        unsorted = Path(folder) / "postings"
        with open(unsorted, "w") as file:
            for number, words in captions(clips):
                terms = terms_of(clips, number, words)
                for term in terms:
                    file.write(f"{term}\t{level_of(number):02d}\t{seed.clip_id(number)}\t{signature(terms)}\n")
        ordered = subprocess.Popen(["sort", "-S", "1G", unsorted], stdout=subprocess.PIPE, text=True, env=os.environ | {"LC_ALL": "C"})
        for row in ordered.stdout:
            term, of, clip, bits = row.rstrip("\n").split("\t")
            yield "clip", term, int(of), clip, int(bits)


def uses(clips):
    found = Counter()
    for number, words in captions(clips):
        found.update(terms_of(clips, number, words))
    return sorted(found.items())


def forms(words):
    for one, _ in words:
        if 4 <= len(one) <= 24:
            for form in sorted({one} | {one[:place] + one[place + 1:] for place in range(len(one))}):
                yield "clip", form, one


def tables(clips):
    words = uses(clips)
    yield "authors", "id handle name created_at_ms", seed.authors(max(20, clips))
    yield ("clips", "id author_id caption source_hash state created_at_ms published_number duration_ms width height poster playback "
           "visibility tags", rows_of_clips(clips))
    yield "clip_blobs", "clip_id name", seed.blobs(clips)
    yield "clip_totals", "clip_id likes comments shares views", seed.totals(clips)
    yield "search_entries", "kind id level terms tags signature", entries(clips)
    yield "search_postings", "kind term level id signature", postings(clips)
    yield "search_words", "kind word spelling uses level", (("clip", one, one, count, level(count)) for one, count in words)
    yield "search_forms", "kind form word", sorted(forms(words))


# MARK: What is asked

def slip(one, source):
    place = source.randrange(len(one) - 1)
    return one[:place] + one[place + 1] + one[place] + one[place + 2:]


def requests(clips):
    source = random.Random(7)
    common, middle = WORDS[:50], WORDS[500:5000]

    def ask(what, *words):
        page = "" if what == "suggestions" else "limit=24&"
        return line("GET", f"/api/v1/search/{what}?{page}q={'%20'.join(words)}", None, source)

    def many(make):
        return [make() for _ in range(4000)]

    long = [one for one in middle if len(one) >= 5]
    yield "a word of many clips", many(lambda: ask("clips", source.choice(common)))
    yield "a word of some clips", many(lambda: ask("clips", source.choice(middle)))
    yield "two words of many clips", many(lambda: ask("clips", source.choice(common), source.choice(common)))
    yield "three words, one of some clips", many(lambda: ask("clips", source.choice(common), source.choice(middle), source.choice(common)))
    yield "three letters", many(lambda: ask("clips", source.choice(middle)[:3]))
    yield "a misspelt word", many(lambda: ask("clips", slip(source.choice(long), source)))
    yield "nothing", many(lambda: ask("clips", f"xq{source.randrange(10**6)}zx"))
    yield "suggestions", many(lambda: ask("suggestions", source.choice(middle)[:source.randrange(1, 5)]))


if __name__ == "__main__":
    filled.run("clips", tables, requests, lambda clips: f"UPDATE feed_numbers SET last = {clips}")

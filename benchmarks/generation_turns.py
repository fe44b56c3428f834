"""Many people with many generations at a vendor that has little room and fails a third: whose turn it was, in which order, and
what it cost (generation_proof.py)."""

import time
from collections import defaultdict
from dataclasses import dataclass, field

from generation_kills import number_in, prompt_of
from generation_run import await_end, books, reading

# Seconds that a request may take longer than another one.
SLACK = 1.0
# As `GenerationCourse` has it: seconds until a failed one is tried again, by how often it was tried.
FIRST_WAIT = 15


@dataclass
class Wish:
    number: int
    person: object
    asked: float
    id: str = ""
    # Its videos at the vendor, in the order in which they began.
    videos: list = field(default_factory=list)

    def waits(self):
        """When it waited for its turn: since when, until when, and from when on it could have had it."""
        begin, due = self.asked, self.asked
        for number, video in enumerate(self.videos):
            yield begin, video.begun, due
            if video.fate != "failed" or video.told is None:
                return
            begin = video.told
            due = begin + FIRST_WAIT * 2 ** min(number, 5)


def ask(people, each):
    """Everybody's wishes, one person's after the other's, so that only turns can make it fair."""
    wishes = []
    for person in people:
        for _ in range(each):
            number = len(wishes) + 1
            generation = person.wish_at_last(prompt_of(number), f"wish-number-{number}")
            wishes.append(Wish(number, person, time.monotonic(), generation["id"]))
    return wishes


def passed_over(wishes):
    """Who had a second turn while somebody else could have had one and had none."""
    own, turns, failures = defaultdict(list), defaultdict(list), defaultdict(list)
    for wish in wishes:
        own[wish.person.number].append((wish.number, list(wish.waits())))
        turns[wish.person.number] += [video.begun for video in wish.videos]
        failures[wish.person.number] += [video.told for video in wish.videos if video.fate == "failed" and video.told]

    def could(person, at):
        """By the oldest one that waits, since it comes first."""
        waiting = [
            (number, due) for number, waits in own[person] for begin, end, due in waits if begin <= at < end]
        return bool(waiting) and min(waiting)[1] + SLACK <= at

    for person, times in turns.items():
        ordered = sorted(times)
        for first, second in zip(ordered, ordered[1:]):
            for other in own:
                if other == person or not could(other, first):
                    continue
                low, high = first - SLACK, second + SLACK
                if any(low < at < high for at in turns[other]) or any(low < at < high for at in failures[other]):
                    continue
                yield f"{other} by {person}, who had turns {second - first:.1f} s from each other"


def out_of_order(wishes):
    """First turns of one person that came in another order than the wishes."""
    latest = {}
    for wish in wishes:
        begun = wish.videos[0].begun if wish.videos else float("inf")
        if begun < latest.get(wish.person.number, 0) - SLACK:
            yield f"wish {wish.number} of {wish.person.number}"
        latest[wish.person.number] = max(begun, latest.get(wish.person.number, 0))


def judge(promises, world, vendor, wishes):
    with reading(world.data) as database:
        rows = {row["id"]: row for row in database.execute("SELECT * FROM generations")}
        wrong, places = books(database)
    by_number = {wish.number: wish for wish in wishes}
    for video in vendor.videos.values():
        by_number[number_in(video.prompt)].videos.append(video)
    ready = [row for row in rows.values() if row["state"] == "ready"]
    failed = [row for row in rows.values() if row["state"] == "failed"]
    promises.check("many people: none is lost, stuck or there twice", [
        *(f"{wish.id} is not there" for wish in wishes if wish.id not in rows),
        *(f"{id} is {row['state']}" for id, row in rows.items() if row["state"] not in ("ready", "failed") or row["work"]),
        *(f"{id} is nobody's" for id in rows.keys() - {wish.id for wish in wishes})], len(rows))
    promises.check("many people: nobody has a second turn while somebody waits for one", passed_over(wishes), len(vendor.videos))
    promises.check("many people: each person's come in their order", out_of_order(wishes), len(wishes))
    promises.check("many people: the vendor has never more than it takes", [
        "it had no room"] * vendor.full, f"{vendor.most} at most")
    promises.check("many people: each try is one video", (
        f"{wish.id}: {len(wish.videos)} videos of {rows[wish.id]['attempts']} tries" for wish in wishes
        if wish.id in rows and len(wish.videos) != rows[wish.id]["attempts"]), len(vendor.videos))
    promises.check("many people: what failed was tried six times", (
        f"{row['id']}: {row['failure_code']} after {row['attempts']}" for row in failed if row["attempts"] != 6), len(failed))
    due = sum(row["price"] for row in ready)
    promises.check("many people: credits add up, and what is ready alone is paid", wrong + (
        [f"{places.get('spent', 0)} spent, {due} due"] if places.get("spent", 0) != due else []), f"{due} spent")
    promises.check("many people: vendors are spoken to as they want it", world.vendors.all_faults())
    made = sum(video.fate == "made" for video in vendor.videos.values())
    promises.check("many people: each video that was made is somebody's", [
        f"{made} made, {len(ready)} ready"] if made != len(ready) else [], made)
    return len(ready), len(failed)


def run(world, people, each, patience):
    """The wishes, and how long all of it took."""
    began = time.monotonic()
    wishes = ask(people, each)
    await_end(world.data, patience)
    return wishes, time.monotonic() - began

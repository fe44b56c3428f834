"""Kills server and worker with -9 at every step of a generation, while people go on asking, and looks at what became of all
of it (generation_proof.py)."""

import hashlib
import itertools
import random
import re
import threading
import time
from collections import Counter
from dataclasses import dataclass

from generation_run import OVER, UNDER_WAY, Broken, books, reading
from load import say

# What the vendors notice, and for how long at most it is waited then: what follows an answer happens in the server.
NOTICED = {
    "it is asked": 0, "it has begun": 0, "its id is told": 0.03, "it is polled": 0, "progress is told": 0.03,
    "its end is told": 0.05, "it is fetched": 0, "half of it is there": 0, "all of it is there": 0.3,
}
# What is seen from here.
SEEN = (
    "a person asks", "it waits for its turn", "a program makes it", "it is converted", "it can be watched", "a person cancels")
WHENEVER = "whenever"
MOMENTS = (*NOTICED, *SEEN, WHENEVER)
# Seconds for a moment to come.
PATIENCE = 75
# How many one has under way, until nothing more is wished for.
WANTED = 3


@dataclass
class Wish:
    number: int
    person: object


def prompt_of(number):
    return f"wish {number}: a fox in the snow"


def number_in(prompt):
    match = re.match(r"wish (\d+):", prompt)
    return int(match[1]) if match else None


class Kills:
    def __init__(self, world, people, options):
        self.world, self.people = world, people
        self.chance = random.Random(options.seed)
        # By id: what was answered; and what somebody cancelled, maybe before that.
        self.wishes, self.cancelled, self.problems = {}, set(), []
        # By moment: kills, and how often it was this process. States that something was in when something was killed.
        self.struck, self.killed, self.states = Counter(), Counter(), Counter()
        # By id: how often a process may have died between asking a vendor and keeping the id.
        self.unsure, self._claims = Counter(), set()
        self._numbers = itertools.count(1)
        self._goes_on = threading.Event()
        self._threads = []

    def run(self, kills):
        plan = [MOMENTS[number % len(MOMENTS)] for number in range(kills)]
        self.chance.shuffle(plan)
        self._goes_on.set()
        feeder = threading.Thread(target=self._feed, args=(random.Random(self.chance.random()),), daemon=True)
        feeder.start()
        time.sleep(8)
        for number, moment in enumerate(plan):
            self.problems += [
                f"the {caller} ended by itself" for caller, process in self.world.processes.items() if not process.is_alive()]
            self.world.start()
            self._look_at_books()
            came = self._strike(moment)
            self.struck[came] += 1
            self.world.start()
            for thread in self._threads:
                thread.join(180)
            self._threads = []
            say(f"  kill {number + 1} of {kills}: {came}")
            time.sleep(self.chance.uniform(0.2, 1.2))
        self._goes_on.clear()
        feeder.join(180)
        if feeder.is_alive():
            self.problems.append("somebody still waits for an answer")

    # MARK: People

    def _feed(self, chance):
        for person in itertools.cycle(self.people):
            if not self._goes_on.is_set():
                return
            try:
                items = self._list(person)
                waiting = [item["id"] for item in items if item["state"] in UNDER_WAY]
                if len(waiting) < WANTED:
                    self._wish(person, chance, items)
                elif chance.random() < 0.02:
                    self._cancel(person, chance.choice(waiting))
            except Broken as error:
                self.problems.append(str(error))
            time.sleep(0.08)

    def _list(self, person):
        status, page = person.ask("GET", "/api/v1/generations?limit=20")
        if status != 200:
            raise Broken(f"the list of generations: {status} {page}")
        return page["items"]

    def _wish(self, person, chance, items=()):
        """A new one, or now and then another one of what is there."""
        number = next(self._numbers)
        prompt, key = prompt_of(number), f"wish-number-{number}"
        ready = [item["id"] for item in items if item["state"] == "ready"]
        if ready and chance.random() < 0.15:
            path = f"/api/v1/generations/{chance.choice(ready)}/refinements"
            status, answer = person.ask("POST", path, {"prompt": prompt}, key)
        else:
            status, answer = person.wish(
                prompt, key, seconds=chance.choice((5, 5, 10)), style=chance.choice(("none", "cinematic")),
                aspect=chance.choice(("9:16", "16:9")))
        if status == 202:
            self.wishes[answer["id"]] = Wish(number, person)
        # As many as one may have, or too many at once, or the one that is refined has just been discarded.
        elif status not in (404, 409, 429):
            self.problems.append(f"a wish was answered {status}: {answer}")

    def _cancel(self, person, id):
        self.cancelled.add(id)
        status, answer = person.ask("DELETE", f"/api/v1/generations/{id}")
        # Asked again because its server was killed, it discards what it has cancelled.
        if status not in (204, 404):
            self.problems.append(f"cancelling was answered {status}: {answer}")

    def _meanwhile(self, work, *arguments):
        def run():
            try:
                work(*arguments)
            except Broken as error:
                self.problems.append(str(error))
        thread = threading.Thread(target=run, daemon=True)
        self._threads.append(thread)
        thread.start()

    # MARK: Kills

    def _kill(self, callers):
        self.world.kill(callers)
        for caller in callers:
            self.killed[caller] += 1
        marks = ", ".join("?" for _ in UNDER_WAY)
        with reading(self.world.data) as database:
            rows = database.execute(
                f"SELECT id, state, remote, lease_until_ms, fencing FROM generations WHERE state IN ({marks})",
                UNDER_WAY).fetchall()
        self.states.update({row["state"] for row in rows})
        for row in rows:
            claim = row["id"], row["fencing"]
            if row["state"] == "queued" and row["remote"] is None and row["lease_until_ms"] > 0 and claim not in self._claims:
                self._claims.add(claim)
                self.unsure[row["id"]] += 1

    def _any(self):
        return self.chance.choice((["server"], ["worker"], ["server", "worker"]))

    def _strike(self, moment):
        """Kills at this moment, or whenever if it does not come. The moment that it was."""
        if moment in NOTICED:
            pause = self.chance.uniform(0, NOTICED[moment])

            def act(caller):
                time.sleep(pause)
                self._kill([caller])
            came = self._notice(moment, act)
        else:
            came = {
                "a person asks": self._while_asking, "it waits for its turn": self._while_waiting,
                "a program makes it": self._while_made, "it is converted": self._while_converted,
                "it can be watched": self._at_the_end, "a person cancels": self._while_cancelling,
            }.get(moment, self._whenever)()
        if came:
            return moment
        self._whenever()
        return WHENEVER

    def _notice(self, moment, act):
        """Whether that moment came, and was acted on."""
        done = threading.Event()

        def acting(caller):
            try:
                act(caller)
            finally:
                done.set()
        self.world.vendors.moments.arm(moment, acting)
        if not done.wait(PATIENCE) and self.world.vendors.moments.disarm():
            return False
        if not done.wait(PATIENCE):
            raise Broken(f"a kill does not end: {moment}")
        return True

    def _await(self, look):
        """What it finds, or None."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            found = look()
            if found:
                return found
            time.sleep(0.02)
        return None

    def _whenever(self):
        time.sleep(self.chance.uniform(0, 3))
        self._kill(self._any())
        return True

    def _while_asking(self):
        self._meanwhile(self._wish, self.chance.choice(self.people), random.Random(self.chance.random()))
        time.sleep(self.chance.uniform(0, 0.02))
        self._kill(["server"])
        return True

    def _while_waiting(self):
        self._wish(self.chance.choice(self.people), self.chance)
        time.sleep(self.chance.uniform(0, 1))
        self._kill(self._any())
        return True

    def _while_cancelling(self):
        person = self.chance.choice(self.people)
        waiting = self._await(lambda: [item["id"] for item in self._list(person) if item["state"] in UNDER_WAY])
        if not waiting:
            return False
        self._meanwhile(self._cancel, person, self.chance.choice(waiting))
        time.sleep(self.chance.uniform(0, 0.02))
        self._kill(["server"])
        return True

    def _while_made(self):
        def running():
            return [
                run for run in (self.world.data / "generation/own").glob("run-*")
                if (run / "room/began").exists() and not (run / "ended").exists() and run.name not in cut]
        # What was cut off before looks as if it ran.
        cut = {run.name for run in running_now(self.world.data)}
        if not self._await(running):
            return False
        time.sleep(self.chance.uniform(0, 1))
        self._kill(["server", "worker"])
        return True

    def _while_converted(self):
        if not self._notice("all of it is there", lambda caller: None):
            return False
        time.sleep(self.chance.uniform(0.2, 2))
        self._kill(["server", "worker"])
        return True

    def _at_the_end(self):
        def watchable():
            with reading(self.world.data) as database:
                return database.execute(
                    "SELECT g.id FROM generations g JOIN clips c ON c.id = g.clip_id "
                    "WHERE g.state = 'storing' AND c.state = 'ready' LIMIT 1").fetchone()
        if not self._await(watchable):
            return False
        time.sleep(self.chance.uniform(0, 1))
        self._kill(["server", "worker"])
        return True

    def _look_at_books(self):
        with reading(self.world.data) as database:
            wrong, _ = books(database)
        self.problems += [f"the books, between two kills: {fault}" for fault in wrong]

    # MARK: What became of it

    def judge(self, promises):
        with reading(self.world.data) as database:
            rows = {row["id"]: row for row in database.execute("SELECT * FROM generations")}
            wrong, places = books(database)
        total, numbers = len(rows), Counter(number_in(row["prompt"]) for row in rows.values())
        promises.check("every answer was one that may be given", self.problems)
        promises.check("no job is lost, and there is one for each wish", [
            *(f"{id} is not there" for id in self.wishes if id not in rows),
            *(f"{id} was never answered" for id in rows if id not in self.wishes and id not in self.cancelled),
            *(f"wish {number} is there {count} times" for number, count in numbers.items() if count > 1)], total)
        promises.check("none is stuck", (
            f"{id} is {row['state']}, work '{row['work']}'" for id, row in rows.items()
            if row["state"] not in OVER or row["work"]), total)
        promises.check("none is cancelled but by its person", (
            id for id, row in rows.items() if row["state"] == "cancelled" and id not in self.cancelled), total)
        promises.check("what failed was against the rules, or was tried six times", (
            f"{id}: {row['failure_code']} after {row['attempts']} tries, {row['failure_detail']}" for id, row in rows.items()
            if row["state"] == "failed" and row["attempts"] < 6 and row["failure_code"] != "content_policy"), total)
        promises.check("credits add up, and none is paid twice", wrong, f"{total}: {places.get('spent', 0)} spent")
        self._judge_vendors(promises, rows)
        return Counter(row["state"] for row in rows.values())

    def _judge_vendors(self, promises, rows):
        vendors = self.world.vendors.all
        runs = {run.name: run for run in (self.world.data / "generation/own").glob("run-*")}
        ids = {number_in(row["prompt"]): id for id, row in rows.items()}
        keyed, begun = vendors["open"].by_key, Counter()
        for key in keyed:
            begun[key.rsplit("-", 1)[0]] += 1
        for name in ("veo", "runway"):
            begun.update(ids.get(number_in(video.prompt)) for video in vendors[name].videos.values())
        for id, row in rows.items():
            begun[id] += sum(run_of(id, attempt) in runs for attempt in range(1, row["attempts"] + 1))
        promises.check("vendors are asked for jobs that there are", (
            f"{number} videos of none" for id, number in begun.items() if id not in rows), sum(begun.values()))
        promises.check("a try begins one video, and one more only where a process died while it asked", (
            f"{id}: {begun[id]} videos of {row['attempts']} tries, {self.unsure[id]} deaths" for id, row in rows.items()
            if begun[id] > row["attempts"] + self.unsure[id]), sum(begun.values()))
        promises.check("with a key it is one, whoever dies", [
            *(f"{key} of {rows[key.rsplit('-', 1)[0]]['attempts']} tries" for key in keyed
              if key.rsplit("-", 1)[0] in rows
              and int(key.rsplit("-", 1)[1]) > rows[key.rsplit("-", 1)[0]]["attempts"]),
            *(f"{key} was asked for {video.asks} times" for key, video in keyed.items()
              if video.asks > 1 + self.unsure[key.rsplit("-", 1)[0]]),
            *(f"{name} was begun {count} times" for name, count in begins(runs) if count > 1)], len(keyed) + len(runs))
        promises.check("what is ready was made and fetched whole", (
            f"{id} by {row['provider']}" for id, row in rows.items()
            if row["state"] == "ready" and not self._was_made(row, runs)))
        promises.check("vendors are spoken to as they want it", self.world.vendors.all_faults())

    def _was_made(self, row, runs):
        if row["provider"] == "own":
            return row["remote"] in runs
        video = self.world.vendors.all[row["provider"]].find(row["remote"] or "")
        return video is not None and video.fate == "made" and video.fetched > 0


def running_now(data):
    """Runs of the operator's program without an end, which may have been cut off."""
    return [run for run in (data / "generation/own").glob("run-*") if not (run / "ended").exists()]


def run_of(id, attempt):
    """The folder of a try, by its key."""
    return "run-" + hashlib.sha256(f"{id}-{attempt}".encode()).hexdigest()[:32]


def begins(runs):
    """How often the program was begun in each folder."""
    for name, run in runs.items():
        began = run / "room/began"
        if began.exists():
            yield name, len(began.read_bytes())

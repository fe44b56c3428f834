"""Clips from words, by the real server and workers, with vendors that are played (vendors.py): killed at every step, asked
by many at once, and looked through for keys. Prints what was promised and whether it was kept; fails where it was not.

    --kills N     kills of a process (100)
    --people N, --each N    who ask at once, and for how many each (50, 10)
    --parts       kills, turns, or both
    --seed N      of what is random (1)
    --keep DIR    the instance and its logs stay there"""

import argparse
import secrets
import sys
import tempfile
import time
from pathlib import Path

import generation_turns as turns
from dialects import OpenAIVideos, Runway, Veo
from generation_kills import MOMENTS, NOTICED, Kills
from generation_run import Api, Broken, Promises, World, await_end, command_settings, draw, joined, reading
from generation_secrets import check_media, check_secrets
from load import say, table
from vendors import Rules, Vendors

CALLERS = ("server", "worker")
# Of those who ask while processes are killed; more than there is work for.
PEOPLE = 16
# Seconds until all must have ended, since some wait for minutes before they are tried again.
END = 2700
COMMAND = Path(__file__).with_name("video_command.py").resolve()


def key(prefix):
    return prefix + secrets.token_hex(20)


def hard_vendors(options, clip):
    def rules(room):
        return Rules(
            seed=options.seed, room=room, takes=(1, 5), fails=0.12, refuses=0.03, troubles=0.08, clip=clip)
    return [
        OpenAIVideos("open", key("sk-proj-"), rules(12)), Veo("veo", key("AIza"), rules(1)),
        Runway("runway", key("key_"), rules(2))]


def prove_kills(folder, options, promises):
    folder.mkdir()
    file = draw(folder, 1, "180x320")
    played = hard_vendors(options, file.read_bytes())
    vendors = Vendors(played, CALLERS)
    own = command_settings("own", COMMAND, file.resolve(), 2, 0.15, 1)
    # Those with little room come first, or nobody would get to them.
    world = World(
        folder, vendors, own | {"CLIPFEED_GENERATION_AT_ONCE": "6"}, ["own", "veo", "runway", "open"], CALLERS)
    keys = [vendor.key for vendor in played]
    api = Api(world.port, keys + [f"127.0.0.1:{port}" for port in vendors.ports.values()])
    try:
        world.start()
        people = joined(api, PEOPLE)
        kills = Kills(world, people, options)
        began = time.monotonic()
        kills.run(options.kills)
        say(f"{options.kills} kills in {time.monotonic() - began:.0f} s; until all have ended:")
        try:
            await_end(world.data, END)
        except Broken as error:
            kills.problems.append(str(error))
        ended = kills.judge(promises)
        with reading(world.data) as database:
            ready = [row["id"] for row in database.execute(
                "SELECT id FROM generations WHERE state = 'ready' AND hidden = 0 ORDER BY id")]
        check_media(promises, [(id, kills.wishes[id].person) for id in ready if id in kills.wishes])
        check_secrets(promises, world, api, keys, people)
    finally:
        world.stop()
    print(table(["killed when", "seen by", "times"], [
        [moment, "the vendor" if moment in NOTICED else "us", kills.struck[moment]] for moment in MOMENTS]))
    print(f"\n{dict(kills.killed)} killed; something was then {dict(kills.states)}; what became of all: {dict(ended)}")
    for vendor in played:
        print(f"{vendor.name}: {len(vendor.videos)} videos, {dict(vendor.troubles)} answered wrongly, {vendor.full} refused for room")
    print()


def prove_turns(folder, options, promises):
    folder.mkdir()
    file = draw(folder, 1, "180x320")
    rules = Rules(seed=options.seed, room=4, takes=(1, 4), fails=1 / 3, clip=file.read_bytes())
    vendor = OpenAIVideos("open", key("sk-proj-"), rules)
    world = World(
        folder, Vendors([vendor], CALLERS), {"CLIPFEED_GENERATION_AT_ONCE": str(min(100, options.each))}, callers=CALLERS)
    api = Api(world.port, [vendor.key])
    try:
        world.start()
        people = joined(api, options.people)
        wishes, seconds = turns.run(world, people, options.each, 4 * END)
        ready, failed = turns.judge(promises, world, vendor, wishes)
        promises.check("many people: no key is in an answer", api.leaks, api.answers)
    finally:
        world.stop()
    print(f"{len(wishes)} wishes of {len(people)} people in {seconds:.0f} s: {ready} ready, {failed} failed, "
          f"{len(vendor.videos)} videos, of which {vendor.most} at a time\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--people", type=int, default=50)
    parser.add_argument("--each", type=int, default=10)
    parser.add_argument("--parts", nargs="+", default=["kills", "turns"], choices=["kills", "turns"])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    promises = Promises()
    with tempfile.TemporaryDirectory(prefix="clipfeed-generation-", ignore_cleanup_errors=True) as folder:
        home = options.keep or Path(folder)
        home.mkdir(parents=True, exist_ok=True)
        try:
            if "kills" in options.parts:
                prove_kills(home / "kills", options, promises)
            if "turns" in options.parts:
                prove_turns(home / "turns", options, promises)
        except Broken as error:
            promises.check("it comes to its end", [str(error)])
    print(table(["promise", "among", ""], promises.rows))
    sys.exit(0 if promises.are_kept() else 1)


if __name__ == "__main__":
    main()

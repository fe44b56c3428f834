"""Which frames of a page Chromium presented, and when, by its own trace, and how evenly they came while something moved.

For each refresh for which a page wants to draw there is a `PipelineReporter`. It begins at the time of the refresh, ends when the
frame was presented, and its `state` says whether it was. Two of them end at once where a frame shows what the main thread made
for an earlier refresh: then the later one is that of the frame. What moved, and when, say the marks of motions.js."""

import json
from collections import Counter, defaultdict, namedtuple
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise, zip_longest

CATEGORIES = ["-*", "blink.user_timing", "disabled-by-default-devtools.timeline.frame"]
# Times are µs of the trace. Without a display Chromium refreshes 60 times a second.
REFRESH_US = 1_000_000 / 60
# The page hears that an animation has begun up to two refreshes later.
LATE_US = 2 * REFRESH_US

Frame = namedtuple("Frame", "refresh presented incomplete")
Motion = namedtuple("Motion", "name pid begin end")


@dataclass
class Tally:
    """What was seen in all motions of one name."""
    frames: int = 0
    incomplete: int = 0  # frames that show places that were not painted yet
    wanted: int = 0  # refreshes with a frame, or without one though Chromium says that there had to be one
    dropped: int = 0  # the latter, or a frame without what the main thread had to move
    intervals: list = field(default_factory=list)  # ms from one presentation to the next
    steps: list = field(default_factory=list)  # the same in refreshes
    tasks: list = field(default_factory=list)  # ms of the main thread's long tasks
    waits: list = field(default_factory=list)  # ms until it moved

    def take(self, motion, frames, dropped):
        inside = [frame for frame in frames if motion.begin <= frame.refresh <= motion.end]
        missed = {refresh for refresh in dropped if motion.begin <= refresh <= motion.end}
        self.frames += len(inside)
        self.incomplete += sum(frame.incomplete for frame in inside)
        self.dropped += len(missed)
        self.wanted += len(missed | {frame.refresh for frame in inside})
        for frame, after in pairwise(inside):
            self._add(after.presented - frame.presented, round((after.refresh - frame.refresh) / REFRESH_US))
        # Nothing was presented at the beginning of the motion, at its end, or in all of it.
        edges = [inside[0].refresh - motion.begin, motion.end - inside[-1].refresh] if inside else [motion.end - motion.begin]
        for gap in edges:
            if gap >= 2 * REFRESH_US:
                self._add(gap, int(gap / REFRESH_US))

    def _add(self, interval_us, steps):
        self.intervals.append(interval_us / 1000)
        self.steps.append(steps)


@contextmanager
def traced(chromium, tallies):
    """Adds to the tallies, by their names, the motions that happen meanwhile."""
    chromium.start_tracing(categories=CATEGORIES)
    try:
        yield
    finally:
        trace = chromium.stop_tracing()
    events = json.loads(trace)["traceEvents"]
    motions = list(motions_of(events))
    if not motions:
        raise RuntimeError("nothing moved, or the trace has no marks of it")
    for pid in {motion.pid for motion in motions}:
        frames, dropped = frames_of(events, pid)
        if not frames:
            raise RuntimeError("the trace has no presented frame of the page: its events may have other names by now")
        for motion in motions:
            if motion.pid == pid:
                tallies[motion.name].take(motion, frames, dropped)


def motions_of(events):
    marks = sorted(
        (event["ts"], event["name"], event["pid"]) for event in events
        if "blink.user_timing" in event.get("cat", "") and event.get("name", "").startswith("motion "))
    begun, ended = [], {}  # an end by the place of its beginning
    for at, mark, pid in marks:
        _, kind, name, *length = mark.split()
        if kind == "begin":
            begun.append((name, pid, at))
            continue
        place = max((place for place, (other, _, _) in enumerate(begun) if other == name), default=None)
        if place is None:
            continue  # it began before the trace
        ended[place] = at
        if length:
            ended[place] = min(at, begun[place][2] + float(length[0]) * 1000 - LATE_US)
    for place, (name, pid, begin) in enumerate(begun):
        if place in ended:
            yield Motion(name, pid, begin, max(begin, ended[place]))


def frames_of(events, pid):
    """The presented frames of the process's page in their order, and the refreshes that missed what had to move."""
    reporters = list(reporters_of(events, pid))
    trees = Counter(facts.get("layer_tree_host_id") for _, _, facts in reporters)
    page = max(trees, key=trees.get, default=None)
    presented, dropped = {}, set()
    for refresh, end, facts in reporters:
        if facts.get("layer_tree_host_id") != page:
            continue
        if str(facts.get("state")).startswith("STATE_PRESENTED"):
            known = presented.get(end)
            if known is None or known.refresh < refresh:
                presented[end] = Frame(refresh, end, bool(facts.get("has_missing_content")))
        if facts.get("affects_smoothness"):
            dropped.add(refresh)
    return sorted(presented.values()), dropped


def reporters_of(events, pid):
    """`(begin, end, facts)` of each. The events of a trace stand in no order."""
    begins, ends = defaultdict(list), defaultdict(list)
    sides = {"b": begins, "e": ends}
    for event in events:
        if event.get("name") == "PipelineReporter" and event.get("pid") == pid and event.get("ph") in sides:
            sides[event["ph"]][str(event.get("id2") or event.get("id"))].append(event)
    for key, beginnings in begins.items():
        pairs = zip_longest(sorted(beginnings, key=time_of), sorted(ends[key], key=time_of))
        for begin, end in pairs:
            if begin is None:
                continue  # its beginning is not in the trace
            arguments = begin.get("args", {})
            # By the second name in older Chromium.
            facts = arguments.get("frame_reporter") or arguments.get("chrome_frame_reporter")
            if facts:
                yield begin["ts"], (end or begin)["ts"], facts


def time_of(event):
    return event["ts"]

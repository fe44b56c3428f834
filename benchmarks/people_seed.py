"""What the databases of people.py and publication.py hold: one person who has much, and many others who have a page and some
more each. Rows are as the server writes them (Messages, Notifications, Videos, Social); those of the one person lie among
the others', as they do where all write at the same time. The same numbers give the same rows on both engines."""

import math

import filled
import load_seed as seed

# What one of the others has.
EACH = 24
# What the one person has, or half of all where that is less. Of notifications an account keeps no more (Limits.notifications).
CLIPS, CONVERSATIONS, MESSAGES, NOTICES = 5000, 1000, 5000, 500
DAY_MS, HOUR_MS = 86_400_000, 3_600_000
# The person's notices: four on each of these days.
FIRST_MS = (seed.BEGAN_MS // DAY_MS - NOTICES // 4) * DAY_MS
LIKERS, FOLLOWERS = 5, 3
# Comments under one clip, and people whom one of them names (Limits.mentions).
UNDER, NAMED = 1000, 10
PERSON = seed.author_id(0)

AUTHORS = "id handle name created_at_ms"
CLIP = ("id author_id caption source_hash state created_at_ms published_number duration_ms width height poster playback "
        "visibility tags")
TOTALS = "clip_id likes comments shares views"
MESSAGE = "receiver_id sender_id number id text clip_id idempotency_key created_at_ms"
CONVERSATION = "owner_id peer_id last_id unread begun_at_ms"
COMMENT = "clip_id number id parent_id text idempotency_key created_at_ms author_id likes replies"
NOTIFICATION = "account about id kind clip_id comment_id at_ms"
FOLLOW = "viewer_id author_id id created_at_ms"


# MARK: Whose rows they are

def share(rows, most):
    """How many of these rows are the person's."""
    return min(most, rows // 2)


def step(rows, most):
    """Every so many-eth row is the person's."""
    return rows // share(rows, most)


def others(rows, most):
    """How many others there are."""
    return max(1, (rows - share(rows, most)) // EACH)


def turns(rows, most):
    """Of each row: its number, from 1 on; that among the person's rows, from 1 on, or None; and that among the others' rows,
    from 0 on, or None."""
    mine, every, count = share(rows, most), step(rows, most), 0
    for number in range(1, rows + 1):
        if number % every == 0 and number // every <= mine:
            yield number, number // every, None
        else:
            yield number, None, count
            count += 1


def authors(count):
    return seed.authors(20 * count)


def words(number):
    return " ".join(seed.WORDS[number % 7:number % 7 + 9])


# MARK: Clips of a profile

TEMPLATES = [seed.playback_of_size(200 + 17 * size) for size in range(61)]


def clip(number, author, is_whole=False):
    """`is_whole`: with a playback of real size, which takes ten times the room."""
    names = seed.hashes(number, 9) if is_whole else []
    poster = filled.POSTER.replace("/media/x.jpg", f"/media/{names[0]}.jpg") if is_whole else filled.POSTER
    playback = TEMPLATES[number % len(TEMPLATES)] % tuple(names[1:8]) if is_whole else filled.PLAYBACK
    return (seed.clip_id(number), seed.author_id(author), f"{words(number)} {number}", names[8] if is_whole else f"hash{number}",
            "ready", seed.BEGAN_MS + number * 1000, number, 15000, 1080, 1920, poster, playback, "public", "")


def clips_of_profiles(rows):
    makers = others(rows, CLIPS)
    for number, own, other in turns(rows, CLIPS):
        yield clip(number, 0 if own else 1 + other % makers, is_whole=bool(own))


def profiles(rows):
    yield "authors", AUTHORS, authors(1 + others(rows, CLIPS))
    yield "clips", CLIP, clips_of_profiles(rows)
    yield "clip_blobs", "clip_id name", seed.blobs(rows)
    yield "clip_totals", TOTALS, seed.totals(rows)


# MARK: Conversations of an inbox

def circle(rows):
    """How many people begin conversations beside those with the person: nobody two with the same one."""
    count = rows // 2 - share(rows // 2, CONVERSATIONS)
    return max(count // EACH, math.isqrt(count) + 1)


def pairs(rows):
    """Who began each conversation, and with whom: two rows of the table."""
    mine, people = share(rows // 2, CONVERSATIONS), circle(rows)
    for number, own, other in turns(rows // 2, CONVERSATIONS):
        if own:
            yield number, own, 0
        else:
            one, turn = other % people, other // people
            yield number, 1 + mine + one, 1 + mine + people + (one + turn) % people


def inbox_message(pair, place):
    return seed.identifier(seed.BEGAN_MS + pair * 1000 + place, 5, 2 * pair + place)


def is_answered(pair):
    """Or who began has written twice, and the other one has not read that."""
    return pair % 3 != 0


def message(receiver, sender, number, identifier, at_ms):
    return seed.author_id(receiver), seed.author_id(sender), number, identifier, words(number), None, f"key-{number:08d}", at_ms


def messages_of_inboxes(rows):
    for pair, first, second in pairs(rows):
        at_ms = seed.BEGAN_MS + pair * 1000
        yield message(second, first, 1, inbox_message(pair, 0), at_ms)
        receiver, sender = (first, second) if is_answered(pair) else (second, first)
        yield message(receiver, sender, 2, inbox_message(pair, 1), at_ms + 1)


def conversation(first, second, last, unread_of_first, unread_of_second, began_ms):
    yield seed.author_id(first), seed.author_id(second), last, unread_of_first, began_ms
    yield seed.author_id(second), seed.author_id(first), last, unread_of_second, None


def conversations_of_inboxes(rows):
    for pair, first, second in pairs(rows):
        unread = (1, 0) if is_answered(pair) else (0, 2)
        yield from conversation(first, second, inbox_message(pair, 1), *unread, seed.BEGAN_MS + pair * 1000)


def inboxes(rows):
    yield "authors", AUTHORS, authors(1 + share(rows // 2, CONVERSATIONS) + 2 * circle(rows))
    yield "messages", MESSAGE, messages_of_inboxes(rows)
    yield "conversations", CONVERSATION, conversations_of_inboxes(rows)


# MARK: Messages of a conversation

def talkers(pair):
    """The two of a conversation: 0 is the person's, the others' are numbered from 1 on."""
    return 2 * pair, 2 * pair + 1


def talk_ms(place):
    return seed.BEGAN_MS + place * 1000


def talk_message(pair, place):
    return seed.identifier(talk_ms(place), 5, pair * 8192 + place)


def messages_of_talks(rows):
    count = others(rows, MESSAGES)
    for _, own, other in turns(rows, MESSAGES):
        pair, place = (0, own) if own else (1 + other % count, 1 + other // count)
        first, second = talkers(pair)
        receiver, sender = (second, first) if place % 2 else (first, second)
        yield message(receiver, sender, place, talk_message(pair, place), talk_ms(place))


def conversations_of_talks(rows):
    mine, count = share(rows, MESSAGES), others(rows, MESSAGES)
    for pair in range(1 + count):
        last = (rows - mine - pair) // count + 1 if pair else mine
        yield from conversation(*talkers(pair), talk_message(pair, last), 1 - last % 2, last % 2, talk_ms(1))


def talks(rows):
    yield "authors", AUTHORS, authors(2 + 2 * others(rows, MESSAGES))
    yield "messages", MESSAGE, messages_of_talks(rows)
    yield "conversations", CONVERSATION, conversations_of_talks(rows)


# MARK: Notifications
#
# The person's are of what it made: on each day a clip that can be seen, a comment and likes of that clip, and people who follow.
# The others' are of comments that name them, ten people each.

class Notices:
    def __init__(self, rows):
        self.rows, self.mine, self.accounts = rows, share(rows, NOTICES), others(rows, NOTICES)
        self.days = -(-self.mine // 4)
        # Those who like, follow and write.
        self.fans = range(1 + self.accounts, 1 + self.accounts + FOLLOWERS * self.days)
        # Of one account.
        self.places = (rows - self.mine - 1) // self.accounts + 1
        self.comments = -(-self.accounts // NAMED) * self.places
        self.clips = self.days + self.comments // UNDER + 1

    def fan(self, number):
        return seed.author_id(self.fans[number % len(self.fans)])

    def at_ms(self, day, part):
        return FIRST_MS + day * DAY_MS + (1 + part) * HOUR_MS

    def person_comment(self, day):
        return seed.identifier(self.at_ms(day, 1), 6, day)

    def comment_clip(self, number):
        return seed.clip_id(1 + self.days + number // UNDER)

    def comment(self, number):
        return seed.identifier(seed.BEGAN_MS + number, 4, number)

    # MARK: Rows

    def clip_rows(self):
        for number in range(1, 1 + self.clips):
            yield clip(number, 0 if number <= self.days else self.fans[0])

    def comment_rows(self):
        for day in range(self.days):
            yield (seed.clip_id(1 + day), 1, self.person_comment(day), None, words(day), "key-00000001", self.at_ms(day, 1),
                   self.fan(day), 0, 0)
        for number in range(self.comments):
            yield (self.comment_clip(number), 1 + number % UNDER, self.comment(number), None, words(number),
                   f"key-{number:08d}", seed.BEGAN_MS + number, self.fan(0), 0, 0)

    def like_rows(self):
        for day in range(self.days):
            for place in range(LIKERS):
                at_ms = self.at_ms(day, 2) - place
                yield self.fan(day + place), seed.clip_id(1 + day), seed.identifier(at_ms, 7, LIKERS * day + place), at_ms

    def follow_rows(self):
        for day in range(self.days):
            for place in range(FOLLOWERS):
                at_ms, number = self.at_ms(day, 3) - place, FOLLOWERS * day + place
                yield self.fan(number), PERSON, seed.identifier(at_ms, 8, number), at_ms

    def person_row(self, number):
        """From 0 on."""
        day, part = divmod(number, 4)
        at_ms, clip_id = self.at_ms(day, part), seed.clip_id(1 + day)
        kind, about, clip_of, comment_of = [
            ("published", clip_id, clip_id, None), ("comment", self.person_comment(day), clip_id, self.person_comment(day)),
            ("like", clip_id, clip_id, None), ("follow", at_ms // DAY_MS, None, None)][part]
        return PERSON, f"{kind}/{about}", seed.identifier(at_ms, 5, number), kind, clip_of, comment_of, at_ms

    def notification_rows(self):
        for number, own, other in turns(self.rows, NOTICES):
            if own:
                yield self.person_row(own - 1)
                continue
            account, place = other % self.accounts, other // self.accounts
            named = account // NAMED * self.places + place
            comment = self.comment(named)
            at_ms = seed.BEGAN_MS + named
            yield (seed.author_id(1 + account), f"mention/{comment}", seed.identifier(at_ms, 5, number), "mention",
                   self.comment_clip(named), comment, at_ms)

    def tables(self):
        yield "authors", AUTHORS, authors(self.fans.stop)
        yield "clips", CLIP, self.clip_rows()
        yield "clip_blobs", "clip_id name", seed.blobs(self.clips)
        yield "clip_totals", TOTALS, seed.totals(self.clips)
        yield "comments", COMMENT, self.comment_rows()
        yield "likes", "viewer_id clip_id id created_at_ms", self.like_rows()
        yield "follows", FOLLOW, self.follow_rows()
        yield "author_totals", "author_id followers", [(PERSON, len(self.fans))]
        yield "notifications", NOTIFICATION, self.notification_rows()
        # The last dozen are new.
        yield "notification_readers", "account seen_ms switches", [(PERSON, self.person_row(max(0, self.mine - 13))[-1], "")]


# MARK: A publication

# In the feed, and of how many makers; every hundredth is the creator's.
FED, MAKERS = 10_000, 500


def fed_clips(followers):
    for number in range(1, FED + 1):
        yield clip(number, 0 if number % 100 == 0 else 1 + followers + number % MAKERS, is_whole=True)


def follows(followers):
    for number in range(1, followers + 1):
        at_ms = seed.BEGAN_MS + number
        yield seed.author_id(number), PERSON, seed.identifier(at_ms, 8, number), at_ms


def account(number):
    return seed.author_id(number), f"maker{number}", f"Maker number {number}", "none", "member", seed.BEGAN_MS


def publication(followers):
    """The creator is 0, followers come behind, and behind them makers whom nobody follows."""
    yield "authors", AUTHORS, authors(1 + followers + MAKERS)
    yield "accounts", "id handle name password_hash role created_at_ms", [account(number) for number in (0, 1 + followers, 2 + followers)]
    yield "clips", CLIP, fed_clips(followers)
    yield "clip_blobs", "clip_id name", seed.blobs(FED)
    yield "clip_totals", TOTALS, seed.totals(FED)
    yield "follows", FOLLOW, follows(followers)
    yield "author_totals", "author_id followers", [(PERSON, followers)]

"""The message bar, whatever the engine: what it shows when, and where a text goes. All of it is in web/tests/browser/test_messages.py;
here is what hangs on the engine: focus, keys, fields, storage, and requests that fail."""

import pytest

FIELD, PLANE, REACTIONS, STATE = "#messages textarea", "#messages .send", "#messages .reactions", "#messages .state"

# Messages wait for `release(true)`, or fail by `release(false)`.
HOLD = """() => {
  const real = globalThis.fetch;
  globalThis.held = [];
  globalThis.fetch = (address, options) => (options?.method === 'POST' && /conversations/.test(address)
    ? new Promise((resolve, reject) => held.push((goes) => (goes ? resolve(real(address, options)) : reject(new TypeError('no network')))))
    : real(address, options));
  globalThis.release = (goes) => held.shift()(goes);
}"""


@pytest.fixture
def writer(engine, own_server):
    """Somebody in front of the first clip, with the bar there."""
    engine.open(own_server.url)
    return arrive(engine, own_server.feed()[0])


def arrive(engine, clip):
    engine.expect_playing(clip)
    engine.wait("() => document.querySelector('#messages[data-access=open]')?.checkVisibility()", what="the bar")
    return engine


def seen(writer, selector):
    return writer.run("""(selector) => {
      const element = document.querySelector(selector);
      return element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !element.inert && !element.closest('[inert]');
    }""", selector)


def expect(writer, selector, is_seen):
    writer.until(lambda: seen(writer, selector) == is_seen, f"{selector} {'to be seen' if is_seen else 'to be gone'}")


def text(writer):
    return writer.run("(selector) => document.querySelector(selector).value", FIELD)


def expect_text(writer, words):
    writer.until(lambda: text(writer) == words, f"{words!r} in the field")


def says(writer, words, where=STATE):
    writer.until(lambda: words in writer.run("(where) => document.querySelector(where).textContent", where), f"{words!r}")


def messages(writer, clip):
    """What this person has written to its creator, newest first."""
    return writer.run(
        "(id) => fetch(`/api/v1/conversations/${id}/messages`).then((a) => a.json()).then(({ items }) => items.map(({ text }) => text))",
        clip["author"]["id"])


def stands(writer):
    return writer.run("() => document.querySelector('video[data-shown]').paused")


def write(writer, words):
    writer.tap(FIELD)
    writer.until(lambda: writer.run("(selector) => document.activeElement.matches(selector)", FIELD), "the focus")
    writer.type(words)


def test_the_reactions_go_with_the_focus_and_the_plane_is_there_while_there_is_text(writer, own_server):
    expect(writer, REACTIONS, True)
    expect(writer, PLANE, False)
    # In the very turn of the focus nothing can be tapped any more; the picture follows.
    assert writer.run("""([field, row]) => {
      document.querySelector(field).focus();
      const isInert = document.querySelector(row).inert;
      document.querySelector(field).blur();
      return isInert;
    }""", [FIELD, REACTIONS])
    expect(writer, REACTIONS, True)
    write(writer, " ")
    expect(writer, REACTIONS, False)
    expect(writer, PLANE, False)
    writer.until(lambda: stands(writer), "the clip to be held")
    writer.type("a")
    expect(writer, PLANE, True)
    writer.press("Backspace")
    expect(writer, PLANE, False)
    writer.type("m")
    writer.press("Escape")
    expect(writer, REACTIONS, True)
    expect(writer, PLANE, False)
    assert text(writer) == " m"
    writer.expect_playing(own_server.feed()[0])
    assert writer.complaints() == []


@pytest.mark.parametrize("by", ["plane", "Enter"])
def test_sending_empties_the_field_at_once_and_the_message_arrives(writer, own_server, by):
    writer.run(HOLD)
    write(writer, "first")
    if by == "plane":
        writer.tap(PLANE)
    else:
        writer.press("Enter")
    writer.wait("() => held.length === 1", what="the request")
    assert text(writer) == ""
    expect(writer, PLANE, False)
    # What is typed meanwhile is another message.
    write(writer, "second")
    writer.run("() => release(true)")
    says(writer, "Sent")
    assert text(writer) == "second"
    assert messages(writer, own_server.feed()[0]) == ["first"]
    assert writer.complaints() == []


def test_a_draft_stays_with_its_clip_and_outlives_the_page(writer, own_server):
    feed = own_server.feed()
    write(writer, "half a thou")
    writer.press("Escape")
    writer.press("ArrowDown")
    writer.expect_playing(feed[1])
    assert text(writer) == ""
    writer.press("ArrowUp")
    writer.expect_playing(feed[0])
    expect_text(writer, "half a thou")
    writer.open(f"{own_server.url}/c/{feed[0]['id']}")
    arrive(writer, feed[0])
    expect_text(writer, "half a thou")


def test_what_fails_comes_back_into_the_field_and_is_sent_again(writer, own_server):
    writer.run(HOLD)
    write(writer, "only once")
    writer.tap(PLANE)
    writer.wait("() => held.length === 1", what="the request")
    assert text(writer) == ""
    writer.run("() => release(false)")
    says(writer, "Not sent")
    expect_text(writer, "only once")
    writer.tap(FIELD)
    expect(writer, PLANE, True)
    writer.tap(PLANE)
    writer.wait("() => held.length === 1", what="the second request")
    writer.run("() => release(true)")
    says(writer, "Sent")
    assert text(writer) == "" and messages(writer, own_server.feed()[0]) == ["only once"]


def test_what_fails_behind_the_next_clip_is_said_and_waits_there(writer, own_server):
    feed = own_server.feed()
    writer.run(HOLD)
    write(writer, "wait for me")
    writer.tap(PLANE)
    writer.wait("() => held.length === 1", what="the request")
    writer.expect_playing(feed[0])
    writer.press("ArrowDown")
    writer.expect_playing(feed[1])
    writer.run("() => release(false)")
    says(writer, f"Your message to {feed[0]['author']['name']} was not sent", "#notice")
    assert text(writer) == ""
    writer.press("ArrowUp")
    writer.expect_playing(feed[0])
    expect_text(writer, "wait for me")
    says(writer, "Not sent")

"""The menu of a clip: behind the dots, a long press, and the other button of a mouse."""

import re

import pytest
from playwright.sync_api import expect

from test_account import arrive, button, screen
from test_offline import NOTE_NOTICES, told

pytestmark = pytest.mark.long

PRESS = """([kind, pointerType]) => {
  const { left, top, width, height } = document.getElementById('stage').getBoundingClientRect();
  const [clientX, clientY] = [left + width / 2, top + height / 3];
  document.elementFromPoint(clientX, clientY).dispatchEvent(
    new PointerEvent(kind, { bubbles: true, isPrimary: true, pointerId: 7, pointerType, clientX, clientY }));
}"""


@pytest.fixture
def guest(open_page, own_server):
    return arrive(open_page(own_server))


def menu(viewer):
    return viewer.page.get_by_role("dialog", name=re.compile("^Clip by "))


def dots(viewer):
    return viewer.page.locator(".page[aria-current]").get_by_role("button", name="More", exact=True)


def video(viewer, what):
    return viewer.page.evaluate(
        f"document.querySelector(`video[data-clip='${{document.querySelector('.page[aria-current]').dataset.clip}}']`).{what}")


def test_keys_open_it_go_through_it_and_leave_it(guest):
    clip = guest.current()
    dots(guest).focus()
    guest.press("Enter")
    expect(menu(guest)).to_be_visible()
    first = menu(guest).get_by_role("button", name="Copy link")
    expect(first).to_be_focused()
    guest.press("ArrowDown")
    expect(menu(guest).get_by_role("button", name="Save to bookmarks")).to_be_focused()
    guest.press("ArrowUp")
    # Keys of the feed are not for it meanwhile.
    for key in ("l", "PageDown", "m"):
        guest.press(key)
    guest.press("Escape")
    expect(menu(guest)).to_have_count(0)
    expect(dots(guest)).to_be_focused()
    assert guest.current() == clip
    expect(button(guest, "like")).to_have_attribute("aria-pressed", "false")
    guest.press("ArrowDown")
    guest.page.wait_for_function("(id) => document.querySelector('.page[aria-current]').dataset.clip !== id", arg=clip)
    assert not guest.complaints


def test_the_link_is_copied_and_the_clip_is_saved(open_page, own_server):
    guest = arrive(open_page(own_server, script=NOTE_NOTICES))
    dots(guest).click()
    menu(guest).get_by_role("button", name="Copy link").click()
    told(guest, "The link is copied.")
    dots(guest).click()
    menu(guest).get_by_role("button", name="Save to bookmarks").click()
    expect(button(guest, "bookmark")).to_have_attribute("aria-pressed", "true")
    dots(guest).click()
    expect(menu(guest).get_by_role("button", name="Remove from bookmarks")).to_be_visible()
    # Beside it is out of it.
    guest.page.mouse.click(5, 5)
    expect(menu(guest)).to_have_count(0)
    assert not guest.complaints


def test_the_speed_holds_for_this_clip_and_those_to_come(guest):
    clip = guest.current()
    dots(guest).click()
    menu(guest).get_by_role("radio", name="1.5×", exact=True).check()
    expect(menu(guest).get_by_role("radio", name="1.5×", exact=True)).to_be_checked()
    assert video(guest, "playbackRate") == 1.5
    menu(guest).get_by_role("button", name="Close").click()
    for _ in range(3):
        guest.press("ArrowDown")
        guest.page.wait_for_function("(id) => document.querySelector('.page[aria-current]').dataset.clip !== id", arg=clip)
        guest.expect_playing()
        clip = guest.current()
        assert video(guest, "playbackRate") == 1.5
    dots(guest).click()
    expect(menu(guest).get_by_role("radio", name="1.5×", exact=True)).to_be_checked()


def test_a_key_right_after_it_is_closed_is_the_feeds(guest):
    clip = guest.current()
    dots(guest).click()
    menu(guest).get_by_role("button", name="Close").evaluate("""(button) => {
      button.click();
      document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true, cancelable: true }));
    }""")
    guest.page.wait_for_function("(id) => document.querySelector('.page[aria-current]').dataset.clip !== id", arg=clip)


def test_a_long_press_opens_it_and_is_neither_a_tap_nor_a_swipe(guest):
    clip = guest.current()
    dots(guest).wait_for()
    guest.page.evaluate(PRESS, ["pointerdown", "touch"])
    expect(menu(guest)).to_be_visible()
    # What the finger does yet is nobody's.
    guest.page.evaluate("""() => {
      for (const [kind, y] of [['pointermove', 300], ['pointermove', 100], ['pointerup', 100]]) {
        document.getElementById('feed').dispatchEvent(
          new PointerEvent(kind, { bubbles: true, isPrimary: true, pointerId: 7, pointerType: 'touch', clientX: 100, clientY: y }));
      }
    }""")
    guest.press("Escape")
    expect(menu(guest)).to_have_count(0)
    guest.expect_playing()
    assert guest.current() == clip
    expect(button(guest, "like")).to_have_attribute("aria-pressed", "false")
    # The next tap is one again.
    guest.tap(195, 200)
    guest.expect_state("paused")


def test_a_drag_and_a_tap_open_nothing(open_page, own_server):
    guest = arrive(open_page(own_server, has_touch=True))
    clip = guest.current()
    dots(guest).wait_for()
    guest.touch([400, 300, 200, 100], 0.075)
    guest.page.wait_for_function("(id) => document.querySelector('.page[aria-current]').dataset.clip !== id", arg=clip)
    guest.tap(195, 200)
    guest.expect_state("paused")
    expect(menu(guest)).to_have_count(0)


def test_the_other_button_of_a_mouse_opens_it(open_page, own_server):
    viewer = arrive(open_page(own_server, viewport={"width": 1280, "height": 800}))
    dots(viewer).wait_for()
    viewer.page.mouse.click(640, 300, button="right")
    expect(menu(viewer)).to_be_visible()
    viewer.press("Escape")
    viewer.expect_playing()


def test_blocking_is_in_it_and_asks(guest, own_server):
    name = own_server.feed()[0]["author"]["name"]
    dots(guest).click()
    menu(guest).get_by_role("button", name=f"Block {name}").click()
    expect(guest.page.get_by_role("dialog", name=f"Block {name}?")).to_be_visible()
    guest.press("Escape")
    expect(dots(guest)).to_be_focused()
    assert screen(guest, "Sign in").count() == 0

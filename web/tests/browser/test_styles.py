"""A screen looks the same whatever was opened before it."""

import contextlib

import pytest

from studio import ALLOWED

pytestmark = pytest.mark.long

# By address: the element over the feed, and what is there when it is.
SCREENS = {
    # The cameras are counted once one is running.
    "#record": ("#studio", "[data-stage=ready] [data-action=flip]"),
    "#upload": ("#uploader", "#uploader[data-phase] h2"),
    "#account": ("#account-screen", "#account-screen form"),
    "#account/playback": ("#account-screen", "#account-screen [role=switch]"),
    "#account/kept": ("#account-screen", "#account-screen .room"),
    "#messages": ("#inbox-screen", "#inbox-screen h2"),
    "#notifications": ("#notifications-screen", "#notifications-screen .none"),
    "#search": ("#search-screen", "#search-screen .recent"),
    "#account/likes": ("#account-screen", "#account-screen h2"),
    "#account/feed": ("#account-screen", "#account-screen .taste"),
    "#account/reports": ("#account-screen", "#account-screen .reporting .none"),
    "#insights/none": ("#account-screen", "#account-screen .insights [role=alert]"),
    "#account/generations": ("#account-screen", "#account-screen .from-words .none"),
    "#trending": ("#account-screen", "#account-screen .list"),
}
# What each element of a screen is made of; what moves by itself is left out.
LOOK = """(root) => [...document.querySelector(root).querySelectorAll('*')].map((element) => {
  const style = getComputedStyle(element);
  const said = ['display', 'position', 'color', 'backgroundColor', 'fontSize', 'fontWeight', 'lineHeight', 'textAlign', 'padding',
    'margin', 'borderRadius', 'border', 'gap', 'minHeight', 'gridTemplateColumns', 'flex', 'letterSpacing', 'textTransform'];
  return `${element.localName}.${element.className?.baseVal ?? element.className}[${element.dataset?.part ?? ''}] `
    + said.map((name) => style[name]).join(' | ');
})"""


def go(page, address):
    page.evaluate("(address) => { history.pushState({ fromFeed: true }, '', address); dispatchEvent(new PopStateEvent('popstate')); }", address)
    root, ready = SCREENS[address]
    page.locator(ready).first.wait_for()
    # Whatever it asks for has come, and nothing moves any more.
    page.wait_for_load_state("networkidle") if address == "#account" else None
    page.wait_for_function("(root) => ![...document.querySelectorAll(`${root} .turning`)].some((sign) => sign.checkVisibility())", arg=root)
    page.wait_for_function("(root) => document.querySelector(root).getAnimations({ subtree: true }).every((one) => one.effect.getTiming().iterations === Infinity || one.playState === 'finished')", arg=root)
    return root


def leave(page, root):
    page.evaluate("history.back()")
    page.locator(root).wait_for(state="detached")


@pytest.mark.parametrize("address", SCREENS)
def test_a_screen_looks_the_same_after_all_others(open_page, small_server, address):
    def look(viewer):
        return viewer.page.evaluate(LOOK, SCREENS[address][0])

    first = open_page(small_server, **ALLOWED)
    first.expect_playing()
    go(first.page, address)
    later = open_page(small_server, **ALLOWED)
    later.expect_playing()
    for other in SCREENS:
        if other != address:
            leave(later.page, go(later.page, other))
    go(later.page, address)
    # What a screen asks for may come later on one of them. What differs for good is said below.
    with contextlib.suppress(AssertionError):
        later.until(lambda: look(later) == look(first), "the same looks")
    assert look(later) == look(first)

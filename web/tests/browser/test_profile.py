"""Somebody's profile: from a name in the feed, what stands on it, and the way back."""

import pytest
from playwright.sync_api import expect

from test_account import arrive, button, row, screen, sign_up, tap
from test_inbox import thread_field
from test_messages import reads
from test_offline import NOTE_NOTICES
from test_offline import told as noticed
from viewer import PLAYING

pytestmark = pytest.mark.long


@pytest.fixture
def guest(open_page, own_server):
    return arrive(open_page(own_server, script=NOTE_NOTICES))


def profile(viewer):
    return screen(viewer, "Profile")


def name_in_feed(viewer):
    return viewer.page.locator(".page[aria-current] .author a")


def tiles(viewer):
    return profile(viewer).locator(".tile")


def follow(viewer, handle):
    viewer.page.evaluate("""(handle) => fetch(`/api/v1/profiles/${handle}`).then((a) => a.json())
        .then(({ author }) => fetch(`/api/v1/authors/${author.id}/follow`, { method: 'PUT' }))""", handle)


def test_a_name_leads_to_a_profile_whose_clips_are_the_feed_and_back(guest, own_server):
    first = own_server.feed()[0]["author"]
    expect(name_in_feed(guest)).to_have_attribute("href", f"#profile/{first['handle']}")
    name_in_feed(guest).click()
    expect(profile(guest).get_by_role("heading", name=first["name"])).to_be_visible()
    assert guest.page.evaluate("location.hash") == f"#profile/{first['handle']}"
    mine = [clip for clip in own_server.feed() if clip["author"]["id"] == first["id"]]
    expect(tiles(guest)).to_have_count(len(mine))
    expect(profile(guest).locator(".numbers")).to_contain_text(f"{len(mine)} clip")
    expect(tiles(guest).first).to_have_attribute("aria-description", "0 views")
    tiles(guest).last.click()
    expect(profile(guest)).to_have_count(0)
    guest.page.wait_for_function(PLAYING, arg=mine[-1]["id"])
    guest.page.go_back()
    expect(tiles(guest).last).to_be_focused()
    expect(tiles(guest)).to_have_count(len(mine))
    guest.page.go_back()
    expect(profile(guest)).to_have_count(0)
    guest.expect_playing()
    assert not guest.complaints


def test_follow_shows_at_once_and_is_still_there_after_a_reload(guest, own_server):
    first = own_server.feed()[0]["author"]
    name_in_feed(guest).press("Enter")
    button = profile(guest).get_by_role("button", name=f"Follow {first['name']}")
    followers = profile(guest).locator(".numbers button").first.locator("strong")
    before = int(followers.text_content())
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(followers).to_have_text(str(before + 1))
    guest.page.reload()
    expect(button).to_have_attribute("aria-pressed", "true")
    button.click()
    expect(followers).to_have_text(str(before))


def test_what_somebody_says_of_themselves_is_text_and_links_that_were_looked_at(open_page, own_server):
    ada = sign_up(arrive(open_page(own_server)), "ada")
    ada.press("a")
    row(ada, "Your profile")
    tap(ada, "Edit profile")
    about = ada.page.locator("#account-screen textarea[name=bio]")
    # The first field, though it is one of several lines.
    expect(about).to_be_focused()
    about.fill("<img src=x onerror=alert(1)>\n\u202etxet eht nruT 🧗")
    ada.page.locator('#account-screen input[name="links[1]"]').fill("javascript:alert(1)")
    tap(ada, "Save the profile")
    wrong = ada.page.locator('#account-screen input[name="links[1]"]')
    expect(wrong).to_be_focused()
    expect(wrong).to_have_attribute("aria-invalid", "true")
    # Nothing that was typed is lost by that.
    expect(about).to_have_value("<img src=x onerror=alert(1)>\n\u202etxet eht nruT 🧗")
    wrong.fill("example.org/ada")
    tap(ada, "Save the profile")
    expect(profile(ada).locator(".bio")).to_have_text("<img src=x onerror=alert(1)>\ntxet eht nruT 🧗")
    link = profile(ada).get_by_role("link", name="example.org/ada")
    expect(link).to_have_attribute("href", "https://example.org/ada")
    expect(link).to_have_attribute("rel", "nofollow ugc noopener noreferrer")
    # The browser says that one answer was a refusal; nothing of what was typed ran.
    assert len(ada.complaints) == 1 and "422" in ada.complaints[0]


def test_ones_own_profile_has_what_one_liked_by_the_arrows(open_page, own_server):
    ada = sign_up(arrive(open_page(own_server)), "ada")
    clip = own_server.feed()[0]
    ada.page.evaluate("(id) => fetch(`/api/v1/clips/${id}/like`, { method: 'PUT' })", clip["id"])
    ada.press("a")
    row(ada, "Your profile")
    tabs = profile(ada).get_by_role("tab")
    expect(tabs).to_have_text(["Clips", "Liked", "Saved"])
    expect(profile(ada).get_by_text("You have no public clips yet")).to_be_visible()
    tabs.first.focus()
    # With another key they are the browser's: this one goes back a page.
    ada.press("Alt+ArrowRight")
    expect(tabs.first).to_have_attribute("aria-selected", "true")
    ada.press("ArrowRight")
    expect(tabs.nth(1)).to_be_focused()
    expect(tiles(ada)).to_have_count(1)
    tiles(ada).first.click()
    ada.page.wait_for_function(PLAYING, arg=clip["id"])
    ada.page.go_back()
    expect(tabs.nth(1)).to_have_attribute("aria-selected", "true")
    expect(tiles(ada).first).to_be_focused()


def test_followers_are_listed_found_by_name_and_lead_to_their_profiles(open_page, own_server):
    sign_up(arrive(open_page(own_server)), "ada")
    for handle in ("bob", "zoe"):
        follow(sign_up(arrive(open_page(own_server)), handle), "ada")
    viewer = arrive(open_page(own_server))
    viewer.page.evaluate("location.hash = '#profile/ada'")
    profile(viewer).get_by_role("button", name="2 followers").click()
    people = profile(viewer).get_by_role("list", name="Followers of @ada").get_by_role("listitem")
    expect(people).to_have_count(2)
    expect(people.first).to_contain_text("@zoe")
    viewer.page.get_by_role("searchbox", name="Find somebody").fill("bo")
    expect(people).to_have_count(1)
    people.get_by_role("button", name="Bob @bob").click()
    expect(profile(viewer).get_by_role("heading", name="Bob")).to_be_visible()
    viewer.page.go_back()
    expect(people).to_have_count(2)
    viewer.page.get_by_role("searchbox", name="Find somebody").fill("nobody")
    expect(profile(viewer).get_by_text("Nobody of this name follows them.")).to_be_visible()


def test_whoever_is_blocked_finds_nobody_and_whoever_blocked_takes_it_back(open_page, own_server):
    ada = sign_up(arrive(open_page(own_server)), "ada")
    bob = sign_up(arrive(open_page(own_server)), "bob")
    ada.page.evaluate("location.hash = '#profile/bob'")
    profile(ada).get_by_role("button", name="Block", exact=True).click()
    ada.page.get_by_role("dialog", name="Block Bob?").get_by_role("button", name="Block", exact=True).click()
    unblock = profile(ada).get_by_role("button", name="Unblock")
    expect(unblock).to_be_visible()
    expect(profile(ada).get_by_text("You have blocked Bob.")).to_be_visible()
    bob.page.evaluate("location.hash = '#profile/ada'")
    expect(profile(bob).get_by_text("There is nobody of this name here")).to_be_visible()
    unblock.click()
    expect(profile(ada).get_by_role("button", name="Message")).to_be_visible()
    bob.page.reload()
    expect(profile(bob).get_by_role("heading", name="Ada")).to_be_visible()


def test_a_message_from_the_profile_and_a_name_that_leads_back(open_page, own_server):
    sign_up(arrive(open_page(own_server)), "ada")
    bob = sign_up(arrive(open_page(own_server)), "bob")
    bob.page.evaluate("location.hash = '#profile/ada'")
    profile(bob).get_by_role("button", name="Message").click()
    thread_field(bob).fill("hello")
    bob.page.locator("#inbox-screen").get_by_role("button", name="Send", exact=True).click()
    expect(bob.page.get_by_role("list", name="Messages, oldest first")).to_contain_text("hello")
    bob.page.go_back()
    expect(profile(bob).get_by_role("heading", name="Ada")).to_be_visible()


def test_who_wrote_a_comment_has_a_profile(open_page, own_server):
    bob = sign_up(arrive(open_page(own_server)), "bob")
    clip = own_server.feed()[0]["id"]
    bob.page.evaluate("""(clip) => fetch(`/api/v1/clips/${clip}/comments`, { method: 'POST', body: '{"text":"words"}',
        headers: { 'Content-Type': 'application/json', 'Idempotency-Key': 'a-comment-of-bob' } })""", clip)
    viewer = arrive(open_page(own_server))
    viewer.page.locator(".page[aria-current] .comments button").click()
    viewer.page.locator("#comments").get_by_role("link", name="Bob").click()
    expect(profile(viewer).get_by_role("heading", name="Bob")).to_be_visible()
    viewer.page.go_back()
    expect(profile(viewer)).to_have_count(0)
    expect(viewer.page.locator("#comments")).to_have_count(0)
    viewer.expect_playing()


def expect_follow(button, is_on):
    expect(button).to_have_attribute("aria-pressed", "true" if is_on else "false")
    expect(button).to_have_text("Following" if is_on else "Follow")


def follows(viewer, author):
    """As the server has it."""
    return viewer.page.evaluate("(handle) => fetch(`/api/v1/profiles/${handle}`).then((a) => a.json()).then(({ viewer }) => viewer.following)",
                                author["handle"])


def test_following_is_the_same_in_the_feed_and_on_the_profile(guest, own_server):
    author = own_server.feed()[0]["author"]
    here = button(guest, "follow")
    name_in_feed(guest).click()
    there = profile(guest).get_by_role("button", name=f"Follow {author['name']}")
    there.click()
    expect_follow(there, True)
    guest.page.go_back()
    expect_follow(here, True)
    guest.until(lambda: follows(guest, author), "the follow at the server")
    # Its key takes it back.
    guest.press("f")
    expect_follow(here, False)
    guest.until(lambda: not follows(guest, author), "the follow taken back")
    name_in_feed(guest).click()
    expect_follow(there, False)
    guest.page.go_back()
    here.click()
    guest.until(lambda: follows(guest, author), "the follow")
    # The reverse, from the list of those who are followed.
    guest.press("a")
    row(guest, "Following")
    listed = screen(guest, "Following").get_by_role("button", name=f"Follow {author['name']}")
    expect_follow(listed, True)
    listed.click()
    expect_follow(listed, False)
    guest.press("Escape")
    guest.press("Escape")
    # Keys are the feed's again behind it.
    expect(guest.page.locator("#account-screen")).to_have_count(0)
    expect_follow(here, False)
    guest.until(lambda: not follows(guest, author), "the follow taken back in the list")
    # And from what is found.
    guest.press("/")
    guest.page.get_by_role("combobox", name="Search").fill(f"@{author['handle']}")
    guest.press("Enter")
    guest.page.get_by_role("tab", name="People").click()
    found = guest.page.locator("#search-screen").get_by_role("button", name=f"Follow {author['name']}")
    expect_follow(found, False)
    found.click()
    expect_follow(found, True)
    guest.press("Escape")
    expect_follow(here, True)
    assert not guest.complaints


def test_a_follow_that_fails_is_taken_back_where_the_person_is_by_then(guest, own_server):
    author = own_server.feed()[0]["author"]
    held = []
    guest.page.route("**/api/v1/authors/*/follow", lambda route: held.append(route))

    def refuse():
        guest.until(lambda: held, "the request")
        held.pop().fulfill(status=503, content_type="application/problem+json", body='{"code": "unavailable", "detail": "Not now."}')

    name_in_feed(guest).click()
    there = profile(guest).get_by_role("button", name=f"Follow {author['name']}")
    there.click()
    # It shows before anybody has answered.
    expect_follow(there, True)
    refuse()
    reads(guest, "#account-screen > [role=status]", "Following was not saved. Not now.")
    expect_follow(there, False)
    there.click()
    guest.page.go_back()
    expect_follow(button(guest, "follow"), True)
    refuse()
    expect_follow(button(guest, "follow"), False)
    noticed(guest, "Following was not saved. Not now.")


def test_blocking_ends_following_also_for_the_button(open_page, own_server):
    sign_up(arrive(open_page(own_server)), "ada")
    bob = sign_up(arrive(open_page(own_server)), "bob")
    bob.page.evaluate("location.hash = '#profile/ada'")
    there = profile(bob).get_by_role("button", name="Follow Ada")
    there.click()
    expect(profile(bob).locator(".numbers")).to_contain_text("1 follower")
    profile(bob).get_by_role("button", name="Block", exact=True).click()
    bob.page.get_by_role("dialog", name="Block Ada?").get_by_role("button", name="Block", exact=True).click()
    profile(bob).get_by_role("button", name="Unblock").click()
    expect_follow(there, False)


# How many listen to the window's scrolling, those apart who are done.
LISTENERS = """(() => {
  const signals = [];
  globalThis.scrollListeners = () => signals.filter((signal) => !signal?.aborted).length;
  const add = globalThis.addEventListener;
  globalThis.addEventListener = function (kind, listener, options) {
    if (kind === 'scroll') signals.push(options?.signal);
    return add.call(this, kind, listener, options);
  };
})();"""


def test_a_list_of_people_that_was_left_before_it_came_leaves_nothing_behind(open_page, own_server):
    viewer = arrive(open_page(own_server, script=LISTENERS))
    author, held = own_server.feed()[0]["author"], []
    name_in_feed(viewer).click()
    expect(tiles(viewer).first).to_be_visible()
    viewer.page.go_back()
    expect(profile(viewer)).to_have_count(0)
    before = viewer.page.evaluate("scrollListeners()")
    viewer.page.route("**/profile/people.js", lambda route: held.append(route))
    viewer.page.evaluate("(handle) => { location.hash = `#profile/${handle}/followers`; }", author["handle"])
    viewer.until(lambda: held, "the request for the module")
    viewer.page.go_back()
    expect(profile(viewer)).to_have_count(0)
    held.pop().continue_()
    # Who asked for the module first is told first.
    viewer.page.evaluate("import('/app/profile/people.js').then(() => new Promise(requestAnimationFrame))")
    assert viewer.page.evaluate("scrollListeners()") == before


def finger(viewer, kind, *heights):
    """One finger at these heights, one after the other; none lifts it."""
    for points in [[{"x": 180, "y": y}] for y in heights] or [[]]:
        viewer.cdp.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


PLACE = "document.querySelector('#account-screen .brief').parentElement"


def stretched(viewer):
    """How far the head is pulled down, in px."""
    return viewer.page.evaluate(f"Number(getComputedStyle({PLACE}).getPropertyValue('--pull'))")


def on_a_profile(open_page, server, **options):
    viewer = arrive(open_page(server, has_touch=True, **options))
    name_in_feed(viewer).click()
    expect(tiles(viewer).first).to_be_visible()
    return viewer, profile(viewer).locator(".face").bounding_box()["y"]


def test_the_head_stretches_when_pulled_is_caught_on_its_way_back_and_comes_to_rest(open_page, own_server):
    viewer, top = on_a_profile(open_page, own_server)
    finger(viewer, "touchStart", top + 10)
    finger(viewer, "touchMove", top + 40, top + 120, top + 220)
    far = stretched(viewer)
    assert 50 < far < 140
    assert abs(profile(viewer).locator(".face").bounding_box()["y"] - top - far) < 2
    # A busy machine must not be late for it.
    viewer.cdp.send("Animation.enable")
    viewer.cdp.send("Animation.setPlaybackRate", {"playbackRate": 0.02})
    finger(viewer, "touchEnd")
    # On its way back it is where it is, and a finger takes it from there.
    viewer.page.evaluate(f"() => {{ const [back] = {PLACE}.getAnimations(); back.pause(); back.currentTime = 60; }}")
    back = stretched(viewer)
    assert 0 < back < far
    finger(viewer, "touchStart", top + 60)
    assert viewer.page.evaluate(f"{PLACE}.getAnimations().length") == 0
    assert abs(stretched(viewer) - back) < 2
    finger(viewer, "touchMove", top + 100)
    assert stretched(viewer) > back
    viewer.cdp.send("Animation.setPlaybackRate", {"playbackRate": 1})
    finger(viewer, "touchEnd")
    viewer.until(lambda: stretched(viewer) == 0, "the head at rest")
    viewer.until(lambda: abs(profile(viewer).locator(".face").bounding_box()["y"] - top) < 1, "the face in its place")
    assert not viewer.complaints


def test_the_head_does_not_stretch_where_things_are_to_rest_nor_when_the_finger_scrolls(open_page, own_server):
    calm, top = on_a_profile(open_page, own_server, reduced_motion="reduce")
    finger(calm, "touchStart", top + 10)
    finger(calm, "touchMove", top + 40, top + 220)
    assert stretched(calm) == 0
    finger(calm, "touchEnd")
    viewer, top = on_a_profile(open_page, own_server)
    finger(viewer, "touchStart", top + 60)
    finger(viewer, "touchMove", top + 40, top + 10)
    assert stretched(viewer) == 0
    finger(viewer, "touchEnd")


def test_scrolled_down_a_line_says_whose_clips_these_are_and_the_tabs_stay_below_it(open_page, own_server):
    ada = sign_up(arrive(open_page(own_server)), "ada")
    clips = [clip | {"id": f"{clip['id']}{number}"} for number in range(8) for clip in own_server.feed()]
    ada.page.route("**/api/v1/profiles/ada/clips?*", lambda route: route.fulfill(json={"items": clips, "next_cursor": None}))
    ada.press("a")
    row(ada, "Your profile")
    expect(tiles(ada)).to_have_count(len(clips))
    brief = ada.page.locator("#account-screen .brief strong")
    expect(brief).to_be_hidden()
    middle = ada.page.locator("#account-screen .middle")
    middle.evaluate("(middle) => { middle.scrollTop = 600; }")
    expect(brief).to_be_visible()
    expect(brief).to_have_text("Ada")
    edge = middle.bounding_box()["y"]
    assert abs(profile(ada).get_by_role("tablist", name="Clips").bounding_box()["y"] - edge - 50) < 1
    line = ada.page.locator("#account-screen .brief > div")
    ada.until(lambda: abs(line.bounding_box()["y"] - edge + 1) < 1, "the line in its place")
    middle.evaluate("(middle) => { middle.scrollTop = 0; }")
    expect(brief).to_be_hidden()

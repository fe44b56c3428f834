"""Reports, and what moderators decide: from the menu of a clip to the appeal that gives it back."""

import re
import sqlite3
import subprocess

import pytest
from playwright.sync_api import expect

import clips
from geometry import faults
from test_account import arrive, row, screen, sign_up
from test_conversations import comment, open_comments, say, sheet
from test_inbox import person, write
from test_menu import dots, menu
from test_sizes import go

PHONE = {"width": 390, "height": 844}
DESK = {"width": 1280, "height": 800}
# What somebody may write to be believed, or to be run.
HOSTILE = "<img src=x onerror=owned=1><script>owned=1</script> \u202etxet eht nruT\nand a line"
REPORTS = "**/api/v1/reports"
DECIDED = "**/api/v1/moderation/cases/*/decisions"


@pytest.fixture
def clip(own_server):
    return own_server.feed()[0]


@pytest.fixture
def ada(open_page, own_server):
    """Somebody without an account."""
    return arrive(open_page(own_server, viewport=PHONE))


@pytest.fixture
def bob(open_page, own_server, own_data, clip):
    """The creator of the first clip."""
    viewer = sign_up(arrive(open_page(own_server)), "bob")
    with sqlite3.connect(own_data / "clipfeed.sqlite", timeout=10) as rows_of:
        rows_of.execute("UPDATE clips SET author_id = ? WHERE id = ?", (person(viewer), clip["id"]))
    rows_of.close()
    return viewer


@pytest.fixture
def moderator(open_page, own_server, own_data):
    """moderator(handle): somebody with that role, in front of the feed."""
    def made(handle, **options):
        viewer = sign_up(arrive(open_page(own_server, **options)), handle)
        done = subprocess.run([clips.SERVER, "accounts", "role", handle, "moderator", "--data", own_data], capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stdout + done.stderr
        # The server hears of it by itself, in a moment.
        viewer.until(lambda: told(viewer, "/moderation/cases") is not None, "the role")
        viewer.complaints.clear()
        return viewer
    return made


def told(viewer, path):
    """What the server says to whoever is signed in there; None if it does not."""
    return viewer.page.evaluate("(path) => import('/app/api/api.js').then(({ request }) => request(path)).catch(() => null)", path)


def report(viewer, **subject):
    """Past the page, as another device would."""
    done = viewer.page.evaluate("""(body) => import('/app/api/api.js').then(({ request }) => request('/reports', { method: 'POST', body }))
        .then(({ state }) => state, ({ code }) => code)""", {"reason": "spam"} | subject)
    assert done == "open"


def trouble(viewer):
    """What the console says; that a session is over with the role it began with is no trouble."""
    return [text for text in viewer.complaints if "401" not in text]


def form(viewer):
    return viewer.page.locator("#report")


def send(viewer, reason, note=""):
    form(viewer).get_by_role("radio", name=reason).check()
    form(viewer).get_by_role("textbox", name="What else should moderators know?").fill(note)
    form(viewer).get_by_role("button", name="Send").click()
    expect(form(viewer).get_by_role("heading", name="Thank you")).to_be_focused()


def page(viewer, title, address):
    go(viewer.page, address)
    there = screen(viewer, title)
    there.wait_for()
    return there


def cases(viewer, state="open"):
    """The rows of the queue."""
    return page(viewer, "Moderation", f"#account/moderation/{state}").get_by_role("list", name="Cases").get_by_role("listitem")


def decide(viewer, action, words, button):
    there = screen(viewer, "Case")
    there.get_by_role("radio", name=action).check()
    there.get_by_role("textbox", name=re.compile("What they are told|Note for other")).fill(words)
    there.get_by_role("button", name=button, exact=True).click()


def feed_of(viewer):
    return viewer.page.evaluate("fetch('/api/v1/feed?tab=latest&limit=50', { cache: 'no-store' }).then((a) => a.json()).then(({ items }) => items.map(({ id }) => id))")


def ran(viewer):
    return viewer.page.evaluate("globalThis.owned ?? null")


def says(viewer, title, text):
    expect(screen(viewer, title).get_by_role("status").first).to_contain_text(text)


def test_a_reported_clip_is_removed_appealed_against_and_given_back(ada, bob, moderator, clip):
    expect(ada.page.locator(f'.page[aria-current][data-clip="{clip["id"]}"]')).to_be_visible()
    dots(ada).click()
    menu(ada).get_by_role("button", name="Report").click()
    expect(form(ada)).to_contain_text("is not told who reported it")
    send(ada, "Hate", HOSTILE)
    form(ada).get_by_role("button", name="Your reports").click()
    mine = screen(ada, "Your reports").get_by_role("list", name="Your reports").get_by_role("listitem")
    expect(mine).to_have_count(1)
    expect(mine).to_contain_text("Clip: HateModerators will look at it")

    mo = moderator("mo", viewport=PHONE)
    mo.press("a")
    row(mo, "Moderation")
    screen(mo, "Moderation").get_by_role("list", name="Cases").get_by_role("button").click()
    there = screen(mo, "Case")
    expect(there.locator("video")).to_have_attribute("src", re.compile("/media/"))
    there.locator("video").evaluate("(video) => { video.muted = true; return video.play(); }")
    mo.page.wait_for_function("() => document.querySelector('#account-screen video').currentTime > 0.1")
    expect(there.locator(".entries .said")).to_have_text(re.compile(re.escape("<img src=x onerror=owned=1><script>owned=1</script>")))
    expect(there.get_by_role("combobox", name="Reason")).to_have_value("hate")
    # Nothing is decided by a key in passing.
    there.get_by_role("button", name="Decide").click()
    expect(there.get_by_role("alert")).to_have_text("Please choose what is to be done.")
    there.get_by_role("radio", name="Remove it").check()
    there.get_by_role("button", name="Remove the clip").click()
    expect(there.get_by_role("textbox", name="What they are told")).to_be_focused()
    decide(mo, "Remove it", f"It insults people. {HOSTILE}", "Remove the clip")
    says(mo, "Moderation", "It is decided. There is no other one.")
    expect(screen(mo, "Moderation")).to_contain_text("Nothing waits for a decision.")
    ada.until(lambda: clip["id"] not in feed_of(ada), "the feed without the clip")
    assert ran(mo) is None and not trouble(mo)

    decided = page(bob, "Decisions", "#account/decisions").get_by_role("list", name="Decisions").get_by_role("listitem")
    expect(decided.get_by_text("Your clip was removed")).to_be_visible()
    expect(decided.locator(".said")).to_have_text(re.compile("^It insults people. <img"))
    decided.get_by_text("Appeal", exact=False).first.click()
    expect(decided.get_by_role("textbox", name="Why is the decision wrong?")).to_be_focused()
    decided.get_by_role("textbox").fill(f"It is a joke. {HOSTILE}")
    decided.get_by_role("button", name="Send the appeal").click()
    says(bob, "Decisions", "Your appeal is sent.")
    expect(decided).to_contain_text("A moderator will answer it.")
    expect(decided).to_be_focused()
    assert ran(bob) is None

    cases(mo, "appealed").get_by_role("button").click()
    expect(screen(mo, "Case")).to_contain_text("Another moderator has to answer it.")
    expect(screen(mo, "Case").get_by_role("button", name="Answer")).to_have_count(0)

    mia = moderator("mia", viewport=DESK)
    cases(mia, "appealed").get_by_role("button").click()
    there = screen(mia, "Case")
    expect(there.locator(".appeal .said")).to_contain_text("It is a joke.")
    there.get_by_role("radio", name="Take it back").check()
    there.get_by_role("textbox", name="What they are told").fill("You are right, it is a joke.")
    there.get_by_role("button", name="Answer").click()
    says(mia, "Moderation", "The appeal is answered. There is no other one.")
    ada.until(lambda: clip["id"] in feed_of(ada), "the feed with the clip")
    bob.page.reload()
    expect(decided).to_contain_text("This was taken back.")
    expect(decided).to_contain_text("You are right, it is a joke.")
    ada.page.reload()
    expect(mine).to_contain_text("Nothing was found against the rules")
    assert not trouble(mia)


@pytest.mark.long
def test_a_comment_a_message_and_a_person_are_reported_and_each_case_leads_to_the_next(open_page, own_server, bob, moderator, clip):
    ada = sign_up(arrive(open_page(own_server, viewport=PHONE)), "ada")
    say(bob, clip, f"rude words {HOSTILE}")
    write(bob, person(ada), "pay me or else")

    open_comments(ada)
    comment(ada, "rude words").get_by_role("button", name=re.compile("^More about")).click()
    ada.page.locator("#menu").get_by_role("button", name="Report").click()
    send(ada, "Bullying or harassment")
    # From here the comments are left.
    form(ada).get_by_role("button", name="Your reports").click()
    expect(screen(ada, "Your reports").get_by_role("listitem")).to_contain_text(["Comment: Bullying or harassment"])
    expect(sheet(ada)).to_have_count(0)

    go(ada.page, f"#messages/{person(bob)}")
    ada.page.locator("#inbox-screen").get_by_role("button", name="More about: pay me or else").click()
    ada.page.locator("#menu").get_by_role("button", name="Report").click()
    send(ada, "Violence or threats")
    form(ada).get_by_role("button", name="Done").click()
    expect(ada.page.locator("#inbox-screen").get_by_role("button", name="More about: pay me or else")).to_be_focused()

    page(ada, "Profile", "#profile/bob").get_by_role("button", name="Report", exact=True).click()
    expect(form(ada).get_by_role("heading", name="Report Bob")).to_be_focused()
    send(ada, "Spam or a scam")
    form(ada).get_by_role("button", name="Block this person").click()
    ada.page.get_by_role("dialog", name="Block Bob?").get_by_role("button", name="Block", exact=True).click()
    # Whoever is blocked can be reported all the same.
    screen(ada, "Profile").get_by_role("button", name="Unblock").wait_for()
    screen(ada, "Profile").get_by_role("button", name="Report", exact=True).click()
    expect(form(ada).get_by_role("heading", name="Report Bob")).to_be_focused()
    ada.press("Escape")
    expect(form(ada)).to_have_count(0)
    assert not ada.complaints

    # The gravest first.
    mo = moderator("mo", viewport=DESK)
    listed = cases(mo)
    expect(listed).to_have_count(3)
    expect(listed).to_contain_text(["pay me or else", "rude words", "Bob"])
    listed.first.get_by_role("button").click()
    decide(mo, "Warn", "No threats, please.", "Warn them")
    says(mo, "Case", "It is decided. This is the next case.")
    there = screen(mo, "Case")
    expect(there.locator(".thing blockquote")).to_contain_text("rude words <img src=x")
    expect(there).to_contain_text("So far: 1 warning.")
    decide(mo, "Remove it", "Be kind.", "Remove the comment")
    says(mo, "Case", "It is decided. This is the next case.")
    expect(there.locator(".sum")).to_contain_text("Person")
    there.get_by_role("radio", name="Suspend").check()
    there.get_by_role("spinbutton", name="Days").fill("366")
    decide(mo, "Suspend", "It does not stop.", "Suspend them")
    expect(there.get_by_role("spinbutton", name="Days")).to_have_accessible_description("Between 1 and 365 days.")
    there.get_by_role("spinbutton", name="Days").fill("3")
    there.get_by_role("button", name="Suspend them").click()
    says(mo, "Moderation", "It is decided. There is no other one.")
    expect(cases(mo, "closed")).to_have_count(3)
    assert ran(mo) is None and not trouble(mo)

    # Whoever is suspended reads why, and can appeal.
    bob.page.reload()
    go(bob.page, "#account")
    expect(screen(bob, "Your account")).to_contain_text("This account is suspended.")
    decided = page(bob, "Decisions", "#account/decisions").get_by_role("listitem")
    expect(decided).to_have_count(3)
    expect(decided.first).to_contain_text("Your account was suspended until")
    expect(decided.first).to_contain_text("It does not stop.")
    decided.first.locator("summary").press("Enter")
    decided.first.get_by_role("textbox").fill("I am sorry.")
    decided.first.get_by_role("button", name="Send the appeal").press("Enter")
    expect(decided.first).to_contain_text("A moderator will answer it.")
    # A person who is suspended keeps their clips; the comment is seen by nobody.
    assert clip["id"] in feed_of(mo)
    assert mo.page.evaluate("(clip) => fetch(`/api/v1/clips/${clip}/comments`).then((a) => a.json()).then(({ items }) => items.length)", clip["id"]) == 0


@pytest.mark.long
def test_keys_alone_report_a_clip(ada):
    clip = ada.current()
    dots(ada).focus()
    ada.press("Enter")
    offered = menu(ada).get_by_role("button", name="Report")
    expect(offered).to_be_visible()
    offered.focus()
    ada.press("Enter")
    expect(form(ada).get_by_role("heading", name="Report the clip")).to_be_focused()
    # Keys of the feed do nothing meanwhile.
    ada.press("l")
    ada.press("Tab")
    expect(form(ada).get_by_role("radio", name="Spam or a scam")).to_be_focused()
    ada.press("ArrowDown")
    expect(form(ada).get_by_role("radio", name="Bullying or harassment")).to_be_checked()
    ada.press("Tab")
    ada.page.keyboard.type("Look at the end.")
    ada.press("Tab")
    expect(form(ada).get_by_role("button", name="Cancel")).to_be_focused()
    ada.press("Tab")
    ada.press("Enter")
    expect(form(ada).get_by_role("heading", name="Thank you")).to_be_focused()
    ada.press("Escape")
    expect(form(ada)).to_have_count(0)
    expect(dots(ada)).to_be_focused()
    ada.press("ArrowDown")
    ada.page.wait_for_function("(id) => document.querySelector('.page[aria-current]').dataset.clip !== id", arg=clip)
    assert not ada.complaints


@pytest.mark.long
def test_a_note_is_kept_when_it_is_not_sent_and_over_a_reload(ada):
    def open_form():
        dots(ada).click()
        menu(ada).get_by_role("button", name="Report").click()
        return form(ada).get_by_role("textbox", name="What else should moderators know?")

    note = open_form()
    note.fill("🎉" * 1001)
    expect(form(ada)).to_contain_text("1 too many")
    form(ada).get_by_role("button", name="Send").click()
    expect(form(ada).get_by_role("alert")).to_have_text("Please choose why.")
    form(ada).get_by_role("radio", name="Suicide or self-harm").check()
    expect(form(ada)).to_contain_text("call the emergency services first")
    form(ada).get_by_role("button", name="Send").click()
    expect(note).to_be_focused()
    expect(note).to_have_accessible_description(re.compile("This is too long by 1 character."))
    note.fill("Look at the end.")
    held = []
    ada.page.route(REPORTS, lambda route: held.append(route))
    form(ada).get_by_role("button", name="Send").click()
    expect(form(ada).get_by_role("button", name="Sending…")).to_have_attribute("aria-disabled", "true")
    ada.until(lambda: held, "the request")
    # Once more does nothing.
    form(ada).get_by_role("button", name="Sending…").press("Enter")
    held.pop().fulfill(status=503, content_type="application/problem+json", body='{"code": "unavailable", "detail": "Not now."}')
    expect(form(ada).get_by_role("alert")).to_have_text("Not now.")
    expect(form(ada).get_by_role("alert")).to_be_focused()
    assert held == []
    expect(note).to_have_value("Look at the end.")
    ada.page.unroute(REPORTS)
    ada.reload_feed()
    arrive(ada)
    note = open_form()
    expect(note).to_have_value("Look at the end.")
    send(ada, "Suicide or self-harm", "Look at the end.")
    form(ada).get_by_role("button", name="Done").click()
    expect(open_form()).to_have_value("")


def test_a_decision_that_got_no_answer_is_sent_again_and_made_once(ada, bob, moderator, clip):
    report(ada, kind="clip", subject_id=clip["id"], reason="nudity")
    mo = moderator("mo", viewport=PHONE)
    keys = []

    def lose(route):
        keys.append(route.request.headers["idempotency-key"])
        if len(keys) == 1:
            # It arrives, and the answer does not.
            route.fetch()
            route.abort()
        else:
            route.continue_()

    mo.page.route(DECIDED, lose)
    cases(mo).get_by_role("button").click()
    address = mo.page.evaluate("location.hash")
    decide(mo, "Warn", "Put something on.", "Warn them")
    there = screen(mo, "Case")
    expect(there.get_by_role("alert")).to_contain_text("The server does not answer.")
    expect(there.get_by_role("textbox", name="What they are told")).to_have_value("Put something on.")
    there.get_by_role("button", name="Warn them").click()
    says(mo, "Moderation", "It is decided.")
    assert len(keys) == 2 and keys[0] == keys[1]
    file = told(mo, f"/moderation/cases/{address.split('/')[-1]}")
    assert [one["decision"]["action"] for one in file["decisions"]] == ["warn"]
    # What was decided can be taken back without an appeal, and stays to be looked at.
    cases(mo, "closed").get_by_role("button").click()
    there.locator(".entries summary").click()
    there.get_by_role("textbox", name="What they are told").first.fill("A mistake.")
    there.get_by_role("button", name="Take it back").click()
    says(mo, "Case", "It is taken back.")
    expect(there).to_contain_text("This was taken back.")


@pytest.mark.long
def test_what_a_moderator_writes_is_there_after_a_reload(ada, moderator, clip):
    report(ada, kind="clip", subject_id=clip["id"])
    mo = moderator("mo", viewport=PHONE)
    cases(mo).get_by_role("button").click()
    words = screen(mo, "Case").get_by_role("textbox", name="Note for other moderators")
    words.fill("I have seen worse.")
    mo.page.reload()
    expect(words).to_have_value("I have seen worse.")
    decide(mo, "Nothing against the rules", "I have seen worse.", "Close the case")
    says(mo, "Moderation", "The case is closed.")
    # The tabs are gone through by keys, and each has an address.
    tab = screen(mo, "Moderation").get_by_role("tab", name="Open")
    tab.focus()
    mo.press("ArrowLeft")
    expect(screen(mo, "Moderation").get_by_role("tab", name="Closed")).to_be_focused()
    assert mo.page.evaluate("location.hash") == "#account/moderation/closed"
    mo.page.reload()
    expect(screen(mo, "Moderation").get_by_role("tab", name="Closed")).to_have_attribute("aria-selected", "true")
    expect(screen(mo, "Moderation").get_by_role("list", name="Cases").get_by_role("listitem")).to_have_count(1)


@pytest.mark.long
def test_nobody_reports_what_is_their_own_or_moderates_without_the_role(open_page, own_server, bob, clip):
    made = say(bob, clip, "mine")
    assert made["own"]
    bob.page.goto(f"{own_server.url}/c/{clip['id']}")
    bob.expect_playing()
    dots(bob).click()
    expect(menu(bob).get_by_role("button", name="Edit or delete")).to_be_visible()
    expect(menu(bob).get_by_role("button", name="Report")).to_have_count(0)
    bob.press("Escape")
    open_comments(bob)
    comment(bob, "mine").get_by_role("button", name=re.compile("^More about")).click()
    expect(bob.page.locator("#menu").get_by_role("button", name="Delete")).to_be_visible()
    expect(bob.page.locator("#menu").get_by_role("button", name="Report")).to_have_count(0)
    bob.press("Escape")
    bob.press("Escape")
    expect(sheet(bob)).to_have_count(0)
    # The way back is the browser's own, and takes its time.
    bob.page.wait_for_function("() => !history.state?.comments")
    there = page(bob, "Profile", "#profile/bob")
    there.get_by_role("button", name="Edit profile").wait_for()
    expect(there.get_by_role("button", name="Report")).to_have_count(0)
    with bob.page.expect_response("**/api/v1/account"):
        page(bob, "Your account", "#account")
    expect(screen(bob, "Your account").get_by_role("button", name="Decisions")).to_be_visible()
    expect(screen(bob, "Your account").get_by_role("button", name="Moderation")).to_have_count(0)
    there = page(bob, "Moderation", "#account/moderation")
    expect(there.get_by_role("alert")).to_be_visible()


# By WCAG and the rules of axe that hold for what is here: names, roles, ids, targets, and contrast over what lies below.
RULES = """(selector) => {
  const root = document.querySelector(selector);
  const wrong = [];
  const nameOf = (e) => e.getAttribute('aria-label') || e.labels?.[0]?.textContent.trim() || e.textContent.trim();
  const seen = (e) => e.checkVisibility({ visibilityProperty: true });
  for (const e of root.querySelectorAll('button, a, textarea, input, select, summary, video')) {
    if (!seen(e)) continue;
    if (!nameOf(e)) wrong.push(`no name: ${e.outerHTML.slice(0, 80)}`);
    const { width, height } = (e.type === 'radio' ? e.closest('label') : e).getBoundingClientRect();
    if (Math.min(width, height) < 44) wrong.push(`small: ${nameOf(e)} ${Math.round(width)} by ${Math.round(height)}`);
  }
  for (const e of root.querySelectorAll('ol, ul')) for (const row of e.children) if (row.localName !== 'li') wrong.push('a list with something else');
  for (const name of ['aria-controls', 'aria-labelledby', 'aria-describedby']) {
    for (const e of root.querySelectorAll(`[${name}]`)) for (const id of e.getAttribute(name).split(' ')) {
      if (seen(e) && !document.getElementById(id)) wrong.push(`${name} of ${nameOf(e)} leads nowhere`);
    }
  }
  const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
  for (const id of ids) if (ids.filter((other) => other === id).length > 1) wrong.push(`twice: ${id}`);
  if (root.querySelector('[tabindex]:not([tabindex="0"], [tabindex="-1"])')) wrong.push('an order of its own');
  const levels = [...root.querySelectorAll('h2, h3, h4')].map((e) => Number(e.localName[1]));
  levels.forEach((level, at) => { if (at && level > levels[at - 1] + 1) wrong.push(`a heading is left out before ${level}`); });
  const light = (colour) => colour.map((c) => c / 255).map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, at) => sum + c * [0.2126, 0.7152, 0.0722][at], 0);
  const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const over = ([r, g, b, a = 1], ground) => [r, g, b].map((c, at) => c * a + ground[at] * (1 - a));
  const groundOf = (e) => {
    const layers = [];
    for (let one = e; one && one !== root.parentElement; one = one.parentElement) layers.unshift(numbers(getComputedStyle(one).backgroundColor));
    // The lightest that the screen's own ground gets.
    return layers.reduce((ground, layer) => over(layer, ground), [27, 26, 44]);
  };
  for (const e of root.querySelectorAll('*')) {
    if (!seen(e) || ![...e.childNodes].some((node) => node.nodeType === 3 && node.data.trim())) continue;
    const ground = groundOf(e);
    const ink = over(numbers(getComputedStyle(e).color), ground);
    const ratio = (Math.max(light(ink), light(ground)) + 0.05) / (Math.min(light(ink), light(ground)) + 0.05);
    if (ratio < 4.5) wrong.push(`pale: ${e.textContent.trim().slice(0, 30)} ${ratio.toFixed(2)}`);
  }
  return wrong;
}"""


@pytest.mark.long
def test_it_keeps_the_rules_of_accessibility(ada, bob, moderator, clip):
    dots(ada).click()
    menu(ada).get_by_role("button", name="Report").click()
    form(ada).get_by_role("radio", name="Violence or threats").check()
    form(ada).get_by_role("textbox").fill("x" * 990)
    assert ada.page.evaluate(RULES, "#report") == []
    send(ada, "Violence or threats", HOSTILE)
    assert ada.page.evaluate(RULES, "#report") == []
    form(ada).get_by_role("button", name="Your reports").click()
    screen(ada, "Your reports").get_by_role("listitem").wait_for()
    assert ada.page.evaluate(RULES, "#account-screen") == []
    mo = moderator("mo", viewport=PHONE)
    listed = cases(mo)
    listed.first.wait_for()
    assert mo.page.evaluate(RULES, "#account-screen") == []
    listed.get_by_role("button").click()
    there = screen(mo, "Case")
    there.get_by_role("radio", name="Suspend").check()
    assert mo.page.evaluate(RULES, "#account-screen") == []
    assert faults(mo.page, "#account-screen") == []
    decide(mo, "Suspend", "No.", "Suspend them")
    says(mo, "Moderation", "It is decided.")
    cases(mo, "closed").get_by_role("button").click()
    there.locator("summary").first.wait_for()
    for more in there.locator("summary").all():
        more.click()
    assert mo.page.evaluate(RULES, "#account-screen") == []
    decided = page(bob, "Decisions", "#account/decisions").get_by_role("listitem")
    decided.locator("summary").click()
    assert bob.page.evaluate(RULES, "#account-screen") == []

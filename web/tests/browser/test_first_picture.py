"""Clips from words that start from a picture: chosen, dropped or pasted, shown, taken away, and what is wrong with one."""

import base64
import io

import pytest
from PIL import Image
from playwright.sync_api import expect

from test_account import ada, arrive, guest, sign_up, tap  # noqa: F401
from test_generation import ASK, PHONE, asking, drawing, go, is_made, listing, offering, one, prompt, said, saying  # noqa: F401

PICTURES = "**/api/v1/generation-pictures"
PICTURE = "**/api/v1/generation-pictures/*"


def picture(kind="png", size=(400, 300)):
    file = io.BytesIO()
    Image.new("RGB", size, "red").save(file, kind)
    return file.getvalue()


def choose(viewer, name, content, kind="image/png"):
    with viewer.page.expect_file_chooser() as chooser:
        asking(viewer).get_by_role("button", name="picture").first.click()
    chooser.value.set_files({"name": name, "mimeType": kind, "buffer": content})


def shown(viewer):
    return asking(viewer).get_by_role("img", name="The picture that it starts from")


def taking(viewer, *ids):
    """A server that takes pictures, one id after the other; the last one stays. What was sent and taken back."""
    sent, gone, left = [], [], list(ids)

    def take(route):
        sent.append(route.request)
        route.fulfill(status=201, json={"id": left.pop(0) if len(left) > 1 else left[0], "expires_at": "2026-11-30T10:00:00Z"})

    def answer(route):
        if route.request.method == "DELETE":
            gone.append(route.request.url.rsplit("/", 1)[1])
            return route.fulfill(status=204)
        return route.fulfill(status=200, content_type="image/jpeg", body=picture("jpeg"))
    viewer.page.route(PICTURES, take)
    viewer.page.route(f"{PICTURE}?*", answer)
    viewer.page.route(PICTURE, answer)
    return sent, gone


def given(viewer, event, content, kind="image/png"):
    """Something that is dropped or pasted into the form."""
    asking(viewer).get_by_role("form", name="A clip from words").evaluate("""(form, [event, text, kind]) => {
      const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
      const files = new DataTransfer();
      files.items.add(new File([bytes], 'file', { type: kind }));
      const given = event === 'paste' ? new ClipboardEvent('paste', { clipboardData: files, bubbles: true, cancelable: true })
        : new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true });
      form.dispatchEvent(given);
    }""", [event, base64.b64encode(content).decode(), kind])


@pytest.mark.long
def test_a_picture_becomes_a_clip_that_starts_from_it(open_page, drawing):  # noqa: F811
    viewer = sign_up(arrive(open_page(drawing, viewport=PHONE)), "ada")
    go(viewer, "#account/generate")
    # What is no picture is said, and changes nothing.
    choose(viewer, "page.png", b"<!doctype html><script>alert(1)</script>")
    expect(asking(viewer).get_by_role("alert")).to_have_text("This file is no picture that this browser can read.")
    choose(viewer, "boat.png", picture())
    expect(shown(viewer)).to_be_visible()
    size = "(image) => [image.naturalWidth, image.naturalHeight]"
    viewer.until(lambda: shown(viewer).evaluate(size) == [720, 1280], "the picture, cut to the shape")
    asking(viewer).get_by_role("radio", name="Wide").check()
    viewer.until(lambda: shown(viewer).evaluate(size) == [1280, 720], "the other shape")
    prompt(viewer).fill("it moves")
    # It outlives the page.
    viewer.page.reload()
    viewer.until(lambda: shown(viewer).evaluate(size) == [1280, 720], "the picture after a reload")
    tap(viewer, "Generate")
    is_made(viewer)
    expect(one(viewer)).to_contain_text("Wide")
    # The next one starts from none.
    go(viewer, "#account/generate")
    expect(prompt(viewer)).to_have_value("")
    expect(shown(viewer)).to_have_count(0)


def test_one_is_sent_shown_named_and_taken_away(ada):  # noqa: F811
    sent, gone = taking(ada, "one", "two")
    asked = []
    listing(offering(ada, starts_from_pictures=True))
    ada.page.route(ASK, lambda route: (asked.append(route.request.post_data_json), route.fulfill(status=202, json=said(state="reserved", place=1))))
    saying(ada, said(state="reserved", place=1))
    go(ada, "#account/generate")
    expect(shown(ada)).to_have_count(0)
    choose(ada, "boat.png", picture())
    expect(shown(ada)).to_be_visible()
    # Drawn anew, and no larger than it is.
    assert sent[0].headers["content-type"] == "image/jpeg"
    assert Image.open(io.BytesIO(sent[0].post_data_buffer)).size == (400, 300)
    given(ada, "drop", picture(size=(5000, 10)))
    ada.until(lambda: gone == ["one"], "the one before to be taken back")
    assert Image.open(io.BytesIO(sent[1].post_data_buffer)).size == (2048, 4)
    tap(ada, "Remove the picture")
    expect(shown(ada)).to_have_count(0)
    ada.until(lambda: gone == ["one", "two"], "it to be taken back")
    given(ada, "paste", picture())
    expect(shown(ada)).to_be_visible()
    prompt(ada).fill("it moves")
    asking(ada).get_by_role("button", name="Generate", exact=True).click()
    expect(one(ada)).to_contain_text("It is next.")
    assert [wish["picture_id"] for wish in asked] == ["two"]


def test_what_is_wrong_with_one_is_said_beside_it(ada):  # noqa: F811
    taking(ada, "one")
    offering(ada, starts_from_pictures=True)
    go(ada, "#account/generate")
    given(ada, "drop", b"words", "text/plain")
    expect(asking(ada).get_by_role("alert")).to_have_text("This file is no picture that this browser can read.")
    ada.page.route(PICTURES, lambda route: route.fulfill(status=422, json={"code": "picture_unreadable", "detail": "The picture cannot be read."}))
    choose(ada, "boat.png", picture())
    expect(asking(ada).get_by_role("alert")).to_have_text("The picture cannot be read.")
    expect(shown(ada)).to_have_count(0)
    ada.page.unroute(PICTURES)
    taking(ada, "one")
    choose(ada, "boat.png", picture())
    expect(shown(ada)).to_be_visible()
    prompt(ada).fill("it moves")
    ada.page.route(ASK, lambda route: route.fulfill(status=422, json={"code": "content_policy", "field": "picture_id", "detail": "Choose another one."}))
    asking(ada).get_by_role("button", name="Generate", exact=True).click()
    expect(asking(ada).get_by_role("alert")).to_have_text("Choose another one.")
    expect(shown(ada)).to_be_visible()
    ada.page.route(ASK, lambda route: route.fulfill(status=404, json={"code": "picture_not_found", "detail": "No."}))
    asking(ada).get_by_role("button", name="Generate", exact=True).click()
    expect(asking(ada).get_by_role("alert")).to_have_text("The picture is not there any more. Choose it again.")
    expect(shown(ada)).to_have_count(0)
    expect(prompt(ada)).to_have_value("it moves")

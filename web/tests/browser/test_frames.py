"""The core hears what became of the frames of a clip that plays."""

import pytest

pytestmark = pytest.mark.long

# Sees the rows that go into the core.
ROWS = """
  window.rows = [];
  const instantiate = WebAssembly.instantiateStreaming;
  WebAssembly.instantiateStreaming = async (...module) => {
    const { instance } = await instantiate.call(WebAssembly, ...module);
    const { memory, session_reserve, session_handle } = instance.exports;
    let place = 0;
    const exports = {
      ...instance.exports,
      session_reserve: (count) => place = session_reserve(count),
      session_handle(count, now) {
        const row = [...new BigInt64Array(memory.buffer, place, count)].map(Number);
        if (row[0] === 83) window.rows.push(row);
        return session_handle(count, now);
      },
    };
    return { instance: { exports } };
  };
"""


def test_frames_of_a_clip_on_the_screen_are_counted(open_page, small_server):
    viewer = open_page(small_server, script=ROWS)
    viewer.expect_playing()
    viewer.until(lambda: len(viewer.page.evaluate("window.rows")) >= 2, "two counts")
    for kind, edge, shown, dropped in viewer.page.evaluate("window.rows"):
        assert (kind, edge) == (83, 360)
        assert shown >= 0 and dropped >= 0 and shown + dropped >= 60
    assert viewer.complaints == []

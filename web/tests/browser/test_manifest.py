"""What a device shows of the page once it is installed."""


def test_the_manifest_names_pictures_that_are_there_and_small(open_page, small_server):
    viewer = open_page(small_server)
    assert viewer.cdp.send("Page.getAppManifest")["errors"] == []
    wrong = viewer.page.evaluate("""async () => {
      const { icons, screenshots } = await (await fetch('/manifest.webmanifest')).json();
      const wrong = [];
      for (const { src, sizes, type } of [...icons, ...screenshots]) {
        const answer = await fetch(src);
        const blob = await answer.blob();
        if (!answer.ok || blob.type !== type || blob.size > 100_000) wrong.push(src);
        if (sizes === 'any') continue;
        const { width, height } = await createImageBitmap(blob);
        if (`${width}x${height}` !== sizes) wrong.push(`${src}: ${width}x${height}`);
      }
      return wrong;
    }""")
    assert wrong == []

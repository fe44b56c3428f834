internal import Contract
internal import Platform

/// The page of a tag: its public clips, each a picture that leads to the clip. It needs no code, so search
/// engines and messengers read it as people do.
struct TagPage {
  /// Clips of one page.
  static let length = 30

  let clips: TaggedClips

  var page: String {
    let name = ClipPage.escaped("#\(clips.tag)")
    let list =
      clips.items.isEmpty
      ? "<p>No clip has this tag.</p>" : "<ul>\n\(clips.items.map(Self.item).joined(separator: "\n"))\n</ul>"
    let next = clips.nextCursor.map {
      let address = "\(Route.tagPage.path(clips.tag))?cursor=\(Route.encoded($0))"
      return "\n<p><a rel=\"next\" href=\"\(ClipPage.escaped(address))\">More</a></p>"
    }
    return Self.page(name, "<h1 dir=\"auto\">\(name)</h1>\n\(list)\(next ?? "")")
  }

  static let missingPage = page("Not here", "<h1>Not here</h1>\n<p>This is no tag.</p>")

  private static func item(_ clip: Clip) -> String {
    let picture = ClipPage.Picture(of: clip)
    return """
      <li><a href="\(ClipPage.escaped(Route.clipPage.path(clip.id)))">\
      <img src="\(ClipPage.escaped(picture.url))" width="\(picture.width)" height="\(picture.height)" alt="" loading="lazy">\
      <b dir="auto">\(ClipPage.escaped(ClipPage.headline(clip)))</b> <span dir="auto">@\(ClipPage.escaped(clip.author.handle))\
      </span></a></li>
      """
  }

  private static func page(_ title: String, _ body: String) -> String {
    """
    <!doctype html>
    <html lang="en">
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="dark">
    <title>\(title) · Clipfeed</title>
    <link rel="icon" href="/icon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/styles/tags/page.css">
    <main id="tagged">
    <p><a href="/">clipfeed</a></p>
    \(body)
    </main>

    """
  }
}

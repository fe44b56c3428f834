internal import Contract

/// A page of public clips, each a picture that leads to the clip. It needs no code, so search engines and
/// messengers read it as people do.
struct ClipListPage {
  /// Clips of one page.
  static let length = 30

  /// What they have in common, as people read it; nothing of it is markup.
  let headline: String
  /// Lines between the headline and the clips.
  var about: [String] = []
  let items: [Clip]
  /// What is said where there are none.
  let absence: String
  /// Where the page is, and the cursor at which the list goes on.
  var path = ""
  let nextCursor: String?

  var html: String {
    let name = ClipPage.escaped(headline)
    let lines = about.map { "<p>\(ClipPage.escaped($0))</p>\n" }.joined()
    let list =
      items.isEmpty
      ? "<p>\(ClipPage.escaped(absence))</p>"
      : "<ul>\n\(items.map(Self.item).joined(separator: "\n"))\n</ul>"
    let next = nextCursor.map {
      let address = "\(path)?cursor=\(Route.encoded($0))"
      return "\n<p><a rel=\"next\" href=\"\(ClipPage.escaped(address))\">More</a></p>"
    }
    return Self.page(name, "<h1 dir=\"auto\">\(name)</h1>\n\(lines)\(list)\(next ?? "")")
  }

  /// `reason`: a sentence of ours.
  static func missing(_ reason: String) -> String {
    page("Not here", "<h1>Not here</h1>\n<p>\(ClipPage.escaped(reason))</p>")
  }

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

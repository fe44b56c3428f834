internal import Contract
internal import HTTPTypes
internal import Hummingbird
internal import Platform

/// The page's head at the address of a clip: what messengers and search engines show of it, since they run no
/// code.
struct ClipPage {
  /// Nil: nobody may see the clip here, or there is none, and both look the same. The page works all the
  /// same: with the upload's id, which no server hears of (`/c/{clip}#{upload}`), it asks for a private clip
  /// itself.
  let clip: Clip?
  /// `https://host` of this page; nil if it cannot be told. Then nothing is said that needs it.
  let origin: String?
  /// There is a clip, of which nothing is said to everybody.
  var isThere = false

  private static let titleLength = 70

  var status: HTTPResponse.Status { clip == nil && !isThere ? .notFound : .ok }

  var title: String { clip.map { "\(Self.shortHeadline($0)) · Clipfeed" } ?? "Clipfeed" }

  /// Modules that the client loads here alone, early.
  private static let modules = ["/app/clip-link/first.js", "/app/clip-link/clip.js"].map {
    "<link rel=\"modulepreload\" href=\"\($0)\">"
  }

  /// Elements that follow the title.
  var elements: String {
    (Self.modules + about).joined(separator: "\n  ")
  }

  private var about: [String] {
    guard let clip else { return [Self.meta("name", "robots", "noindex")] }
    // Messengers cut what is longer, each at another place.
    let headline = Self.shortHeadline(clip)
    let text = "\(clip.author.name) (@\(clip.author.handle)) on Clipfeed\(Self.label(clip))"
    var all = [
      // What the first frame waits for.
      "<link rel=\"preload\" href=\"\(Self.escaped(Route.clip.path(clip.id)))\" as=\"fetch\" crossorigin>",
      Self.meta("property", "og:site_name", "Clipfeed"), Self.meta("property", "og:type", "video.other"),
      Self.meta("property", "og:title", headline), Self.meta("property", "og:description", text),
      Self.meta("name", "twitter:title", headline), Self.meta("name", "twitter:description", text),
      Self.meta("name", "twitter:card", "summary_large_image"),
    ]
    // An address that is given to some is not for everybody to find.
    if clip.visibility != nil { all.append(Self.meta("name", "robots", "noindex")) }
    if let origin {
      let picture = Picture(of: clip)
      let image = origin + picture.url
      let page = Route.encoded(origin + Route.clipPage.path(clip.id))
      all += [
        "<link rel=\"alternate\" type=\"application/json+oembed\" "
          + "href=\"\(Self.escaped("\(origin)\(Route.oembed.path())?url=\(page)"))\">",
        Self.meta("property", "og:url", origin + Route.clipPage.path(clip.id)),
        Self.meta("property", "og:image", image),
        Self.meta("property", "og:image:width", "\(picture.width)"),
        Self.meta("property", "og:image:height", "\(picture.height)"),
        Self.meta("property", "og:image:alt", Self.headline(clip)), Self.meta("name", "twitter:image", image),
      ]
    }
    return all
  }

  /// The page with this in its head. A page that is not ours, without a title, stays as it is.
  func filled(_ page: String) -> String {
    guard let start = page.firstRange(of: "<title>"), let end = page.firstRange(of: "</title>"),
      start.upperBound <= end.lowerBound
    else { return page }
    return page[..<start.upperBound] + Self.escaped(title) + "</title>\n  " + elements
      + page[end.upperBound...]
  }

  /// The picture that stands for a clip.
  struct Picture {
    let url: String
    let width: Int
    let height: Int

    init(of clip: Clip) {
      (url, width, height) =
        clip.cover.map { ($0.url, $0.width, $0.height) } ?? (
          clip.poster.url, clip.poster.width, clip.poster.height
        )
    }
  }

  /// What is said of it wherever somebody comes upon it outside of the feed.
  static func label(_ clip: Clip) -> String { clip.aiGenerated == true ? " · Made with AI" : "" }

  static func headline(_ clip: Clip) -> String {
    clip.caption.isEmpty ? "A clip by \(clip.author.name)" : clip.caption
  }

  private static func shortHeadline(_ clip: Clip) -> String {
    let text = headline(clip)
    let short = BoundedText.cut(text, toCharacters: titleLength - 1, scalars: 4 * titleLength)
    return short.utf8.count < text.utf8.count ? short + "…" : text
  }

  private static func meta(_ kind: String, _ name: String, _ content: String) -> String {
    "<meta \(kind)=\"\(name)\" content=\"\(escaped(content))\">"
  }

  /// NB: scalar by scalar. With a mark behind it a `<` is another `Character`, and still a `<` to whoever
  /// reads the page.
  static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { out, scalar in
      switch scalar {
      case "&": out += "&amp;"
      case "<": out += "&lt;"
      case ">": out += "&gt;"
      case "\"": out += "&quot;"
      case "'": out += "&#39;"
      default: out.unicodeScalars.append(scalar)
      }
    }
  }
}

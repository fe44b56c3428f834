internal import Contract
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import Platform

/// A clip in the page of another site: what oEmbed tells of it, and the page that plays it there.
///
/// The page is a player and a link, without a script: it knows nothing of whoever looks at it, and the site
/// around it learns nothing either.
struct ClipEmbed {
  let clip: Clip
  let origin: String

  /// As tall as a phone is shown beside text.
  private static let height = 640

  /// The clip that an oEmbed request is about, and the room that there is for it. Throws `clip_not_found` for
  /// an address that is none of a clip here, `embed_format_unsupported` and `invalid_parameter`.
  struct Question {
    let clipID: String
    let maxWidth: Int?
    let maxHeight: Int?

    init(_ request: Request, origin: String) throws {
      let parameters = request.uri.queryParameters
      // oembed.com, 2.3.4: a format that is not spoken is answered with 501.
      guard ["json", nil].contains(parameters["format"].map(String.init)) else {
        throw AppError(.embedFormatUnsupported)
      }
      guard let url = parameters["url"].map(String.init) else {
        throw AppError(.invalidParameter, "url must be the address of a clip.", field: "url")
      }
      maxWidth = try Self.length("maxwidth", parameters["maxwidth"])
      maxHeight = try Self.length("maxheight", parameters["maxheight"])
      let address = url.utf8.prefix { $0 != UInt8(ascii: "#") && $0 != UInt8(ascii: "?") }
      guard let path = Substring(address).rest(behind: origin), path.starts(withBytesOf: "/"),
        let id = Route.clipPage.values(in: String(path))?.first
      else { throw AppError(.clipNotFound) }
      clipID = id
    }

    private static func length(_ name: String, _ text: Substring?) throws -> Int? {
      guard let text else { return nil }
      guard let length = SafeInteger.read(text, in: 1...100_000) else {
        throw AppError(.invalidParameter, "\(name) must be a number of pixels.", field: name)
      }
      return length
    }
  }

  func description(for question: Question) -> Embed {
    let (width, height) = size(in: question)
    let address = ClipPage.escaped(origin + Route.embed.path(clip.id))
    var embed = Embed(
      title: ClipPage.headline(clip), authorName: clip.author.name, providerName: "Clipfeed",
      providerUrl: origin, width: width, height: height,
      html: "<iframe src=\"\(address)\" width=\"\(width)\" height=\"\(height)\" style=\"border:0\" "
        + "allow=\"fullscreen; picture-in-picture\" "
        + "title=\"\(ClipPage.escaped(ClipPage.headline(clip)))\"></iframe>")
    let picture = ClipPage.Picture(of: clip)
    if picture.width <= question.maxWidth ?? .max, picture.height <= question.maxHeight ?? .max {
      embed.thumbnailUrl = origin + picture.url
      embed.thumbnailWidth = picture.width
      embed.thumbnailHeight = picture.height
    }
    return embed
  }

  /// The clip's form, as large as there is room for and no taller than `height`.
  private func size(in question: Question) -> (width: Int, height: Int) {
    let (width, height) = (Double(max(1, clip.width)), Double(max(1, clip.height)))
    let scale = min(
      Double(Self.height) / height, Double(question.maxWidth ?? .max) / width,
      Double(question.maxHeight ?? .max) / height)
    return (
      max(1, Int(clamping: (width * scale).rounded(.towardZero))),
      max(1, Int(clamping: (height * scale).rounded(.towardZero)))
    )
  }

  var page: String {
    let title = ClipPage.escaped(ClipPage.headline(clip))
    let tracks = (clip.playback.captions ?? []).map {
      "<track kind=\"captions\" src=\"\(ClipPage.escaped($0.url))\" srclang=\"\(ClipPage.escaped($0.language))\" "
        + "label=\"\(ClipPage.escaped($0.label))\">"
    }
    // Sharp enough for the room that a page gives, and no sharper.
    let rendition =
      clip.playback.renditions.last { min($0.width, $0.height) <= 720 } ?? clip.playback.renditions.first
    return Self.page(
      title,
      """
      <video controls loop playsinline preload="none" poster="\(ClipPage.escaped(ClipPage.Picture(of: clip).url))" \
      src="\(ClipPage.escaped(rendition?.url ?? ""))" aria-label="\(title)">\(tracks.joined())</video>
      <a href="\(ClipPage.escaped(Route.clipPage.path(clip.id)))" target="_blank" rel="noopener">\
      \(ClipPage.escaped(clip.author.name)) on Clipfeed\(ClipPage.label(clip))</a>
      """)
  }

  static let missingPage = page("Not here", "<p>This clip does not exist, or not any more.</p>")

  /// A frame on another site knows nothing of whoever looks at it, so nobody is shown the clip there.
  static func page(forAdults clipID: String) -> String {
    page(
      "For adults",
      """
      <p>This clip is for adults. <a href="\(ClipPage.escaped(Route.clipPage.path(clipID)))" target="_blank" \
      rel="noopener">Watch it on Clipfeed</a></p>
      """)
  }

  private static func page(_ title: String, _ body: String) -> String {
    """
    <!doctype html>
    <html lang="en">
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <meta name="robots" content="noindex">
    <title>\(title) · Clipfeed</title>
    <link rel="stylesheet" href="/styles/embed/embed.css">
    \(body)

    """
  }
}

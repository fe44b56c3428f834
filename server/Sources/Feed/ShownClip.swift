internal import Contract
internal import Foundation
internal import Platform

/// What the database keeps of a clip that is shown to somebody.
struct ShownClip {
  let id: String
  let row: Row
  let counts: Counts
  /// Of all clips that others than their owners can see.
  let comments: Commenting
  let viewer: ClipViewer?
}

/// A clip as a page of the feed holds it.
protocol FeedItem: Sendable {
  var id: String { get }
  var viewer: ClipViewer? { get set }
  init(_ shown: ShownClip) throws
}

extension ShownClip {
  fileprivate var visibility: Visibility {
    get throws {
      // What nobody here can name is shown to nobody but its owner.
      Visibility(rawValue: try row.text("visibility")) ?? .private
    }
  }

  /// Nobody else could read those of a private one.
  fileprivate var commenting: Commenting { get throws { try visibility == .private ? .off : comments } }

  fileprivate var tags: [Substring] { get throws { try row.text("tags").split(separator: " ") } }

  /// With the clip's captions. The master playlist that names them counts only if it was made of the present one.
  fileprivate var playback: Playback {
    get throws {
      var playback: Playback = try WireCoding.decode(from: Data(try row.text("playback").utf8))
      guard let tracks = row.optionalText("caption_tracks") else { return playback }
      playback.captions = try WireCoding.decode(from: Data(tracks.utf8))
      if row.optionalText("captioned_from") == playback.hlsUrl,
        let captioned = row.optionalText("captioned_hls")
      {
        playback.hlsUrl = captioned
      }
      return playback
    }
  }
}

extension ShownClip {
  /// The descriptor as it is kept, with the master playlist that names the captions; see `playback`.
  fileprivate func captioned(_ playback: String) -> String {
    guard let from = row.optionalText("captioned_from"), let to = row.optionalText("captioned_hls") else {
      return playback
    }
    return playback.replacingOccurrences(of: #""hls_url":"\#(from)""#, with: #""hls_url":"\#(to)""#)
  }
}

extension Clip: FeedItem {
  init(_ shown: ShownClip) throws {
    let row = shown.row
    let visibility = try shown.visibility
    self.init(
      id: shown.id, caption: try row.text("caption"), tags: try shown.tags.map(String.init),
      createdAt: Date(timeIntervalSince1970: Double(try row.integer("created_at_ms")) / 1000),
      author: Author(
        id: try row.text("author_id"), handle: try row.text("handle"), name: try row.text("name")),
      counts: shown.counts, comments: try shown.commenting,
      width: Int(try row.integer("width")), height: Int(try row.integer("height")),
      poster: try WireCoding.decode(from: Data(try row.text("poster").utf8)),
      cover: try row.optionalText("cover").map { try WireCoding.decode(from: Data($0.utf8)) },
      playback: try shown.playback, visibility: visibility == .public ? nil : visibility, viewer: shown.viewer
    )
  }
}

extension ClipText: FeedItem {
  /// NB: poster, cover, playback and tracks go out as they are kept, since what wrote them was the wire's coder.
  init(_ shown: ShownClip) throws {
    let row = shown.row
    let visibility = try shown.visibility
    let playback = try row.text("playback")
    var out: [UInt8] = []
    out.reserveCapacity(playback.utf8.count + 1024)
    func add(_ words: StaticString) {
      words.withUTF8Buffer { out += $0 }
    }
    func add(_ words: StaticString, text: String) {
      add(words)
      JSONText.write(text, to: &out)
    }
    add(#"{"author":{"handle":"#, text: try row.text("handle"))
    add(#","id":"#, text: try row.text("author_id"))
    add(#","name":"#, text: try row.text("name"))
    add(#"},"caption":"#, text: try row.text("caption"))
    if let cover = row.optionalText("cover") {
      add(#","cover":"#)
      out += cover.utf8
    }
    add(#","created_at":"#)
    JSONText.write(dateMs: try row.integer("created_at_ms"), to: &out)
    add(#","height":"#)
    JSONText.write(try row.integer("height"), to: &out)
    add(#","id":"#, text: shown.id)
    add(#","playback":"#)
    if let tracks = row.optionalText("caption_tracks") {
      out += shown.captioned(playback).dropLast().utf8
      add(#","captions":"#)
      out += tracks.utf8
      add("}")
    } else {
      out += playback.utf8
    }
    add(#","poster":"#)
    out += try row.text("poster").utf8
    add(#","tags":["#)
    for (index, tag) in try shown.tags.enumerated() {
      if index > 0 { add(",") }
      JSONText.write(String(tag), to: &out)
    }
    add("]")
    if visibility != .public { add(#","visibility":"#, text: visibility.rawValue) }
    add(#","width":"#)
    JSONText.write(try row.integer("width"), to: &out)
    self.init(
      id: shown.id, fixed: out, visibility: visibility, comments: try shown.commenting, counts: shown.counts,
      viewer: shown.viewer)
  }
}

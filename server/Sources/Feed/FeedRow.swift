internal import Contract
internal import Foundation
internal import Platform

/// What the database keeps of a clip that is shown to somebody, on the row where it stands.
struct FeedRow {
  /// In the order of `select`: in rows of their own what has changed in the clip's counts since they were
  /// totalled; the totals; of the clip; of its author.
  enum Column: Int {
    case id, counter, change
    case likes, comments, shares, views
    case heart, laugh, wow, clap, fire, cry
    case number, authorID, caption, createdAtMs, width, height, poster, cover, playback, tags
    case visibility, forAdults, captionTracks, captionedFrom, captionedHLS, aiGenerated, soundID,
      retention, retentionVersion, handle
    case name, picture
  }

  let row: any RowInPlace
  /// Of all clips that others than their owners can see.
  let comments: Commenting

  /// Clips for which the condition on `c` holds, each with its counts, in one statement. A row has either a
  /// counter or a clip.
  static func select(
    where condition: String, _ values: [SQLValue], on engine: DatabaseEngine
  ) -> (sql: String, values: [SQLValue]) {
    let found = "FROM clips c WHERE c.state = 'ready' AND \(condition)"
    return switch engine {
    // By their ids first, or it would put whole clips aside before it joins them.
    case .sqlite:
      (
        """
        WITH page AS (SELECT c.id \(found))
        \(columns) FROM page JOIN clips c ON c.id = page.id JOIN authors a ON a.id = c.author_id \(totals)
        \(Counters.clips.alsoSelectChanges(of: "page", besides: nothing, on: engine))
        """, values
      )
    // Looked at once where they are found. NB: found before anything is joined, and each with its author, or
    // it would get ready to join all clips that there are, or go through all authors as long as they are
    // hundreds.
    case .postgreSQL:
      (
        """
        \(columns) FROM (SELECT c.* \(found)) c
        CROSS JOIN LATERAL (SELECT handle, name, picture FROM authors WHERE id = c.author_id LIMIT 1) a \(totals)
        \(Counters.clips.alsoSelectChanges(of: "(SELECT c.id \(found)) page", besides: nothing, on: engine))
        """, values + values
      )
    }
  }

  private static let columns = """
    SELECT c.id, NULL AS counter, NULL AS change, \(Counters.clips.totalColumns), c.published_number, c.author_id,
        c.caption, c.created_at_ms, c.width, c.height, c.poster, c.cover, c.playback, c.tags, c.visibility,
         c.for_adults, c.caption_tracks, c.captioned_from, c.captioned_hls, c.ai_generated, c.sound_id,
         r.shares, r.version, a.handle, a.name, a.picture
    """
  private static let totals =
    Counters.clips.totalsJoin("c.id") + " LEFT JOIN clip_retention r ON r.clip_id = c.id"
  private static let nothing = Array(
    repeating: ", NULL", count: Column.picture.rawValue - Column.change.rawValue
  ).joined()

  private static let reactions: [(name: String, column: Column)] = [
    ("heart", .heart), ("laugh", .laugh), ("wow", .wow), ("clap", .clap), ("fire", .fire), ("cry", .cry),
  ]

  func text(_ column: Column) throws -> String { try required(row.text(column.rawValue), column) }
  func optionalText(_ column: Column) -> String? { row.text(column.rawValue) }
  func integer(_ column: Column) throws -> Int64 { try required(row.integer(column.rawValue), column) }
  func bytes(_ column: Column) throws -> UnsafeRawBufferPointer {
    try required(row.bytes(column.rawValue), column)
  }
  func optionalBytes(_ column: Column) -> UnsafeRawBufferPointer? { row.bytes(column.rawValue) }

  private func required<Value>(_ value: Value?, _ column: Column) throws -> Value {
    guard let value else { throw Row.WrongColumn(column: "\(column)") }
    return value
  }
}

/// A clip as a page of the feed holds it. Its counts are right, and its viewer known, only once all rows were
/// read.
protocol FeedItem: Sendable {
  var id: String { get }
  var counts: Counts { get set }
  var viewer: ClipViewer? { get set }
  init(_ shown: FeedRow) throws
}

extension FeedRow {
  fileprivate var visibility: Visibility {
    get throws {
      // What nobody here can name is shown to nobody but its owner.
      Visibility(rawValue: try text(.visibility)) ?? .private
    }
  }

  fileprivate var isForAdults: Bool { get throws { try integer(.forAdults) != 0 } }

  /// Nobody else could read those of a private one.
  fileprivate func commenting(_ visibility: Visibility) -> Commenting {
    visibility == .private ? .off : comments
  }

  /// Nil: no. Here, or by the word of its source.
  fileprivate var isGenerated: Bool? { row.integer(Column.aiGenerated.rawValue) ?? 0 > 0 ? true : nil }

  /// Without what has changed since.
  fileprivate var counts: Counts {
    func total(_ column: Column) -> Int { Int(row.integer(column.rawValue) ?? 0) }
    var counts = Counts(
      likes: total(.likes), comments: total(.comments), shares: total(.shares), views: total(.views))
    for (name, column) in Self.reactions {
      let count = total(column)
      if count > 0 { counts.reactions[name] = count }
    }
    return counts
  }

  fileprivate var tags: [Substring] { get throws { try text(.tags).split(atByte: UInt8(ascii: " ")) } }

  /// With the clip's curve and captions. The master playlist that names them counts only if it was made of
  /// the present one.
  fileprivate var playback: Playback {
    get throws {
      var playback: Playback = try decoded(try bytes(.playback))
      if let shares = optionalText(.retention) {
        playback.retention = shares.split(atByte: UInt8(ascii: ",")).compactMap { SafeInteger.read($0) }
        playback.retentionVersion = Int(try integer(.retentionVersion))
      }
      guard let tracks = optionalBytes(.captionTracks) else { return playback }
      playback.captions = try decoded(tracks)
      if optionalText(.captionedFrom) == playback.hlsUrl, let captioned = optionalText(.captionedHLS) {
        playback.hlsUrl = captioned
      }
      return playback
    }
  }

  fileprivate func decoded<Value: Decodable>(_ bytes: UnsafeRawBufferPointer) throws -> Value {
    try WireCoding.decode(from: Data(bytes))
  }

  /// The descriptor as it is kept, with the master playlist that names the captions; see `playback`.
  fileprivate func captioned(_ playback: String) -> String {
    guard let from = optionalText(.captionedFrom), let to = optionalText(.captionedHLS) else {
      return playback
    }
    return playback.split(atText: #""hls_url":"\#(from)""#).joined(separator: #""hls_url":"\#(to)""#)
  }
}

extension Clip: FeedItem {
  init(_ shown: FeedRow) throws {
    let visibility = try shown.visibility
    self.init(
      id: try shown.text(.id), caption: try shown.text(.caption), tags: try shown.tags.map(String.init),
      createdAt: Date(timeIntervalSince1970: Double(try shown.integer(.createdAtMs)) / 1000),
      author: Author(
        id: try shown.text(.authorID), handle: try shown.text(.handle), name: try shown.text(.name),
        picture: shown.optionalText(.picture).flatMap(PictureColumn.read)),
      counts: shown.counts, comments: shown.commenting(visibility),
      width: Int(try shown.integer(.width)), height: Int(try shown.integer(.height)),
      poster: try shown.decoded(try shown.bytes(.poster)),
      cover: try shown.optionalBytes(.cover).map { try shown.decoded($0) },
      playback: try shown.playback, visibility: visibility == .public ? nil : visibility,
      forAdults: try shown.isForAdults ? true : nil, aiGenerated: shown.isGenerated,
      soundID: visibility == .public ? shown.optionalText(.soundID) : nil
    )
  }
}

extension EncodedClip: FeedItem {
  /// NB: poster, cover, playback and tracks go out as they are kept, since what wrote them was the wire's
  /// coder.
  init(_ shown: FeedRow) throws {
    let visibility = try shown.visibility
    let playback = try shown.bytes(.playback)
    var out: [UInt8] = []
    out.reserveCapacity(playback.count + 1024)
    func add(_ words: StaticString) {
      words.withUTF8Buffer { out += $0 }
    }
    func add(_ words: StaticString, text: UnsafeRawBufferPointer) {
      add(words)
      JSONText.write(utf8: text, to: &out)
    }
    if shown.isGenerated == true {
      add(#"{"ai_generated":true,"author":{"handle":"#)
    } else {
      add(#"{"author":{"handle":"#)
    }
    JSONText.write(utf8: try shown.bytes(.handle), to: &out)
    add(#","id":"#, text: try shown.bytes(.authorID))
    add(#","name":"#, text: try shown.bytes(.name))
    if let picture = shown.optionalBytes(.picture) { PictureColumn.write(utf8: picture, to: &out) }
    add(#"},"caption":"#, text: try shown.bytes(.caption))
    if let cover = shown.optionalBytes(.cover) {
      add(#","cover":"#)
      out += cover
    }
    add(#","created_at":"#)
    JSONText.write(dateMs: try shown.integer(.createdAtMs), to: &out)
    if try shown.isForAdults { add(#","for_adults":true"#) }
    add(#","height":"#)
    JSONText.write(try shown.integer(.height), to: &out)
    add(#","id":"#, text: try shown.bytes(.id))
    add(#","playback":"#)
    let tracks = shown.optionalBytes(.captionTracks)
    let shares = shown.optionalBytes(.retention)
    if let tracks {
      out += shown.captioned(try shown.text(.playback)).dropLast().utf8
      add(#","captions":"#)
      out += tracks
    } else if shares != nil {
      out += playback.dropLast()
    } else {
      out += playback
    }
    if let shares {
      add(#","retention":["#)
      out += shares
      add(#"],"retention_version":"#)
      JSONText.write(try shown.integer(.retentionVersion), to: &out)
    }
    if tracks != nil || shares != nil { add("}") }
    add(#","poster":"#)
    out += try shown.bytes(.poster)
    if visibility == .public, let sound = shown.optionalBytes(.soundID) {
      add(#","sound_id":"#, text: sound)
    }
    add(#","tags":["#)
    for (index, tag) in try shown.bytes(.tags).split(separator: UInt8(ascii: " ")).enumerated() {
      if index > 0 { add(",") }
      JSONText.write(utf8: UnsafeRawBufferPointer(rebasing: tag), to: &out)
    }
    add("]")
    if visibility != .public { add(#","visibility":"#); JSONText.write(visibility.rawValue, to: &out) }
    add(#","width":"#)
    JSONText.write(try shown.integer(.width), to: &out)
    self.init(
      id: try shown.text(.id), fixed: out, visibility: visibility, comments: shown.commenting(visibility),
      counts: shown.counts, viewer: nil)
  }
}

internal import Platform

/// An HLS playlist that a stranger wrote (RFC 8216), as far as it takes to bring its stream home as one file.
///
/// Tags that do not matter for that are passed over, as the RFC demands of clients. What would make the file
/// another one than people saw (keys, streams without an end, streams put together of several) is refused.
public enum ForeignPlaylist: Sendable, Equatable {
  /// In the order of the text.
  case master([Variant])
  case media(Media)

  /// The same stream at one rate.
  public struct Variant: Sendable, Equatable {
    public var uri: String
    /// In bits per second: on average where that is said, else at its highest; 0: neither is.
    public var bandwidth: Int
    /// The shorter side of its picture, in pixels; nil: not said.
    public var shortSide: Int?
    /// Where its sound is, if that is not in the same stream.
    public var sound: String?
  }

  /// What is fetched one after another and lies one behind the other in the file.
  public struct Media: Sendable, Equatable {
    /// How each piece of fragmented MP4 is to be read; nil for MPEG-TS.
    public var map: Piece?
    public var pieces: [Piece]
    /// Of all pieces, in seconds, as the playlist says it.
    public var seconds: Double
  }

  public struct Piece: Sendable, Equatable {
    public var uri: String
    /// Nil: all of it.
    public var range: Range<Int>?
  }

  /// Why nothing can be made of it, as the rest of a sentence about the playlist.
  public struct Refused: Error, Equatable, CustomStringConvertible {
    public let description: String
    init(_ description: String) { self.description = description }
  }

  /// A clip has a minute: of pieces of a tenth of a second, three times as many.
  public static let mostPieces = 2000
  /// Rates and languages of one stream.
  static let mostVariants = 200
  /// Within it whoever wrote it says what they want: a line is one address or some attributes.
  static let longestLine = 16_384

  /// Throws `Refused`.
  public init(_ text: String) throws {
    do {
      self = try Self.read(text)
    } catch let broken as PlaylistRules.Broken {
      throw Refused("cannot be read: \(broken.reason)")
    }
  }

  /// Whether a text claims to be a playlist.
  public static func isOne(_ text: String) -> Bool { bare(text).starts(withBytesOf: "#EXTM3U") }

  private static func bare(_ text: String) -> Substring {
    // A byte order mark must not be there, and is.
    text.starts(withBytesOf: "\u{FEFF}") ? Substring(text.unicodeScalars.dropFirst()) : Substring(text)
  }

  private static func read(_ text: String) throws -> ForeignPlaylist {
    guard isOne(text) else { throw Refused("is no HLS playlist") }
    var reading = Reading()
    for line in bare(text).utf8.split(whereSeparator: { $0 == 10 || $0 == 13 }) {
      guard line.count <= longestLine else { throw Refused("has a line of \(line.count) bytes") }
      let line = Substring(line).withoutBlanks
      guard line.starts(withBytesOf: "#") else {
        if !line.isEmpty { try reading.take(uri: String(line)) }
        continue
      }
      let parts = line.split(atByte: UInt8(ascii: ":"), maxSplits: 1, omittingEmpty: false)
      try reading.take(tag: String(parts[0]), parts.count == 2 ? String(parts[1]) : "")
    }
    return try reading.ended()
  }

  private struct Reading {
    private var variants: [Variant] = []
    private var pieces: [Piece] = []
    private var map: Piece?
    private var seconds = 0.0
    private var hasEnd = false
    /// Where sounds of their own are, by the bytes of the group that variants name.
    private var sounds: [[UInt8]: String] = [:]
    /// Groups of the variants, in their order.
    private var groups: [[UInt8]?] = []
    /// What was said about the address that comes next.
    private var next: (stream: PlaylistRules.Attributes?, isPiece: Bool, range: String?) = (nil, false, nil)

    mutating func take(tag: String, _ value: String) throws {
      switch tag {
      case "#EXT-X-STREAM-INF": next.stream = try PlaylistRules.Attributes(value)
      case "#EXT-X-MEDIA": try take(media: PlaylistRules.Attributes(value))
      case "#EXTINF":
        // Behind the comma is a title.
        let duration = value.split(atByte: UInt8(ascii: ","), maxSplits: 1, omittingEmpty: false)[0]
        guard let length = Double(String(duration.withoutBlanks)), (0...86_400).contains(length) else {
          throw Refused("has a piece without a duration")
        }
        seconds += length
        next.isPiece = true
      case "#EXT-X-BYTERANGE": next.range = value
      case "#EXT-X-MAP":
        let attributes = try PlaylistRules.Attributes(value)
        let found = Piece(
          uri: try attributes.text("URI"),
          range: try attributes.optional("BYTERANGE").map { try self.range($0, behind: nil) })
        guard map == nil && pieces.isEmpty || map == found else {
          throw Refused("changes its format in the middle")
        }
        map = found
      case "#EXT-X-KEY", "#EXT-X-SESSION-KEY":
        guard try PlaylistRules.Attributes(value).text("METHOD") == "NONE" else {
          throw Refused("is encrypted")
        }
      case "#EXT-X-DISCONTINUITY":
        // In front of the first piece it means nothing.
        guard pieces.isEmpty else { throw Refused("is put together of several recordings") }
      case "#EXT-X-GAP": throw Refused("has a gap")
      case "#EXT-X-I-FRAMES-ONLY": throw Refused("has pictures only, no video")
      case "#EXT-X-ENDLIST": hasEnd = true
      default: break
      }
    }

    mutating func take(uri: String) throws {
      defer { next = (nil, false, nil) }
      if let stream = next.stream {
        guard variants.count < mostVariants else { throw Refused("has more than \(mostVariants) rates") }
        let sides = stream.optional("RESOLUTION")?.split(atByte: UInt8(ascii: "x")).compactMap {
          SafeInteger.read($0, in: 1...100_000)
        }

        let rate = stream.optional("AVERAGE-BANDWIDTH") ?? stream.optional("BANDWIDTH")
        variants.append(
          Variant(
            uri: uri, bandwidth: rate.flatMap { SafeInteger.read($0) } ?? 0,
            shortSide: sides?.count == 2 ? sides?.min() : nil, sound: nil))
        groups.append(stream.optional("AUDIO").map { Array($0.utf8) })
      } else if next.isPiece {
        let range = try next.range.map { try self.range($0, behind: pieces.last, of: uri) }
        // A stream in one file is asked for at once.
        if let range, let last = pieces.last, last.uri.hasSameBytes(as: uri),
          last.range?.upperBound == range.lowerBound
        {
          pieces[pieces.count - 1].range = last.range!.lowerBound..<range.upperBound
        } else {
          guard pieces.count < mostPieces else { throw Refused("has more than \(mostPieces) pieces") }
          pieces.append(Piece(uri: uri, range: range))
        }
      } else {
        throw Refused("names \(uri.unicodeScalars.prefix(60)) without saying what it is")
      }
    }

    private mutating func take(media: PlaylistRules.Attributes) throws {
      guard try media.text("TYPE") == "AUDIO", let uri = media.optional("URI") else { return }
      let group = Array(try media.text("GROUP-ID").utf8)
      // The one that players choose by themselves, or else the first.
      if sounds[group] == nil || media.optional("DEFAULT") == "YES" { sounds[group] = uri }
    }

    /// "SIZE@OFFSET", or "SIZE" behind the piece before.
    private func range(_ text: String, behind last: Piece?, of uri: String = "") throws -> Range<Int> {
      let unquoted = text.withoutBlanks
      guard !unquoted.contains(byte: UInt8(ascii: "@")) else {
        return try PlaylistRules.Lines.byteRange(String(unquoted))
      }
      let start = last.flatMap { $0.uri.hasSameBytes(as: uri) ? $0.range?.upperBound : nil } ?? 0
      return try PlaylistRules.Lines.byteRange("\(unquoted)@\(start)")
    }

    func ended() throws -> ForeignPlaylist {
      guard variants.isEmpty || pieces.isEmpty else { throw Refused("is of two kinds at once") }
      if !variants.isEmpty {
        return .master(
          zip(variants, groups).map { variant, group in
            var variant = variant
            variant.sound = group.flatMap { sounds[$0] }
            return variant
          })
      }
      guard !pieces.isEmpty else { throw Refused("has nothing in it") }
      guard hasEnd else { throw Refused("has no end (EXT-X-ENDLIST): it is a live stream") }
      return .media(Media(map: map, pieces: pieces, seconds: seconds))
    }
  }
}

extension [ForeignPlaylist.Variant] {
  /// The best of what a clip shows first, then the smaller ones, and what is larger than that at the end,
  /// smallest first. What says no size is taken for sound alone where others say one.
  public func bestFirst(shortSide most: Int) -> [Element] {
    let sized = filter { $0.shortSide != nil }
    guard !sized.isEmpty else { return sorted { $0.bandwidth > $1.bandwidth } }
    let (fitting, larger) = (sized.filter { $0.shortSide! <= most }, sized.filter { $0.shortSide! > most })
    return fitting.sorted { ($0.shortSide!, $0.bandwidth) > ($1.shortSide!, $1.bandwidth) }
      + larger.sorted { ($0.shortSide!, $0.bandwidth) < ($1.shortSide!, $1.bandwidth) }
  }
}

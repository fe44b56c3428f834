internal import Contract
internal import Platform

/// What RFC 8216 demands of the playlists that we write. It reads them as a client would, knows only the tags
/// that we use, and refuses every other: whoever adds a tag says here what is right about it.
enum PlaylistRules {
  enum Kind { case master, media, captions }

  struct Broken: Error, Equatable {
    let reason: String
    init(_ reason: String) { self.reason = reason }
  }

  /// Throws `transcoding_failed` with the rule that is broken.
  static func check(_ text: String, _ kind: Kind) throws {
    do {
      switch kind {
      case .master: try checkMaster(text)
      case .media: try checkMedia(text)
      case .captions: try checkCaptions(text)
      }
    } catch let broken as Broken {
      throw AppError(.transcodingFailed, "A playlist breaks RFC 8216: \(broken.reason).")
    }
  }

  static func checkMedia(_ text: String) throws {
    let playlist = try Lines(text)
    let version = try playlist.version()
    let target = try Lines.integer(try playlist.once("#EXT-X-TARGETDURATION"))
    guard try playlist.once("#EXT-X-ENDLIST").isEmpty, try playlist.once("#EXT-X-PLAYLIST-TYPE") == "VOD"
    else {
      throw Broken("it is not a complete presentation")
    }
    let map = try Attributes(try playlist.once("#EXT-X-MAP"))
    guard version >= 6 else { throw Broken("EXT-X-MAP needs version 6") }
    // The initialisation section comes first, then the segments without a gap (our own rule: one file).
    let first = try Lines.byteRange(try map.text("BYTERANGE"))
    let file = try Lines.uri(try map.text("URI"))
    var (duration, range): (Double?, Range<Int>?) = (nil, nil)
    var (end, segments, isMapped) = (first.upperBound, 0, false)
    for line in playlist.lines {
      switch line.tag {
      case "#EXT-X-MAP": isMapped = true
      case "#EXTINF":
        guard duration == nil, line.value.ends(withBytesOf: ",") else {
          throw Broken("EXTINF is not a duration and a title")
        }
        let seconds = try Lines.decimal(String(line.value.dropLast()))
        guard seconds > 0, Int(clamping: seconds) <= target else {
          throw Broken("a segment of \(seconds) s exceeds the target of \(target) s")
        }
        duration = seconds
      case "#EXT-X-BYTERANGE": range = try Lines.byteRange(line.value)
      case nil:
        guard isMapped, duration != nil, let bytes = range, bytes.lowerBound == end,
          try Lines.uri(line.value) == file
        else { throw Broken("a segment is not right behind the one before, or lacks its duration") }
        (end, segments, duration, range) = (bytes.upperBound, segments + 1, nil, nil)
      case "#EXTM3U", "#EXT-X-VERSION", "#EXT-X-TARGETDURATION", "#EXT-X-PLAYLIST-TYPE", "#EXT-X-ENDLIST",
        "#EXT-X-INDEPENDENT-SEGMENTS":
        break
      case "#EXT-X-MEDIA-SEQUENCE": _ = try Lines.integer(line.value)
      case .some(let tag): throw Broken("\(tag) does not belong into a media playlist")
      }
    }
    guard segments > 0, duration == nil, range == nil else { throw Broken("a segment has no URI") }
    guard playlist.lines.last?.tag == "#EXT-X-ENDLIST" else { throw Broken("it goes on behind its end") }
  }

  static func checkMaster(_ text: String) throws {
    let playlist = try Lines(text)
    _ = try playlist.version()
    var pending = false
    var variants: Set<String> = []
    let groups = try captionGroups(playlist)
    for line in playlist.lines {
      guard !pending || line.tag == nil else { throw Broken("EXT-X-STREAM-INF without its URI") }
      switch line.tag {
      case "#EXTM3U", "#EXT-X-VERSION", "#EXT-X-INDEPENDENT-SEGMENTS": break
      case "#EXT-X-STREAM-INF":
        let stream = try Attributes(line.value)
        let peak = try Lines.integer(try stream.text("BANDWIDTH"))
        guard peak > 0, try Lines.integer(try stream.text("AVERAGE-BANDWIDTH")) <= peak else {
          throw Broken("the average bandwidth exceeds the peak")
        }
        let sides = try stream.text("RESOLUTION").split(atByte: UInt8(ascii: "x"), omittingEmpty: false)
        guard sides.count == 2, try sides.allSatisfy({ try Lines.integer(String($0)) > 0 }),
          try !stream.text("CODECS").isEmpty, try Lines.decimal(try stream.text("FRAME-RATE")) > 0
        else { throw Broken("a variant does not say what it is") }
        // A group that only some variants name would come and go with the quality.
        guard groups == Set([stream.optional("SUBTITLES")].compactMap { $0 }) else {
          throw Broken("a variant does not name the captions that there are")
        }
        pending = true
      case "#EXT-X-MEDIA": break
      case nil:
        guard pending, variants.insert(try Lines.uri(line.value)).inserted else {
          throw Broken("a URI without EXT-X-STREAM-INF, or twice the same")
        }
        pending = false
      case .some(let tag): throw Broken("\(tag) does not belong into a master playlist")
      }
    }
    guard !variants.isEmpty, !pending else { throw Broken("it has no variant") }
  }
}

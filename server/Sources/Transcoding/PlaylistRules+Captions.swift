internal import Platform

/// Section 4.3.4.1 of RFC 8216, and 3.5 for the files that captions are in.
extension PlaylistRules {
  /// The groups of captions that a master playlist has: none or one.
  static func captionGroups(_ playlist: Lines) throws -> Set<String> {
    var groups: Set<String> = []
    var names: Set<String> = []
    for line in playlist.lines where line.tag == "#EXT-X-MEDIA" {
      let media = try Attributes(line.value)
      guard try media.text("TYPE") == "SUBTITLES" else { throw Broken("media that are no captions") }
      let (group, name) = (try media.text("GROUP-ID"), try media.text("NAME"))
      guard !group.isEmpty, !name.isEmpty, try !media.text("LANGUAGE").isEmpty else {
        throw Broken("captions do not say what they are")
      }
      guard names.insert(name).inserted else { throw Broken("captions of the same name") }
      _ = try Lines.uri(try media.text("URI"))
      for choice in ["DEFAULT", "AUTOSELECT", "FORCED"] {
        guard ["YES", "NO"].contains(try media.text(choice)) else { throw Broken("\(choice) is YES or NO") }
      }
      guard try media.text("DEFAULT") == "NO" || media.text("AUTOSELECT") == "YES" else {
        throw Broken("what is the default is chosen by itself")
      }
      groups.insert(group)
    }
    guard groups.count <= 1 else { throw Broken("several groups of captions") }
    return groups
  }

  /// Captions come in one file for the whole clip, which needs no initialisation section.
  static func checkCaptions(_ text: String) throws {
    let playlist = try Lines(text)
    _ = try playlist.version()
    let target = try Lines.integer(try playlist.once("#EXT-X-TARGETDURATION"))
    guard try playlist.once("#EXT-X-ENDLIST").isEmpty, try playlist.once("#EXT-X-PLAYLIST-TYPE") == "VOD"
    else { throw Broken("it is not a complete presentation") }
    let duration = try playlist.once("#EXTINF")
    guard duration.ends(withBytesOf: ",") else { throw Broken("EXTINF is not a duration and a title") }
    let seconds = try Lines.decimal(String(duration.dropLast()))
    guard seconds > 0, Int(clamping: seconds) <= target else {
      throw Broken("a segment of \(seconds) s exceeds the target of \(target) s")
    }
    let known: Set<String?> = [
      "#EXTM3U", "#EXT-X-VERSION", "#EXT-X-TARGETDURATION", "#EXT-X-MEDIA-SEQUENCE", "#EXT-X-PLAYLIST-TYPE",
      "#EXTINF", "#EXT-X-ENDLIST", nil,
    ]
    for line in playlist.lines where !known.contains(line.tag) {
      throw Broken("\(line.tag ?? "") does not belong into a playlist of captions")
    }
    let end = playlist.lines.suffix(3)
    guard playlist.lines.filter({ $0.tag == nil }).count == 1,
      end.map(\.tag) == ["#EXTINF", nil, "#EXT-X-ENDLIST"],
      try Lines.uri(end[end.startIndex + 1].value).ends(withBytesOf: ".vtt")
    else { throw Broken("it is not one segment and its end") }
  }
}

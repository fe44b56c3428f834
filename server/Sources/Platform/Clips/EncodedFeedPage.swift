public import Contract

/// A page of the feed or of a list of clips as the bytes that go out, made of texts that the database keeps
/// instead of values that are read from them: a page is mostly playback descriptors, and taking those apart
/// and putting them together again costs ten times what all else of a page does.
///
/// It says what `FeedPage` says (`FeedTextTests`), with the same keys in another order.
public struct EncodedFeedPage: Sendable {
  public var items: [EncodedClip]
  public var nextCursor: String?

  public init(items: [EncodedClip], nextCursor: String?) {
    self.items = items
    self.nextCursor = nextCursor
  }

  /// `isOpen`: whoever asks may comment on these clips whatever others may.
  public func json(commentsOpen isOpen: Bool) -> [UInt8] {
    var out: [UInt8] = []
    out.reserveCapacity(items.reduce(128) { $0 + $1.fixed.count + 256 })
    out += #"{"items":["#.utf8
    for (index, item) in items.enumerated() {
      if index > 0 { out.append(UInt8(ascii: ",")) }
      item.write(to: &out, commentsOpen: isOpen)
    }
    out += #"],"next_cursor":"#.utf8
    if let nextCursor { JSONText.write(nextCursor, to: &out) } else { out += "null".utf8 }
    out.append(UInt8(ascii: "}"))
    return out
  }
}

/// One clip of such a page.
public struct EncodedClip: Sendable {
  public let id: String
  /// The object as far as it is the same for everybody, without its last brace.
  public let fixed: [UInt8]
  public let visibility: Visibility
  public let comments: Commenting
  public var counts: Counts
  public var viewer: ClipViewer?
  public var reason: ClipReason?

  public init(
    id: String, fixed: [UInt8], visibility: Visibility, comments: Commenting, counts: Counts,
    viewer: ClipViewer?
  ) {
    self.id = id
    self.fixed = fixed
    self.visibility = visibility
    self.comments = comments
    self.counts = counts
    self.viewer = viewer
  }

  fileprivate func write(to out: inout [UInt8], commentsOpen isOpen: Bool) {
    out += fixed
    // Nobody comments on a private clip.
    let state = isOpen && visibility != .private ? Commenting.open : comments
    out += #","comments":"#.utf8
    JSONText.write(state.rawValue, to: &out)
    out += #","counts":{"comments":"#.utf8
    JSONText.write(Int64(counts.comments), to: &out)
    out += #","likes":"#.utf8
    JSONText.write(Int64(counts.likes), to: &out)
    out += #","reactions":{"#.utf8
    var isFirst = true
    for (name, count) in counts.reactions {
      if !isFirst { out.append(UInt8(ascii: ",")) }
      isFirst = false
      JSONText.write(name, to: &out)
      out.append(UInt8(ascii: ":"))
      JSONText.write(Int64(count), to: &out)
    }
    out += #"},"shares":"#.utf8
    JSONText.write(Int64(counts.shares), to: &out)
    out += #","views":"#.utf8
    JSONText.write(Int64(counts.views), to: &out)
    out.append(UInt8(ascii: "}"))
    if let reason { write(reason, to: &out) }
    if let viewer {
      out += #","viewer":{"bookmarked":\#(viewer.bookmarked),"following":\#(viewer.following),"#.utf8
      out += #""liked":\#(viewer.liked),"seen":\#(viewer.seen)}"#.utf8
    }
    out.append(UInt8(ascii: "}"))
  }
}

extension EncodedClip {
  private func write(_ reason: ClipReason, to out: inout [UInt8]) {
    out += #","reason":{"kind":"#.utf8
    JSONText.write(reason.kind.rawValue, to: &out)
    if let author = reason.author {
      out += #","author":{"handle":"#.utf8
      JSONText.write(author.handle, to: &out)
      out += #","id":"#.utf8
      JSONText.write(author.id, to: &out)
      out += #","name":"#.utf8
      JSONText.write(author.name, to: &out)
      out.append(UInt8(ascii: "}"))
    }
    if let clip = reason.clipId {
      out += #","clip_id":"#.utf8
      JSONText.write(clip, to: &out)
    }
    if let count = reason.count {
      out += #","count":"#.utf8
      JSONText.write(Int64(count), to: &out)
    }
    if let tag = reason.tag {
      out += #","tag":"#.utf8
      JSONText.write(tag, to: &out)
    }
    out.append(UInt8(ascii: "}"))
  }
}

/// Values as JSON, for what is too frequent for an encoder.
public enum JSONText {
  /// A string of RFC 8259, quotes included.
  public static func write(_ text: String, to out: inout [UInt8]) {
    var text = text
    text.withUTF8 { write(utf8: UnsafeRawBufferPointer($0), to: &out) }
  }

  /// The same of the bytes of a string.
  public static func write(utf8 text: UnsafeRawBufferPointer, to out: inout [UInt8]) {
    out.append(UInt8(ascii: "\""))
    // From here on nothing was written yet.
    var start = 0
    for (index, byte) in text.enumerated()
    where byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
      out += text[start..<index]
      start = index + 1
      if byte < 0x20 {
        out += #"\u00\#(byte < 16 ? "0" : "")\#(String(byte, radix: 16))"#.utf8
      } else {
        out += [UInt8(ascii: "\\"), byte]
      }
    }
    out += text[start...]
    out.append(UInt8(ascii: "\""))
  }

  /// With zeros in front of it where it has fewer digits.
  public static func write(_ number: Int64, digits: Int = 1, to out: inout [UInt8]) {
    if number < 0 { out.append(UInt8(ascii: "-")) }
    // Of the first digit.
    var (scale, count) = (UInt64(1), 1)
    while count < digits || number.magnitude / scale >= 10 { (scale, count) = (scale * 10, count + 1) }
    while scale > 0 {
      out.append(UInt8(ascii: "0") + UInt8(number.magnitude / scale % 10))
      scale /= 10
    }
  }

  /// As RFC 3339 in whole seconds, as the wire's coder writes it.
  public static func write(dateMs: Int64, to out: inout [UInt8]) {
    let seconds = dateMs / 1000 - (dateMs % 1000 < 0 ? 1 : 0)
    let (days, rest) = (
      seconds / 86_400 - (seconds % 86_400 < 0 ? 1 : 0), (seconds % 86_400 + 86_400) % 86_400
    )
    // Howard Hinnant's: years begin with March, so that the day that comes and goes is the last of one.
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    out.append(UInt8(ascii: "\""))
    write(year, digits: 4, to: &out)
    out.append(UInt8(ascii: "-"))
    write(month, digits: 2, to: &out)
    out.append(UInt8(ascii: "-"))
    write(day, digits: 2, to: &out)
    out.append(UInt8(ascii: "T"))
    write(rest / 3600, digits: 2, to: &out)
    out.append(UInt8(ascii: ":"))
    write(rest / 60 % 60, digits: 2, to: &out)
    out.append(UInt8(ascii: ":"))
    write(rest % 60, digits: 2, to: &out)
    out += #"Z""#.utf8
  }
}

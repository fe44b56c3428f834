internal import Contract
internal import Foundation
internal import Platform

/// Reads WebVTT (W3C) and SubRip as people have them: any line endings, UTF-8, or UTF-16 that says so; cues
/// in any order, overlapping, empty, without counters or blank lines in between.
///
/// What only concerns looks is left out. What cannot be a time is an error that names its line, since half of
/// somebody's captions would be worse than none. Work and memory are linear in the file, which is bounded.
public enum CaptionReader {
  /// `durationMs`: how long the clip is; nil: not known yet. Cues that begin behind its end are left out.
  ///
  /// Throws `captions_too_large`, `captions_unreadable` and `captions_empty`.
  public static func read(_ bytes: [UInt8], durationMs: Int?) throws -> [Cue] {
    guard bytes.count <= Limits.captionsBytes else { throw AppError(.captionsTooLarge) }
    let lines = try CaptionLines.read(bytes)
    let blocks = try isWebVTT(lines) ? webVTT(lines) : subRip(lines)
    guard blocks.count <= Limits.captionsCues else {
      throw unreadable(blocks[Limits.captionsCues].line, "there are more than \(Limits.captionsCues) cues")
    }
    let end = durationMs ?? Limits.durationMs + Limits.durationToleranceMs
    var cues: [Cue] = []
    for block in blocks {
      // Before anything is read in it: markup may say more than what is shown, and not this much more.
      guard block.text.reduce(0, { $0 + $1.utf8.count }) <= Limits.captionsCueBytes else {
        throw unreadable(block.line, "a cue has more than \(Limits.captionsCueBytes) bytes")
      }
      let text = CueText(block.text.joined(separator: "\n"), block.dialect)
      let length = text.runs.reduce(0) { $0 + $1.text.unicodeScalars.count }
      guard length <= Limits.captionsCueLength else {
        throw unreadable(block.line, "a cue has more than \(Limits.captionsCueLength) characters")
      }
      let (start, stop) = (max(0, block.startMs), min(block.endMs, end))
      guard length > 0, start < stop else { continue }
      cues.append(Cue(startMs: start, endMs: stop, text: text))
    }
    guard !cues.isEmpty else {
      throw AppError(
        .captionsEmpty,
        blocks.isEmpty ? nil : "No cue of the file has a text and a time within the clip.")
    }
    return cues.enumerated().sorted {
      ($0.element.startMs, $0.element.endMs, $0.offset) < ($1.element.startMs, $1.element.endMs, $1.offset)
    }.map(\.element)
  }

  struct Block {
    /// From 1, of the timing.
    var line: Int
    var startMs: Int
    var endMs: Int
    var text: [String]
    var dialect: CueText.Dialect
  }

  static func unreadable(_ line: Int, _ reason: String) -> AppError {
    AppError(.captionsUnreadable, "Line \(line): \(reason).")
  }

  private static let arrow = "-->"

  private static func isWebVTT(_ lines: [String]) -> Bool {
    guard let first = lines.first, first.starts(withBytesOf: "WEBVTT") else { return false }
    return first.dropFirst(6).first.map { $0 == " " || $0 == "\t" } ?? true
  }

  /// A timing begins a cue wherever it stands, as in the standard's parser; a cue ends with a blank line.
  private static func webVTT(_ lines: [String]) throws -> [Block] {
    var blocks: [Block] = []
    var isOpen = false
    // Notes and style sheets may hold anything.
    var isNote = false
    for (place, line) in lines.enumerated().dropFirst() {
      if line.isEmpty {
        (isOpen, isNote) = (false, false)
      } else if line.contains(arrow), !isNote, !isNoteStart(line) {
        blocks.append(try begin(line, place + 1, .webVTT))
        isOpen = true
      } else if isOpen {
        blocks[blocks.count - 1].text.append(line)
      } else if isNoteStart(line) {
        isNote = true
      }
    }
    return blocks
  }

  private static func isNoteStart(_ line: String) -> Bool {
    ["NOTE", "STYLE", "REGION"].contains {
      line == $0 || line.starts(withBytesOf: $0 + " ") || line.starts(withBytesOf: $0 + "\t")
    }
  }

  /// All between two timings is the first one's text, but for the second one's counter.
  private static func subRip(_ lines: [String]) throws -> [Block] {
    guard lines.contains(where: { $0.contains(arrow) }) else {
      throw unreadable(
        1, "this is neither WebVTT, which begins with WEBVTT, nor SubRip, which has times with -->")
    }
    var blocks: [Block] = []
    for (place, line) in lines.enumerated() {
      if line.contains(arrow) {
        if !blocks.isEmpty { dropCounter(&blocks[blocks.count - 1].text, of: blocks.count + 1) }
        blocks.append(try begin(line, place + 1, .subRip))
      } else if !blocks.isEmpty {
        blocks[blocks.count - 1].text.append(line)
      }
    }
    return blocks
  }

  /// A number right before the next timing, which stands behind a blank line, is all there is, or is the next
  /// cue's.
  private static func dropCounter(_ text: inout [String], of next: Int) {
    guard let last = text.last?.filter({ $0 != " " }), !last.isEmpty,
      last.utf8.allSatisfy({ (48...57).contains($0) }),
      text.count == 1 || text[text.count - 2].isEmpty || SafeInteger.read(last) == next
    else { return }
    text.removeLast()
  }

  private static func begin(_ line: String, _ number: Int, _ dialect: CueText.Dialect) throws -> Block {
    guard let (start, end) = CueTiming.read(line) else {
      throw unreadable(
        number,
        "“\(PlainText.line(BoundedText.cut(line, toScalars: 60)))” is no time from one instant to another")
    }
    return Block(line: number, startMs: start, endMs: end, text: [], dialect: dialect)
  }
}

/// The lines of a caption file, whichever way they end.
enum CaptionLines {
  static func read(_ bytes: [UInt8]) throws -> [String] {
    guard !bytes.isEmpty else { throw AppError(.captionsEmpty) }
    let isLittle = bytes.starts(with: [0xFF, 0xFE])
    if isLittle || bytes.starts(with: [0xFE, 0xFF]) {
      guard let text = utf16(bytes.dropFirst(2), isLittle: isLittle) else {
        throw AppError(
          .captionsUnreadable, "The file is not whole UTF-16. Save it as UTF-8 and send it again.")
      }
      return split(Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) }
    }
    let lines = split(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes)
    return try lines.enumerated().map { number, line in
      guard let text = String(validating: line, as: UTF8.self) else {
        throw CaptionReader.unreadable(
          number + 1, "this is not UTF-8 text; save the file as UTF-8 and send it again")
      }
      return text
    }
  }

  private static func utf16(_ bytes: ArraySlice<UInt8>, isLittle: Bool) -> String? {
    guard bytes.count % 2 == 0 else { return nil }
    let units = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map { place in
      let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
      return isLittle ? second << 8 | first : first << 8 | second
    }
    return String(validating: units, as: UTF16.self)
  }

  /// By CR LF, LF or CR.
  private static func split(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var start = 0
    for (place, byte) in bytes.enumerated() where byte == 10 || byte == 13 {
      // The LF of a CR LF ended nothing.
      if byte == 10, place > 0, bytes[place - 1] == 13 {
        start = place + 1
        continue
      }
      lines.append(bytes[start..<place])
      start = place + 1
    }
    return lines + [bytes[start...]]
  }
}

/// "00:01:02.500 --> 00:01:04,000 and settings", hours optional and of any size, fractions of one to three
/// digits, more cut off.
enum CueTiming {
  /// A day in hours, a thousand times: beyond, somebody wrote no time.
  private static let mostHours = 99_999

  static func read(_ line: String) -> (startMs: Int, endMs: Int)? {
    var rest = Substring(line).utf8[...]
    guard let start = time(&rest) else { return nil }
    skipBlanks(&rest)
    guard rest.starts(with: "-->".utf8) else { return nil }
    rest = rest.dropFirst(3)
    guard let end = time(&rest), rest.first.map({ $0 == 32 || $0 == 9 }) ?? true else { return nil }
    return (start, end)
  }

  private static func time(_ rest: inout Substring.UTF8View.SubSequence) -> Int? {
    skipBlanks(&rest)
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative { rest = rest.dropFirst() }
    var parts: [Int] = []
    repeat {
      if !parts.isEmpty { rest = rest.dropFirst() }
      guard let number = digits(&rest) else { return nil }
      parts.append(number)
    } while rest.first == UInt8(ascii: ":") && parts.count < 3
    guard parts.count >= 2, parts.dropFirst().allSatisfy({ $0 < 60 }) else { return nil }
    let hours = parts.count == 3 ? parts[0] : 0
    let minutes = parts[parts.count - 2]
    guard hours <= mostHours, minutes < 60 else { return nil }
    var ms = ((hours * 60 + minutes) * 60 + parts[parts.count - 1]) * 1000
    if rest.first == UInt8(ascii: ".") || rest.first == UInt8(ascii: ",") {
      rest = rest.dropFirst()
      let fraction = rest.prefix { (48...57).contains($0) }
      guard (1...9).contains(fraction.count) else { return nil }
      rest = rest.dropFirst(fraction.count)
      ms += zip(fraction, [100, 10, 1]).reduce(0) { $0 + Int($1.0 - 48) * $1.1 }
    }
    return isNegative ? -ms : ms
  }

  private static func digits(_ rest: inout Substring.UTF8View.SubSequence) -> Int? {
    let found = rest.prefix { (48...57).contains($0) }
    guard (1...9).contains(found.count) else { return nil }
    rest = rest.dropFirst(found.count)
    return found.reduce(0) { $0 * 10 + Int($1 - 48) }
  }

  private static func skipBlanks(_ rest: inout Substring.UTF8View.SubSequence) {
    rest = rest.drop { $0 == 32 || $0 == 9 }
  }
}

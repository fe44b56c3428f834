internal import Contract
internal import Platform

/// multipart/form-data (RFC 7578) of strangers, as far as fields of text and a file need it: no encodings.
enum FormBody {
  struct Part: Sendable, Equatable {
    let name: String
    /// Empty for a file.
    let text: String
    /// Of a part that names a file, whatever the name is; nil: it is a field.
    var file: [UInt8]?
  }

  private static let mostParts = 32
  private static let lineEnd = Array("\r\n".utf8)
  private static let headEnd = Array("\r\n\r\n".utf8)

  /// `type`: as the header says it, with its parameters.
  static func isOne(_ type: String) -> Bool {
    let word = type.split(atByte: UInt8(ascii: ";")).first.map { String($0.withoutBlanks).lowercased() }
    return word == "multipart/form-data"
  }

  /// Throws `request_refused`.
  static func parts(of bytes: [UInt8], type: String) throws -> [Part] {
    guard let boundary = parameter("boundary", in: type), (1...70).contains(boundary.utf8.count) else {
      throw AppError(.requestRefused, "The form names no boundary.", field: "Content-Type")
    }
    let mark = Array("--\(boundary)".utf8)
    guard bytes.starts(with: mark) else { throw broken }
    var rest = bytes.dropFirst(mark.count)
    var parts: [Part] = []
    // Behind the last one stand two hyphens.
    while !rest.starts(with: "--".utf8) {
      guard rest.starts(with: lineEnd), parts.count < mostParts,
        let next = place(of: lineEnd + mark, in: bytes, rest.indices),
        let head = place(of: headEnd, in: bytes, rest.startIndex..<next)
      else { throw broken }
      parts.append(
        try part(head: bytes[rest.startIndex..<head], content: bytes[(head + headEnd.count)..<next]))
      rest = bytes[(next + lineEnd.count + mark.count)...]
    }
    return parts
  }

  /// Where the words begin for the first time that lie in the range. NB: a file has millions of bytes.
  private static func place(of words: [UInt8], in bytes: [UInt8], _ range: Range<Int>) -> Int? {
    bytes.withUnsafeBufferPointer { bytes in
      words.withUnsafeBufferPointer { words in
        guard let first = words.first, range.count >= words.count else { return nil }
        for start in range.lowerBound...(range.upperBound - words.count) where bytes[start] == first {
          var length = 1
          while length < words.count, bytes[start + length] == words[length] { length += 1 }
          if length == words.count { return start }
        }
        return nil
      }
    }
  }

  private static func part(head: ArraySlice<UInt8>, content: ArraySlice<UInt8>) throws -> Part {
    let lines = head.split { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }
      .map { String(decoding: $0, as: UTF8.self) }
    let line = lines.first { $0.lowercased().starts(withBytesOf: "content-disposition:") }
    guard let name = line.flatMap({ parameter("name", in: $0) }) else { throw broken }
    let isFile = line.flatMap { parameter("filename", in: $0) } != nil
    let text = isFile ? "" : String(decoding: content, as: UTF8.self)
    guard !StackedMarks.areTooMany(in: name), !StackedMarks.areTooMany(in: text) else { throw broken }
    return Part(name: name, text: text, file: isFile ? Array(content) : nil)
  }

  /// What stands behind the name, without quotation marks.
  private static func parameter(_ name: String, in text: String) -> String? {
    for word in text.split(atByte: UInt8(ascii: ";")).dropFirst() {
      let halves = word.split(atByte: UInt8(ascii: "="), maxSplits: 1, omittingEmpty: false)
      guard halves.count == 2, String(halves[0].withoutBlanks).lowercased() == name else { continue }
      let value = Array(String(halves[1].withoutBlanks).utf8)
      let mark = UInt8(ascii: "\"")
      let isQuoted = value.count >= 2 && value.first == mark && value.last == mark
      return String(decoding: isQuoted ? value.dropFirst().dropLast() : value[...], as: UTF8.self)
    }
    return nil
  }

  private static var broken: AppError { AppError(.requestRefused, "The form cannot be read.") }
}

import Foundation

/// multipart/form-data as a server reads it.
struct FormReader {
  struct Part {
    var name: String
    var file: String?
    var type: String?
    var content: [UInt8]
    var text: String { String(decoding: content, as: UTF8.self) }
  }

  let parts: [Part]

  subscript(name: String) -> Part? { parts.first { $0.name == name } }

  /// Nil: it is none.
  init?(_ body: [UInt8], type: String) {
    guard let match = type.wholeMatch(of: /multipart\/form-data; boundary=([A-Za-z0-9-]{1,70})/) else {
      return nil
    }
    let mark = Array("--\(match.1)".utf8)
    let places = body.ranges(of: mark)
    guard places.count >= 2, places[0].lowerBound == 0, body.suffix(4).elementsEqual("--\r\n".utf8) else {
      return nil
    }
    var parts: [Part] = []
    for (place, next) in zip(places, places.dropFirst()) {
      // Behind the mark and before the next one stands the end of a line.
      guard place.upperBound + 2 <= next.lowerBound - 2 else { return nil }
      let bytes = Array(body[(place.upperBound + 2)..<(next.lowerBound - 2)])
      guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
      let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
      guard let name = head.firstMatch(of: /name="([^"]*)"/) else { return nil }
      parts.append(
        Part(
          name: String(name.1), file: (head.firstMatch(of: /filename="([^"]*)"/)?.1).map(String.init),
          type: (head.firstMatch(of: /Content-Type: ([^\r]+)/)?.1).map(String.init),
          content: Array(bytes[end.upperBound...])))
    }
    self.parts = parts
  }
}

import Foundation

/// Numbers by which the web client knows values of the core, as a module of it has them:
/// `const NAME = Object.freeze({ empty: 0, sending: 6 })`, or the names alone, in their order, as
/// `const NAME = ['impression', 'first_frame']`.
public enum ClientValues {
  public struct Missing: Error { public let name: String, module: String }

  /// `module`: its path under web/app.
  public static func numbers(_ name: String, in module: String) throws -> [String: Int64] {
    let list = try between("const \(name) = Object.freeze({", "})", name, module)
    return list.split(separator: ",").reduce(into: [:]) { values, pair in
      let words = pair.split(separator: ":").map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
      if words.count == 2 { values[words[0]] = Int64(words[1]) }
    }
  }

  public static func names(_ name: String, in module: String) throws -> [String] {
    try between("const \(name) = [", "]", name, module).split(separator: ",").map {
      $0.trimmingCharacters(in: CharacterSet(charactersIn: " \n'"))
    }
  }

  /// All cases by their names. NB: values are small.
  public static func numbers<Value: RawRepresentable>(of type: Value.Type) -> [String: Int64]
  where Value.RawValue: FixedWidthInteger {
    (0..<256).reduce(into: [:]) { values, number in
      if let value = Value(rawValue: Value.RawValue(number)) { values["\(value)"] = Int64(number) }
    }
  }

  /// The same in their order, as the API writes names: `first_frame`.
  public static func names<Value: RawRepresentable>(of type: Value.Type) -> [String]
  where Value.RawValue: FixedWidthInteger {
    numbers(of: type).sorted { $0.value < $1.value }.map { name, _ in
      name.reduce(into: "") { $0 += $1.isUppercase ? "_" + $1.lowercased() : String($1) }
    }
  }

  private static func between(
    _ opening: String, _ closing: String, _ name: String, _ module: String
  ) throws -> Substring {
    let app = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../web/app").standardizedFileURL
    let text = try String(contentsOf: app.appending(path: module), encoding: .utf8)
    guard let begin = text.range(of: opening)?.upperBound,
      let end = text.range(of: closing, range: begin..<text.endIndex)?.lowerBound
    else { throw Missing(name: name, module: module) }
    return text[begin..<end]
  }
}

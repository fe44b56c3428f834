internal import Foundation
internal import Yams

/// A configuration file: YAML, each key the name of a setting, each value one text or number.
public struct ConfigurationFile {
  /// The settings that it says something of, in its order.
  public let settings: [Setting]
  /// Whether others than the owner of the file may read it.
  public let isOpenToOthers: Bool

  public var isEmpty: Bool { settings.isEmpty }

  private static let mostBytes = 1 << 20

  /// Throws `Wrong` with everything that is wrong, not just the first.
  public init(_ path: String) throws {
    let data: Data
    do {
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      guard (attributes[.size] as? Int ?? 0) <= Self.mostBytes else {
        throw Wrong(["\(path) is too large for a configuration file."])
      }
      isOpenToOthers = (attributes[.posixPermissions] as? Int ?? 0) & 0o077 != 0
      data = try Data(contentsOf: URL(fileURLWithPath: path))
    } catch let error as Wrong {
      throw error
    } catch {
      throw Wrong(["\(path) cannot be read: \((error as NSError).localizedDescription)"])
    }
    guard let text = String(data: data, encoding: .utf8) else { throw Wrong(["\(path) is not UTF-8 text."]) }
    let root: Node?
    do {
      root = try Yams.compose(yaml: text)
    } catch {
      throw Wrong(["\(path): \(error)"])
    }
    guard let root, root.null == nil else {
      settings = []
      return
    }
    guard let mapping = root.mapping else {
      throw Wrong(["\(path): a configuration file is a list of lines `name: value`."])
    }
    var found: [Setting] = []
    var faults: [String] = []
    for (key, value) in mapping {
      let place = "\(path):\(key.mark?.line ?? 0)"
      let name = key.scalar?.string ?? ""
      guard let setting = Setting.named(name) else {
        let near = Self.nearest(to: name).map { " Is \($0) meant?" } ?? ""
        faults.append("\(place): there is no setting named \(name.debugDescription).\(near)")
        continue
      }
      guard let text = value.scalar?.string else {
        faults.append("\(place): \(name) must be one value, neither a list nor a table.")
        continue
      }
      if !text.isEmpty, !setting.accepts(text) { faults.append("\(place): \(name) \(setting.demand).") }
      found.append(setting)
    }
    guard faults.isEmpty else { throw Wrong(faults) }
    settings = found
  }

  /// The setting that a person most likely meant; nil if none is like it.
  private static func nearest(to name: String) -> String? {
    let near = Setting.candidates(for: name).map {
      ($0.name, distance(Array($0.name.utf8), Array(name.utf8)))
    }.min {
      $0.1 < $1.1
    }
    return near.flatMap { $0.1 <= max(2, name.utf8.count / 4) ? $0.0 : nil }
  }

  /// How many letters must be added, removed or changed to make one of the other (Levenshtein).
  private static func distance(_ one: [UInt8], _ other: [UInt8]) -> Int {
    var row = Array(0...other.count)
    for (i, a) in one.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, b) in other.enumerated() {
        let above = row[j + 1]
        row[j + 1] = min(above + 1, row[j] + 1, diagonal + (a == b ? 0 : 1))
        diagonal = above
      }
    }
    return row[other.count]
  }

  public struct Wrong: Error, CustomStringConvertible {
    public let faults: [String]

    init(_ faults: [String]) { self.faults = faults }

    public var description: String { faults.joined(separator: "\n") }
  }
}

internal import Contract
internal import Crypto

/// Of a database: its name and its columns.
public struct WholeTable: Sendable, Equatable {
  public let name: String
  public let columns: [String]

  public init(_ name: String, _ columns: [String]) {
    self.name = name
    self.columns = columns
  }
}

/// A database that nobody else can use as long as this one lives, to be read from one end to the other.
public protocol DatabaseDump: Sendable {
  /// All of them, those that others refer to before these.
  func tables() throws -> [WholeTable]
  /// Every row, in any order; values stand as the columns do.
  func rows(of table: WholeTable, _ body: ([SQLValue]) throws -> Void) throws
}

/// What a table holds, in a few numbers that do not depend on the order of its rows.
public struct TableDigest: Sendable, Equatable {
  public private(set) var rows = 0
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  public init() {}

  public mutating func add(_ row: [SQLValue]) {
    var hash = SHA256()
    for value in row {
      // A letter and a length, so that no two rows read alike.
      switch value {
      case .null: hash.update(data: Array("n".utf8))
      case .integer(let number): hash.update(data: Array("i\(number);".utf8))
      case .text(let text): hash.update(data: Array("t\(text.utf8.count);\(text)".utf8))
      }
    }
    let words = Array(hash.finalize())
    func word(_ start: Int) -> UInt64 { words[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) } }
    rows += 1
    low &+= word(0)
    high &+= word(8)
  }

  /// Of a whole database: equal if all of its tables are.
  public static func text(_ tables: [String: TableDigest]) -> String {
    let lines = tables.sorted { $0.key < $1.key }.map { name, digest in
      "\(name) \(digest.rows) \(digest.high) \(digest.low)\n"
    }
    return ContentHash.of(Array(lines.joined().utf8))
  }
}

/// What a database says of its own move, in its `settings`. These rows do not move.
public enum MoveMark {
  /// In the one that was left: where to.
  public static let to = "moved_to"
  /// In the new one: the digest of what came.
  public static let from = "moved_from"

  static let all: Set<String> = [to, from]

  /// Not a part of what an instance knows.
  public static func isMark(_ row: [SQLValue], of table: WholeTable) -> Bool {
    guard table.name == "settings", let place = table.columns.firstIndex(of: "name"),
      case .text(let name) = row[place]
    else { return false }
    return all.contains(name)
  }
}

extension DatabaseDump {
  /// The tables that an instance fills: each process knows the steps of its schema by itself.
  public func filledTables() throws -> [WholeTable] { try tables().filter { $0.name != "schema_migrations" } }

  public func digest() throws -> String {
    var all: [String: TableDigest] = [:]
    for table in try filledTables() {
      var digest = TableDigest()
      try rows(of: table) { if !MoveMark.isMark($0, of: table) { digest.add($0) } }
      all[table.name] = digest
    }
    return TableDigest.text(all)
  }
}

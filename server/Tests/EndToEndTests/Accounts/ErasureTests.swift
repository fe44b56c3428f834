import Accounts
import Contract
import Devices
import Foundation
import Maintenance
import Moderation
import Platform
import Testing

@testable import Composition
@testable import PlatformTesting
@testable import ServerTesting

/// A deleted account leaves no row that names it, in whatever table: which there are is read from the schema.
@Suite struct ErasureTests {
  private let bench: TestInstance
  private let clock = TestTime(ms: SystemTime().nowMs)
  private let accounts: Accounts

  init() async throws {
    bench = try await TestInstance()
    accounts = try await bench.instance.accounts(hashing: CountingPasswords(), time: clock)
  }

  @Test func aDeletedAccountIsInNoTable() async throws {
    let columns = try await bench.instance.database.read { try SchemaColumn.all(in: $0) }
    let persons = columns.filter(\.isOfPerson)
    try #require(Set(persons.map(\.table)).count > 20, "the schema was read")
    let session = try await accounts.signUp(NewAccount("mara"), guest: nil, client: "")
    let mara = session.account.id
    let paul = try await accounts.signUp(NewAccount("paul"), guest: nil, client: "").account.id
    let clip = try await bench.publishBare("clip", by: paul)
    let device = try await bench.instance.devices(topic: "org.example").register(
      NewPushDevice(token: String(repeating: "b", count: 64), environment: .sandbox, topic: "org.example"),
      by: Viewer(id: "somebody", standing: .guest))
    let report = NewReport(kind: .clip, subjectID: clip, reason: .other)
    let moderation = try await bench.instance.moderation(accounts)
    _ = try await moderation.report(report, by: "somebody")
    let cases = try await moderation.cases(.open, cursor: nil, limit: 1).items.map(\.id)
    try await bench.instance.database.write { transaction in
      for (number, person) in persons.enumerated() {
        try Self.insert(
          mara, in: person, number, among: columns.filter { $0.table == person.table },
          parents: [
            "clips": clip, "authors": paul, "accounts": paul, "sessions": session.id,
            "push_devices": device.id, "moderation_cases": cases.first ?? "",
          ], transaction)
      }
    }
    let before = try await tables(naming: mara, columns)
    #expect(Set(persons.map(\.table)).subtracting(before).isEmpty)

    try await accounts.delete(mara, AccountDeletion(password: NewAccount("mara").password))
    clock.advance(ms: ErasureLog.settledMs + 1)
    try await bench.instance.secondLook(at: clock).run()
    let left = try await tables(naming: mara, columns)
    #expect(left == [])
    // What is somebody else's is still there.
    #expect(try await tables(naming: paul, columns).isSuperset(of: ["accounts", "authors", "clips"]))
  }

  private func tables(naming id: String, _ columns: [SchemaColumn]) async throws -> Set<String> {
    try await bench.instance.database.read { transaction in
      Set(
        try columns.filter { column in
          try column.isText
            && !transaction.query(
              "SELECT 1 AS one FROM \(column.table) WHERE instr(\(column.name), ?) > 0 LIMIT 1", [.text(id)]
            ).isEmpty
        }.map(\.table))
    }
  }

  /// A row that names this person in this column, and is otherwise somebody else's.
  private static func insert(
    _ id: String, in person: SchemaColumn, _ number: Int, among columns: [SchemaColumn],
    parents: [String: String],
    _ transaction: any Transaction
  ) throws {
    // These say an account as they say the address of a guest.
    let isOwner = person.name == "account" && ["uploads", "jobs"].contains(person.table)
    var values: [(String, SQLValue)] = [
      (person.name, .text(isOwner ? UploadOwner.account(id).description : id))
    ]
    for column in columns where column.name != person.name && (column.needsValue || column.parent != nil) {
      if let parent = column.parent.flatMap({ parents[$0] }) {
        values.append((column.name, .text(parent)))
      } else {
        values.append((column.name, column.isText ? .text("x\(number)") : .integer(Int64(number))))
      }
    }
    try transaction.execute(
      """
      INSERT INTO \(person.table) (\(values.map(\.0).joined(separator: ", ")))
      VALUES (\(values.map { _ in "?" }.joined(separator: ", ")))
      """, values.map(\.1))
  }
}

internal import CPostgreSQL
internal import Foundation
internal import Platform

/// One connection of libpq, used by the thread that made it and by no other.
///
/// Every answer is waited for with an end, so that a server which is there but answers no more costs one
/// connection for a while and never a thread for ever.
final class Connection {
  private struct Prepared {
    let name: String
    /// Of its placeholders, as the server understands them.
    let types: [Oid]
    var lastUse: Int

    func takes(_ values: [SQLValue]) -> Bool {
      zip(types, values).allSatisfy { type, value in
        switch value {
        case .null: true
        case .integer: type == Connection.int8
        case .text: type == Connection.text
        }
      }
    }
  }

  fileprivate static let (int8, text) = (Oid(20), Oid(25))

  private let handle: OpaquePointer
  private let limits: PostgreSQLLimits
  /// By statement. One has several only if what one use takes for a number is a text to another.
  private var prepared: [String: [Prepared]] = [:]
  private var uses = 0
  private var names = 0
  /// The answer to a `COMMIT` that nobody waited for is still to be read.
  private var owesAnswer = false
  /// Told together with the next statement.
  private var begin: String?
  /// Statements of the transaction at hand may take as long as they like.
  var isPatient = false

  /// Throws `Unreachable`.
  init(_ address: PostgreSQLAddress, _ limits: PostgreSQLLimits) throws {
    let parameters = address.parameters(limits)
    let keywords = parameters.keys.sorted()
    var (names, values) = (keywords.map { strdup($0) }, keywords.map { strdup(parameters[$0] ?? "") })
    defer { (names + values).forEach { free($0) } }
    names.append(nil)
    values.append(nil)
    let made = names.withUnsafeBufferPointer { names in
      values.withUnsafeBufferPointer { values in
        names.withMemoryRebound(to: UnsafePointer<CChar>?.self) { names in
          values.withMemoryRebound(to: UnsafePointer<CChar>?.self) { values in
            PQconnectdbParams(names.baseAddress, values.baseAddress, 0)
          }
        }
      }
    }
    guard let made else { throw Unreachable(reason: "no memory for a connection") }
    (handle, self.limits) = (made, limits)
    guard PQstatus(handle) == CONNECTION_OK else { throw Unreachable(reason: complaint) }
    // Its own would go to the standard error of the process.
    PQsetNoticeProcessor(handle, { _, _ in }, nil)
    do {
      try control(
        """
        SET statement_timeout = \(limits.statementMs); SET lock_timeout = \(limits.lockMs);
        SET idle_in_transaction_session_timeout = \(limits.idleInTransactionMs);
        SET standard_conforming_strings = on
        """)
    } catch let trouble as TransactionFailure {
      throw Unreachable(reason: trouble.reason)
    }
  }

  deinit { PQfinish(handle) }

  /// What libpq says was wrong, in one line.
  private var complaint: String {
    String(cString: PQerrorMessage(handle)).split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  /// Whether the next transaction can begin on it.
  var isUsable: Bool { PQstatus(handle) == CONNECTION_OK && PQtransactionStatus(handle) == PQTRANS_IDLE }

  /// Statements without values that are told once: the bounds of transactions.
  @discardableResult
  func control(_ sql: String) throws -> String {
    try answer(PQsendQuery(handle, sql), to: sql).word
  }

  /// Asked for, but not waited for: nothing hangs on the answer. `settle` comes before anything else.
  func controlLater(_ sql: String) {
    owesAnswer = PQsendQuery(handle, sql) == 1
  }

  func settle() {
    guard owesAnswer else { return }
    owesAnswer = false
    _ = try? answer(1, to: "COMMIT")
  }

  /// What begins a transaction goes out with its first statement, in one message: one round trip instead of
  /// two.
  func beginWithNext(_ sql: String) { begin = sql }

  /// Whether a statement has been told since. If none was, there is nothing to end.
  func hasBegun() -> Bool {
    defer { begin = nil }
    return begin == nil
  }

  func run(_ sql: String, _ values: [SQLValue]) throws -> Answer {
    let name = try prepare(sql, values)
    guard let begin else { return try answer(send(name, values), to: sql) }
    let beginning = try prepare(begin, [])
    self.begin = nil
    guard PQenterPipelineMode(handle) == 1 else { throw TransactionFailure.lost(complaint) }
    let sent = send(beginning, []) == 1 && send(name, values) == 1 && PQpipelineSync(handle) == 1
    let end = patience
    // NB: all answers are taken in whatever they say, or the next statement would get them.
    let answers = try (0..<3).map { _ in try lastResult(sent ? 1 : 0, until: end, isPipelined: true) }
    guard PQexitPipelineMode(handle) == 1 else { throw TransactionFailure.lost(complaint) }
    _ = try good(answers[0], to: begin)
    return try good(answers[1], to: sql)
  }

  private func send(_ name: String, _ values: [SQLValue]) -> Int32 {
    // All values in one piece of memory; a last byte, so that an empty text has an address as well. NULL has
    // none.
    var bytes: [UInt8] = []
    var ranges: [Range<Int>?] = []
    for value in values {
      let start = bytes.count
      switch value {
      case .null:
        ranges.append(nil)
        continue
      case .integer(let number): withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
      case .text(let text): bytes += text.utf8
      }
      ranges.append(start..<bytes.count)
    }
    bytes.append(0)
    return bytes.withUnsafeBytes { buffer in
      let base = buffer.bindMemory(to: CChar.self).baseAddress!
      let pointers = ranges.map { $0.map { base + $0.lowerBound } }
      let lengths = ranges.map { Int32($0?.count ?? 0) }
      // 1: binary, in which a text needs no end and a number no digits. 0: answers come as text.
      return PQsendQueryPrepared(
        handle, name, Int32(values.count), pointers, lengths, [Int32](repeating: 1, count: values.count), 0)
    }
  }

  /// A `COPY … FROM STDIN (FORMAT binary)`, during which the connection does nothing else. Returns when the
  /// server has taken all rows; what is wrong with one it may say only then.
  /// NB: puts wait for as long as the server takes, so only for a connection that `isPatient`.
  func load(_ sql: String, _ fill: (RowLoading) throws -> Void) throws {
    if let begin {
      self.begin = nil
      try control(begin)
    }
    guard try answer(PQsendQuery(handle, sql), to: sql).asksForRows else {
      throw TransactionFailure.lost("COPY was not begun")
    }
    let loading = RowLoading { [handle] bytes in
      bytes.withUnsafeBytes {
        PQputCopyData(handle, $0.bindMemory(to: CChar.self).baseAddress, Int32($0.count)) == 1
      }
    }
    do {
      try fill(loading)
      try loading.end()
    } catch {
      // The server forgets what came, and says so.
      if PQputCopyEnd(handle, "given up") == 1 { _ = try? answer(1, to: sql) }
      throw error
    }
    _ = try answer(PQputCopyEnd(handle, nil), to: sql)
  }

  /// All prepared statements, as after a change of the schema.
  func forgetPrepared() throws {
    prepared = [:]
    try control("DEALLOCATE ALL")
  }

  private func prepare(_ sql: String, _ values: [SQLValue]) throws -> String {
    // NB: numbers and texts say what they are, or `? * 1000` would be a number of 32 bits. What is nothing
    // has the type of what it is put into.
    let types = values.map { value -> Oid in
      switch value {
      case .null: 0
      case .integer: Self.int8
      case .text: Self.text
      }
    }
    uses += 1
    // NB: looked for once, since a thousand letters of a page's statement are hashed each time.
    if let place = prepared.index(forKey: sql),
      let index = prepared.values[place].firstIndex(where: { $0.takes(values) })
    {
      prepared.values[place][index].lastUse = uses
      return prepared.values[place][index].name
    }
    try makeRoom()
    names += 1
    let name = "s\(names)"
    _ = try answer(
      PQsendPrepare(handle, name, Placeholders.numbered(sql), Int32(types.count), types), to: sql)
    var understood = types
    if types.contains(0) {
      // So that the same statement serves when there is something in place of nothing.
      understood = try answer(PQsendDescribePrepared(handle, name), to: sql).parameterTypes
    }
    prepared[sql, default: []].append(Prepared(name: name, types: understood, lastUse: uses))
    return name
  }

  /// The one that was not used for longest goes.
  private func makeRoom() throws {
    let all = prepared.flatMap { sql, some in some.map { (sql: sql, it: $0) } }
    guard all.count >= limits.statements, let oldest = all.min(by: { $0.it.lastUse < $1.it.lastUse }) else {
      return
    }
    prepared[oldest.sql]?.removeAll { $0.name == oldest.it.name }
    if prepared[oldest.sql]?.isEmpty == true { prepared[oldest.sql] = nil }
    try control("DEALLOCATE \(oldest.it.name)")
  }

  /// The last result of what was sent. Throws `TransactionFailure`.
  private func answer(_ sent: Int32, to sql: String) throws -> Answer {
    try good(try lastResult(sent, until: patience), to: sql)
  }

  /// A little more than the server allows itself; nil: as long as it takes.
  private var patience: ContinuousClock.Instant? {
    isPatient ? nil : ContinuousClock.now + .milliseconds(limits.statementMs + 5000)
  }

  private func lastResult(
    _ sent: Int32, until end: ContinuousClock.Instant?, isPipelined: Bool = false
  ) throws -> Answer {
    guard sent == 1 else { throw TransactionFailure.lost(complaint) }
    var last: Answer?
    while true {
      while PQisBusy(handle) == 1 {
        try waitForBytes(until: end)
        guard PQconsumeInput(handle) == 1 else { throw TransactionFailure.lost(complaint) }
      }
      guard let result = PQgetResult(handle) else { break }
      let it = Answer(result)
      last = it
      // The end of a pipeline is one result, with nothing behind it. What asks for rows would come for ever,
      // until they have.
      if (isPipelined && it.isSync) || it.asksForRows { break }
    }
    guard let last else { throw TransactionFailure.lost(complaint) }
    return last
  }

  private func good(_ answer: Answer, to sql: String) throws -> Answer {
    guard answer.isGood else {
      guard var failure = answer.failure, !failure.isFatal, PQstatus(handle) == CONNECTION_OK else {
        throw TransactionFailure.lost(answer.failure?.description ?? complaint)
      }
      failure.statement = sql
      throw TransactionFailure.refused(failure)
    }
    return answer
  }

  private func waitForBytes(until end: ContinuousClock.Instant?) throws {
    while true {
      let left =
        end.map {
          max(0, Int32(clamping: Int64(clamping: (($0 - .now) / .milliseconds(1)).rounded(.towardZero))))
        } ?? -1
      var polled = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
      let count = poll(&polled, 1, left)
      if count > 0 { return }
      if count < 0, errno == EINTR { continue }
      throw TransactionFailure.lost(
        count == 0 ? "the server does not answer" : "the connection cannot be waited for")
    }
  }
}

/// A result of libpq.
final class Answer {
  private let pointer: OpaquePointer

  fileprivate init(_ pointer: OpaquePointer) {
    self.pointer = pointer
  }

  deinit { PQclear(pointer) }

  // NB: nothing of the result leaves this class but copies: it goes with the last reference.

  fileprivate var isGood: Bool {
    [PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_COPY_IN].contains(PQresultStatus(pointer))
  }

  fileprivate var asksForRows: Bool { PQresultStatus(pointer) == PGRES_COPY_IN }

  fileprivate var isSync: Bool { PQresultStatus(pointer) == PGRES_PIPELINE_SYNC }

  /// What the server says that it did: "COMMIT".
  fileprivate var word: String { String(cString: PQcmdStatus(pointer)) }

  fileprivate var parameterTypes: [Oid] { (0..<PQnparams(pointer)).map { PQparamtype(pointer, $0) } }

  /// How many rows a statement has changed.
  var changed: Int { Int(String(cString: PQcmdTuples(pointer)), radix: 10) ?? 0 }

  func each(_ body: (any RowInPlace) throws -> Void) rethrows {
    try withExtendedLifetime(self) {
      for row in 0..<PQntuples(pointer) { try body(ResultRow(result: pointer, row: row)) }
    }
  }

  func rows() throws -> [Row] {
    let columns = PQnfields(pointer)
    let places = Dictionary(
      (0..<columns).map { (String(cString: PQfname(pointer, $0)), Int($0)) },
      uniquingKeysWith: { first, _ in first })
    let types = (0..<columns).map { PQftype(pointer, $0) }
    return try (0..<PQntuples(pointer)).map { row in
      Row(places, try types.enumerated().map { try value(row, Int32($0), $1) })
    }
  }

  private func value(_ row: Int32, _ column: Int32, _ type: Oid) throws -> SQLValue {
    guard PQgetisnull(pointer, row, column) == 0, let start = PQgetvalue(pointer, row, column) else {
      return .null
    }
    let bytes = UnsafeRawBufferPointer(start: start, count: Int(PQgetlength(pointer, row, column)))
    let text = String(decoding: bytes, as: UTF8.self)
    switch type {
    // bool
    case 16: return .integer(text == "t" ? 1 : 0)
    // int2, int4, int8; and numeric, which sums of int8 are: whole numbers, or cut to such as SQLite's
    // averages are.
    case 20, 21, 23, 1700:
      guard let number = Int64(text.prefix { $0 != "." }, radix: 10) else {
        throw TransactionFailure.refused(
          SQLFailure(state: "22003", message: "number out of range", isFatal: false))
      }
      return .integer(number)
    // float4, float8
    case 700, 701:
      return Double(text).flatMap { Int64(exactly: $0.rounded(.towardZero)) }.map(SQLValue.integer) ?? .null
    default: return .text(text)
    }
  }

  fileprivate var failure: SQLFailure? {
    func field(_ code: Character) -> String? {
      PQresultErrorField(pointer, Int32(code.asciiValue ?? 0)).map { String(cString: $0) }
    }
    // Of libpq itself, as when the connection broke: without a state.
    guard let state = field("C") else { return nil }
    let severity = field("V")
    return SQLFailure(
      state: state, message: field("M") ?? "", isFatal: severity == "FATAL" || severity == "PANIC")
  }
}

/// A row of a result of libpq, in which everything is text.
private struct ResultRow: RowInPlace {
  let result: OpaquePointer
  let row: Int32

  func bytes(_ column: Int) -> UnsafeRawBufferPointer? {
    let column = Int32(column)
    guard PQgetisnull(result, row, column) == 0, let start = PQgetvalue(result, row, column) else {
      return nil
    }
    return UnsafeRawBufferPointer(start: start, count: Int(PQgetlength(result, row, column)))
  }

  func integer(_ column: Int) -> Int64? { text(column).flatMap { Int64($0, radix: 10) } }
}

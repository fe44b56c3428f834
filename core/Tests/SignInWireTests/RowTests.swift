import CoreTypes
import SignInSession
import SignInWire
import Testing

/// Rows against the table from which docs/design/sign-in.md is made.
@Suite struct RowTests {
  private static let request = APIRequestID(7)

  private static func name(_ value: some Any) -> String {
    String(String(describing: value).prefix { $0 != "(" })
  }

  @Test func everyEventIsReadFromItsRow() {
    let rows: [(row: [Int64], event: SignInSession.Event)] = [
      ([50], .woke), ([170, 3, 4], .accountFound(AccountID(3), TokenID(4))), ([171], .guestFound),
      ([172, 7, 0, 900], .requestWanted(Self.request, .reads, life: Milliseconds(900))),
      ([172, 7, 1, -900], .requestWanted(Self.request, .writes, life: Milliseconds(-900))),
      ([172, 7, 2, 0], .requestWanted(Self.request, .sentElsewhere, life: .zero)),
      ([173, 7], .requestAnswered(Self.request)),
      ([174, 7, 401, 1], .requestFailed(Self.request, status: 401, .accessTokenExpired)),
      ([174, 7, 401, 6], .requestFailed(Self.request, status: 401, .refreshTokenReused)),
      ([175], .turnCame), ([176], .refreshAnswered), ([177, 0], .refreshFailed(status: 0)),
    ]
    for (row, event) in rows {
      let read = row.withUnsafeBufferPointer { SignInSession.Event(words: $0) }
      #expect(read.map { String(describing: $0) } == String(describing: event))
      let kind = SignInEventKind(rawValue: row[0])!
      #expect("\(kind)" == Self.name(event))
      #expect(kind.row.fields.count == row.count - 1)
    }
    #expect(Set(rows.map { $0.row[0] }).count == SignInEventKind.allCases.count)
  }

  @Test func everyCommandHasTheFieldsOfItsTable() {
    let commands: [SignInSession.Command] = [
      .send(Self.request), .fail(Self.request, .refreshFailed), .awaitTurn, .refresh, .endTurn,
      .forgetSession,
    ]
    for command in commands {
      var words: [Int64] = []
      command.append(to: &words)
      let kind = SignInCommandKind(rawValue: words[0])!
      #expect("\(kind)" == Self.name(command))
      #expect(kind.row.fields.count == Int(words[1]) && words.count == Int(words[1]) + 2)
    }
    #expect(commands.count == SignInCommandKind.allCases.count)
  }

  @Test func rowsThatAreCutShortTooLongOrImpossibleAreRefused() {
    for words: [Int64] in [
      [], [169], [178], [170, 1], [170, 1, 1 << 40], [170, 1, 2, 3], [171, 0], [172, 1, 0], [172, 1, 3, 0],
      [172, 1, -1, 0], [173], [173, 1 << 40], [174, 1, 401], [174, 1, 401, 7], [174, 1, 401, -1], [175, 1],
      [177],
    ] {
      #expect(words.withUnsafeBufferPointer { SignInSession.Event(words: $0) } == nil, "\(words)")
    }
  }
}

public import CoreTesting
import CoreTypes
import SignInSession
public import SignInWire
import Testing

extension SignInEventKind: NamedRow {}
extension SignInCommandKind: NamedRow {}

extension RowNames {
  static let signIn = RowNames().adding(SignInEventKind.self, SignInCommandKind.self)
}

@Suite struct GoldenTraceTests {
  @Test(arguments: Recordings.all.keys.sorted())
  func theSessionGivesTheSameCommands(name: String) throws {
    if Trace.records { try Trace.write("sign-in/" + name, Recordings.all[name]!(), .signIn) }
    let golden = try Trace.read("sign-in/" + name)
    #expect(golden.count > 30)
    #expect(try Trace.text("sign-in/" + name) == golden.map(RowNames.signIn.added(to:)), "names")
    #expect(Trace.replay(golden, through: SignInSession.self) == golden)
  }
}

private enum Recordings {
  static let all: [String: @Sendable () -> [String]] = [
    "guest": guest, "refreshing": refreshing, "hostile": hostile,
  ]

  /// An empty row is a pause.
  private static func play(_ rows: [[Int64]]) -> [String] {
    var script = Script<SignInSession>()
    for row in rows {
      if !row.isEmpty { script.send(row) }
      script.wait(60)
    }
    return script.trace
  }

  /// The first thing left fails, the second is answered; signing in and out begins anew.
  @Sendable static func guest() -> [String] {
    play([
      [171], [172, 1, 0, 0], [172, 2, 1, 0], [172, 3, 1, 0], [172, 4, 1, 0], [172, 5, 2, 0], [173, 1],
      [174, 2, 0, 0],
      [173, 3], [173, 4], [172, 6, 1, 0], [174, 6, 401, 4], [170, 1, 1], [172, 7, 1, 600_000], [173, 7],
      [171],
      [172, 8, 1, 0], [172, 9, 1, 0], [170, 1, 2], [173, 9], [173, 8],
    ])
  }

  /// Before a token is over and after the server said so; by this tab, another one and nobody; until it is refused.
  @Sendable static func refreshing() -> [String] {
    play([
      [170, 1, 1], [172, 1, 0, 14_999], [172, 2, 1, 14_000], [175], [172, 3, 0, 9_000], [170, 1, 2], [176],
      [173, 1], [173, 2], [174, 3, 500, 0], [172, 4, 0, 500_000], [172, 5, 2, 500_000], [174, 4, 401, 1],
      [175], [],
      [170, 1, 3], [176], [174, 4, 401, 1], [172, 6, 0, 10], [170, 1, 4], [175], [173, 6], [],
      [172, 7, 1, 10], [175],
      [], [177, 0], [172, 8, 2, 10], [175], [], [177, 503], [172, 9, 1, 400_000], [172, 10, 1, 10],
      [170, 2, 5],
      [174, 9, 401, 3], [175], [], [172, 11, 1, 10], [175], [], [177, 401], [172, 12, 0, 0], [173, 12],
    ])
  }

  @Sendable static func hostile() -> [String] {
    Trace.hostile(
      SignInSession.self, seed: 11,
      fields: [
        (50...50, 0), (170...170, 2), (171...171, 0), (172...172, 3), (172...172, 3), (173...173, 1),
        (174...174, 3),
        (175...176, 0), (177...177, 1),
      ],
      start: [[170, 1, 1], [172, 1, 1, 100], [175]])
  }
}

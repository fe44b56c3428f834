import AppModel
import Contract
import Foundation

/// Comes back from a provider with what it is told to.
@MainActor final class FakeVisits: ProviderVisiting {
  var result: Result<SignInAnswer, any Error> = .success(
    SignInAnswer(transport: .token, flow: "flow", idToken: "token"))
  private(set) var visits: [String] = []

  func canVisit(_ provider: SignInProvider) -> Bool { provider.kind == .apple }

  func answer(of provider: SignInProvider, _ start: SignInStart) async throws -> SignInAnswer {
    visits.append(provider.id)
    return try result.get()
  }
}

/// Makes and uses passkeys as it is told to.
@MainActor final class FakeKeys: PasskeyPort {
  var site: String? = "clips.example"
  var made: Result<MadePasskey, any Error> = .success(
    MadePasskey(clientData: Data("client".utf8), attestation: Data([0xfb, 0xff])))
  var signed: Result<PasskeySignature, any Error> = .success(
    PasskeySignature(
      credential: Data([1, 2]), clientData: Data("client".utf8), authenticatorData: Data([3]),
      signature: Data([0xfb, 0xff, 0xfe]), user: Data()))
  private(set) var orders: [PasskeyOrder] = []
  private(set) var asked: [(challenge: Data, isSecond: Bool)] = []

  func canUse(_ site: String) -> Bool { site == self.site }

  func make(_ order: PasskeyOrder) async throws -> MadePasskey {
    orders.append(order)
    return try made.get()
  }

  func sign(_ challenge: Data, of site: String, isSecond: Bool) async throws -> PasskeySignature {
    asked.append((challenge, isSecond))
    return try signed.get()
  }
}

/// The account's model over requests that are answered by hand.
@MainActor final class AccountBench {
  let sign: SignInBench
  let announcements = Announcements()
  let router = Router()
  let visits = FakeVisits()
  let keys = FakeKeys()
  private(set) var opened: [String] = []
  /// Clips whose insights were opened, with their captions; and uploads by which own clips became known.
  private(set) var insights: [String] = []
  private(set) var owned: [String] = []
  private(set) var removals: [(Clip) -> Bool] = []
  private(set) var model: AccountModel!

  var transport: ParkedTransport { sign.transport }
  var news: [String] { announcements.waiting.map(\.text.key) }

  init(_ sign: SignInBench) {
    self.sign = sign
    model = AccountModel(
      signIn: sign.host, announcements: announcements, router: router, providers: visits,
      keys: keys, drafts: StatementDrafts(nil, viewer: sign.host, clock: SystemPauseClock()),
      surface: AccountSurface(
        open: { [weak self] in self?.opened.append($0.id) },
        remove: { [weak self] in self?.removals.append($0) }, openProfile: { _ in },
        openInsights: { [weak self] in self?.insights.append("\($0) \($1)") },
        owns: { [weak self] in self?.owned.append("\($0) \($1)") }))
  }

  /// Handle and password are right, and the server asks for the second step.
  func takeFirstStep() async {
    let entry = model.entry
    entry.signInForm[.handle] = "ada"
    entry.signInForm[.password] = "correct horse"
    async let first: Void = entry.signIn()
    await transport.next().answer(
      401, Problem(.secondStepNeeded, challenge: "ada.secret", requestID: "r"))
    await first
  }

  static func guest() -> AccountBench { AccountBench(SignInBench()) }
  static func member() async throws -> AccountBench { AccountBench(try await SignInBench.signedIn()) }

  /// A member once the requests of `load` are answered, which come in any order: one asks for the account,
  /// others for `answers`.
  static func loaded(
    _ answers: [(route: Route, body: any Encodable & Sendable)], hasPassword: Bool,
    _ load: @escaping @MainActor (AccountModel) async -> Void
  ) async throws -> AccountBench {
    let bench = try await member()
    async let came: Void = load(bench.model)
    for _ in 0...answers.count {
      let parked = await bench.transport.next()
      if let answer = answers.first(where: { $0.route.matches(parked.request.target) }) {
        parked.answer(200, answer.body)
      } else {
        var account = sampleAccount()
        account.hasPassword = hasPassword
        parked.answer(200, account)
      }
    }
    await came
    return bench
  }
}

let apple = SignInProvider(id: "apple", name: "Apple", kind: .apple)
let company = SignInProvider(id: "corp", name: "The corp", kind: .oidc)

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

/// The account's model over requests that are answered by hand.
@MainActor final class AccountBench {
  let sign: SignInBench
  let announcements = Announcements()
  let router = Router()
  let visits = FakeVisits()
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
      drafts: StatementDrafts(nil, viewer: sign.host, clock: SystemPauseClock()),
      surface: AccountSurface(
        open: { [weak self] in self?.opened.append($0.id) },
        remove: { [weak self] in self?.removals.append($0) }, openProfile: { _ in },
        openInsights: { [weak self] in self?.insights.append("\($0) \($1)") },
        owns: { [weak self] in self?.owned.append("\($0) \($1)") }))
  }

  static func guest() -> AccountBench { AccountBench(SignInBench()) }
  static func member() async throws -> AccountBench { AccountBench(try await SignInBench.signedIn()) }
}

let apple = SignInProvider(id: "apple", name: "Apple", kind: .apple)
let company = SignInProvider(id: "corp", name: "The corp", kind: .oidc)

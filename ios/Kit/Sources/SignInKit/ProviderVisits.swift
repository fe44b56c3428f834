public import AppModel
internal import AuthenticationServices
public import Contract
public import Foundation
public import UIKit

/// Brings people to providers of identities and back: to Apple by the system's own sheet, to others by its
/// browser, which hands the address over that a provider sends them back to.
///
/// It refuses to know what an answer means. NB: the address is the server's own and https, and the app has to
/// be associated with its host (`webcredentials:` in the entitlements).
@MainActor public final class ProviderVisits: ProviderVisiting {
  private let base: URL
  private let window: () -> UIWindow?

  /// `base`: the server's address; `window`: the one over which the system's sheets appear.
  public init(base: URL, window: @escaping () -> UIWindow?) {
    self.base = base
    self.window = window
  }

  public func canVisit(_ provider: SignInProvider) -> Bool {
    provider.kind == .apple || (base.scheme == "https" && base.host() != nil)
  }

  public func answer(of provider: SignInProvider, _ start: SignInStart) async throws -> SignInAnswer {
    guard let window = window() else { throw CancellationError() }
    if provider.kind == .apple { return try await AppleVisit(window, start).answer() }
    guard let host = base.host(), let url = URL(string: start.authorizationUrl), url.scheme == "https" else {
      throw URLError(.badURL)
    }
    let back = try await BrowserVisit(window).address(
      from: url, backTo: host, path: ProviderAnswer.path(of: provider.id))
    return try ProviderAnswer.of(back, start)
  }
}

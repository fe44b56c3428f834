public import AppModel
public import Foundation
public import UIKit

/// The passkeys that the system has or reaches, by its own sheet.
///
/// It refuses to know what is signed. NB: the app has to be associated with the server's host
/// (`webcredentials:` in the entitlements, and the server's `apple-app-site-association`).
@MainActor public final class SystemPasskeys: PasskeyPort {
  private let base: URL
  private let associated: String
  private let window: () -> UIWindow?

  /// `base`: the server's address; `associated`: the host that the entitlements name; `window`: the one over
  /// which the system's sheet appears.
  public init(base: URL, associated: String, window: @escaping () -> UIWindow?) {
    self.base = base
    self.associated = associated
    self.window = window
  }

  public func canUse(_ site: String) -> Bool {
    PasskeySite.isUsable(site, at: base, associated: associated)
  }

  public func make(_ order: PasskeyOrder) async throws -> MadePasskey {
    guard let window = window() else { throw CancellationError() }
    return try await PasskeyVisit(window).make(order)
  }

  public func sign(_ challenge: Data, of site: String, isSecond: Bool) async throws -> PasskeySignature {
    guard let window = window() else { throw CancellationError() }
    return try await PasskeyVisit(window).sign(challenge, of: site, isSecond: isSecond)
  }
}

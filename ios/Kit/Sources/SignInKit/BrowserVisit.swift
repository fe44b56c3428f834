internal import AuthenticationServices
internal import Foundation
internal import Synchronization
internal import UIKit

/// One visit to a provider in the system's browser.
@MainActor final class BrowserVisit: NSObject {
  /// Resumed once, from whichever thread.
  private final class Visit: Sendable {
    private let continuation: Mutex<CheckedContinuation<URL, any Error>?>

    init(_ continuation: CheckedContinuation<URL, any Error>) { self.continuation = Mutex(continuation) }

    func end(_ result: Result<URL, any Error>) {
      let waiting = continuation.withLock { waiting in
        defer { waiting = nil }
        return waiting
      }
      waiting?.resume(with: result)
    }
  }

  private let window: UIWindow
  private var session: ASWebAuthenticationSession?

  init(_ window: UIWindow) { self.window = window }

  /// The address at which the visit ended.
  func address(from url: URL, backTo host: String, path: String) async throws -> URL {
    defer { session = nil }
    return try await withCheckedThrowingContinuation { continuation in
      let visit = Visit(continuation)
      let ended: @Sendable (URL?, (any Error)?) -> Void = { url, error in
        if let url { return visit.end(.success(url)) }
        let hasGivenUp = (error as? ASWebAuthenticationSessionError)?.code == .canceledLogin
        visit.end(.failure(hasGivenUp ? CancellationError() : error ?? URLError(.unknown)))
      }
      let session = ASWebAuthenticationSession(
        url: url, callback: .https(host: host, path: path), completionHandler: ended)
      session.presentationContextProvider = self
      self.session = session
      if !session.start() { visit.end(.failure(URLError(.cannotConnectToHost))) }
    }
  }
}

extension BrowserVisit: ASWebAuthenticationPresentationContextProviding {
  func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor { window }
}

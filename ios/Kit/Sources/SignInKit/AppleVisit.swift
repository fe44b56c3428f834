internal import AppModel
internal import AuthenticationServices
internal import Contract
internal import Foundation
internal import UIKit

/// One visit to Apple by the system's own sheet.
@MainActor final class AppleVisit: NSObject {
  private let window: UIWindow
  private let start: SignInStart
  private var visit: CheckedContinuation<SignInAnswer, any Error>?

  init(_ window: UIWindow, _ start: SignInStart) {
    self.window = window
    self.start = start
  }

  func answer() async throws -> SignInAnswer {
    let request = ASAuthorizationAppleIDProvider().createRequest()
    request.requestedScopes = [.fullName, .email]
    request.nonce = start.nonce
    let controller = ASAuthorizationController(authorizationRequests: [request])
    controller.delegate = self
    controller.presentationContextProvider = self
    return try await withCheckedThrowingContinuation { continuation in
      visit = continuation
      controller.performRequests()
    }
  }

  private func end(_ result: Result<SignInAnswer, any Error>) {
    visit?.resume(with: result)
    visit = nil
  }
}

extension AppleVisit: ASAuthorizationControllerDelegate {
  func authorizationController(
    controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization
  ) {
    let credential = authorization.credential as? ASAuthorizationAppleIDCredential
    end(
      Result {
        try ProviderAnswer.of(
          token: credential?.identityToken, code: credential?.authorizationCode, name: credential?.fullName,
          start)
      })
  }

  func authorizationController(
    controller: ASAuthorizationController, didCompleteWithError error: any Error
  ) {
    let hasGivenUp = (error as? ASAuthorizationError)?.code == .canceled
    end(.failure(hasGivenUp ? CancellationError() : error))
  }
}

extension AppleVisit: ASAuthorizationControllerPresentationContextProviding {
  func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor { window }
}

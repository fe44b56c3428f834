internal import AppModel
internal import AuthenticationServices
internal import Foundation
internal import UIKit

/// One passkey that is made or used by the system's own sheet.
@MainActor final class PasskeyVisit: NSObject {
  private enum Outcome: Sendable {
    case made(MadePasskey)
    case signed(PasskeySignature)
  }

  private let window: UIWindow
  private var visit: CheckedContinuation<Outcome, any Error>?

  init(_ window: UIWindow) { self.window = window }

  func make(_ order: PasskeyOrder) async throws -> MadePasskey {
    let provider = ASAuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: order.site)
    let request = provider.createCredentialRegistrationRequest(
      challenge: order.challenge, name: order.handle, userID: order.user)
    request.displayName = order.name
    request.userVerificationPreference = .required
    // Or the system puts the new one in the place of the one that it has of this account.
    request.excludedCredentials = order.known.map {
      ASAuthorizationPlatformPublicKeyCredentialDescriptor(credentialID: $0)
    }
    guard case .made(let passkey) = try await outcome(of: request) else { throw PasskeyFault.unusable }
    return passkey
  }

  func sign(_ challenge: Data, of site: String, isSecond: Bool) async throws -> PasskeySignature {
    let provider = ASAuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: site)
    let request = provider.createCredentialAssertionRequest(challenge: challenge)
    request.userVerificationPreference = isSecond ? .discouraged : .required
    guard case .signed(let signature) = try await outcome(of: request) else { throw PasskeyFault.unusable }
    return signature
  }

  private func outcome(of request: ASAuthorizationRequest) async throws -> Outcome {
    let controller = ASAuthorizationController(authorizationRequests: [request])
    controller.delegate = self
    controller.presentationContextProvider = self
    return try await withCheckedThrowingContinuation { continuation in
      visit = continuation
      controller.performRequests()
    }
  }

  private func end(_ result: Result<Outcome, any Error>) {
    visit?.resume(with: result)
    visit = nil
  }

  private static func outcome(of credential: any ASAuthorizationCredential) throws -> Outcome {
    if let made = credential as? any ASAuthorizationPublicKeyCredentialRegistration,
      let attestation = made.rawAttestationObject
    {
      return .made(MadePasskey(clientData: made.rawClientDataJSON, attestation: attestation))
    }
    if let signed = credential as? any ASAuthorizationPublicKeyCredentialAssertion {
      // Nobody says whether they are always there.
      let (data, signature, user): (Data?, Data?, Data?) = (
        signed.rawAuthenticatorData, signed.signature, signed.userID
      )
      if let data, let signature {
        return .signed(
          PasskeySignature(
            credential: signed.credentialID, clientData: signed.rawClientDataJSON, authenticatorData: data,
            signature: signature, user: user ?? Data()))
      }
    }
    throw PasskeyFault.unusable
  }

  private static func fault(_ error: any Error) -> any Error {
    switch (error as? ASAuthorizationError)?.code {
    case .canceled: CancellationError()
    case .matchedExcludedCredential: PasskeyFault.known
    default: PasskeyFault.unusable
    }
  }
}

extension PasskeyVisit: ASAuthorizationControllerDelegate {
  func authorizationController(
    controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization
  ) {
    end(Result { try Self.outcome(of: authorization.credential) })
  }

  func authorizationController(
    controller: ASAuthorizationController, didCompleteWithError error: any Error
  ) {
    end(.failure(Self.fault(error)))
  }
}

extension PasskeyVisit: ASAuthorizationControllerPresentationContextProviding {
  func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor { window }
}

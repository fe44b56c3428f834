import Contract
import Foundation
import Testing

/// What the server says of accounts is shown by its own sentences, which are keys of the catalog.
@Suite struct ServerTextTests {
  private static let catalog = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../../App/Clipfeed/Localizable.xcstrings").standardizedFileURL

  private struct Catalog: Decodable {
    struct Entry: Decodable {}
    let strings: [String: Entry]
  }

  private static let codes: [ErrorCode] = [
    .tooManyRequests, .unavailable, .internalError, .accessTokenInvalid, .sessionEnded, .signInNeeded,
    .credentialsWrong, .passwordWrong, .refreshTokenInvalid, .refreshTokenReused, .accountSuspended,
    .notAllowed, .accountNotFound, .sessionNotFound, .handleInvalid, .handleTaken, .nameInvalid,
    .passwordTooShort, .passwordTooLong, .passwordTooCommon, .emailInvalid, .emailTaken, .linkOver,
    .providerNotFound, .providerUnreachable, .signInOver, .signInDeclined, .identityRefused, .identityTaken,
    .identityNotFound, .lastWayIn, .proofNeeded, .authorNotFound, .uploadNotFound, .clipNotFound,
    .clipNotYours, .bioTooLong, .profileLinkInvalid, .pictureUnreadable, .pictureTooLarge,
    .pictureNotFound, .reportOneself,
    .commentNotFound, .messageNotFound,
    .decisionNotFound, .appealOver, .appealMade, .statementEmpty, .secondStepNeeded, .codeWrong,
    .textRefused, .linksNotYet, .webhookAddressRefused, .webhookNotFound, .webhooksOff, .verificationNeeded,
  ]

  @Test func eachIsInTheCatalog() throws {
    let catalog = try JSONDecoder().decode(Catalog.self, from: try Data(contentsOf: Self.catalog))
    for code in Self.codes { #expect(catalog.strings[code.message] != nil, "\(code)") }
  }

  /// By which kind of rule nothing is made of a prompt.
  @Test func eachRefusalOfAPromptIsInTheCatalog() throws {
    let catalog = try JSONDecoder().decode(Catalog.self, from: try Data(contentsOf: Self.catalog))
    for sentence in PromptSentence.all { #expect(catalog.strings[sentence] != nil, "\(sentence)") }
  }
}

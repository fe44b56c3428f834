public import Contract
public import Foundation

/// What somebody came back with from a provider, as the server is told of it.
public enum ProviderAnswer {
  /// A provider sends people back to this address of the server's, which the app takes over.
  public static func path(of provider: String) -> String { Route.signInReturn.path(provider) }

  /// By the address that the provider sent them to. Throws `CancellationError` for those who gave up there.
  public static func of(_ url: URL, _ start: SignInStart) throws -> SignInAnswer {
    let items = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems ?? []
    let fields = Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
    if let error = fields["error"] {
      // What stands in it is a stranger's: it is compared, and shown to nobody.
      let isDeclined = ["access_denied", "user_cancelled_authorize", "login_required", "consent_required"]
        .contains(error)
      throw isDeclined ? CancellationError() : Problem(.identityRefused, requestID: "") as any Error
    }
    let texts = [fields["state"], fields["iss"]].compactMap { $0 }
    guard let code = fields["code"], code.utf8.count <= Limits.signInCodeBytes,
      texts.allSatisfy({ $0.utf8.count <= Limits.signInTextBytes })
    else { throw Problem(.identityRefused, requestID: "") }
    return SignInAnswer(
      transport: .token, flow: start.flow, state: fields["state"], code: code, iss: fields["iss"])
  }

  /// By the token of the system's own way (Apple). The code beside it lets the server give consent back.
  public static func of(
    token: Data?, code: Data?, name: PersonNameComponents?, _ start: SignInStart
  ) throws -> SignInAnswer {
    guard let token, token.count <= Limits.identityTokenBytes,
      let text = String(bytes: token, encoding: .utf8)
    else { throw Problem(.identityRefused, requestID: "") }
    let full = [name?.givenName, name?.familyName].compactMap { $0 }.filter { !$0.isEmpty }
      .joined(separator: " ")
    return SignInAnswer(
      transport: .token, flow: start.flow,
      code: code.flatMap { String(bytes: $0.prefix(Limits.signInCodeBytes), encoding: .utf8) },
      idToken: text,
      name: full.isEmpty ? nil : String(full.prefix(Limits.nameLength.upperBound)))
  }
}

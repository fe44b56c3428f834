internal import Contract
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import OpenAPI
internal import Platform

/// Requests about signing in by somebody else. In a browser the flow and what a provider answered lie in cookies that no
/// script can read, until the page says that it is there: so an answer counts only where the asking began, and what went
/// wrong is said on the page.
struct SignInRequests: Sendable {
  let accounts: any AccountKeeping
  let guests: GuestLimits

  func begin(_ caller: Caller, _ request: Request, _ context: GatewayContext) async throws -> SignInStart {
    let new = try await JSONBody.read(NewSignIn.self, of: request)
    let start = try await accounts.beginSignIn(at: new.provider, for: nil, account: nil)
    return keep(start, by: new.transport, caller)
  }

  func beginForAccount(
    _ caller: Caller, _ request: Request, _ context: GatewayContext
  ) async throws -> SignInStart {
    let new = try await JSONBody.read(NewAccountSignIn.self, of: request)
    let start = try await accounts.beginSignIn(
      at: new.provider, for: new.purpose, account: try caller.account().id)
    return keep(start, by: new.transport, caller)
  }

  /// The transport is where the session's tokens go.
  func end(
    _ caller: Caller, _ request: Request, _ context: GatewayContext
  ) async throws -> (outcome: SignInOutcome, transport: TokenTransport) {
    let (answer, place) = try await answer(caller, request, context)
    let outcome = try await accounts.endSignIn(
      answer, at: place, guest: caller.guest, client: request.client,
      knownTo: caller.accountsOfDevice)
    return (outcome, answer.transport)
  }

  func endForAccount(
    _ caller: Caller, _ request: Request, _ context: GatewayContext
  ) async throws -> AccountSignInOutcome {
    let id = try caller.account().id
    let (answer, place) = try await answer(caller, request, context)
    return try await accounts.endAccountSignIn(answer, at: place, account: id)
  }

  private func keep(_ start: SignInStart, by transport: TokenTransport, _ caller: Caller) -> SignInStart {
    guard transport == .cookie else { return start }
    caller.set(.signIn, to: start.flow ?? "", seconds: Int(Limits.signInMs / 1000))
    return SignInStart(authorizationUrl: start.authorizationUrl)
  }

  /// Of a browser: what lies in its cookies. A code is good once, which its provider sees to.
  private func answer(
    _ caller: Caller, _ request: Request, _ context: GatewayContext
  ) async throws -> (SignInAnswer, String?) {
    var answer = try await JSONBody.read(SignInAnswer.self, of: request)
    guard answer.transport == .cookie else { return (answer, nil) }
    caller.clear(.signIn, .signInAnswer)
    guard let flow = caller.sent.value(.signIn),
      let came = caller.sent.value(.signInAnswer).map(FormFields.init)
    else { throw AppError(.signInOver) }
    if let error = came["error"] {
      // What stands in it is a stranger's: it is compared, and shown to nobody.
      let isDeclined = ["access_denied", "user_cancelled_authorize", "login_required", "consent_required"]
        .contains(error)
      throw AppError(isDeclined ? .signInDeclined : .identityRefused)
    }
    answer.flow = flow
    answer.idToken = nil
    (answer.state, answer.code, answer.iss) = (came["state"], came["code"], came["iss"])
    answer.name = came["name"]
    return (answer, came["provider"] ?? "")
  }

  // MARK: Coming back

  /// Bytes of a browser's cookie, with what else stands in its line.
  private static let cookieBytes = 3900
  /// Bytes of a form, of which some fields are of no use to us.
  private static let formBytes = 32_768
  private static let page = "/#account/arriving"

  /// A provider has sent somebody back. Nothing is believed here, and nothing done: what came is put away, and the page is
  /// shown, whose own request brings it together with the flow.
  ///
  /// NB: Apple sends a form from its own site, and with that a browser sends no cookie of ours. It does with the page.
  func comeBack(to provider: String, _ request: Request, isSecure: Bool) async throws -> Response {
    let fields: FormFields
    if request.method == .post {
      guard request.mediaType == "application/x-www-form-urlencoded" else {
        throw AppError(
          .contentTypeUnsupported, "This address takes a body of type application/x-www-form-urlencoded.",
          field: "Content-Type")
      }
      var bytes: [UInt8] = []
      for try await piece in request.body {
        guard bytes.count + piece.readableBytes <= Self.formBytes else { throw AppError(.bodyTooLarge) }
        bytes += piece.readableBytesView
      }
      fields = FormFields(String(decoding: bytes, as: UTF8.self))
    } else {
      fields = FormFields(request.uri.query ?? "")
    }
    var kept = FormFields()
    kept["provider"] = String(provider.prefix(32))
    for (name, limit) in [
      ("state", Limits.signInTextBytes), ("code", Limits.signInCodeBytes), ("iss", Limits.signInTextBytes),
      ("error", 64),
    ] {
      guard let value = fields[name] else { continue }
      guard value.utf8.count <= limit else {
        kept["error"] = "too_long"
        continue
      }
      kept[name] = value
    }
    kept["name"] = fields["user"].flatMap(Self.name)
    if kept.text.utf8.count > Self.cookieBytes { kept["name"] = nil }
    if kept.text.utf8.count > Self.cookieBytes {
      kept = FormFields()
      kept["error"] = "too_long"
    }
    return Response(
      status: .seeOther,
      headers: [
        .location: Self.page, .cacheControl: "no-store", .referrerPolicy: "no-referrer",
        .setCookie: Cookie.signInAnswer.field(
          kept.text, maxAge: Int(Limits.signInMs / 1000), isSecure: isSecure
        ).value,
      ])
  }

  /// Of what Apple says the first time, and never again.
  private static func name(in json: String) -> String? {
    struct User: Decodable {
      struct Name: Decodable {
        var firstName: String?
        var lastName: String?
      }
      var name: Name?
    }
    guard json.utf8.count <= 2048, (try? JSONReader.read(Array(json.utf8))) != nil,
      let user = try? JSONDecoder().decode(User.self, from: Data(json.utf8)), let name = user.name
    else { return nil }
    let text = [name.firstName, name.lastName].compactMap { $0 }.joined(separator: " ")
    return text.isEmpty ? nil : String(text.prefix(Limits.nameLength.upperBound))
  }
}

internal import Contract
internal import Features
internal import Platform

/// Signing in by somebody else. In a browser the flow and what a provider answered lie in cookies that no
/// script can read, until the page says that it is there: so an answer counts only where the asking began,
/// and what went wrong is said on the page.
extension Accounts {
  var signInEndpoints: [Endpoint] {
    [
      Endpoint(reading: "signInProviders") { _ in signInProviders },
      Endpoint("beginSignIn") { call in
        let new = try await call.body(NewSignIn.self)
        return call.keep(
          try await beginSignIn(at: new.provider, for: nil, account: nil), by: new.transport)
      },
      Endpoint("endSignIn") { call in
        let (answer, place) = try await call.signInAnswer()
        var outcome = try await call.firstStep {
          try await endSignIn(
            answer, at: place, guest: call.guest, client: call.client,
            knownTo: call.credentials.devices.map(\.account))
        }.get()
        // Somebody whom the provider knows and we do not: who has yet to choose a name is not in.
        if outcome.session == nil { call.tell("proof") }
        outcome.session = outcome.session.map { call.hand($0, by: answer.transport) }
        return outcome
      },
      Endpoint("joinBySignIn") { call in
        let new = try await call.body(NewcomerAccount.self)
        return call.hand(
          try await join(new, guest: call.guest, client: call.client), by: new.transport)
      },
      Endpoint("beginAccountSignIn") { call in
        let new = try await call.body(NewAccountSignIn.self)
        let start = try await beginSignIn(
          at: new.provider, for: new.purpose, account: try call.account().id)
        return call.keep(start, by: new.transport)
      },
      Endpoint("endAccountSignIn") { call in
        let id = try call.account().id
        let (answer, place) = try await call.signInAnswer()
        return try await endAccountSignIn(answer, at: place, account: id)
      },
      Endpoint(reading: "identities") { try await waysIn(try $0.account().id) },
      Endpoint("connectIdentity") { call in
        let id = try call.account().id
        let new = try await call.body(NewIdentity.self)
        return try await call.guessing(.guesses, call.ownGuesses(unless: new.proof)) {
          try await connect(new, to: id, client: call.client)
        }
      },
      Endpoint(doing: "disconnectIdentity") { call in
        let id = try call.account().id
        let removal = try await call.body(IdentityRemoval.self)
        try await call.guessing(.guesses, call.ownGuesses(unless: removal.proof)) {
          try await disconnect(call.id, from: id, removal, client: call.client)
        }
      },
    ]
  }
}

extension Call {
  fileprivate func keep(_ start: SignInStart, by transport: TokenTransport) -> SignInStart {
    guard transport == .cookie else { return start }
    credentials.keep(.signIn, start.flow ?? "", seconds: Int(Limits.signInMs / 1000))
    return SignInStart(authorizationUrl: start.authorizationUrl)
  }

  /// With the provider to whose address the answer came; nil: it came to an app. Of a browser: what lies in
  /// its cookies. A code is good once, which its provider sees to. Throws `sign_in_over`, `sign_in_declined`
  /// and `identity_refused`.
  fileprivate func signInAnswer() async throws -> (SignInAnswer, place: String?) {
    var answer = try await body(SignInAnswer.self)
    guard answer.transport == .cookie else { return (answer, nil) }
    let (flow, fields) = (credentials.credential(.signIn), credentials.credential(.signInAnswer))
    credentials.forget(.signIn)
    credentials.forget(.signInAnswer)
    guard let flow, let came = fields.map(FormFields.init) else { throw AppError(.signInOver) }
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
}

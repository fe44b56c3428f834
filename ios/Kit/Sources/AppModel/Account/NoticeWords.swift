public import Contract

extension AccountNotice {
  /// What happened. A newer server may tell of more.
  public var sentence: Sentence {
    let service: Sentence.Argument = provider.map { .verbatim($0) } ?? .key("A service")
    let what: Sentence =
      switch Kind(rawValue: kind) {
      case .newDevice: "Signed in on a new device"
      case .passwordChanged: "Password changed"
      case .passwordReset: "Password set by a link"
      case .emailChanged: "E-mail address changed"
      case .emailRemoved: "E-mail address removed"
      case .providerConnected: Sentence("%@ connected", [service])
      case .providerDisconnected: Sentence("%@ disconnected", [service])
      case .wrongPasswords: "Wrong passwords were given"
      case .signedOutEverywhere: "Signed out everywhere"
      case .codeAppOn: "Two-step sign-in turned on"
      case .codeAppOff: "Two-step sign-in turned off"
      case .recoveryCodeUsed: "Signed in by a recovery code"
      case .recoveryCodesMade: "New recovery codes"
      case .passkeyAdded: "Passkey added"
      case .passkeyRemoved: "Passkey removed"
      case .apiKeyMade: "Key for a program made"
      case .apiKeyRevoked: "Key for a program revoked"
      case .wrongCodes: "Wrong codes were given"
      case .decided: "Moderators decided something about you"
      case .decisionReviewed: "A decision about you was reviewed"
      case .exportReady: "Your data was put together"
      case nil: "Something about signing in changed"
      }
    return what
  }
}

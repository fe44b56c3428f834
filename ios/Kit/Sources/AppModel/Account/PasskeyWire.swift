internal import Contract
internal import Foundation

/// Bytes as the API says them: base64url without padding.
enum Base64URL {
  static func text(_ data: Data) -> String {
    let letters = data.base64EncodedString().utf8.compactMap { letter -> UInt8? in
      switch letter {
      case UInt8(ascii: "+"): UInt8(ascii: "-")
      case UInt8(ascii: "/"): UInt8(ascii: "_")
      case UInt8(ascii: "="): nil
      default: letter
      }
    }
    return String(decoding: letters, as: UTF8.self)
  }

  /// Throws `PasskeyFault.unusable` for what is none.
  static func data(_ text: String) throws -> Data {
    var letters = text.utf8.map { letter in
      switch letter {
      case UInt8(ascii: "-"): UInt8(ascii: "+")
      case UInt8(ascii: "_"): UInt8(ascii: "/")
      default: letter
      }
    }
    while letters.count % 4 != 0 { letters.append(UInt8(ascii: "=")) }
    guard let data = Data(base64Encoded: Data(letters)), !data.isEmpty else { throw PasskeyFault.unusable }
    return data
  }
}

extension PasskeyPort {
  /// Has a device make the passkey that the server asks for.
  func make(_ setup: PasskeySetup, name: String?) async throws -> NewPasskey {
    guard canUse(setup.site) else { throw PasskeyFault.unusable }
    let order = PasskeyOrder(
      site: setup.site, challenge: try Base64URL.data(setup.challenge), user: try Base64URL.data(setup.user),
      handle: setup.handle, name: setup.name, known: try setup.known.map { try Base64URL.data($0) })
    let made = try await make(order)
    return NewPasskey(
      clientData: Base64URL.text(made.clientData), attestation: Base64URL.text(made.attestation), name: name)
  }

  /// Has a device sign. `challenge`: of a sign-in whose first step was another.
  func answer(to question: PasskeyQuestion, behind challenge: String?) async throws -> PasskeyAnswer {
    guard canUse(question.site) else { throw PasskeyFault.unusable }
    let signed = try await sign(
      try Base64URL.data(question.challenge), of: question.site, isSecond: challenge != nil)
    return PasskeyAnswer(
      credential: Base64URL.text(signed.credential), clientData: Base64URL.text(signed.clientData),
      authenticatorData: Base64URL.text(signed.authenticatorData),
      signature: Base64URL.text(signed.signature),
      user: signed.user.isEmpty ? nil : Base64URL.text(signed.user), challenge: challenge, transport: .token)
  }
}

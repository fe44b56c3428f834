internal import Contract
public import Observation

/// Changing the password, by the one that there is.
@MainActor @Observable public final class PasswordModel {
  public enum Field: String, CaseIterable, Sendable {
    case current = "current_password"
    case new = "new_password"
  }

  public let form = FormState<Field>()
  @ObservationIgnored private let client: Client
  @ObservationIgnored var done: (Sentence) -> Void = { _ in }

  init(client: Client) { self.client = client }

  public func change() async {
    let isChanged = await form.submit {
      try await client.changePassword(from: form[.current], to: form[.new])
    }
    if isChanged { done("The password is changed. Other devices are signed out.") }
  }
}

/// Deleting the account, by its password or by a proof.
@MainActor @Observable public final class DeletionModel {
  public enum Field: String, CaseIterable, Sendable { case typed, password }

  public let form = FormState<Field>()
  @ObservationIgnored private let client: Client
  @ObservationIgnored private let tickets: Tickets
  @ObservationIgnored var done: (_ account: String, Sentence) -> Void = { _, _ in }

  init(client: Client, tickets: Tickets) {
    self.client = client
    self.tickets = tickets
  }

  /// `me`: whose handle is to be typed.
  public func delete(_ me: SignedInAccount) async {
    let proof = tickets.proof.flatMap { $0.account == me.id ? $0.secret : nil }
    let isGone = await form.submit(proof == nil ? Field.allCases : [.typed]) {
      guard Self.isSame(form.trimmed(.typed) ?? "", me.handle) else {
        throw FieldFault(field: Field.typed, sentence: Sentence("That is not %@.", me.handle))
      }
      if let proof {
        try await tickets.spend { try await client.deleteAccount(proof: proof) }
      } else {
        try await client.deleteAccount(password: form[.password])
      }
    }
    if isGone { done(me.id, "The account is deleted.") }
  }

  /// As people write handles.
  private static func isSame(_ typed: String, _ handle: String) -> Bool {
    let bare = typed.hasPrefix("@") ? String(typed.dropFirst()) : typed
    return bare.lowercased() == handle.lowercased()
  }
}

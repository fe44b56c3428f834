internal import Contract
internal import Foundation

/// The credentials in memory, and what of them is in the store.
struct CredentialSafe {
  private let store: any CredentialStore
  /// Something is not kept yet.
  private var isUnsaved = false
  /// What the store holds was read, so writing loses nothing.
  private(set) var isOpen = false
  var credentials = Credentials()

  init(_ store: any CredentialStore) { self.store = store }

  /// Whether it has just become possible to read the store. What nobody can make sense of is nothing.
  mutating func open() -> Bool {
    guard !isOpen, let bytes = try? store.load() ?? Data() else { return false }
    isOpen = true
    // NB: nobody has become somebody meanwhile, since nothing is written before this.
    credentials = bytes.isEmpty ? Credentials() : Credentials.decode(bytes)
    return true
  }

  /// A store that does not take it now is asked again with the next request: until then this goes on with
  /// what it has.
  mutating func save() {
    guard isOpen else { return }
    do {
      try store.save(try WireCoding.encode(credentials))
      isUnsaved = false
    } catch {
      isUnsaved = true
    }
  }

  mutating func saveAgain() {
    if isUnsaved { save() }
  }
}

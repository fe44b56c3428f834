public import AppModel
public import Foundation
internal import Security

/// Keeps the credentials in the keychain of this device: readable once it was unlocked since its start, since
/// uploads and refreshes go on in the background, and in no backup, since a session's tokens have one holder.
///
/// It refuses to know what is in them. NB: the keychain outlives the app, so whoever installs it again is
/// still signed in.
public struct KeychainStore: CredentialStore {
  private let service: String
  private let origin: String

  /// `service`: the app's own identifier; `server`: whose tokens they are, since no other may see them.
  public init(service: String, server: URL) {
    self.service = service
    origin = "\(server.scheme ?? "")://\(server.host() ?? ""):\(server.port ?? 0)"
  }

  public func load() throws -> Data? {
    let query = item()
    query.setObject(NSNumber(value: true), forKey: kSecReturnData as NSString)
    query.setObject(kSecMatchLimitOne, forKey: kSecMatchLimit as NSString)
    var found: CFTypeRef?
    let status = withUnsafeMutablePointer(to: &found) { SecItemCopyMatching(query as CFDictionary, $0) }
    if status == errSecItemNotFound { return nil }
    try check(status)
    return (found as? NSData).map { Data(referencing: $0) }
  }

  public func save(_ bytes: Data) throws {
    let status = SecItemUpdate(
      item() as CFDictionary, adding(bytes, to: NSMutableDictionary()) as CFDictionary)
    guard status == errSecItemNotFound else { return try check(status) }
    try check(SecItemAdd(adding(bytes, to: item()) as CFDictionary, nil))
  }

  private func adding(_ bytes: Data, to attributes: NSMutableDictionary) -> NSMutableDictionary {
    attributes.setObject(NSData(data: bytes), forKey: kSecValueData as NSString)
    attributes.setObject(
      kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly, forKey: kSecAttrAccessible as NSString)
    return attributes
  }

  /// What names the one item.
  private func item() -> NSMutableDictionary {
    let query = NSMutableDictionary()
    query.setObject(kSecClassGenericPassword, forKey: kSecClass as NSString)
    query.setObject(NSString(string: service), forKey: kSecAttrService as NSString)
    query.setObject(NSString(string: origin), forKey: kSecAttrAccount as NSString)
    return query
  }

  private func check(_ status: OSStatus) throws {
    if status == errSecInteractionNotAllowed { throw CredentialStoreError.locked }
    guard status == errSecSuccess else { throw CredentialStoreError.failed(status) }
  }
}

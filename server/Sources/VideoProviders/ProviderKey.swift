/// A vendor's key for us. It is in no text and in no dump of what holds it.
public struct ProviderKey: Sendable, CustomStringConvertible, CustomReflectable {
  let text: String

  /// Nil: it could not stand in a header.
  public init?(_ text: String) {
    guard (1...4096).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      return nil
    }
    self.text = text
  }

  public var description: String { "(a key)" }
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

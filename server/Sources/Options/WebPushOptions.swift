public import ArgumentParser
internal import Configured
public import Platform
public import WebPush

/// Whether browsers are written to.
public struct WebPushOptions: ParsableArguments, Sendable {
  @Option(name: .customLong("web-push-contact"), help: ArgumentHelp(.webPushContact)) var contact: String?
  @Option(name: .customLong("web-push-addresses"), help: ArgumentHelp(.webPushAddresses)) var addresses:
    String?

  public init() {}

  public mutating func validate() throws {
    contact = try settled(.webPushContact, contact)
    addresses = try settled(.webPushAddresses, addresses)
    if let contact {
      guard contact.utf8.count <= 255,
        contact.wholeMatch(of: /(mailto:[!-~]+@[!-~]+|https:\/\/[!-~]+)/) != nil
      else {
        throw ValidationError(
          "\(Setting.webPushContact.places) must be like mailto:you@example.org or https://example.org/contact."
        )
      }
    } else if addresses != nil {
      throw ValidationError("\(Setting.webPushAddresses.places) needs \(Setting.webPushContact.places).")
    }
    for word in words where NetworkAddress(word) == nil {
      throw ValidationError("\(Setting.webPushAddresses.places): \(word) is no address like 10.0.0.5.")
    }
  }

  private var words: [String] { (addresses ?? "").split(separator: " ").map(String.init) }

  /// Nil: no browser is written to.
  public func makeSender(_ settings: Settings) async throws -> WebPushSender? {
    guard let contact else { return nil }
    let time = SystemTime()
    return WebPushSender(
      try await ServerKey.of(settings, contact: contact, time: time),
      allowing: words.compactMap { NetworkAddress($0) }, time: time)
  }
}

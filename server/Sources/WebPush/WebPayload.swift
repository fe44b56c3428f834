internal import Contract
internal import Devices
internal import Foundation
internal import Platform

/// A notification as `web/push.js` takes it.
struct WebPayload: Encodable {
  private static let titleBytes = 160
  private static let textBytes = 1024

  private var title: String
  private var body: String
  /// The same again, or a later one of the same, takes the place of the one that is shown.
  private var tag: String
  /// Where a tap leads: a path of this site.
  private var url: String
  /// The body as a sentence of the contract and what stands in its places, so that the page's worker can say
  /// it in the page's language; nil: the body is somebody's own words.
  private var sentence: String?
  private var arguments: [String]?
  private var titleSentence: String?

  private enum CodingKeys: String, CodingKey {
    case title, body, tag, url, sentence, arguments
    case titleSentence = "title_sentence"
  }

  private init(_ notification: PushNotification, textBytes: Int) {
    title = Self.words(notification.title ?? .words("Clipfeed"), textBytes: Self.titleBytes)
    body = Self.words(notification.body, textBytes: textBytes)
    tag = notification.name
    url = Self.place(of: notification)
    if case .sentence(let sentence, let arguments) = notification.body {
      self.sentence = sentence.rawValue
      self.arguments = arguments.map { BoundedText.cut($0, toBytes: textBytes) }
    }
    if case .sentence(let sentence, _)? = notification.title { titleSentence = sentence.rawValue }
  }

  private static func words(_ text: PushNotification.Text, textBytes: Int) -> String {
    switch text {
    case .words(let words): BoundedText.cut(words, toBytes: textBytes)
    case .sentence(let sentence, let arguments):
      BoundedText.cut(
        sentence.words(arguments.map { BoundedText.cut($0, toBytes: textBytes) }), toBytes: textBytes * 2)
    }
  }

  private static func place(of notification: PushNotification) -> String {
    switch notification.kind {
    case PushKey.message: "/#messages/\(Route.encoded(notification.authorID ?? ""))"
    case PushKey.published, PushKey.newClip, PushKey.like, PushKey.reaction:
      notification.clipID.map { Route.clipPage.path($0) } ?? "/#notifications"
    case PushKey.generated, PushKey.generationFailed:
      notification.generationID.map { "/#account/generation/\(Route.encoded($0))" } ?? "/#notifications"
    case PushKey.webhookOff: "/#account/webhooks"
    default: "/#notifications"
    }
  }

  /// In JSON a control character has six bytes, so how much of a text fits is found by looking.
  static func bytes(of notification: PushNotification) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var textBytes = textBytes
    while true {
      let bytes = [UInt8](try encoder.encode(WebPayload(notification, textBytes: textBytes)))
      if bytes.count <= Limits.webPayloadBytes || textBytes == 0 { return bytes }
      textBytes /= 2
    }
  }

  /// At most 32 letters of base64url (RFC 8030, 5.4): what waits at the service under the same name is
  /// replaced there.
  static func topic(of name: String) -> String {
    let hash = ContentHash.of(Array(name.utf8))
    return String(hash.prefix(32))
  }
}

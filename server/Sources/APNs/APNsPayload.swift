internal import Contract
internal import Devices
internal import Foundation
internal import Platform

/// A notification as Apple's service takes it: at most 4096 bytes of JSON.
struct APNsPayload: Encodable {
  /// Bytes of what a person is called, of other values of a sentence, and of a message's text: what is longer
  /// is nobody's to read on a lock screen.
  private static let titleBytes = 160
  private static let argumentBytes = 160
  private static let textBytes = 1024

  private struct Aps: Encodable {
    var alert: Alert
    var badge: Int
    var sound: String?
    var threadID: String

    enum CodingKeys: String, CodingKey {
      case alert, badge, sound
      case threadID = "thread-id"
    }
  }

  private struct Alert: Encodable {
    var title: String?
    var titleKey: String?
    var body: String?
    var key: String?
    var arguments: [String]?

    enum CodingKeys: String, CodingKey {
      case title, body
      case titleKey = "title-loc-key"
      case key = "loc-key"
      case arguments = "loc-args"
    }
  }

  private var aps: Aps
  private var kind: String
  private var clip: String?
  private var author: String?
  private var comment: String?
  private var generation: String?

  private init(_ notification: PushNotification, textBytes: Int) {
    var alert = Alert()
    switch notification.title {
    case .words(let text)?: alert.title = BoundedText.cut(text, toBytes: Self.titleBytes)
    case .sentence(let sentence, _)?: alert.titleKey = sentence.rawValue
    case nil: break
    }
    switch notification.body {
    case .words(let text): alert.body = BoundedText.cut(text, toBytes: textBytes)
    case .sentence(let sentence, let arguments):
      alert.key = sentence.rawValue
      alert.arguments =
        arguments.isEmpty ? nil : arguments.map { BoundedText.cut($0, toBytes: Self.argumentBytes) }
    }
    aps = Aps(
      alert: alert, badge: notification.badge, sound: notification.isUrgent ? "default" : nil,
      threadID: BoundedText.cut(notification.thread, toBytes: Self.titleBytes))
    kind = notification.kind
    clip = notification.clipID
    author = notification.authorID
    comment = notification.commentID
    generation = notification.generationID
  }

  /// In JSON a control character has six bytes, so how much of a text fits is found by looking.
  static func bytes(of notification: PushNotification) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var textBytes = textBytes
    while true {
      let bytes = [UInt8](try encoder.encode(APNsPayload(notification, textBytes: textBytes)))
      if bytes.count <= Limits.pushPayloadBytes || textBytes == 0 { return bytes }
      textBytes /= 2
    }
  }

  /// At most 64 bytes; nothing else is asked of it.
  static func collapseID(of name: String) -> String {
    name.utf8.count <= 64 && name.utf8.allSatisfy({ (0x21..<0x7F).contains($0) })
      ? name : ContentHash.of(Array(name.utf8))
  }
}

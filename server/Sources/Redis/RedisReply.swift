internal import CHiredis

/// A value of the Redis protocol.
enum RedisReply: Sendable, Equatable {
  case nothing
  case integer(Int64)
  /// Bytes, or a status such as OK.
  case bytes([UInt8])
  case list([RedisReply])
  case failure(String)

  var text: String? {
    if case .bytes(let bytes) = self { String(decoding: bytes, as: UTF8.self) } else { nil }
  }
}

/// Takes the protocol apart as bytes come in. hiredis does it; here its values become ours.
final class RedisReader {
  struct Garbage: Error, CustomStringConvertible {
    let description: String
  }

  private let reader: UnsafeMutablePointer<redisReader>

  init() {
    // Nil only if memory is out.
    reader = redisReaderCreate()!
  }

  deinit { redisReaderFree(reader) }

  func feed(_ bytes: UnsafeRawBufferPointer) throws {
    guard let start = bytes.bindMemory(to: CChar.self).baseAddress else { return }
    guard redisReaderFeed(reader, start, bytes.count) == REDIS_OK else { throw garbage() }
  }

  /// The next whole reply; nil until its last byte has come.
  func next() throws -> RedisReply? {
    var found: UnsafeMutableRawPointer?
    guard redisReaderGetReply(reader, &found) == REDIS_OK else { throw garbage() }
    guard let found else { return nil }
    defer { freeReplyObject(found) }
    return Self.reply(found.assumingMemoryBound(to: redisReply.self))
  }

  private func garbage() -> Garbage {
    Garbage(
      description: withUnsafeBytes(of: &reader.pointee.errstr) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      })
  }

  private static func reply(_ from: UnsafeMutablePointer<redisReply>) -> RedisReply {
    let value = from.pointee
    let bytes = value.str.map { Array(UnsafeRawBufferPointer(start: $0, count: Int(value.len))) } ?? []
    switch value.type {
    case REDIS_REPLY_INTEGER: return .integer(value.integer)
    case REDIS_REPLY_STRING, REDIS_REPLY_STATUS: return .bytes(bytes)
    case REDIS_REPLY_ERROR: return .failure(String(decoding: bytes, as: UTF8.self))
    case REDIS_REPLY_ARRAY:
      return .list((0..<Int(value.elements)).compactMap { value.element[$0].map(reply) })
    default: return .nothing
    }
  }
}

enum RedisCommand {
  /// The command as it goes over the wire.
  static func bytes(_ words: [[UInt8]]) -> [UInt8] {
    let flat = words.flatMap(\.self)
    let lengths = words.map(\.count)
    var target: UnsafeMutablePointer<CChar>?
    let count = flat.withUnsafeBytes { flat -> Int32 in
      // Every word is a place in the one block; an empty one needs a place too.
      var place = 0
      var empty: CChar = 0
      return withUnsafePointer(to: &empty) { nowhere in
        var places: [UnsafePointer<CChar>?] = lengths.map { length in
          defer { place += length }
          return length == 0
            ? nowhere : flat.baseAddress?.advanced(by: place).assumingMemoryBound(to: CChar.self)
        }
        return redisFormatCommandArgv(&target, Int32(words.count), &places, lengths)
      }
    }
    guard let target, count > 0 else { return [] }
    defer { redisFreeCommand(target) }
    return Array(UnsafeRawBufferPointer(start: target, count: Int(count)))
  }
}

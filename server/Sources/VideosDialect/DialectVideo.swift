internal import Contract
internal import Foundation
internal import Platform

/// A video as programs of others know it.
struct DialectVideo: Encodable, Sendable {
  struct Failure: Encodable, Sendable, Equatable {
    let code: String
    let message: String
  }

  enum Status: String, Encodable, Sendable {
    case queued
    case inProgress = "in_progress"
    case completed, failed
  }

  let generation: Generation

  init(_ generation: Generation) { self.generation = generation }

  var status: Status {
    switch generation.state {
    case .reserved, .queued: .queued
    case .inProgress, .storing: .inProgress
    case .ready: .completed
    case .failed, .cancelled, .expired: .failed
    }
  }

  /// Their percents of a video that is whole are 100, and of no other.
  var progress: Int { status == .completed ? 100 : min(99, max(0, generation.permille / 10)) }

  /// They have the shape in pixels. How large it really is depends on whoever makes it.
  var size: String {
    switch generation.aspect {
    case .portrait: "720x1280"
    case .landscape: "1280x720"
    case .square: "720x720"
    }
  }

  var failure: Failure? {
    switch generation.state {
    case .reserved, .queued, .inProgress, .storing, .ready: nil
    case .cancelled: Failure(code: "cancelled", message: "It was cancelled.")
    case .failed, .expired: Self.failure(generation.problem ?? .providerError)
    }
  }

  private static func failure(_ problem: GenerationProblem) -> Failure {
    let message =
      switch problem {
      case .contentPolicy: "The prompt is against the rules of whoever makes videos."
      case .invalidRequest: "Whoever makes videos does not take it as it is."
      case .rateLimited, .capacity: "Too much is being made now; try again later."
      case .providerError: "Whoever makes videos failed."
      case .timeout, .expired: "It was not made in time."
      }
    return Failure(code: problem.rawValue, message: message)
  }

  private enum Key: String, CodingKey {
    case id, object, model, status, progress, prompt, seconds, size, error
    case createdAt, completedAt, expiresAt, remixedFromVideoId
  }

  /// NB: what is not there is written as null, as they do.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(VideoID.text(generation.id), forKey: .id)
    try container.encode("video", forKey: .object)
    // Whoever makes it is the operator's choice, and named to nobody.
    try container.encode("clipfeed", forKey: .model)
    try container.encode(status, forKey: .status)
    try container.encode(progress, forKey: .progress)
    try container.encode(generation.prompt, forKey: .prompt)
    try container.encode("\(generation.seconds)", forKey: .seconds)
    try container.encode(size, forKey: .size)
    try container.encode(failure, forKey: .error)
    try container.encode(Self.seconds(generation.createdAt), forKey: .createdAt)
    let completedAt = status == .completed ? generation.endedAt : nil
    try container.encode(completedAt.map(Self.seconds), forKey: .completedAt)
    // It is kept until it is deleted.
    try container.encode(Int64?.none, forKey: .expiresAt)
    try container.encode(generation.refinesId.map(VideoID.text), forKey: .remixedFromVideoId)
  }

  /// Since 1970.
  private static func seconds(_ date: Date) -> Int64 {
    Int64(clamping: date.timeIntervalSince1970.rounded(.down))
  }
}

struct DialectPage: Encodable, Sendable {
  let data: [DialectVideo]
  let hasMore: Bool

  private enum Key: String, CodingKey { case object, data, firstId, lastId, hasMore }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode("list", forKey: .object)
    try container.encode(data, forKey: .data)
    try container.encode(data.first.map { VideoID.text($0.generation.id) }, forKey: .firstId)
    try container.encode(data.last.map { VideoID.text($0.generation.id) }, forKey: .lastId)
    try container.encode(hasMore, forKey: .hasMore)
  }
}

struct DeletedVideo: Encodable, Sendable {
  let id: String
  let object = "video.deleted"
  let deleted = true
}

/// Their ids say what they are of.
enum VideoID {
  private static let prefix = "video_"

  static func text(_ id: String) -> String { prefix + id }

  /// Throws `generation_not_found`.
  static func read(_ text: String) throws -> String {
    guard text.starts(withBytesOf: prefix), text.utf8.count > prefix.utf8.count else {
      throw AppError(.generationNotFound)
    }
    return String(decoding: text.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
  }
}

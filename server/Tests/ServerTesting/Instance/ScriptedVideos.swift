import Foundation
import Generation
import Platform

@testable import PlatformTesting

/// A provider of videos that does what a test says. It understands keys: the same one begins one video alone.
final class ScriptedVideos: VideoProvider {
  enum Course: Sendable {
    /// Done with the so-manieth question.
    case made(after: Int)
    case failing(ProviderFailure)
    /// It takes nothing to begin with.
    case refusing(ProviderFailure)
    case never
  }

  struct Video: Sendable {
    var request: VideoRequest
    var asked = 0
    var isCancelled = false
    var isOver = false
  }

  private struct State {
    /// In the order in which they were begun, by key; a key is the id as well.
    var order: [String] = []
    var videos: [String: Video] = [:]
    var mostAtOnce = 0
  }

  let name: String
  let capabilities: VideoCapabilities
  /// What is handed out; nil: a file of a few words.
  private let file: URL?
  private let course: @Sendable (_ request: VideoRequest, _ number: Int) -> Course
  private let state = Shared(State())

  /// `course`: of the so-manieth video, from 0 on.
  init(
    _ name: String = "scripted", making file: URL? = nil, concurrent: Int = 4, seconds: [Int] = [5, 10, 15],
    takesPictures: Bool = false, refines: Bool = false,
    _ course: @escaping @Sendable (_ request: VideoRequest, _ number: Int) -> Course = { _, _ in
      .made(after: 2)
    }
  ) {
    self.name = name
    self.file = file
    self.course = course
    capabilities = VideoCapabilities(
      seconds: seconds, aspects: [.portrait, .landscape], takesPictures: takesPictures, refines: refines,
      concurrent: concurrent, pollSeconds: 1)
  }

  /// In the order in which they were begun.
  var videos: [Video] { state.with { state in state.order.compactMap { state.videos[$0] } } }
  var keys: [String] { state.with { $0.order } }
  /// How many it had to do with at the same time.
  var mostAtOnce: Int { state.with { $0.mostAtOnce } }

  func create(_ request: VideoRequest, key: String) async throws -> String {
    try state.with { state in
      if state.videos[key] != nil { return }
      let number = state.order.count
      state.order.append(key)
      state.videos[key] = Video(request: request)
      if case .refusing(let failure) = course(request, number) {
        state.videos[key]?.isOver = true
        throw failure
      }
      let open = state.videos.values.count { !$0.isOver && !$0.isCancelled }
      state.mostAtOnce = max(state.mostAtOnce, open)
    }
    return key
  }

  func status(of id: String) async throws -> VideoStatus {
    try state.with { state in
      guard let number = state.order.firstIndex(of: id), let video = state.videos[id] else {
        throw ProviderFailure(.expired, "no such video")
      }
      state.videos[id]?.asked += 1
      switch course(video.request, number) {
      case .made(let after) where video.asked + 1 >= after:
        state.videos[id]?.isOver = true
        return .completed
      case .failing(let failure), .refusing(let failure):
        state.videos[id]?.isOver = true
        return .failed(failure)
      case .made, .never: return video.asked == 0 ? .queued : .inProgress(permille: 500, pollAfter: nil)
      }
    }
  }

  func content(of id: String, into target: URL, atMost bytes: Int64) async throws {
    if let file {
      try FileManager.default.copyItem(at: file, to: target)
    } else {
      try Data("what \(id) is".utf8).write(to: target)
    }
  }

  func cancel(_ id: String) async throws { state.with { $0.videos[id]?.isCancelled = true } }
}

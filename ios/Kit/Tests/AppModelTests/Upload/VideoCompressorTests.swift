import CoreTypes
import Foundation
import Testing
import Transfer

@testable import AppModel

/// Writes down what it is asked to make.
@MainActor private final class NotingMaker: VideoMaker {
  var seconds = 20.0
  private(set) var plans: [VideoPlan] = []

  func facts(of file: URL) async throws -> ClipFacts {
    guard let facts = ClipFacts(seconds: seconds, width: 2160, height: 3840, frameRate: 60) else {
      throw URLError(.cannotDecodeContentData)
    }
    return facts
  }

  func make(
    _ plan: VideoPlan, through look: LookCube?, into file: URL,
    progress: @escaping @MainActor @Sendable (Double) -> Void
  ) async throws {
    plans.append(plan)
    progress(1)
  }

  func picture(
    of plan: VideoPlan, through look: LookCube?, at instant: Milliseconds, height: Int
  ) async throws -> Data { Data() }
}

@MainActor @Suite struct VideoCompressorTests {
  private let maker = NotingMaker()

  private func compress(megabytes: Int64 = 40, isHighRange: Bool = false) async throws {
    try await VideoCompressor(maker, isHighRange: { _ in isHighRange }).compress(
      URL(filePath: "/film.mov"), of: Bytes(megabytes << 20), to: URL(filePath: "/small.mp4"),
      wanted: Bytes(10 << 20), progress: { _ in })
  }

  @Test(arguments: [(10.0, 1080), (20, 720), (60, 540)]) func theBestPresetThatFitsIsTaken(
    seconds: Double, edge: Int
  ) async throws {
    maker.seconds = seconds
    try await compress()
    let target = try #require(maker.plans.first?.target)
    #expect(target.width == edge)
    #expect(target.height == edge * 16 / 9)
    #expect(maker.plans.first?.parts.map(\.file) == [URL(filePath: "/film.mov")])
    #expect(maker.plans.first?.length == Milliseconds(Int64(seconds * 1_000)))
  }

  @Test func whatIsSmallAlreadyAndWhatWouldLoseItsLightIsLeftAlone() async throws {
    maker.seconds = 60
    await #expect(throws: VideoCompressor.NotWorthwhile.self) { try await compress(megabytes: 12) }
    await #expect(throws: VideoCompressor.NotWorthwhile.self) { try await compress(isHighRange: true) }
    #expect(maker.plans.isEmpty)
  }
}

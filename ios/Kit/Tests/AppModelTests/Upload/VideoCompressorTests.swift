import CoreTypes
import Foundation
import Testing
import Transfer
import Upload

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

  /// Of any length, and from an encoder that is not quite at the rate that was asked for.
  @Test(arguments: [90, 100, 105]) func whatTheStudioMakesIsNotEncodedOnceMore(percent: Int64) {
    for seconds in Int64(1)...60 {
      let made = Self.made(seconds).target
      let bits = (made.rate.rawValue + VideoPreset.soundRate.rawValue) * seconds
      let size = Bytes(bits / 8 * percent / 100)
      let goesAsItIs =
        size < SizeGate.compressedFrom
        || VideoPreset.fitting(Milliseconds(seconds * 1_000), size: size, wanted: SizeGate.compressedFrom)
          == nil
      #expect(goesAsItIs, "\(seconds) s")
    }
  }

  @Test func theStudioMakesTheSharpestThatGoesAsItIs() {
    #expect([13, 14, 26, 27, 60].map { Self.made($0).target.width } == [1080, 720, 720, 540, 540])
    // What is smaller already stays as it is.
    let small = VideoPreset.small.target(width: 300, height: 300, frameRate: 24)
    #expect(Self.made(60, small).target == small)
  }

  private static func made(_ seconds: Int64, _ target: VideoTarget? = nil) -> VideoPlan {
    let length = Milliseconds(seconds * 1_000)
    return VideoPlan(
      parts: [VideoPlan.Part(file: URL(filePath: "/a.mov"), captured: length, played: length)],
      target: target ?? VideoPreset.large.target(width: 1080, height: 1920, frameRate: 30), fills: true
    ).sizedForUpload()
  }
}

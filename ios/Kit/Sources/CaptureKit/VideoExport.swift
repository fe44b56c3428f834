internal import AVFoundation
public import AppModel
internal import CoreGraphics
internal import CoreImage
internal import CoreMedia
public import CoreTypes
public import Foundation

/// Makes videos of files, and pictures of videos. For the record screen and for uploads: a file in another
/// size is a plan of one part.
@MainActor public final class VideoExport: VideoMaker {
  /// The one asked for last: a strip takes ten pictures of the same.
  private var last: (plan: VideoPlan, composition: PlanComposition)?
  private let painter = LookPainter()

  public init() {}

  public func facts(of file: URL) async throws -> ClipFacts {
    do {
      return try await Self.read(file)
    } catch {
      throw Self.trouble(error)
    }
  }

  private nonisolated static func read(_ file: URL) async throws -> ClipFacts {
    let asset = AVURLAsset(url: file, options: nil)
    guard let track = try await asset.loadTracks(withMediaType: .video).first else {
      throw VideoTrouble.unreadable
    }
    let length = try await asset.load(.duration)
    let (size, matrix, rate) = try await track.load(.naturalSize, .preferredTransform, .nominalFrameRate)
    let turn = PictureTurn(matrix: Double(matrix.a), Double(matrix.b), Double(matrix.c), Double(matrix.d))
    let (wide, high) = turn.swapsSides ? (size.height, size.width) : (size.width, size.height)
    guard
      let facts = ClipFacts(
        seconds: length.seconds, width: Double(wide), height: Double(high), frameRate: Double(rate))
    else { throw VideoTrouble.unreadable }
    return facts
  }

  public func make(
    _ plan: VideoPlan, through look: LookCube?, into file: URL,
    progress: @escaping @MainActor @Sendable (Double) -> Void
  ) async throws {
    do {
      let composition = try await PlanComposition(plan, through: look)
      try Task.checkCancellation()
      let run = try ExportRun(composition, plan: plan, into: file) { share in
        Task { @MainActor in progress(share) }
      }
      try await run.run()
    } catch {
      try? FileManager.default.removeItem(at: file)
      throw Self.trouble(error)
    }
  }

  public func picture(
    of plan: VideoPlan, through look: LookCube?, at instant: Milliseconds, height: Int
  ) async throws -> Data {
    do {
      let composition = try await self.composition(plan)
      return try await Self.picture(of: composition, through: look, at: instant, height: height, painter)
    } catch {
      throw Self.trouble(error)
    }
  }

  private nonisolated static func picture(
    of composition: PlanComposition, through look: LookCube?, at instant: Milliseconds, height: Int,
    _ painter: LookPainter
  ) async throws -> Data {
    let generator = AVAssetImageGenerator(asset: composition.asset)
    generator.videoComposition = composition.frames(through: look)
    generator.maximumSize = CGSize(width: 0, height: height)
    generator.requestedTimeToleranceBefore = .zero
    generator.requestedTimeToleranceAfter = .zero
    return painter.jpeg(CIImage(cgImage: try await generator.image(at: instant.time).image))
  }

  private func composition(_ plan: VideoPlan) async throws -> PlanComposition {
    if let last, last.plan == plan { return last.composition }
    let composition = try await PlanComposition(plan, through: nil)
    last = (plan, composition)
    return composition
  }

  nonisolated static func trouble(_ error: any Error) -> any Error {
    if error is CancellationError || error is VideoTrouble { return error }
    let error = error as NSError
    let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError
    return VideoTrouble(domain: error.domain, code: error.code, cause: cause.map { ($0.domain, $0.code) })
  }

  nonisolated static func isFull(_ error: any Error) -> Bool {
    trouble(error) as? VideoTrouble == .storageFull
  }

  /// Of what can be played of a file, as after a crash.
  nonisolated static func length(of file: URL) async throws -> Milliseconds { try await read(file).length }
}

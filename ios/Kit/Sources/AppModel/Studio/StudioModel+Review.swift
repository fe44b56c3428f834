internal import Contract
internal import CoreTypes
public import Foundation
internal import Recording

/// From the camera to the review, and from there to the upload.
extension StudioModel {
  /// Videos of the photo library in one go: each becomes a part.
  public static let mostImports = 20

  /// The core's `assemble`: what is made of the clips waits for what the person still chooses.
  func openReview(_ clips: [RecordedClip]) {
    ports.camera.close()
    let folder = ports.folder
    let parts = clips.compactMap { clip in
      folder.file(clip.clip.rawValue).map {
        VideoPlan.Part(file: $0, captured: clip.captured, played: clip.played)
      }
    }
    Task { [weak self, ports] in
      guard let first = parts.first, parts.count == clips.count,
        let facts = try? await ports.maker.facts(of: first.file)
      else {
        self?.reviewFailed()
        return
      }
      guard let self, self.isOpen, self.controls.stage == .assembling else { return }
      let plan = VideoPlan(parts: parts, target: VideoPreset.upright(of: facts), fills: true)
      self.show(plan, clips: clips.map { $0.clip.rawValue })
    }
  }

  private func reviewFailed() {
    ports.announcements.post("The video could not be made. Your clips are all still here.")
    host.report(.assemblyFailed)
  }

  private func show(_ plan: VideoPlan, clips: [Int32]) {
    let review = ReviewModel(
      plan: plan, look: preferences.look, recorded: clips,
      ports: ReviewModel.Ports(
        maker: ports.maker, player: ports.player, folder: ports.folder,
        back: { [weak self] in self?.leaveReview() },
        lookChanged: { [weak self] in self?.choose($0) },
        finished: { [weak self] in self?.take($0) }))
    self.review = review
    if review.isImported {
      ports.camera.close()
      tellCovered()
    }
    review.begin()
    if !isActive { review.setActive(false) }
  }

  private func leaveReview() {
    guard let review else { return }
    review.end()
    self.review = nil
    if review.isImported { tellCovered() } else { host.report(.assemblyCancelled) }
  }

  /// The clips stay: what is uploaded may still be cancelled.
  private func take(_ video: FinishedVideo) {
    host.report(.assembled)
    // Closed first: what takes the screen's place must not be closed in its stead.
    host.report(.keepConfirmed)
    ports.handOver(video)
  }

  // MARK: The photo library

  /// Copies videos that a person picked, one after the other, and shows them. `loads` answer files in a
  /// temporary place.
  public func importVideos(_ loads: [@Sendable () async throws -> URL?]) {
    guard isOpen, review == nil, controls.stage == .ready, !loads.isEmpty else { return }
    importing?.cancel()
    let loads = Array(loads.prefix(Self.mostImports))
    copying = (0, loads.count)
    importing = Task { [weak self, ports] in
      var parts: [(VideoPlan.Part, ClipFacts)] = []
      for (index, load) in loads.enumerated() {
        if let found = await Self.copied(load, ports) { parts.append(found) }
        guard !Task.isCancelled else { return }
        self?.copying = (index + 1, loads.count)
      }
      self?.imported(parts, of: loads.count)
    }
  }

  public func cancelImport() {
    importing?.cancel()
    copying = nil
  }

  /// For tests: resolved when nothing is being copied.
  func importedAll() async { await importing?.value }

  private static func copied(_ load: @Sendable () async throws -> URL?, _ ports: Ports) async
    -> (VideoPlan.Part, ClipFacts)?
  {
    guard let file = try? await load() else { return nil }
    let place = ports.folder.scratchFile(file.pathExtension.isEmpty ? "mov" : file.pathExtension)
    guard (try? FileManager.default.moveItem(at: file, to: place)) != nil,
      let facts = try? await ports.maker.facts(of: place), facts.length.rawValue >= Limits.shortestMs,
      Limits.sidePixels.contains(facts.width), Limits.sidePixels.contains(facts.height)
    else {
      try? FileManager.default.removeItem(at: place)
      return nil
    }
    return (VideoPlan.Part(file: place, captured: facts.length, played: facts.length), facts)
  }

  private func imported(_ found: [(VideoPlan.Part, ClipFacts)], of count: Int) {
    copying = nil
    guard isOpen, controls.stage == .ready else { return }
    guard let (_, facts) = found.first else {
      return ports.announcements.post(
        count == 1 ? "This video cannot be used." : "These videos cannot be used.")
    }
    if found.count < count { ports.announcements.post("Some of the videos cannot be used.") }
    let preset = VideoPreset.covering(width: facts.width, height: facts.height)
    let target = preset.target(width: facts.width, height: facts.height, frameRate: facts.frameRate)
    show(VideoPlan(parts: found.map(\.0), target: target, fills: false), clips: [])
  }
}

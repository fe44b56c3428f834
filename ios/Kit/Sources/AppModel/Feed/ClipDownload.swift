internal import Contract
public import Foundation
internal import Playback

/// Brings one's own clip onto this device as a file, one at a time, for whoever hands it on to another app.
///
/// It refuses to know where the file goes, and keeps none: each goes with the next, or once it was handed on.
@MainActor public final class ClipDownload {
  private let client: Client
  private let file: ClipFile
  private let folder: URL
  private let announcements: Announcements
  private var work: Task<Void, Never>?
  /// An offer to cancel is about its own.
  private var number = 0
  /// Hears of a file that is whole.
  public var onReady: ((URL) -> Void)?

  /// Addresses of media are relative to `base`; `folder` is this object's own.
  init(
    client: Client, transport: any SegmentTransport, base: URL, folder: URL, announcements: Announcements
  ) {
    self.client = client
    file = ClipFile(transport: transport, base: base)
    self.folder = folder
    self.announcements = announcements
    // The app may have been ended before it was handed on.
    discard()
  }

  /// `upload`: of the clip, where it is known: a clip that is not for everybody is asked for again by that.
  func start(_ clip: Clip, upload: String?) {
    guard work == nil else { return announcements.post("A clip is being downloaded already.") }
    number += 1
    let own = number
    announcements.post(
      "The clip is being downloaded.",
      action: (title: "Cancel", run: { [weak self] in self?.cancel(own) }))
    work = Task { [weak self] in
      await self?.run(clip, upload, own)
      if self?.number == own { self?.work = nil }
    }
  }

  private func run(_ clip: Clip, _ upload: String?, _ own: Int) async {
    guard number == own else { return }
    do {
      let place = try makePlace(clip.id, own)
      do {
        try await file.fetch(clip, to: place)
      } catch TransferFailure.gone, TransferFailure.refused {
        // Addresses of what is not for everybody end after a while.
        try await file.fetch(try await renewed(clip.id, upload), to: place)
      }
      try Task.checkCancellation()
      onReady?(place)
    } catch {
      // What another one has begun meanwhile is not touched.
      guard number == own else { return }
      discard()
      guard !Sentence.isSilent(error) else { return }
      tell(error) { [weak self] in self?.start(clip, upload: upload) }
    }
  }

  private func renewed(_ clip: String, _ upload: String?) async throws -> Clip {
    if let upload { try await client.clip(ofUpload: upload) } else { try await client.clip(clip) }
  }

  private func tell(_ error: any Error, again: @escaping @MainActor @Sendable () -> Void) {
    switch error {
    case ClipFile.Failure.notWritten:
      announcements.post("There isn’t enough space on this device for the video.")
    case let problem as Problem where problem.status == 404 || problem.status == 410:
      announcements.post(.clipGone)
    default: announcements.post(.clipUnreachable, action: (title: "Try again", run: again))
    }
  }

  /// The file is called after the clip, as it is when it comes out of a browser.
  private func makePlace(_ clip: String, _ own: Int) throws -> URL {
    discard()
    let folder = folder.appending(path: "\(own)")
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw ClipFile.Failure.notWritten
    }
    // A stranger's text is no path.
    let name = clip.unicodeScalars.filter { $0.isASCII && ($0.properties.isAlphabetic || "0"..."9" ~= $0) }
    return folder.appending(path: "clip-\(String(String.UnicodeScalarView(name.prefix(64)))).mp4")
  }

  /// The file was handed on, or nobody wants it.
  public func discard() { try? FileManager.default.removeItem(at: folder) }

  /// What was offered while it ran may be tapped when the file is there already.
  private func cancel(_ own: Int) {
    if number == own, work != nil { cancel() }
  }

  func cancel() {
    work?.cancel()
    work = nil
    number += 1
    discard()
  }

  func settled() async { await work?.value }
}

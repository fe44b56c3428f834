internal import Foundation
public import Persistence

/// Recorded clips whose video was handed over to the upload: they are forgotten once it is published, and not
/// before, whichever run of the app that is.
@MainActor public final class HandedTakes {
  public let folder: ClipFolder
  private let file: StoredFile<[String: [ClipStamp]]>

  public init(folder: ClipFolder, file: StoredFile<[String: [ClipStamp]]>) {
    self.folder = folder
    self.file = file
  }

  /// The name under which the upload knows a video; no two have the same.
  public static func name(of video: FinishedVideo) -> String { video.file.lastPathComponent }

  /// Before the upload takes it: whoever is killed in between has the clips still.
  public func handOver(_ video: FinishedVideo) {
    var all = file.load() ?? [:]
    all[Self.name(of: video)] = video.clips
    file.save(all)
  }

  /// Any upload is published, whether or not it was recorded here.
  public func published(_ name: String) {
    guard var all = file.load(), let clips = all.removeValue(forKey: name) else { return }
    folder.discard(clips)
    file.save(all)
  }
}

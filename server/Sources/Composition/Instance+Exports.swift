public import Accounts
internal import Contract
public import Exports
internal import Foundation
internal import Gateway
internal import Generation
internal import LocalUploads
internal import Logging
public import Platform
internal import Videos

/// What accounts take along.
extension Instance {
  /// `telling`: who tells owners that an archive is there; nil: nobody does.
  public func exports(
    on other: (any Database)? = nil, time: (any TimeSource)? = nil, telling: Accounts? = nil
  ) -> Exports {
    Exports(
      database: other ?? database, time: time ?? self.time, queue: queue, archives: sources, keys: sealKeys,
      telling: telling)
  }

  /// A worker for archives alone: it copies what is there, and no conversion waits for that.
  public func exportWorker(
    time: (any TimeSource)? = nil, ended: @escaping @Sendable (JobEnd) -> Void = { $0.count() }
  ) -> Worker {
    let handler = ExportHandler(
      exports: exports(time: time), features: viewerExporting, media: MediaOfAccounts(clips: clips),
      stores: .init(media: media, sources: sources) { [receiving] in try await receiving.room() },
      workFolder: workFolder
    ) { [settings] in try await settings.value("instance_name", orCreate: Self.makeName) }
    return Worker(queue: queue, handlers: [handler], logger: Logger(label: "clipfeed.exports"), ended: ended)
  }

  /// What an instance calls itself where several share something.
  static func makeName() -> String { String(Identifier.make(at: SystemTime()).suffix(12)) }
}

extension Accounts: ExportTelling {}

/// Clips with their files, as they are played now.
struct MediaOfAccounts: ExportedMedia {
  let clips: ClipStore

  func clips(
    of account: String, behind id: String, limit: Int, in transaction: any Transaction
  ) throws -> (clips: [ExportedClip], next: String?) {
    let parts = try clips.parts(of: account, behind: id, limit: limit, in: transaction)
    return (parts.map(Self.clip), parts.count == limit ? parts.last?.id : nil)
  }

  func picture(of account: String, in transaction: any Transaction) throws -> BlobName? {
    try AuthorStore.picture(of: account, in: transaction)
  }

  func firstPictures(
    of account: String, in transaction: any Transaction
  ) throws -> [(name: String, blob: BlobName)] {
    try Generations.pictures(of: account, in: transaction)
  }

  private static func clip(_ parts: ClipStore.Parts) -> ExportedClip {
    var files: [ExportedClip.File] = []
    if let hash = parts.sourceHash, let blob = BlobName(hash: hash, ext: "bin") {
      files.append(.init(.source, blob, in: .sources))
    }
    // The last is the best.
    if let blob = blob(parts.playback?.renditions.last?.url) { files.append(.init(.video, blob)) }
    if let blob = blob(parts.cover?.url ?? parts.poster?.url) { files.append(.init(.cover, blob)) }
    for track in parts.captions {
      guard let blob = blob(track.url) else { continue }
      var file = ExportedClip.File(.captions, blob)
      (file.language, file.label, file.isAutomatic) = (track.language, track.label, track.automatic)
      files.append(file)
    }
    return ExportedClip(id: parts.id, files: files)
  }

  private static func blob(_ url: String?) -> BlobName? { url.flatMap { BlobName.mentioned(in: $0).first } }
}

struct OpenedArchives: ArchiveOpening {
  let exports: Exports

  func open(_ id: String, by seal: String) async throws -> OpenedArchive {
    let archive = try await exports.archive(id, by: seal)
    return OpenedArchive(blob: archive.blob, fileName: archive.fileName, seconds: archive.seconds)
  }
}

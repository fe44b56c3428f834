internal import Contract
internal import Feed
public import Generation
internal import Platform
public import VideosDialect

extension Generations: VideoJobs {
  public var secondsOffered: [Int] { Self.lengths }
}

/// Files of clips, as their owners download them.
struct MediaOfVideos: VideoMedia {
  let feed: FeedStore

  func medium(_ variant: VideoVariant, of clip: String) async throws -> BlobName {
    guard let clip = try await feed.clips(forOwner: [clip])[clip] else { throw AppError(.clipNotFound) }
    let address: String? =
      switch variant {
      // The last is the best.
      case .video: clip.playback.renditions.last?.url
      case .thumbnail: clip.cover?.url ?? clip.poster.url
      case .spritesheet: clip.playback.storyboard?.url
      }
    guard let address, let name = BlobName.mentioned(in: address).first else {
      throw AppError(.mediaNotFound)
    }
    return name
  }
}

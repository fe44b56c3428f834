internal import Contract
internal import Feed
internal import Foundation
public import Generation
internal import Platform
internal import Uploads
internal import Videos

/// Clips from words.
extension Instance {
  /// For the operator, who looks, has them done again and stops them.
  public func generations() async throws -> Generations {
    FeatureContext(self, cursorKeys: try await cursorKeys()).generations
  }
}

extension FeatureContext {
  func generations(on database: any Database) -> Generations {
    var rules = rules
    // They are paid for already.
    (rules.openPerAccount, rules.bytesPerAccountPerDay, rules.openBytes) = (.max, .max, .max)
    let uploads = instance.uploads(rules, time: time, cursorKeys: cursorKeys)
    let drafts = Drafts(
      uploads: uploads, owned: OwnedClips(uploads: uploads, clips: instance.clips), feed: feed,
      media: instance.media, sealing: sealing)
    // Whatever it is told of by: workers have no request.
    let news = instance.news(live: instance.live(bus: nil), topic: pushTopic, web: webPush, time: time)
    return Generations(
      database: database, time: time, cursorKeys: cursorKeys, makers: instance.makers, clips: drafts,
      siteRules: instance.siteRules, review: instance.promptReview,
      pictures: FirstPictures(
        drawing: FirstPicturesOfMachine(requiringSandbox: requiringSandbox, turns: instance.drawingTurns),
        media: instance.media,
        workFolder: instance.workFolder), telling: news)
  }
}

/// What was made becomes an upload like any other, whose clip nobody else sees until it is published.
struct Drafts: GeneratedClips {
  let uploads: Uploads
  let owned: OwnedClips
  let feed: FeedStore
  let media: any BlobStore
  let sealing: ClipAccess

  func take(_ file: URL, key: String, for account: String) async throws -> (upload: String, clip: String) {
    // NB: before there is an upload: what a provider takes for a video would stand in the account's list.
    let head = try FileHandle(forReadingFrom: file)
    defer { try? head.close() }
    try ContainerGate().check(firstBytes: [UInt8](try head.read(upToCount: 1024) ?? Data()))
    let status = try await uploads.take(
      file, ClipDetails(visibility: .private), key: IdempotencyKey(key, of: account), by: account,
      isGenerated: true)
    if let problem = status.problem {
      throw AppError(ErrorCode(rawValue: problem.code) ?? .notAVideo, problem.detail)
    }
    guard let clip = status.clip?.id else { throw AppError(.unavailable) }
    return (status.id, clip)
  }

  func state(ofUpload upload: String) async throws -> GeneratedClipState {
    let status = try await uploads.upload(upload)
    switch status.state {
    case .receiving: return .converting(permille: 0)
    case .processing: return .converting(permille: status.clip?.permille ?? 0)
    case .published: return .ready
    case .refused: return .refused(status.problem.flatMap { ErrorCode(rawValue: $0.code) } ?? .notAVideo)
    }
  }

  func publish(_ upload: String, _ details: ClipDetails) async throws {
    do {
      if try await uploads.describe(upload, details).changesAccess { sealing.visibilityChanged() }
    } catch let error as AppError where Self.gone.contains(error.code) {
      throw AppError(.clipNotFound)
    }
  }

  func isShown(_ upload: String) async throws -> Bool {
    do {
      return try await uploads.upload(upload).details.visibility ?? .private != .private
    } catch let error as AppError where Self.gone.contains(error.code) {
      return false
    }
  }

  func discard(_ upload: String, forGood: Bool) async throws {
    do {
      _ = try await uploads.removeClip(of: upload, forGood: forGood)
      sealing.visibilityChanged()
    } catch let error as AppError where Self.gone.contains(error.code) {
      return
    }
  }

  private static let gone: Set<ErrorCode> = [.uploadNotFound, .uploadExpired, .clipNotYours]

  func requireOwn(_ clip: String, of account: String, in transaction: any Transaction) throws {
    guard try owned.owns(clip, account, in: transaction) else { throw AppError(.clipNotFound) }
  }

  func picture(of clip: String) async throws -> [UInt8] {
    let shown = try await feed.clips(forOwner: [clip])[clip]
    guard let shown, let blob = BlobName.mentioned(in: shown.cover?.url ?? shown.poster.url).first,
      let bytes = try await media.bytes(blob)
    else { throw AppError(.clipNotFound) }
    return bytes
  }
}

public import Contract
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import Platform

/// What the gateway needs of captions. Each throws `upload_not_found`, `upload_expired`, and `captions_need_a_clip` for
/// an upload that is none yet, or that never becomes one; `put` and `remove` throw `invalid_parameter` for a language that
/// is none.
public protocol CaptionKeeping: Sendable {
  func list(ofUpload id: String) async throws -> CaptionList
  /// Throws `captions_unreadable`, `captions_empty`, `captions_too_large` and `captions_too_many`.
  func put(_ file: [UInt8], toUpload id: String, language: String, label: String?) async throws
    -> CaptionTrack
  /// Throws `captions_not_found`.
  func remove(_ language: String, ofUpload id: String) async throws
}

/// Requests about the captions of an upload, whose id is its owner's secret.
struct CaptionRequests: Sendable {
  let captions: any CaptionKeeping
  let guests: GuestLimits

  /// The content decides which of the two formats it is. Other types are refused, since a browser sends some of them to
  /// any site without asking it.
  private static let types: Set<String> = ["text/vtt", "application/x-subrip", "text/plain"]

  func list(_ id: String) async throws -> CaptionList { try await captions.list(ofUpload: id) }

  func put(
    _ id: String, _ language: String, by viewer: Viewer?, _ request: Request, _ context: GatewayContext
  ) async throws -> CaptionTrack {
    guard let type = request.mediaType, Self.types.contains(type) else {
      throw AppError(
        .contentTypeUnsupported, "Captions come as \(Self.types.sorted().joined(separator: ", ")).",
        field: "Content-Type")
    }
    var bytes: [UInt8] = []
    for try await piece in request.body {
      guard bytes.count + piece.readableBytes <= Limits.captionsBytes else {
        throw AppError(.captionsTooLarge)
      }
      bytes += piece.readableBytesView
    }
    return try await captions.put(
      bytes, toUpload: id, language: language,
      label: request.uri.queryParameters["label"].map(String.init))
  }

  func remove(
    _ id: String, _ language: String, by viewer: Viewer?, _ request: Request, _ context: GatewayContext
  ) async throws {
    try await captions.remove(language, ofUpload: id)
  }
}

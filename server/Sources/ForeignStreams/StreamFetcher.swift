internal import AsyncHTTPClient
internal import Contract
internal import Dialing
internal import Foundation
internal import NIOCore
internal import NIOHTTP1
internal import Platform
internal import Synchronization

/// Asks hosts of strangers for lists, playlists and pieces of streams. It is the only part of an import that
/// dials: what it brings are local files, and ffmpeg sees those alone.
///
/// Each address, also one that a redirect leads to, goes through `StreamReach`, and the connection goes to
/// the very address that was looked at there.
struct StreamFetcher: Sendable {
  let reach: StreamReach
  let limits: StreamLimits
  private let spent = Spent()
  private let began = ContinuousClock.now

  init(reach: StreamReach, limits: StreamLimits) {
    self.reach = reach
    self.limits = limits
  }

  /// A text and where it came from in the end, by which what it names is found. Throws `StreamFailure`.
  func text(at address: WebAddress, atMost most: Int) async throws -> (text: String, address: WebAddress) {
    var bytes: [UInt8] = []
    let place = try await fetch(address, nil, atMost: most) { bytes += $0.readableBytesView }
    return (String(decoding: bytes, as: UTF8.self), place)
  }

  /// Writes an answer, or that range of it, behind what the file has. Returns how many bytes it was. Throws
  /// `StreamFailure`.
  func append(
    _ address: WebAddress, _ range: Range<Int>?, to file: FileHandle, atMost most: Int
  ) async throws -> Int {
    var size = 0
    _ = try await fetch(address, range, atMost: most) { piece in
      size += piece.readableBytes
      do { try file.write(contentsOf: Data(piece.readableBytesView)) } catch { throw AppError(.storageFull) }
    }
    if let range, size != range.count {
      throw StreamFailure("\(address) ends before the bytes that its playlist names")
    }
    return size
  }

  private func fetch(
    _ address: WebAddress, _ range: Range<Int>?, atMost most: Int, into take: (ByteBuffer) throws -> Void
  ) async throws -> WebAddress {
    if let range, range.count > most {
      throw StreamFailure("\(address) has more than \(most >> 20) MB", isSize: true)
    }
    var place = address
    for _ in 0...limits.redirects {
      guard let next = try await answer(place, range, atMost: most, into: take) else { return place }
      guard let followed = place.resolving(next) else {
        throw StreamFailure("\(place) leads to something that is no address of https")
      }
      place = followed
    }
    throw StreamFailure("\(address) leads on and on: more than \(limits.redirects) redirects")
  }

  /// Where it leads on to; nil: it was the answer itself.
  private func answer(
    _ place: WebAddress, _ range: Range<Int>?, atMost most: Int, into take: (ByteBuffer) throws -> Void
  ) async throws -> String? {
    guard ContinuousClock.now - began < limits.all else { throw StreamFailure("the import takes too long") }
    let addresses = try await reach.addresses(of: place)
    let client = PinnedClients.shared.client(for: place.host, at: addresses)
    var request = HTTPClientRequest(url: place.description)
    request.headers = HTTPHeaders([("user-agent", "Clipfeed"), ("accept-encoding", "identity")])
    if let range {
      request.headers.add(name: "range", value: "bytes=\(range.lowerBound)-\(range.upperBound - 1)")
    }
    do {
      let response = try await client.execute(
        request, timeout: .milliseconds(Int64(clamping: limits.request / .milliseconds(1))))
      switch response.status.code {
      case 200, 206: break
      case 301, 302, 303, 307, 308:
        guard let next = response.headers.first(name: "location") else {
          throw StreamFailure("\(place) leads on to nowhere")
        }
        return next
      default: throw StreamFailure("\(place) answers \(response.status.code)")
      }
      // A server that knows no ranges sends all of it.
      let skipped = response.status.code == 200 ? range?.lowerBound ?? 0 : 0
      if response.status.code == 206 {
        guard let range, Self.begins(response.headers.first(name: "content-range"), at: range) else {
          throw StreamFailure("\(place) answers with other bytes than it was asked for")
        }
      }
      try await read(response.body, of: place, behind: skipped, range?.count, atMost: most, into: take)
      return nil
    } catch let failure as StreamFailure {
      throw failure
    } catch let error as AppError {
      throw error
    } catch let error as HTTPClientError {
      PinnedClients.shared.failed(client, for: place.host, at: addresses)
      throw StreamFailure("\(place) does not answer as it should: \(error.shortDescription)")
    } catch let error as CancellationError {
      throw error
    } catch {
      PinnedClients.shared.failed(client, for: place.host, at: addresses)
      throw StreamFailure("\(place) cannot be fetched: \(error)")
    }
  }

  /// `behind`: bytes at the start that are not wanted; `count`: how many are, nil for all.
  private func read(
    _ body: HTTPClientResponse.Body, of place: WebAddress, behind skipped: Int, _ count: Int?,
    atMost most: Int,
    into take: (ByteBuffer) throws -> Void
  ) async throws {
    let began = ContinuousClock.now
    var (size, taken) = (0, 0)
    for try await var piece in body {
      size += piece.readableBytes
      guard spent.add(piece.readableBytes) <= limits.allBytes else {
        throw StreamFailure("all streams together have more than \(limits.allBytes >> 30) GB")
      }
      let elapsed = ContinuousClock.now - began
      guard elapsed < limits.request else { throw StreamFailure("\(place) does not end") }
      let rate = Double(size) / max(elapsed / .seconds(1), 0.001)
      guard elapsed < limits.patience || rate >= Double(limits.leastRate) else {
        throw StreamFailure("\(place) comes too slowly: \(Int(clamping: rate.rounded())) bytes per second")
      }
      let before = size - piece.readableBytes
      if before < skipped { piece.moveReaderIndex(forwardBy: min(piece.readableBytes, skipped - before)) }
      if let count, piece.readableBytes > count - taken {
        piece = piece.readSlice(length: count - taken) ?? ByteBuffer()
      }
      taken += piece.readableBytes
      guard taken <= most, size <= most + skipped else {
        throw StreamFailure("\(place) has more than \(Self.shown(most))", isSize: true)
      }
      try take(piece)
      if let count, taken == count { return }
    }
  }

  private static func shown(_ bytes: Int) -> String {
    bytes < 1 << 20 ? "\(bytes) bytes" : "\(bytes >> 20) MB"
  }

  /// "bytes 0-99/1000"
  private static func begins(_ header: String?, at range: Range<Int>) -> Bool {
    header?.rest(behind: "bytes ")?.starts(withBytesOf: "\(range.lowerBound)-") ?? false
  }

  private final class Spent: Sendable {
    private let bytes = Mutex(0)

    func add(_ more: Int) -> Int {
      bytes.withLock {
        $0 += more
        return $0
      }
    }
  }
}

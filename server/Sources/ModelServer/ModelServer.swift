internal import AsyncHTTPClient
internal import Dialing
internal import Foundation
internal import NIOCore
internal import NIOHTTP1
internal import Platform
public import Recommendations
internal import Synchronization

/// An operator's own model, by HTTP.
///
/// It knows how model servers are spoken to, and believes none of what they say. What is a candidate, for how
/// long it may take and when it is left alone is for whoever asks.
public final class ModelServer: CandidateScoring {
  /// Of all answers. Two thousand scores have some forty kilobytes.
  static let largestAnswer = 256 << 10
  /// For a whole answer, however slowly it comes: the end of what nobody waits for any more.
  static let patience = Duration.seconds(10)
  /// How long a name leads to the same addresses.
  static let namesHold = Duration.seconds(30)

  /// NB: a connection that cannot be made says so at once; the time of a page is too short to try again.
  private static let clients = PinnedClients(triesAgain: false)

  private let settings: ModelServerSettings
  private let dialect: any ScoringDialect
  private let found = Mutex<(addresses: [NetworkAddress], at: ContinuousClock.Instant)?>(nil)

  public init(_ settings: ModelServerSettings) {
    self.settings = settings
    dialect = settings.spoken
  }

  public func scores(of candidates: CandidateFeatures) async throws -> [Float] {
    let answer = try await ask(dialect.scoring, dialect.body(of: candidates))
    guard answer.status == 200 else { throw ScoringFailure.refused("status \(answer.status)") }
    return try dialect.scores(in: answer.body, count: candidates.count)
  }

  /// Whether the model is there and scores. Returns what an operator may know of it; throws `ScoringFailure`.
  public func check() async throws -> String {
    for path in dialect.readiness {
      let answer = try await ask(path, nil)
      guard answer.status == 200, dialect.saysReady(answer.body) else {
        throw ScoringFailure.refused("\(path) says that it is not ready (status \(answer.status))")
      }
    }
    let columns = CandidateFeatures.columns.count
    let nobody = "00000000-0000-0000-0000-000000000000"
    let made = CandidateFeatures(
      values: [Float](repeating: 0, count: columns) + [Float](repeating: 1, count: columns),
      clips: [nobody, nobody], viewer: nobody)
    let began = ContinuousClock.now
    _ = try await scores(of: made)
    let took = Int(clamping: ((ContinuousClock.now - began) / .milliseconds(1)).rounded(.up))
    return "\(settings.address) has \(settings.model) and scores two made-up clips in \(took) ms"
  }

  // MARK: Asking

  private struct Answer: Sendable {
    let status: UInt
    let body: Data
  }

  /// `body`: nil: it is only looked at.
  private func ask(_ path: String, _ body: [UInt8]?) async throws -> Answer {
    var request = HTTPClientRequest(url: settings.address + path)
    request.headers = HTTPHeaders([("accept", "application/json"), ("user-agent", "Clipfeed")])
    if let token = settings.token { request.headers.add(name: "authorization", value: "Bearer \(token)") }
    if let body {
      request.method = .POST
      request.headers.add(name: "content-type", value: "application/json")
      request.body = .bytes(ByteBuffer(bytes: body))
    }
    do {
      return try await Patience.within(Self.patience) { [self, request] in
        do {
          return try await exchange(request)
        } catch let error as HTTPClientError where error == .remoteConnectionClosed {
          // It ended a kept connection just when it was used. To ask twice changes nothing.
          return try await exchange(request)
        }
      }
    } catch let failure as ScoringFailure {
      throw failure
    } catch let cancelled as CancellationError {
      throw cancelled
    } catch is NIOTooManyBytesError {
      throw ScoringFailure.malformed("more than \(Self.largestAnswer >> 10) KB")
    } catch is Patience.Over {
      throw ScoringFailure.unreachable("no answer in time")
    } catch let error as HTTPClientError {
      throw ScoringFailure.unreachable(error.shortDescription)
    } catch {
      // NB: not its description, which may quote the request.
      throw ScoringFailure.unreachable("no connection (\(type(of: error)))")
    }
  }

  private func exchange(_ request: HTTPClientRequest) async throws -> Answer {
    let addresses = try await addresses()
    let client = Self.clients.client(for: settings.host, at: addresses)
    do {
      let response = try await client.execute(request, timeout: .seconds(30))
      let body = try await response.body.collect(upTo: Self.largestAnswer)
      return Answer(status: response.status.code, body: Data(body.readableBytesView))
    } catch {
      if Self.isOfAddress(error) { Self.clients.failed(client, for: settings.host, at: addresses) }
      throw error
    }
  }

  /// Whether another address may do better: not where nobody waited for the answer, or it was too long.
  static func isOfAddress(_ error: any Error) -> Bool {
    !(error is CancellationError) && !(error is NIOTooManyBytesError)
      && (error as? HTTPClientError) != .cancelled
  }

  /// A name is looked up now and then, not for each page.
  private func addresses() async throws -> [NetworkAddress] {
    if let known = found.withLock({ $0 }), ContinuousClock.now - known.at < Self.namesHold {
      return known.addresses
    }
    let addresses = await Names.addresses(of: settings.host)
    guard !addresses.isEmpty else {
      try Task.checkCancellation()
      throw ScoringFailure.unreachable("its name is not known")
    }
    found.withLock { $0 = (addresses, .now) }
    return addresses
  }
}

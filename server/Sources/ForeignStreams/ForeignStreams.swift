internal import Contract
public import Dialing
public import Foundation
internal import Platform
public import Transcoding

/// Brings home streams that others serve (HLS), one local file for each.
public struct ForeignStreams: Sendable {
  /// One stream of a list.
  public struct Stream: Sendable, Equatable {
    /// As it is shown to a person.
    public let name: String
    /// What the list says about it.
    public let caption: String?
    /// That of its playlist; empty if it says nothing about what is to be seen.
    public let fileName: String
    let place: Place

    enum Place: Sendable, Equatable {
      case address(WebAddress)
      case unusable(String)
    }
  }

  /// What came home.
  public struct Fetched: Sendable {
    /// Picture and, mostly, sound.
    public var file: URL
    public var container: Container
    /// Where the sound is, if the stream keeps it apart.
    public var sound: (file: URL, container: Container)?
  }

  private let fetcher: StreamFetcher
  private let limits: StreamLimits

  public init(reach: StreamReach, limits: StreamLimits = StreamLimits()) {
    fetcher = StreamFetcher(reach: reach, limits: limits)
    self.limits = limits
  }

  /// The streams that an address stands for: those of its list, each once, or the one that it is itself.
  /// `first`: so many of them; nil: all. Throws `StreamFailure`.
  public func streams(at address: WebAddress, first: Int?) async throws -> [Stream] {
    let (text, place) = try await fetcher.text(at: address, atMost: limits.listBytes)
    if ForeignPlaylist.isOne(text) { return [Self.stream(address, nil)] }
    let entries = try StreamList(text).entries
    guard first != nil || entries.count <= limits.streams else {
      throw StreamFailure(
        "the list has \(entries.count) streams, and \(limits.streams) are taken at most; say --first "
          + "\(limits.streams)")
    }
    var known: Set<WebAddress> = []
    return entries.prefix(min(first ?? limits.streams, limits.streams)).enumerated().compactMap {
      number, entry in
      guard let url = entry.url, let found = place.resolving(url) else {
        let reason = entry.url == nil ? "the entry has no address" : "the entry is no address of https"
        return Stream(name: "entry \(number + 1)", caption: nil, fileName: "", place: .unusable(reason))
      }
      return known.insert(found).inserted ? Self.stream(found, entry.caption) : nil
    }
  }

  private static func stream(_ address: WebAddress, _ caption: String?) -> Stream {
    Stream(
      name: address.description, caption: caption, fileName: fileName(of: address), place: .address(address))
  }

  private static func fileName(of address: WebAddress) -> String {
    let path = address.target.split(atByte: UInt8(ascii: "?"), omittingEmpty: false)[0]
    guard
      let name = path.split(atByte: UInt8(ascii: "/")).last.map({ String($0).removingPercentEncoding ?? "" })
    else { return "" }
    let bare = name.split(atByte: UInt8(ascii: "."))[...].first.map { $0.lowercased() } ?? ""
    return namesOfNothing.contains(bare) ? "" : name
  }

  private static let namesOfNothing: Set<String> = [
    "", "master", "index", "playlist", "manifest", "main", "stream", "video", "hls", "prog_index",
  ]

  /// Fetches the best rendition that can become a clip, into a folder. `progress` gets 0…1 by the playlist's
  /// pieces. Throws `StreamFailure`, or an `AppError` for what is no video of ours.
  public func fetch(
    _ stream: Stream, into folder: URL, progress: @escaping @Sendable (Double) -> Void
  ) async throws -> Fetched {
    switch stream.place {
    case .unusable(let reason): throw StreamFailure(reason)
    case .address(let address):
      return try await within(limits.stream) { try await fetch(address, into: folder, progress: progress) }
    }
  }

  private func fetch(
    _ address: WebAddress, into folder: URL, progress: @escaping @Sendable (Double) -> Void
  ) async throws -> Fetched {
    let (playlist, place) = try await playlist(at: address)
    switch playlist {
    case .media(let media):
      return try await fetch(media, at: place, sound: nil, into: folder, progress: progress)
    case .master(let variants):
      var reason = StreamFailure("its playlist has nothing in it")
      // A minute at a high rate may be more than a file may have; a smaller picture of it is not.
      for variant in variants.bestFirst(shortSide: Self.best).prefix(Self.tries) {
        do {
          return try await fetch(variant, of: place, into: folder, progress: progress)
        } catch let failure as StreamFailure where failure.isSize {
          reason = failure
        }
      }
      throw reason
    }
  }

  /// The short side of the best rendition that is made.
  private static let best = 1080
  private static let tries = 4

  private func fetch(
    _ variant: ForeignPlaylist.Variant, of master: WebAddress, into folder: URL,
    progress: @escaping @Sendable (Double) -> Void
  ) async throws -> Fetched {
    let (picture, place) = try await media(variant.uri, from: master)
    guard Double(variant.bandwidth) / 8 * picture.seconds * 0.7 <= Double(limits.streamBytes) else {
      throw StreamFailure("it has more than \(limits.streamBytes >> 20) MB", isSize: true)
    }
    let sound: (ForeignPlaylist.Media, WebAddress)? =
      if let uri = variant.sound, !uri.hasSameBytes(as: variant.uri) {
        try await media(uri, from: master)
      } else { nil }
    return try await fetch(picture, at: place, sound: sound, into: folder, progress: progress)
  }

  private func media(_ uri: String, from master: WebAddress) async throws -> (
    ForeignPlaylist.Media, WebAddress
  ) {
    let (found, place) = try await playlist(at: resolve(uri, from: master))
    guard case .media(let media) = found else {
      throw StreamFailure(
        "\(place) names playlists, and is named as one of a stream: they may go round in a circle")
    }
    return (media, place)
  }

  private func fetch(
    _ picture: ForeignPlaylist.Media, at place: WebAddress, sound: (ForeignPlaylist.Media, WebAddress)?,
    into folder: URL, progress: @escaping @Sendable (Double) -> Void
  ) async throws -> Fetched {
    // Playlists round each piece, old ones to whole seconds.
    let least = picture.seconds - 0.5 * Double(picture.pieces.count)
    guard least * 1000 <= Double(Limits.durationMs + Limits.durationToleranceMs) else {
      throw AppError(
        .tooLong,
        "The video is \(Int(clamping: picture.seconds)) seconds long; \(Limits.durationMs / 1000) are allowed."
      )
    }
    let file = folder.appendingPathComponent("stream")
    let all = Double(picture.pieces.count + (sound?.0.pieces.count ?? 0))
    let container = try await join(picture, at: place, to: file) { progress(Double($0) / all) }
    var fetched = Fetched(file: file, container: container)
    if let (media, place) = sound {
      let file = folder.appendingPathComponent("sound")
      let done = picture.pieces.count
      fetched.sound = (file, try await join(media, at: place, to: file) { progress(Double(done + $0) / all) })
    }
    return fetched
  }

  /// The pieces of a stream one behind the other: MPEG-TS and fragmented MP4 are made for it.
  private func join(
    _ media: ForeignPlaylist.Media, at place: WebAddress, to file: URL, fetched: (Int) -> Void
  ) async throws -> Container {
    guard FileManager.default.createFile(atPath: file.path, contents: nil),
      let output = try? FileHandle(forUpdating: file)
    else { throw AppError(.storageFull) }
    defer { try? output.close() }
    var size = 0
    var container: Container?
    for (number, piece) in ([media.map].compactMap(\.self) + media.pieces).enumerated() {
      try Task.checkCancellation()
      size += try await fetcher.append(
        resolve(piece.uri, from: place), piece.range, to: output, atMost: limits.streamBytes - size)
      // Before all the rest of it comes for nothing.
      if container == nil { container = try Self.container(of: file, isMapped: media.map != nil) }
      fetched(number + 1)
    }
    guard let container else { throw AppError(.emptyFile) }
    return container
  }

  private static func container(of file: URL, isMapped: Bool) throws -> Container {
    let input = try FileHandle(forReadingFrom: file)
    defer { try? input.close() }
    let first = [UInt8](try input.read(upToCount: 1024) ?? Data())
    guard let container = try? Container.sniff(first), container == (isMapped ? .isoMedia : .transportStream)
    else { throw StreamFailure("its pieces are neither MPEG-TS nor fragmented MP4") }
    return container
  }

  private func playlist(at address: WebAddress) async throws -> (ForeignPlaylist, WebAddress) {
    let (text, place) = try await fetcher.text(at: address, atMost: limits.playlistBytes)
    do {
      return (try ForeignPlaylist(text), place)
    } catch let refused as ForeignPlaylist.Refused {
      throw StreamFailure("\(place) \(refused)")
    }
  }

  private func resolve(_ uri: String, from place: WebAddress) throws -> WebAddress {
    guard let address = place.resolving(uri) else {
      throw StreamFailure("\(place) names something that is no address of https")
    }
    return address
  }

  private func within<Value: Sendable>(
    _ time: Duration, _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
      group.addTask { try await work() }
      group.addTask {
        try await Task.sleep(for: time)
        throw StreamFailure("the stream takes longer than \(time / .seconds(1)) s")
      }
      defer { group.cancelAll() }
      guard let value = try await group.next() else { throw CancellationError() }
      return value
    }
  }
}

import Contract
import CoreTypes
import Foundation
import PlaybackTesting
import Synchronization
import Testing

@testable import AppModel

/// The vectors of web/tests/thumbhash.test.mjs.
@Suite struct ThumbHashTests {
  @Test func keepsSizeAndOpacityOfAPublishedSample() throws {
    let picture = try #require(ThumbHash(base64: "1QcSHQRnh493V4dIh4eXh1h4kJUI"))
    #expect(picture.width == 23 && picture.height == 32)
    #expect(picture.pixels.count == 23 * 32 * 4)
    #expect(stride(from: 3, to: picture.pixels.count, by: 4).allSatisfy { picture.pixels[$0] == 255 })
  }

  @Test func paintsAFlatGreyGreyEverywhere() throws {
    var hash = [UInt8](repeating: 0, count: 24)
    let low = 32 | 32 << 6 | 32 << 12
    hash.replaceSubrange(0..<4, with: [UInt8(low & 255), UInt8(low >> 8 & 255), UInt8(low >> 16), 4])
    let picture = try #require(ThumbHash(hash))
    #expect(picture.width == 18 && picture.height == 32)
    for (index, level) in picture.pixels.enumerated() where index % 4 != 3 {
      #expect(abs(Int(level) - 130) < 8)
    }
  }

  @Test func isAFileThatDecodersRead() throws {
    let picture = try #require(ThumbHash(base64: "1QcSHQRnh493V4dIh4eXh1h4kJUI"))
    let file = [UInt8](picture.bitmapFile)
    #expect(file.count == 54 + picture.pixels.count && file.prefix(2) == [0x42, 0x4D])
    #expect(file[54..<58] == [picture.pixels[2], picture.pixels[1], picture.pixels[0], 255])
  }

  @Test func takesAnythingWithoutACrash() {
    var generator = SeededGenerator(seed: 7)
    for length in 0..<64 {
      for _ in 0..<20 { _ = ThumbHash((0..<length).map { _ in UInt8(generator.next(below: 256)) }) }
    }
    #expect(ThumbHash(base64: "") == nil)
    #expect(ThumbHash(base64: "%%%") == nil)
    #expect(ThumbHash(base64: String(repeating: "A", count: 100_000)) == nil)
  }
}

@Suite struct StoryboardTests {
  private func board(columns: Int = 4, count: Int = 10, width: Int = 90) -> Storyboard {
    Storyboard(
      url: "", vttUrl: "", tileWidth: width, tileHeight: 160, columns: columns, count: count,
      intervalMs: 1_000)
  }

  @Test func findsTheTileOfAnInstant() throws {
    let tile = try #require(board().tile(atMilliseconds: 5_999))
    #expect(tile == (90, 160, 90, 160))
    #expect(try #require(board().tile(atMilliseconds: .max)) == (90, 320, 90, 160))
    #expect(try #require(board().tile(atMilliseconds: -1)) == (0, 0, 90, 160))
    #expect(try #require(board().size) == (360, 480))
  }

  @Test func refusesNumbersThatMakeNoSense() {
    #expect(board(columns: 0).tile(atMilliseconds: 0) == nil)
    #expect(board(count: .max).tile(atMilliseconds: 0) == nil)
    #expect(board(width: .max).size == nil)
    #expect(board(columns: 1_000, count: 1_000, width: 2_000).size == nil)
  }
}

@MainActor @Suite struct PictureStoreTests {
  private final class Server: Sendable {
    let asked = Mutex<[String]>([])
    /// By address: answers once it is open.
    private let gates: [String: Gate]

    init(_ gates: [String: Gate] = [:]) { self.gates = gates }

    @Sendable func fetch(_ url: String) async throws -> Data {
      asked.withLock { $0.append(url) }
      await gates[url]?.pass()
      if url.hasSuffix("gone") { throw Problem(.clipNotFound, requestID: "r") }
      if url.hasSuffix("large") { return Data(count: 3_000_000) }
      return Data(url.utf8)
    }
  }

  @Test func fetchesTwoAtATimeTheNewestFirstAndNoneThatIsGivenUp() async {
    let gates = ["a": Gate(), "b": Gate()]
    let server = Server(gates)
    let store = PictureStore(folder: nil, fetch: server.fetch)
    var came: [String] = []
    for url in ["a", "b", "c", "d", "e"] { store.picture(url, isKept: false) { _ in came.append(url) } }
    // The first of them is on its way already.
    for url in ["a", "d"] { store.giveUp(url) }
    #expect(await eventually { server.asked.withLock { $0.sorted() } == ["a", "b"] })
    gates["a"]?.open()
    #expect(await eventually { came == ["a", "e", "c"] })
    gates["b"]?.open()
    #expect(await eventually { came == ["a", "e", "c", "b"] })
    #expect(!server.asked.withLock { $0 }.contains("d"))
    await store.settled()
  }

  @Test func fetchesAPictureOnce() async {
    let server = Server()
    let store = PictureStore(folder: nil, fetch: server.fetch)
    var came = 0
    store.picture("a", isKept: false) { _ in came += 1 }
    store.picture("a", isKept: false) { _ in came += 1 }
    #expect(await eventually { came == 2 })
    store.picture("a", isKept: false) { _ in came += 1 }
    #expect(came == 3)
    #expect(server.asked.withLock { $0 } == ["a"])
  }

  @Test func keepsPostersForTheNextRun() async throws {
    let folder = TemporaryFolder.path()
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = Server()
    let store = PictureStore(folder: folder, fetch: server.fetch)
    store.picture("/media/a.jpg", isKept: true) { _ in }
    store.picture("/media/b.jpg", isKept: false) { _ in }
    let file = folder.appending(path: "a.jpg")
    #expect(await eventually { FileManager.default.fileExists(atPath: file.path) })
    let next = PictureStore(folder: folder, fetch: server.fetch)
    #expect(next.picture("/media/a.jpg") == Data("/media/a.jpg".utf8))
    #expect(next.picture("/media/b.jpg") == nil)
    #expect(next.picture("/media/..") == nil)
    try Data("torn".utf8).write(to: file)
    #expect(PictureStore(folder: folder, fetch: server.fetch).picture("/media/a.jpg") == nil)
  }

  @Test func leavesOutWhatIsTooLargeOrGone() async {
    let server = Server()
    let store = PictureStore(folder: nil, fetch: server.fetch)
    store.picture("large", isKept: false) { _ in Issue.record("too large") }
    store.picture("gone", isKept: false) { _ in Issue.record("gone") }
    await store.settled()
    store.picture("large", isKept: false) { _ in Issue.record("too large") }
    await store.settled()
    #expect(server.asked.withLock { $0 }.filter { $0 == "large" }.count == 1)
  }
}

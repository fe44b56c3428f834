import Foundation
import Synchronization
import Testing

@testable import MediaStore

@Suite final class DiskStoreTests {
  private let root = FileManager.default.temporaryDirectory.appending(path: "store-\(UUID().uuidString)")

  deinit { try? FileManager.default.removeItem(at: root) }

  private func part(_ number: Int, size: Int = 1_000) -> MediaPart {
    MediaPart(blob: "/media/0a1b.mp4", offset: number * size, size: size)
  }

  private func bytes(_ number: Int, size: Int = 1_000) -> Data {
    Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ number) })
  }

  private func files() -> [URL] {
    let all = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
    return (all?.allObjects as? [URL] ?? []).filter { !$0.hasDirectoryPath }
  }

  @Test func readsBackWhatWasWrittenAlsoAtTheNextStart() async throws {
    let store = try DiskStore(root: root)
    for number in 0..<4 { try await store.write(bytes(number), as: part(number), of: "clip") }
    let next = try DiskStore(root: root)
    for number in 0..<4 { #expect(await next.read(part(number), of: "clip") == bytes(number)) }
    #expect(await next.used == 4_000)
    #expect(await next.read(part(0), of: "other") == nil)
  }

  @Test func neverServesBytesWithAFlippedBit() async throws {
    let store = try DiskStore(root: root)
    try await store.write(bytes(0), as: part(0), of: "clip")
    let file = try #require(files().first)
    let whole = try Data(contentsOf: file)
    for bit in stride(from: 0, to: whole.count * 8, by: 97) {
      var flipped = whole
      flipped[bit / 8] ^= 1 << (bit % 8)
      try flipped.write(to: file)
      let next = try DiskStore(root: root)
      #expect(await next.read(part(0), of: "clip") == nil, "bit \(bit)")
      #expect(await next.used == 0)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    }
  }

  @Test func dropsAtStartWhatIsTornOrOfNobody() async throws {
    let store = try DiskStore(root: root)
    for number in 0..<3 { try await store.write(bytes(number), as: part(number), of: "clip") }
    let torn = try #require(files().first { $0.path.contains("@1000-") })
    try Data(contentsOf: torn).dropLast().write(to: torn)
    let clip = torn.deletingLastPathComponent()
    try Data("x".utf8).write(to: clip.appending(path: "a stranger's"))
    try Data("x".utf8).write(to: root.appending(path: ".scratch/left over"))
    let next = try DiskStore(root: root)
    #expect(await next.holds("clip")?.parts == [part(0), part(2)])
    #expect(files().count == 2)
  }

  @Test func obeysWhatIsEvictedAndKept() async throws {
    let store = try DiskStore(root: root)
    for number in 0..<4 { try await store.write(bytes(number), as: part(number), of: "clip") }
    await store.keep([part(0), part(1)], of: "clip")
    #expect(await store.used == 2_000)
    #expect(files().count == 2)
    await store.keep([], of: "clip")
    #expect(await store.clips.isEmpty)
    #expect(await store.used == 0)
  }

  @Test func makesRoomByClipsThatNobodyNamedLeastRecentlyUsedFirst() async throws {
    let store = try DiskStore(root: root)
    for (day, clip) in ["old", "saved", "named", "new"].enumerated() {
      try await store.write(bytes(0), as: part(0), of: clip)
      if clip == "saved" { await store.setSaved(true, clip) }
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: Double(day) * 86_400)],
        ofItemAtPath: root.appending(path: clip).path)
    }
    let next = try DiskStore(root: root)
    #expect(await next.used == 3_000)
    _ = await next.holds("named")
    await next.evictUnnamed(1)
    #expect(await Set(next.clips) == ["saved", "named", "new"])
    await next.evictUnnamed(1_000_000)
    #expect(await Set(next.clips) == ["saved", "named"])
    #expect(await next.holds("saved")?.isSaved == true)
  }

  @Test func takesAnyAddressAndNothingThatLeavesItsFolder() async throws {
    let store = try DiskStore(root: root)
    for blob in ["..", "../../etc/passwd", "/a//b", "é?x=1&y", "a@1-2"] {
      let part = MediaPart(blob: blob, offset: 0, size: 1_000)
      try await store.write(bytes(0), as: part, of: blob)
      #expect(await store.read(part, of: blob) == bytes(0))
    }
    let long = MediaPart(blob: String(repeating: "x", count: 900), offset: 0, size: 1_000)
    await #expect(throws: DiskError.self) { try await store.write(bytes(0), as: long, of: "clip") }
    let wrong = MediaPart(blob: "a", offset: 0, size: 999)
    await #expect(throws: DiskError.self) { try await store.write(bytes(0), as: wrong, of: "clip") }
    let next = try DiskStore(root: root)
    #expect(await next.clips.count == 5)
    #expect(files().allSatisfy { $0.path.hasPrefix(root.path) })
  }

  @Test func aFullDiskLosesNothingThatWasThere() async throws {
    let room = Room(5_000)
    let store = try DiskStore(root: root, writeFile: room.write)
    for number in 0..<4 { try await store.write(bytes(number), as: part(number), of: "clip") }
    for (number, clip) in [(4, "clip"), (0, "other")] {
      await #expect(throws: DiskError(ENOSPC)) {
        try await store.write(bytes(number), as: part(number), of: clip)
      }
    }
    #expect(await store.clips == ["clip"])
    #expect(await store.used == 4_000)
    #expect(files().count == 4)
    // With room it goes on.
    await store.keep([part(0)], of: "clip")
    room.add(3_000)
    try await store.write(bytes(0), as: part(0), of: "other")
    let next = try DiskStore(root: root)
    #expect(await next.read(part(0), of: "clip") == bytes(0))
    #expect(await next.read(part(0), of: "other") == bytes(0))
  }

  @Test(arguments: [-2_145_000_000.0, 0, 32_503_680_000])
  func takesAnyTimeThatAClockSays(_ seconds: Double) async throws {
    let store = try DiskStore(root: root)
    for clip in ["a", "b"] { try await store.write(bytes(0), as: part(0), of: clip) }
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: seconds)],
      ofItemAtPath: root.appending(path: "a").path)
    let next = try DiskStore(root: root)
    // The one that was used longest ago goes, by the clock as it was then.
    await next.evictUnnamed(1)
    let left = seconds < 2e9 ? "b" : "a"
    #expect(await next.clips == [left])
    #expect(await next.read(part(0), of: left) == bytes(0))
  }

  @Test func knowsTheChecksumOfTheField() {
    // The check value of CRC-64/XZ in the catalogue of parametrised CRC algorithms.
    #expect(CyclicRedundancyCheck.of(Data("123456789".utf8)) == 0x995D_C9BB_DF19_39FA)
  }
}

/// A disk with so much room: what finds none leaves the part of it that found some.
private final class Room: Sendable {
  private let left: Mutex<Int>

  init(_ bytes: Int) { left = Mutex(bytes) }

  func add(_ bytes: Int) { left.withLock { $0 += bytes } }

  var write: DiskStore.Writer {
    { [self] bytes, path, scratch in
      let size = bytes.count + SealedFile.headerSize
      let room = left.withLock { left in
        defer { if left >= size { left -= size } }
        return left
      }
      guard room >= size else {
        let torn = URL(filePath: scratch).appending(path: "torn")
        try bytes.prefix(room).write(to: torn)
        try FileManager.default.removeItem(at: torn)
        throw DiskError(ENOSPC)
      }
      try SealedFile.write(bytes, to: path, scratch: scratch)
    }
  }
}

import Foundation
import MediaStore
import Testing

@Suite struct SegmentMemoryTests {
  private let memory = SegmentMemory()
  private let key = SegmentKey(item: 1, rendition: 0, segment: 2)

  /// All of a segment, as a reader gets it.
  private func readAll(_ key: SegmentKey) async -> Data {
    var bytes = Data()
    while true {
      let (portion, version) = memory.read(key, from: bytes.count, most: 7)
      switch portion {
      case .bytes(let more): bytes += more
      case .end: return bytes
      case .pending: await memory.changed(key.item, since: version)
      }
    }
  }

  @Test func twoReadersShareOneDownload() async {
    memory.begin(key, size: 100)
    async let one = readAll(key)
    async let other = readAll(key)
    for start in stride(from: 0, to: 100, by: 10) {
      memory.append(Data((start..<start + 10).map { UInt8($0) }), to: key)
      await Task.yield()
    }
    let whole = Data((0..<100).map { UInt8($0) })
    memory.put(whole, as: key)
    #expect(await one == whole)
    #expect(await other == whole)
  }

  @Test func aReaderGoesOnWithTheNextDownload() async {
    memory.begin(key, size: 4)
    memory.append(Data([1, 2]), to: key)
    async let bytes = readAll(key)
    memory.abandon(key)
    memory.begin(key, size: 4)
    memory.append(Data([1]), to: key)
    memory.put(Data([1, 2, 3, 4]), as: key)
    #expect(await bytes == Data([1, 2, 3, 4]))
  }

  @Test func aWaitEndsWhenItsTaskIsCancelled() async {
    let version = memory.version(of: 1)
    let task = Task { [memory] in await memory.changed(1, since: version) }
    task.cancel()
    await task.value
  }

  @Test func choosesTheHighestThatCanBePlayed() {
    let put = { (rendition: Int32, segment: Int32) in
      memory.put(Data([1]), as: SegmentKey(item: 1, rendition: rendition, segment: segment))
    }
    put(2, 0)
    #expect(memory.best(1, 0) == nil)
    put(0, -1)
    put(0, 0)
    #expect(memory.best(1, 0) == 0)
    put(2, -1)
    #expect(memory.best(1, 0) == 2)
    memory.begin(SegmentKey(item: 1, rendition: 1, segment: 5), size: 9)
    #expect(memory.choice(1, 5) == 1)
    #expect(memory.choice(1, 6) == nil)
  }

  @Test func countsItsBytesAndTrims() {
    for segment: Int32 in [-1, 0, 1, 2] {
      memory.put(Data(count: 10), as: SegmentKey(item: 1, rendition: 0, segment: segment))
    }
    memory.put(Data(count: 30), as: SegmentKey(item: 2, rendition: 0, segment: 0))
    #expect(memory.size == 70)
    memory.put(Data(count: 12), as: SegmentKey(item: 1, rendition: 0, segment: 0))
    #expect(memory.size == 72)
    memory.trim(1, keeping: 1)
    #expect(memory.size == 52)
    memory.trim(1, keeping: 0)
    memory.forget(2)
    #expect(memory.size == 0)
  }
}

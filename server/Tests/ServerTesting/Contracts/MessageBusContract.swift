import Platform
import Testing

/// The obligations of the `MessageBus` port, one case each, on every implementation.
@Suite struct MessageBusContract {
  @Test(arguments: SharedCacheKind.available)
  func aMessageReachesEverySubscriberInOrder(_ kind: SharedCacheKind) async throws {
    let bus: any MessageBus = try await kind.make()
    let streams = (0..<3).map { _ in bus.subscribe(to: "news") }
    var readers: [AsyncStream<BusSignal>.AsyncIterator] = []
    for stream in streams {
      var reader = stream.makeAsyncIterator()
      #expect(await reader.next() == .joined)
      readers.append(reader)
    }
    let other = bus.subscribe(to: "other")
    for number in 0..<100 { try await bus.publish([UInt8(number)], to: "news") }
    try await bus.publish(Array(0...255), to: "news")
    for place in readers.indices {
      var heard: [[UInt8]] = []
      while heard.count < 101, let signal = await readers[place].next() {
        // It comes again when somebody else joins.
        if case .message(let bytes) = signal { heard.append(bytes) }
      }
      #expect(heard == (0..<100).map { [UInt8($0)] } + [Array(0...255)])
    }
    _ = other
  }

  @Test(arguments: SharedCacheKind.available)
  func whoHasLeftHearsNothingAndTheOthersGoOn(_ kind: SharedCacheKind) async throws {
    let bus: any MessageBus = try await kind.make()
    var staying = bus.subscribe(to: "news").makeAsyncIterator()
    #expect(await staying.next() == .joined)
    do {
      var leaving = bus.subscribe(to: "news").makeAsyncIterator()
      #expect(await leaving.next() == .joined)
    }
    try await bus.publish([1], to: "news")
    while let signal = await staying.next() {
      guard case .message(let bytes) = signal else { continue }
      #expect(bytes == [1])
      break
    }
  }

  @Test(arguments: SharedCacheKind.available)
  func aSubscriberThatIsTooSlowIsToldThatItMissedMessages(_ kind: SharedCacheKind) async throws {
    let bus: any MessageBus = try await kind.make()
    var slow = bus.subscribe(to: "flood").makeAsyncIterator()
    #expect(await slow.next() == .joined)
    var quick = bus.subscribe(to: "flood").makeAsyncIterator()
    for number in 0..<(Broadcaster.buffered + 50) {
      let message = Array(String(number).utf8)
      try await bus.publish(message, to: "flood")
      while let signal = await quick.next(), signal != .message(message) {}
    }
    var isTold = false
    for _ in 0..<Broadcaster.buffered { _ = await slow.next() }
    let last = Array("last".utf8)
    try await bus.publish(last, to: "flood")
    while let signal = await slow.next(), signal != .message(last) {
      if signal == .joined { isTold = true }
    }
    #expect(isTold)
  }
}

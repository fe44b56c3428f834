internal import Synchronization

/// UUID version 7 (RFC 9562): ids made later sort later, also within one millisecond of this process.
public enum Identifier {
  private static let last = Mutex<(ms: Int64, counter: UInt16)>((0, 0))

  public static func make(at time: any TimeSource) -> String {
    let nowMs = time.nowMs
    let (ms, counter) = last.withLock { state in
      if nowMs > state.ms {
        // The counter starts in its lower half, so that there is room to count up.
        state = (nowMs, UInt16.random(in: 0..<0x0800))
      } else if state.counter < 0x0FFF {
        state.counter += 1
      } else {
        state = (state.ms + 1, 0)
      }
      return state
    }
    let high = UInt64(ms) << 16 | 0x7000 | UInt64(counter)
    let low = UInt64.random(in: 0...UInt64.max) & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    return text(high, low)
  }

  /// 32 digits with a hyphen behind the 8th, 12th, 16th and 20th.
  private static func text(_ high: UInt64, _ low: UInt64) -> String {
    String(unsafeUninitializedCapacity: 36) { bytes in
      var place = 0
      for digit in 0..<32 {
        if [8, 12, 16, 20].contains(digit) {
          bytes[place] = UInt8(ascii: "-")
          place += 1
        }
        let value = UInt8(truncatingIfNeeded: (digit < 16 ? high : low) >> UInt64(60 - digit % 16 * 4)) & 15
        bytes[place] = value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + (value - 10)
        place += 1
      }
      return place
    }
  }
}

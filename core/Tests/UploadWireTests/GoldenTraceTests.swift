public import CoreTesting
import CoreTypes
import Testing
import Upload
public import UploadWire

extension UploadEventKind: NamedRow {}
extension UploadCommandKind: NamedRow {}

extension RowNames {
  static let upload = RowNames().adding(UploadEventKind.self, UploadCommandKind.self)
}

@Suite struct GoldenTraceTests {
  @Test(arguments: Recordings.all.keys.sorted())
  func theUploadGivesTheSameCommands(name: String) throws {
    if Trace.records { try Trace.write("upload/" + name, Recordings.all[name]!(), .upload) }
    let golden = try Trace.read("upload/" + name)
    #expect(golden.count > 50)
    #expect(try Trace.text("upload/" + name) == golden.map(RowNames.upload.added(to:)), "names")
    #expect(Trace.replay(golden, through: Upload.self) == golden)
  }
}

private enum Recordings {
  static let all: [String: @Sendable () -> [String]] = [
    "bytes": bytes, "parts": parts, "gate": gate, "given-up": givenUp, "restored": restored,
    "hostile": hostile,
  ]

  private static let megabyte: Int64 = 1 << 20
  private static let hash: [Int64] = [1, -2, 3, -4]

  private static func play(_ script: inout Script<Upload>, _ rows: [[Int64]], each time: Int64 = 300) {
    for row in rows {
      script.send(row)
      script.wait(time)
    }
  }

  private static func opened(size: Int64, _ abilities: [Int64] = [0, 0]) -> Script<Upload> {
    var script = Script<Upload>()
    play(&script, [[120, 77, -88] + abilities, [122, 1, size, 15_000, 1]])
    return script
  }

  /// Cuts, a busy server, a wrong offset, offline, signed out, gone, changed; in the end published.
  @Sendable static func bytes() -> [String] {
    var script = opened(size: 5 * megabyte + 3)
    play(&script, [[130, 1, 500], [133, 1] + hash, [135, 2, 0, 0, 4 * megabyte]])
    for step: Int64 in 1...4 {
      script.wait(700)
      script.send([137, 3, step * megabyte / 4])
    }
    play(
      &script,
      [
        [138, 3, megabyte], [137, 4, 99_000], [144, 4, 1, 0, 0], [50], [135, 5, megabyte + 98_000, 0, 0],
        [144, 6, 3, 0, 2_500], [50],
      ])
    script.wait(3_000)
    play(
      &script,
      [
        [135, 7, 2 * megabyte, 0, 0], [144, 8, 4, 2 * megabyte + 7, 0], [123, 0], [123, 1],
        [135, 10, 2 * megabyte + 7, 0, 0], [144, 11, 10, 0, 0], [124], [144, 12, 5, 0, 0],
        [135, 13, 0, 0, 0], [126], [127], [135, 15, 5 * megabyte + 3, 0, 0], [125], [144, 16, 6, 0, 0],
        [133, 17] + hash, [135, 18, 5 * megabyte + 3, 0, 0],
      ])
    script.wait(31_000)
    play(&script, [[140, 20, 0, 0], [140, 20, 0, 0]])
    script.wait(900)
    play(&script, [[140, 21, 300, 1], [140, 0, 600, 2]])
    script.wait(12_000)
    play(&script, [[141, 22], [129], [50]])
    return script.trace
  }

  @Sendable static func parts() -> [String] {
    var script = opened(size: 6 * megabyte - 5)
    play(
      &script,
      [
        [133, 1] + hash, [136, 2, megabyte, 20_000, 1, 2], [137, 3, 400_000], [137, 4, megabyte], [139, 4],
        [144, 5, 1, 0, 0], [144, 3, 1, 0, 0],
      ])
    script.wait(2_000)
    play(&script, [[136, 7, megabyte, 4_000, 2, 2, 3]])
    script.wait(5_000)
    play(
      &script,
      [
        [139, 8], [139, 6], [136, 10, megabyte, 90_000, 4, 1, 2, 3, 5], [144, 11, 11, 0, 0], [125],
        [136, 12, megabyte, 90_000, 5, 1, 2, 3, 4, 5], [139, 9], [139, 13], [140, 14, 0, 0],
      ])
    for call: Int64 in 15...20 {
      script.wait(10_000)
      script.send([140, call, call * 40, 2])
    }
    play(&script, [[142, 0, 5], [141, 0]])
    return script.trace
  }

  /// Trimmed twice, compressed in vain, and cancelled while it is sent.
  @Sendable static func gate() -> [String] {
    var script = opened(size: 60 * megabyte, [1, 1])
    play(
      &script,
      [
        [131, 9, 2, 5, 900, 1], [130, 1, 400], [131, 1, 2, 55 * megabyte, 59_000, 1], [132, 1],
        [131, 2, 3, 20 * megabyte, 50_000, 1],
      ])
    play(&script, [[145, 12_000_000]])
    for permille: Int64 in stride(from: 100, through: 1_000, by: 100) { play(&script, [[130, 3, permille]]) }
    play(
      &script,
      [
        [131, 3, 4, 21 * megabyte, 50_000, 1], [130, 4, 1_000], [126], [133, 4] + hash, [125], [127],
        [135, 5, 19 * megabyte, 512 << 10, 0],
      ])
    for step: Int64 in 1...5 { play(&script, [[137, 6, step * 150_000]]) }
    play(
      &script,
      [[129], [144, 7, 3, 0, 7_000], [123, 0], [123, 1], [50], [143, 7], [128]])
    script.wait(8_000)
    play(&script, [[143, 8], [122, 1, 9, 900, 1]])
    return script.trace
  }

  /// Compressing takes longer than it spares.
  @Sendable static func givenUp() -> [String] {
    var script = opened(size: 20 * megabyte, [1, 0])
    play(&script, [[145, 0]])
    for permille: Int64 in stride(from: 0, through: 100, by: 10) { play(&script, [[130, 1, permille]]) }
    play(&script, [[131, 1, 2, 5 * megabyte, 900, 1]])
    for permille: Int64 in stride(from: 0, through: 1_000, by: 100) { play(&script, [[130, 2, permille]]) }
    play(&script, [[133, 2] + hash, [135, 3, 0, 0, 0], [137, 4, 700], [129]])
    return script.trace
  }

  @Sendable static func restored() -> [String] {
    var script = Script<Upload>()
    let words: [Int64] = [1, 5, 6, 2, 0b1000_0101, 3 * megabyte, 900, 1] + hash + [1, 0]
    play(
      &script,
      [
        [120, 9, 9, 0, 0], [121] + words.dropLast(), [121] + words, [121] + words,
        [136, 1, megabyte, 0, 1, 3],
        [122, 4, 7, 900, 1], [122, 5, 3 * megabyte, 900, 1], [133, 2, 0, 0, 0, 0],
        [122, 6, 3 * megabyte, 900, 1],
        [130, 3, 100], [133, 3] + hash, [137, 4, 1_000], [134, 4], [128], [122, 7, 3 * megabyte, 900, 1],
        [133, 6] + hash, [136, 7, megabyte, 0, 3, 1, 2, 3], [129], [144, 9, 1, 0, 0],
      ])
    script.wait(2_000)
    for call: Int64 in 10...22 {
      script.send([144, call, 7, 0, 0])
      script.wait(61_000)
    }
    play(&script, [[128], [144, 19, 5, 0, 0], [143, 20]])
    return script.trace
  }

  @Sendable static func hostile() -> [String] {
    Trace.hostile(
      Upload.self, seed: 5,
      fields: [
        (50...50, 0), (121...121, 14), (122...122, 4), (123...123, 1), (124...129, 0), (130...130, 2),
        (131...131, 5), (132...132, 1), (133...133, 5), (134...134, 1), (135...135, 4), (135...135, 4),
        (136...136, 4), (137...138, 2), (139...139, 1), (140...140, 3), (142...142, 2), (144...144, 4),
      ],
      start: [[120, 1, 2, 0, 0], [122, 1, 9 * megabyte, 900, 1], [133, 1, 1, 2, 3, 4], [135, 2, 0, 0, 0]])
  }
}

import Contract
import CoreTypes
import Foundation
import Testing
import Upload

@testable import Transfer

/// The app ends before every single thing that the host does, one after the other, and is started again.
@MainActor @Suite struct UploadKillTests {
  /// `nil`: it ended before it came so far.
  private func killed(after steps: Int, _ bench: UploadBench, _ bytes: Data) async throws -> Bool {
    var left = steps
    var isKilled = false
    let queue = bench.queue!
    let watch: () -> Void = { [weak queue] in
      queue?.active?.onCommand = { _ in
        left -= 1
        if left < 0 { isKilled = true }
        return left >= 0
      }
    }
    queue.onChange = watch
    await queue.start()
    try await queue.add(
      try bench.file(bytes), name: "film", form: UploadForm(caption: "Dawn"), isPublishRequested: true)
    watch()
    #expect(await bench.runs { isKilled || bench.hasEnded })
    guard isKilled else { return false }
    bench.startApp()
    await bench.queue.start()
    #expect(await bench.runs { bench.hasEnded }, "killed after \(steps)")
    return true
  }

  @Test(arguments: [false, true]) func whereverItEndsOneClipComesOfIt(compresses: Bool) async throws {
    let whole = UploadBench.video(compresses ? 10 * (1 << 20) : 600_000)
    let small = UploadBench.video(300_000, seed: 5)
    for steps in 0... {
      let bench = UploadBench()
      if compresses { bench.compressor = MadeSmaller(bytes: small) }
      bench.startApp()
      let wasKilled = try await killed(after: steps, bench, whole)
      #expect(bench.server.committed.map(\.bytes) == [compresses ? small : whole], "killed after \(steps)")
      #expect(bench.server.committed.first?.details.caption == "Dawn")
      #expect(bench.leftovers.isEmpty, "killed after \(steps)")
      if !wasKilled {
        // Hash, create, three parts, commit, polls, and what is stored in between.
        #expect(steps > 10)
        break
      }
    }
  }
}

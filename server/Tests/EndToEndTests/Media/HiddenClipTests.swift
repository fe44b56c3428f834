import Contract
import Foundation
import Platform
import Testing
import Videos

@testable import Accounts
@testable import Composition
@testable import ServerTesting

/// The operator hides what an account has published, and shows it again.
@Suite(.everyEngine) struct HiddenClipTests {
  private let bench: TestInstance

  init() async throws { bench = try await TestInstance() }

  private func visibilities(_ clips: [String]) async throws -> [Visibility?] {
    var found: [Visibility?] = []
    for clip in clips { found.append(try await bench.instance.clips.visibility(of: clip)) }
    return found
  }

  @Test func clipsOfASuspendedAccountAreHiddenAndComeBackAsTheyWere() async throws {
    let accounts = try await bench.instance.accounts(hashing: CountingPasswords())
    let mara = try await accounts.signUp(NewAccount("mara"), guest: nil, client: "").account.id
    let other = try await accounts.signUp(NewAccount("other"), guest: nil, client: "").account.id
    var clips: [String] = []
    for (index, visibility) in [Visibility.public, .unlisted, .private].enumerated() {
      clips.append(try await bench.instance.publishBare("clip \(index)", visibility: visibility, by: mara))
    }
    let others = try await bench.instance.publishBare("another's", by: other)
    let suspended = try bench.program(["accounts", "suspend", "@mara", "--hide-clips"]).end()
    #expect(suspended.status == 0, "\(suspended.output)")
    #expect(suspended.output.contains(clips[0]) && !suspended.output.contains(clips[2]))
    #expect(try await visibilities(clips + [others]) == [.private, .private, .private, .public])
    #expect(try await accounts.account(mara).suspended)
    // A second time it must not forget how they were.
    #expect(try bench.program(["accounts", "suspend", "mara", "--hide-clips"]).end().status == 0)
    #expect(try bench.program(["accounts", "unsuspend", "mara"]).end().status == 0)
    #expect(try await visibilities(clips + [others]) == [.public, .unlisted, .private, .public])
    #expect(try await !accounts.account(mara).suspended)
  }

  @Test func aSuspensionAloneHidesNothingAndManyClipsAreHiddenAsFew() async throws {
    let accounts = try await bench.instance.accounts(hashing: CountingPasswords())
    let mara = try await accounts.signUp(NewAccount("mara"), guest: nil, client: "").account.id
    var clips: [String] = []
    for index in 0..<120 { clips.append(try await bench.instance.publishBare("clip \(index)", by: mara)) }
    #expect(try bench.program(["accounts", "suspend", "mara"]).end().status == 0)
    #expect(try await visibilities(clips).allSatisfy { $0 == .public })
    #expect(try await Set(bench.instance.clips.hideAll(of: mara)) == Set(clips))
    #expect(try await visibilities(clips).allSatisfy { $0 == .private })
    // What was shown on purpose meanwhile stays as that.
    try await bench.instance.clips.setVisibility(of: clips[0], to: .unlisted)
    try await bench.instance.clips.showAll(of: mara)
    #expect(try await visibilities(clips) == [.unlisted] + Array(repeating: .public, count: 119))
    #expect(try await bench.instance.clips.showAll(of: mara).isEmpty)
  }
}

import AppModel
import Contract
import Foundation
import Testing

@MainActor @Suite struct SessionJourneys {
  @Test func aGuestsLikesGoAlongIntoTheAccount() async throws {
    let person = try Person.guest()
    let clips = try await person.client.feed().items
    // Two at once: the first makes the guest, and the second is the same one's.
    async let one = person.client.like(clips[0].id)
    async let two = person.client.bookmark(clips[1].id)
    _ = try await (one, two)
    #expect(try await person.client.likes().items.map(\.id) == [clips[0].id])
    let again = try person.restarted()
    #expect(try await again.client.bookmarks().items.map(\.id) == [clips[1].id])
    _ = try await again.client.signUp(
      NewAccount(handle: person.handle, password: Person.password, transport: .token))
    #expect(again.signIn.signedIn?.handle == person.handle)
    #expect(try await again.client.likes().items.map(\.id) == [clips[0].id])
    #expect(try await again.client.bookmarks().items.map(\.id) == [clips[1].id])
  }

  @Test func oneRefreshServesAllThatWait() async throws {
    let person = try await Person.member()
    // By its clock the token is over.
    let later = try person.restarted(later: 3_600)
    try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<6 { group.addTask { try await later.client.account().handle } }
      for try await handle in group { #expect(handle == person.handle) }
    }
    let refreshes = later.wire.requests.filter { Route.sessionRefresh.matches($0.target) }
    #expect(refreshes.count == 1)
    #expect(try await later.restarted().client.account().handle == person.handle)
  }

  @Test func anAppThatIsKilledBeforeItKeptTheNewTokenGoesOn() async throws {
    let person = try await Person.member()
    let kept = try #require(try person.store.load())
    _ = try await person.restarted(later: 3_600, from: kept).client.account()
    let again = try person.restarted(later: 3_600, from: kept)
    #expect(try await again.client.account().handle == person.handle)
  }

  @Test func aSessionThatAnotherDeviceEndsIsOver() async throws {
    let phone = try await Person.member()
    let other = try Person.guest()
    _ = try await other.client.signIn(
      NewSession(handle: phone.handle, password: Person.password, transport: .token))
    let session = try #require(try await other.client.sessions().items.first { !$0.current })
    #expect(session.client.contains("iPhone"))
    var isOver = false
    phone.signIn.onOver { isOver = true }
    try await other.client.endSession(session.id)
    let error = await #expect(throws: Problem.self) { try await phone.client.account() }
    #expect(error?.code == "session_ended")
    #expect(isOver)
    #expect(phone.signIn.signedIn == nil)
    // Whoever signs out is a new guest, and can go on.
    let clips = try await phone.client.feed().items
    #expect(try await phone.client.like(clips[0].id).liked)
  }

  @Test func signingOutForgetsTheTokensAndNoOther() async throws {
    let person = try await Person.member()
    try await person.client.endSession()
    #expect(person.signIn.signedIn == nil)
    #expect(try person.restarted().signIn.signedIn == nil)
    let error = await #expect(throws: Problem.self) { try await person.client.account() }
    #expect(error?.code == "sign_in_needed")
    // Known here from before, so there is no notice of a new device.
    _ = try await person.client.signIn(
      NewSession(handle: person.handle, password: Person.password, transport: .token))
    let notices = try await person.client.notices().items
    #expect(!notices.contains { $0.kind == AccountNotice.Kind.newDevice.rawValue })
  }
}

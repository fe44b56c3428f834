import AppModel
import Contract
import Foundation
import Persistence
import Playback
import PlaybackTesting
import Testing

/// Somebody with all of talk on their phone, in front.
@MainActor private final class Talker {
  let person: Person
  let talk: TalkModels
  let activity: ActivityHost
  let announcements = Announcements()
  private let folder: URL
  private let stream: HTTPEventStream

  init(_ person: Person) throws {
    self.person = person
    folder = TemporaryFolder.path()
    let signIn = person.signIn
    stream = HTTPEventStream(url: try Person.server().appending(path: "api/v1/live")) {
      await signIn.headers()
    }
    activity = ActivityHost(client: person.client, clock: SystemClock(), file: nil)
    talk = TalkModels(
      client: person.client, base: try Person.server(), stream: stream, activity: activity,
      library: Library(root: folder), viewer: signIn, announcements: announcements,
      clock: SystemPauseClock(), makeKey: { UUID().uuidString })
  }

  /// With this the app is gone, and its folder.
  private func end() async {
    talk.backgrounded()
    await talk.settled()
    stream.invalidate()
    try? FileManager.default.removeItem(at: folder)
  }

  static func together(_ people: [Talker], _ journey: () async throws -> Void) async throws {
    do {
      try await journey()
    } catch {
      for one in people { await one.end() }
      throw error
    }
    for one in people { await one.end() }
  }

  var id: String { person.signIn.viewerID ?? "" }
}

@MainActor @Suite struct TalkJourneys {
  @Test(.timeLimit(.minutes(10))) func twoPeopleWriteToEachOtherAndSeeItAtOnce() async throws {
    let ann = try Talker(try await .member())
    let ben = try Talker(try await .member())
    try await Talker.together([ann, ben]) {
      let toBen = ann.talk.conversation(with: ben.id)
      toBen.field.text = "hello"
      toBen.send()
      try await until { toBen.pending.isEmpty }
      await ben.talk.inbox.look()
      #expect(ben.talk.inbox.unread == 1 && ben.talk.inbox.list.items.first?.last.text == "hello")

      let toAnn = ben.talk.conversation(with: ann.id)
      await toAnn.appeared()
      #expect(toAnn.messages.map(\.text) == ["hello"] && ben.talk.inbox.unread == 0)
      #expect(toAnn.peer.handle == ann.person.handle)

      // Ann looks at the conversation while the answer comes: it is there by itself.
      await toBen.appeared()
      ann.talk.foregrounded()
      try await until { ann.talk.live.hasBegun }
      toAnn.field.text = "hello you"
      toAnn.send()
      try await until { toBen.messages.map(\.text) == ["hello you", "hello"] }
      #expect(ann.announcements.waiting.isEmpty)

      // Looking at the feed, she gets a notice instead.
      toBen.left()
      toAnn.field.text = "are you there?"
      toAnn.send()
      try await until { !ann.announcements.waiting.isEmpty }
      #expect(ann.announcements.waiting[0].text.key == "%@ sent you a message.")
      // The count is asked for behind the notice.
      try await until { ann.talk.inbox.unread >= 1 }
    }
  }

  @Test(.timeLimit(.minutes(10))) func aBlockInTheMiddleEndsIt() async throws {
    let ann = try Talker(try await .member())
    let ben = try Talker(try await .member())
    try await Talker.together([ann, ben]) {
      let toBen = ann.talk.conversation(with: ben.id)
      toBen.field.text = "one"
      toBen.send()
      try await until { toBen.pending.isEmpty }
      let toAnn = ben.talk.conversation(with: ann.id)
      await toAnn.appeared()
      #expect(await toAnn.block())
      #expect(ben.talk.inbox.list.items.isEmpty)
      toBen.field.text = "two"
      toBen.send()
      try await until { if case .refused = toBen.pending.first?.state { true } else { false } }
      #expect(toBen.pending.map(\.state) == [.refused("This person is no longer here.")])
      toAnn.field.text = "three"
      toAnn.send()
      try await until { if case .refused = toAnn.pending.first?.state { true } else { false } }
      #expect(toAnn.pending[0].state != .refused("This person is no longer here."))
    }
  }

  @Test(.timeLimit(.minutes(10))) func commentsBecomeAConversation() async throws {
    let ann = try Talker(try await .member())
    let ben = try Talker(try await .member())
    try await Talker.together([ann, ben]) {
      let clip = try #require(try await ann.person.client.feed().items.first)
      let hers = ann.talk.comments(of: clip)
      await hers.appeared()
      ann.talk.foregrounded()
      try await until { ann.talk.live.hasBegun }
      hers.field.text = "who likes it?"
      hers.post()
      try await until { hers.pending.isEmpty }
      let comment = try #require(hers.comments.first { $0.text == "who likes it?" })
      #expect(comment.own && hers.canDelete(comment))

      // By its link, on another phone: first, and marked.
      ben.talk.lead(to: comment.id, of: clip.id)
      let his = ben.talk.comments(of: clip)
      await his.appeared()
      #expect(his.comments.first?.id == comment.id && his.marked == comment.id)
      his.toggleLike(try #require(his.comments.first))
      his.reply(to: try #require(his.comments.first))
      his.field.text = "I do, @\(ann.person.handle)"
      his.post()
      await ben.talk.settled()
      await ben.activity.settled()
      #expect(his.comments.first?.replies == 1 && his.comments.first?.liked == true)

      // The reply is under hers by itself, and no notice.
      try await until { !hers.replies(to: comment).isEmpty }
      let reply = try #require(hers.replies(to: comment).first)
      #expect(MentionText(reply.text).handles == [ann.person.handle] && !reply.own)
      #expect(ann.announcements.waiting.isEmpty)
      try await until {
        await hers.look()
        return hers.comments.first { $0.id == comment.id }?.likes == 1
      }

      // Looking at something else, she gets one notice of the next.
      hers.left()
      his.reply(to: try #require(his.replies(to: comment).first))
      #expect(his.field.text == "@\(ben.person.handle) ")
      his.field.text = "and @\(ann.person.handle)?"
      his.post()
      try await until { !ann.announcements.waiting.isEmpty }
      #expect(ann.announcements.waiting.map(\.text.key) == ["%@ replied to your comment."])

      // It goes with its replies.
      await hers.delete(comment)
      try await until {
        await his.look()
        return !his.comments.contains { $0.id == comment.id }
      }
      await #expect(throws: Problem.self) { _ = try await ben.person.client.comment(reply.id) }
      his.left()
    }
  }

  @Test(.timeLimit(.minutes(10))) func commentsAndReactionsOfAGuest() async throws {
    let guest = try Talker(try .guest())
    try await Talker.together([guest]) {
      let clip = try #require(try await guest.person.client.feed().items.first)
      let comments = guest.talk.comments(of: clip)
      await comments.list.begin()
      let text = "nice, \(UUID().uuidString)"
      comments.field.text = text
      comments.post()
      #expect(comments.pending.map(\.text) == [text])
      try await until { comments.pending.isEmpty }
      #expect(comments.comments.first?.text == text)
      await comments.list.reload()
      #expect(comments.comments.filter { $0.text == text }.count == 1)

      let before = clip.counts.reactions["fire"] ?? 0
      _ = try await guest.person.client.react(to: clip.id, .fire, idempotencyKey: UUID().uuidString)
      let now = try await guest.person.client.clip(clip.id)
      #expect((now.counts.reactions["fire"] ?? 0) > before && now.counts.comments > clip.counts.comments)
    }
  }
}

import Contract
import Feed
import Foundation
import Platform
import Social
import Testing
import Videos
import Watching

@testable import Composition
@testable import PlatformTesting
@testable import ServerTesting

/// What goes out as texts of the database says what the values say that are read from them.
@Suite struct FeedTextTests {
  private let bench: TestInstance

  init() async throws { bench = try await TestInstance() }

  @Test func saysWhatAPageSays() async throws {
    let instance = bench.instance
    let strange = "\"Tiere\" \\ 🦊\u{2028}é e\u{301} \t #füchse #日本"
    var clips: [String] = []
    for caption in ["plain", strange, "captioned", "captioned anew"] {
      clips.append(try await instance.publishBare(caption))
    }
    let track = CaptionTrack(language: "de", label: "Deutsch \"laut\"", url: "/media/d.vtt", automatic: false)
    let (other, captioned) = (clips[2], clips[3])
    try await instance.database.write { [clips] transaction in
      try instance.clips.setCaptions(track, of: other, in: transaction)
      try instance.clips.setCaptions(track, of: captioned, in: transaction)
      // Made from what it is played from now, and from what it was played from before.
      for (clip, from) in [(captioned, "/media/x.m3u8"), (other, "/media/old.m3u8")] {
        try transaction.execute(
          "UPDATE clips SET captioned_from = ?, captioned_hls = '/media/c.m3u8' WHERE id = ?",
          [.text(from), .text(clip)])
      }
      let cover = try WireCoding.encode(Cover(url: "/media/c.jpg", width: 9, height: 16, placeholder: "a+/="))
      try transaction.execute(
        "UPDATE clips SET cover = ?, created_at_ms = ? WHERE id = ?",
        [.text(String(decoding: cover, as: UTF8.self)), .integer(951_782_399_999), .text(clips[0])])
      let blob = try #require(BlobName(hash: String(repeating: "a", count: 64), ext: "jpg"))
      let picture = PictureColumn.text(color: "7a5c43", large: blob, small: blob)
      try transaction.execute(
        "UPDATE authors SET name = ?, picture = ?", [.text(strange), .text(picture)])
      try transaction.execute("UPDATE clips SET ai_generated = 1 WHERE id = ?", [.text(clips[3])])
      try transaction.execute("UPDATE clips SET sound_id = 'a \"sound\"' WHERE id = ?", [.text(clips[1])])
    }
    let social = try await instance.social(.open)
    _ = try await social.like(clips[1], by: "me")
    _ = try await social.bookmark(clips[2], by: "me")
    let watching = instance.watching()
    let nowMs = SystemTime().nowMs
    let events = [WatchEvent(id: "one-event", clipID: clips[0], kind: .completion, atMs: nowMs - 1)]
    _ = try await watching.take(WatchEvents(events), of: "me")

    let feed = try await instance.feed(.open, time: TestTime(ms: nowMs + 1000))
    for viewer in [nil, "me"] {
      var cursor: String?
      repeat {
        let page = try await feed.page(cursor: cursor, limit: 2, for: viewer)
        let text = try await feed.text(cursor: cursor, limit: 2, for: viewer)
        let read: FeedPage = try WireCoding.decode(from: Data(text.json(commentsOpen: false)))
        #expect(try read == Self.asSent(page))
        #expect(text.items.count == page.items.count)
        #expect(page.items.allSatisfy { $0.author.picture?.color == "#7a5c43" })
        #expect(page.items.allSatisfy { ($0.aiGenerated == true) == ($0.id == clips[3]) })
        #expect(page.items.allSatisfy { $0.soundId == ($0.id == clips[1] ? "a \"sound\"" : nil) })
        cursor = page.nextCursor
      } while cursor != nil
    }
  }

  @Test func opensCommentsToWhoMayWhereOthersMayNot() async throws {
    try await bench.publishBare("one")
    let text = try await bench.instance.feed(.off).text(cursor: nil, limit: 9)
    let read = try [true, false].map { isOpen -> FeedPage in
      try WireCoding.decode(from: Data(text.json(commentsOpen: isOpen)))
    }
    #expect(read.map { $0.items[0].comments } == [.open, .off])
  }

  /// The wire has whole seconds.
  private static func asSent(_ page: FeedPage) throws -> FeedPage {
    try WireCoding.decode(from: WireCoding.encode(page))
  }
}

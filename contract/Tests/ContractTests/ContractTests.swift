import Foundation
import Testing

@testable import Contract

@Suite struct ContractTests {
  static let clip = Clip(
    id: "0190", caption: "Tide", tags: ["pier"], createdAt: Date(timeIntervalSince1970: 1_700_000_000),
    author: Author(id: "a", handle: "mara", name: "Mara"), counts: Counts(likes: 1), width: 360, height: 640,
    poster: Poster(url: "/media/p.jpg", width: 360, height: 640, placeholder: "AA=="),
    playback: Playback(
      durationMs: 3000, hlsUrl: "/media/h.m3u8",
      renditions: [
        Rendition(
          name: "360", url: "/media/v.mp4", width: 360, height: 640, frameRate: 30,
          codecs: "avc1.64001e,mp4a.40.2", peakBps: 600_000, averageBps: 500_000,
          initialization: ByteRange(offset: 0, size: 1234),
          segments: [Segment(offset: 1234, size: 10, durationMs: 1000)])
      ]))

  @Test func aClipOnTheWireHasExactlyTheAgreedNames() throws {
    let json = String(decoding: try WireCoding.encode(Self.clip), as: UTF8.self)
    #expect(
      json == """
        {"author":{"handle":"mara","id":"a","name":"Mara"},"caption":"Tide","comments":"open",\
        "counts":{"comments":0,"likes":1,"reactions":{},"shares":0,"views":0},"created_at":"2023-11-14T22:13:20Z","height":640,"id":"0190",\
        "playback":\
        {"duration_ms":3000,"hls_url":"/media/h.m3u8","renditions":[{"average_bps":500000,"codecs":\
        "avc1.64001e,mp4a.40.2","frame_rate":30,"height":640,"init":{"offset":0,"size":1234},"name":"360",\
        "peak_bps":600000,"segments":[{"duration_ms":1000,"offset":1234,"size":10}],"url":"/media/v.mp4",\
        "width":360}]},"poster":{"height":640,"placeholder":"AA==","url":"/media/p.jpg","width":360},"tags":["pier"],\
        "width":360}
        """)
    #expect(try WireCoding.decode(Clip.self, from: Data(json.utf8)) == Self.clip)
  }

  @Test func anAuthorHasAPictureWhereThereIsOne() throws {
    let picture = AuthorPicture(color: "#7a5c43", largeUrl: "/media/l.jpg", smallUrl: "/media/s.jpg")
    let author = Author(id: "a", handle: "mara", name: "Mara", picture: picture)
    let json = String(decoding: try WireCoding.encode(author), as: UTF8.self)
    #expect(
      json == """
        {"handle":"mara","id":"a","name":"Mara","picture":\
        {"color":"#7a5c43","large_url":"/media/l.jpg","small_url":"/media/s.jpg"}}
        """)
    #expect(try WireCoding.decode(Author.self, from: Data(json.utf8)) == author)
    let bare = try WireCoding.decode(
      Author.self, from: Data(#"{"handle":"mara","id":"a","name":"Mara"}"#.utf8))
    #expect(bare.picture == nil)
  }

  @Test func aClipSaysWhoCanSeeItUnlessEverybodyCan() throws {
    var clip = Self.clip
    clip.visibility = .private
    let json = String(decoding: try WireCoding.encode(clip), as: UTF8.self)
    #expect(json.contains(#""tags":["pier"],"visibility":"private","width":360}"#))
    #expect(try WireCoding.decode(Clip.self, from: Data(json.utf8)) == clip)
    #expect(Route.sealedMedia.values(in: "/sealed/c/9-a/b.mp4") == ["c", "9-a", "b.mp4"])
  }

  @Test func aSoundOnTheWireHasExactlyTheAgreedNames() throws {
    var clip = Self.clip
    clip.soundId = "0191"
    let json = String(decoding: try WireCoding.encode(clip), as: UTF8.self)
    #expect(json.contains(#""width":360},"sound_id":"0191","tags":["pier"]"#))
    #expect(try WireCoding.decode(Clip.self, from: Data(json.utf8)) == clip)
    let found = FoundSound(
      id: "0191", clips: 7, author: clip.author, caption: clip.caption, poster: clip.poster)
    let page = String(
      decoding: try WireCoding.encode(FoundSoundPage(items: [found], nextCursor: nil)), as: UTF8.self)
    #expect(
      page == """
        {"items":[{"author":{"handle":"mara","id":"a","name":"Mara"},"caption":"Tide","clips":7,"id":"0191",\
        "poster":{"height":640,"placeholder":"AA==","url":"/media/p.jpg","width":360}}],"next_cursor":null}
        """)
    #expect(try WireCoding.decode(FoundSoundPage.self, from: Data(page.utf8)).items == [found])
    let dismissal = String(decoding: try WireCoding.encode(Dismissal(.sound, "0191")), as: UTF8.self)
    #expect(dismissal == #"{"kind":"sound","subject":"0191"}"#)
    let details = String(decoding: try WireCoding.encode(ClipDetails(language: "de")), as: UTF8.self)
    #expect(details == #"{"language":"de"}"#)
    #expect(Route.soundPage.path("a/b") == "/s/a%2Fb" && Route.soundPage.values(in: "/s/0191") == ["0191"])
    #expect(Route.foundSounds.path() == "/api/v1/search/sounds")
  }

  @Test func thePicturesOfAClipHaveTheAgreedNames() throws {
    var clip = Self.clip
    clip.cover = Cover(url: "/media/c.jpg", width: 360, height: 640, placeholder: "AA==")
    clip.playback.storyboard = Storyboard(
      url: "/media/s.jpg", vttUrl: "/media/s.vtt", tileWidth: 96, tileHeight: 170, columns: 10, count: 12,
      intervalMs: 250)
    let json = String(decoding: try WireCoding.encode(clip), as: UTF8.self)
    #expect(
      json.contains(#""cover":{"height":640,"placeholder":"AA==","url":"/media/c.jpg","width":360}"#))
    #expect(
      json.contains(
        #""storyboard":{"columns":10,"count":12,"interval_ms":250,"tile_height":170,"tile_width":96,"#
          + #""url":"/media/s.jpg","vtt_url":"/media/s.vtt"}"#))
    #expect(try WireCoding.decode(Clip.self, from: Data(json.utf8)) == clip)
    let details = String(decoding: try WireCoding.encode(ClipDetails(coverMs: 1500)), as: UTF8.self)
    #expect(details == #"{"cover_ms":1500}"#)
  }

  @Test func captionsOnTheWireHaveExactlyTheAgreedNames() throws {
    let track = CaptionTrack(language: "pt-BR", label: "Português", url: "/media/c.vtt", automatic: true)
    let playback = Playback(durationMs: 1, hlsUrl: "h", renditions: [], captions: [track])
    let json = String(decoding: try WireCoding.encode(playback), as: UTF8.self)
    #expect(
      json == """
        {"captions":[{"automatic":true,"label":"Português","language":"pt-BR","url":"/media/c.vtt"}],\
        "duration_ms":1,"hls_url":"h","renditions":[]}
        """)
    #expect(try WireCoding.decode(Playback.self, from: Data(json.utf8)) == playback)
    #expect(
      Route.captionsOfLanguage.values(in: Route.captionsOfLanguage.path("b5f1", "pt-BR")) == [
        "b5f1", "pt-BR",
      ])
    #expect(!Route.captions.matches(Route.captionsOfLanguage.path("b5f1", "pt-BR")))
  }

  @Test func theCurveOfAClipHasTheAgreedNames() throws {
    let playback = Playback(
      durationMs: 1, hlsUrl: "h", renditions: [], retention: [1_000_000, 730_000], retentionVersion: 3)
    let json = String(decoding: try WireCoding.encode(playback), as: UTF8.self)
    #expect(
      json == """
        {"duration_ms":1,"hls_url":"h","renditions":[],"retention":[1000000,730000],"retention_version":3}
        """)
    #expect(try WireCoding.decode(Playback.self, from: Data(json.utf8)) == playback)
  }

  @Test func theEndOfTheFeedIsWrittenAsNull() throws {
    let json = String(decoding: try WireCoding.encode(FeedPage(items: [], nextCursor: nil)), as: UTF8.self)
    #expect(json == #"{"items":[],"next_cursor":null}"#)
  }

  @Test func anUploadOnTheWireHasExactlyTheAgreedNames() throws {
    let status = UploadStatus(
      id: "b5f1", state: .published, offset: 9, sizeBytes: 9, expiresAt: nil,
      details: ClipDetails(caption: "Tide", tags: ["pier"], visibility: .unlisted),
      parts: PartLimits(minimumBytes: 1, maximumBytes: 2),
      clip: UploadedClip(
        id: "0190", step: "transcoding", permille: 420, remainingMs: 9000,
        renditions: [RenditionProgress(name: "360", state: .ready)]),
      problem: UploadProblem(code: "damaged", detail: "…"))
    let json = String(decoding: try WireCoding.encode(status), as: UTF8.self)
    #expect(
      json == """
        {"clip":{"id":"0190","is_own":true,"permille":420,"remaining_ms":9000,"renditions":[{"name":"360","state":"ready"}],\
        "step":"transcoding"},"details":{"caption":"Tide","tags":["pier"],"visibility":"unlisted"},"id":"b5f1","offset":9,\
        "parts":{"maximum_bytes":2,"minimum_bytes":1},"problem":{"code":"damaged","detail":"…"},"size_bytes":9,\
        "state":"published"}
        """)
    #expect(try WireCoding.decode(UploadStatus.self, from: Data(json.utf8)) == status)
    let direct = DirectParts(
      partBytes: 5, count: 2, stored: [1],
      addresses: [PartAddress(number: 2, url: "https://b.example/x?y=1")],
      validSeconds: 900)
    let parts = String(decoding: try WireCoding.encode(direct), as: UTF8.self)
    #expect(
      parts == """
        {"addresses":[{"number":2,"url":"https://b.example/x?y=1"}],"count":2,"part_bytes":5,"stored":[1],\
        "valid_seconds":900}
        """)
  }

  @Test func aCommentOnTheWireHasExactlyTheAgreedNames() throws {
    let comment = ClipComment(
      id: "0191", text: "Hi", createdAt: Date(timeIntervalSince1970: 1_700_000_000), clipId: "0190")
    let json = String(
      decoding: try WireCoding.encode(CommentPage(items: [comment], nextCursor: "n")), as: UTF8.self)
    #expect(
      json == """
        {"items":[{"clip_id":"0190","created_at":"2023-11-14T22:13:20Z","id":"0191","liked":false,"likes":0,\
        "own":false,"parent_id":null,"pinned":false,"replies":0,"text":"Hi"}],"next_cursor":"n"}
        """)
    #expect(try WireCoding.decode(CommentPage.self, from: Data(json.utf8)).items == [comment])
    let reaction = String(decoding: try WireCoding.encode(NewReaction(reaction: .heart)), as: UTF8.self)
    #expect(reaction == #"{"reaction":"heart"}"#)
  }

  @Test func aNoticeOnTheWireHasExactlyTheAgreedNames() throws {
    let page = NoticePage(
      items: [
        AccountNotice(
          id: "0192", kind: AccountNotice.Kind.providerConnected.rawValue,
          createdAt: Date(timeIntervalSince1970: 1_700_000_000), device: "Firefox on Android",
          provider: "Corp", times: 2),
        AccountNotice(id: "0191", kind: "of_tomorrow", createdAt: Date(timeIntervalSince1970: 1_700_000_000)),
      ], nextCursor: "n")
    let json = String(decoding: try WireCoding.encode(page), as: UTF8.self)
    #expect(
      json == """
        {"items":[{"created_at":"2023-11-14T22:13:20Z","device":"Firefox on Android","id":"0192",\
        "kind":"provider_connected","provider":"Corp","times":2},\
        {"created_at":"2023-11-14T22:13:20Z","id":"0191","kind":"of_tomorrow","times":1}],"next_cursor":"n"}
        """)
    #expect(try WireCoding.decode(NoticePage.self, from: Data(json.utf8)) == page)
    #expect(
      AccountNotice.Kind.allCases.map(\.rawValue) == [
        "new_device", "password_changed", "password_reset", "email_changed", "email_removed",
        "provider_connected", "provider_disconnected", "wrong_passwords", "signed_out_everywhere",
        "code_app_on", "code_app_off", "recovery_code_used", "recovery_codes_made", "passkey_added",
        "passkey_removed", "api_key_made", "api_key_revoked", "wrong_codes", "decided",
        "decision_reviewed", "export_ready",
      ])
  }

  @Test func aGenerationOnTheWireHasExactlyTheAgreedNames() throws {
    var generation = Generation(
      id: "g2", state: .inProgress, prompt: "A fox", seconds: 5, style: .cinematic, aspect: .portrait,
      credits: 5, createdAt: Date(timeIntervalSince1970: 0), permille: 420)
    (generation.remainingMs, generation.refinesId) = (9000, "g1")
    let json = String(decoding: try WireCoding.encode(generation), as: UTF8.self)
    #expect(
      json == """
        {"aspect":"9:16","created_at":"1970-01-01T00:00:00Z","credits":5,"id":"g2","is_published":false,\
        "permille":420,"prompt":"A fox","refines_id":"g1","remaining_ms":9000,"seconds":5,"state":"in_progress",\
        "style":"cinematic"}
        """)
    #expect(try WireCoding.decode(Generation.self, from: Data(json.utf8)) == generation)
    let offer = GenerationOffer(
      creditsLeft: 55, creditsPerDay: 60,
      lengths: [GenerationLength(seconds: 5, credits: 5, usualMs: 40_000)],
      aspects: [.portrait, .square], startsFromClips: false, underWay: 1, mostUnderWay: 3)
    #expect(
      String(decoding: try WireCoding.encode(offer), as: UTF8.self) == """
        {"aspects":["9:16","1:1"],"credits_left":55,"credits_per_day":60,\
        "lengths":[{"credits":5,"seconds":5,"usual_ms":40000}],"most_under_way":3,"starts_from_clips":false,\
        "under_way":1}
        """)
    let picture = GenerationPicture(id: "p1", expiresAt: Date(timeIntervalSince1970: 0))
    #expect(
      String(decoding: try WireCoding.encode(picture), as: UTF8.self)
        == #"{"expires_at":"1970-01-01T00:00:00Z","id":"p1"}"#)
    let new = NewGeneration(prompt: "A fox", seconds: 5, pictureId: "p1")
    #expect(
      String(decoding: try WireCoding.encode(new), as: UTF8.self)
        == #"{"picture_id":"p1","prompt":"A fox","seconds":5}"#)
    #expect(GenerationState.allCases.filter(\.isOver) == [.ready, .failed, .cancelled, .expired])
  }

  @Test func everyErrorHasATitleASentenceAndAnErrorStatus() {
    for code in ErrorCode.allCases {
      #expect((400...599).contains(code.status), "\(code)")
      #expect(code.message.hasSuffix(".") || code.message.hasSuffix(")."), "\(code)")
      #expect(!code.title.isEmpty)
      #expect(code.rawValue.allSatisfy { $0.isLowercase || $0 == "_" })
    }
  }

  @Test func routesFillAndMatchTheirPlaceholders() {
    #expect(Route.clip.path("a/b ü") == "/api/v1/clips/a%2Fb%20%C3%BC")
    #expect(Route.clip.matches("/api/v1/clips/x"))
    #expect(!Route.clip.matches("/api/v1/clips/x/y"))
    #expect(!Route.clip.matches("/api/v1/feed"))
    #expect(Route.comments.values(in: Route.comments.path("a/b ü")) == ["a/b ü"])
    #expect(Route.comments.values(in: "/api/v1/clips/x/reactions") == nil)
  }

  @Test func aPathIsOfTheRouteThatItFits() throws {
    for route in Route.all {
      let path = route.path("a", "b", "c")
      let found = try #require(Route.find(path))
      #expect(found.route == Route.all.first { $0.matches(path) } && found.route == route)
      #expect(found.values == route.values(in: path))
      #expect(Route.find("/" + path + "//")?.route == route, "slashes more are none")
      #expect(Route.find(path + "/a/b/c/d/e/f") == nil)
    }
    // Words come before placeholders, and where a word leads nowhere the placeholder is looked at all the same.
    #expect(Route.find("/api/v1/sessions/refresh")?.route == .sessionRefresh)
    #expect(Route.find("/api/v1/sessions/refreshed")?.values == ["refreshed"])
    let one = RouteTree([.session, .sessionRefresh, .uploadCommit])
    let path = { ("/api/v1/" + $0)[...].utf8.split(separator: UInt8(ascii: "/"))[...] }
    #expect(one.find(path("sessions/refresh")) == .sessionRefresh)
    #expect(one.find(path("sessions/x")) == .session && one.find(path("sessions")) == nil)
    #expect(Route.find("/") == nil && Route.find("") == nil)
    #expect(Route.find(String(repeating: "/a", count: 40_000)) == nil)
  }
}

@Suite struct PushSentenceTests {
  @Test func namesAndNumbersStandInTheirPlaces() {
    #expect(PushSentence.published.words([]) == "Your clip is published")
    #expect(PushSentence.like.words(["Ann"]) == "Ann likes your clip")
    #expect(PushSentence.likes.words(["Ann", "3"]) == "Ann and 3 others like your clips")
    #expect(PushSentence.comment.words(["100 % Ann", "%@ is %1$@"]) == "100 % Ann commented: %@ is %1$@")
    #expect(PushSentence.reply.words([]) == " replied: ")
  }

  /// An older page of the API has no `null`, and a newer one has kinds that nobody knows yet.
  @Test func aPageOfNotificationsHasTheAgreedNames() throws {
    let entry = NotificationEntry(
      id: "n1", kind: NotificationKind.like, createdAt: Date(timeIntervalSince1970: 0), isNew: true,
      people: [Author(id: "a", handle: "ann", name: "Ann")], count: 4,
      clip: NotificationClip(
        id: "c", caption: "Sea", picture: Cover(url: "/p", width: 1, height: 2, placeholder: "")))
    let page = NotificationPage(items: [entry], nextCursor: nil, mark: "17")
    let text = String(decoding: try WireCoding.encode(page), as: UTF8.self)
    #expect(
      text == """
        {"items":[{"clip":{"caption":"Sea","id":"c","picture":{"height":2,"placeholder":"","url":"/p","width":1}},\
        "count":4,"created_at":"1970-01-01T00:00:00Z","id":"n1","is_new":true,"kind":"like",\
        "people":[{"handle":"ann","id":"a","name":"Ann"}]}],"mark":"17","next_cursor":null}
        """)
    #expect(try WireCoding.decode(NotificationPage.self, from: Data(text.utf8)) == page)
  }

  /// What is told on no device has no switch for it.
  @Test func aDecisionInTheListHasTheAgreedNames() throws {
    let decision = NotificationDecision(id: "d", kind: .clip, action: .limitReach, outcome: .reversed)
    let entry = NotificationEntry(
      id: "n1", kind: NotificationKind.decision, createdAt: Date(timeIntervalSince1970: 0), isNew: false,
      decision: decision)
    let text = String(decoding: try WireCoding.encode(entry), as: UTF8.self)
    #expect(
      text == """
        {"count":0,"created_at":"1970-01-01T00:00:00Z",\
        "decision":{"action":"limit_reach","id":"d","kind":"clip","outcome":"reversed"},\
        "id":"n1","is_new":false,"kind":"decision","people":[]}
        """)
    let setting = NotificationSetting(kind: NotificationKind.decision, list: true, push: nil)
    let switches = String(decoding: try WireCoding.encode(setting), as: UTF8.self)
    #expect(switches == #"{"kind":"decision","list":true}"#)
  }
}

@Suite struct RestrictedModeFormTests {
  @Test func whoSaysToBeAnAdultSaysSoByTheAgreedNames() throws {
    let change = RestrictedModeChange(restricted: false, isAdult: true)
    let text = String(decoding: try WireCoding.encode(change), as: UTF8.self)
    #expect(text == #"{"is_adult":true,"restricted":false}"#)
    let mode = try WireCoding.decode(RestrictedMode.self, from: Data(#"{"restricted":true}"#.utf8))
    #expect(mode == RestrictedMode(restricted: true))
    #expect(try WireCoding.decode(ClipDetails.self, from: Data("{}".utf8)).forAdults == nil)
  }
}

@Suite struct CommentFilterFormTests {
  /// Of one that does not wait nothing is said, and an older server says nothing of any.
  @Test func aPageOfWhatWaitsHasTheAgreedNames() throws {
    let comment = ClipComment(
      id: "m", text: "Hi", createdAt: Date(timeIntervalSince1970: 0), clipId: "c", held: true)
    let page = HeldCommentPage(
      items: [
        HeldComment(comment: comment, reason: .word, word: "hi"),
        HeldComment(comment: comment, reason: .site),
      ],
      nextCursor: nil, held: 2)
    let text = String(decoding: try WireCoding.encode(page), as: UTF8.self)
    let one = """
      {"clip_id":"c","created_at":"1970-01-01T00:00:00Z","held":true,"id":"m","liked":false,"likes":0,"own":false,\
      "parent_id":null,"pinned":false,"replies":0,"text":"Hi"}
      """
    #expect(
      text == """
        {"held":2,"items":[{"comment":\(one),"reason":"word","word":"hi"},{"comment":\(one),"reason":"site"}],\
        "next_cursor":null}
        """)
    #expect(try WireCoding.decode(HeldCommentPage.self, from: Data(text.utf8)) == page)
    let filters = CommentFilters(words: ["hi"], holdLinks: true)
    #expect(
      String(decoding: try WireCoding.encode(filters), as: UTF8.self)
        == #"{"followers_only":false,"hold_links":true,"words":["hi"]}"#)
  }
}

/// Answers every request with the same response and remembers none.
private struct Canned: Transport {
  var status: Int
  var body: String
  func send(_ request: WireRequest) async throws -> WireResponse {
    WireResponse(status: status, headers: ["x-request-id": "r1"], body: Data(body.utf8))
  }
}

@Suite struct ClientTests {
  @Test func aProblemIsThrownAsItself() async throws {
    let problem = Problem(.invalidCursor, requestID: "r1")
    let body = String(decoding: try WireCoding.encode(problem), as: UTF8.self)
    await #expect(throws: problem) {
      try await Client(transport: Canned(status: 400, body: body)).feed(cursor: "x")
    }
  }

  @Test func anErrorPageOfAProxyBecomesARetryableProblem() async throws {
    let error = await #expect(throws: Problem.self) {
      try await Client(transport: Canned(status: 502, body: "<html>")).clip("x")
    }
    #expect(error?.status == 502)
    #expect(error?.retryable == true)
  }
}

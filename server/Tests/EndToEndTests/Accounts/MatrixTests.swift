import Accounts
import Comments
import Contract
import Foundation
import OpenAPI
import Platform
import Testing
import Uploads
import Videos

@testable import Composition
@testable import Gateway
@testable import PlatformTesting
@testable import ServerTesting

/// What everybody gets of everything, on the wire, against things that are there:
/// `fixtures/access/matrix.txt`, which is written anew by `CLIPFEED_WRITE_GOLDENS=1`. What somebody may at
/// all stands in `AccessTests`.
@Suite struct MatrixTests {
  private let bench: TestInstance

  init() async throws { bench = try await TestInstance() }

  /// `owner` made the things; `blocked` was blocked by the owner. Moderators and admins are told apart by
  /// their tokens, and decide what is reported; the rest the operator does (`clipfeed accounts`, `clipfeed
  /// comments`). The last two come with tokens whose time is not over: of an account
  /// that was deleted, and of a session that was ended.
  enum Asker: String, CaseIterable {
    case guest, owner, other, blocked, suspended, moderator, admin, deleted
    case signedOut = "signed_out"

    /// Signs in and finds an account.
    var hasAccount: Bool { self != .guest && self != .deleted }
  }

  private static let golden = Repository.file("fixtures/access/matrix.txt")

  /// What is asked: an operation, about which thing.
  private struct Row: Sendable {
    let method: String
    let route: Route
    let thing: String
    let make:
      @Sendable (World, Asker) async throws -> (values: [String], body: String?, headers: [String: String])
  }

  private static func row(
    _ method: String, _ route: Route, _ thing: String = "", body: String? = nil,
    headers: [String: String] = [:],
    _ values: @escaping @Sendable (World, Asker) async throws -> [String] = { _, _ in [] }
  ) -> Row {
    Row(method: method, route: route, thing: thing) { world, asker in
      (try await values(world, asker), body, headers)
    }
  }

  /// The same about clips of each visibility.
  private static func ofClips(
    _ method: String, _ route: Route, body: String? = nil, headers: [String: String] = [:]
  ) -> [Row] {
    [Visibility.public, .unlisted, .private].map { visibility in
      row(method, route, "\(visibility.rawValue) clip", body: body, headers: headers) { world, _ in
        [world.clips[visibility] ?? ""]
      }
    }
  }

  private static func ofDraft(
    _ method: String, _ route: Route, body: String? = nil, headers: [String: String] = [:],
    _ more: [String] = []
  ) -> [Row] {
    [
      row(method, route, "the owner's, by its id", body: body, headers: headers) { world, _ in
        [try await world.draft()] + more
      },
      row(method, route, "a guest's, by its id", body: body, headers: headers) { world, _ in
        [try await world.draft(of: .guest)] + more
      },
      row(method, route, "a suspended account's, by its id", body: body, headers: headers) { world, _ in
        [try await world.draft(of: .suspended)] + more
      },
      row(method, route, "a deleted account's, by its id", body: body, headers: headers) { world, _ in
        [world.goneDraft] + more
      },
      row(method, route, "a guessed id", body: body, headers: headers) { _, _ in
        [String(repeating: "A", count: 43)] + more
      },
    ]
  }

  /// The same about comments on the owner's clips.
  private static func ofComments(_ method: String, _ route: Route) -> [Row] {
    ["other's", "guest's", "other's reply", "owner's, private clip", "guessed id"].map { whose in
      row(method, route, whose) { world, _ in [world.comments[whose] ?? "none"] }
    }
  }

  private static let commentRows: [Row] =
    ofComments("GET", .comment) + ofComments("GET", .commentReplies)
    + ofComments("PUT", .commentLike) + ofComments("DELETE", .commentLike)
    + ofComments("PUT", .commentPin) + ofComments("DELETE", .commentPin)
    // Somebody has just written it under the owner's clip.
    + [Asker.owner, .other, .suspended].map { writer in
      row("DELETE", .comment, "new, of the \(writer.rawValue)") { world, _ in
        let comment = try await world.instance.comments(.open).add(
          "words", to: world.clips[.unlisted] ?? "", by: world.ids[writer],
          idempotencyKey: UUID().uuidString)
        return [comment.id]
      }
    } + [row("DELETE", .comment, "guessed id") { _, _ in ["none"] }]

  private static let filterRows: [Row] =
    [
      row("GET", .commentFilters, "one's own"),
      // Nobody is followed here: the rows behind it write comments.
      row(
        "PUT", .commentFilters, "one's own",
        body: #"{"words":["a phrase of the matrix"],"hold_links":true,"followers_only":false}"#),
      row("GET", .heldComments, "one's own"),
    ] + ofComments("PUT", .commentApproval)
    + [ofHeld("GET", .comment), ofHeld("PUT", .commentApproval), ofHeld("DELETE", .comment)]

  /// About one that waits for the owner: nobody else learns of it but who wrote it.
  private static func ofHeld(_ method: String, _ route: Route) -> Row {
    row(method, route, "waits for the owner") { world, _ in
      let comments = try await world.instance.comments(.open)
      let phrase = "a phrase of the matrix"
      _ = try await comments.change(CommentFilters(words: [phrase]), of: world.owner)
      let comment = try await comments.add(
        phrase, to: world.clips[.unlisted] ?? "", by: world.ids[.other], idempotencyKey: UUID().uuidString)
      return [comment.id]
    }
  }

  /// The same about clips of somebody who is suspended, or who left.
  private static func ofClipsOfOthers(
    _ method: String, _ route: Route, body: String? = nil, headers: [String: String] = [:]
  ) -> [Row] {
    [
      row(method, route, "suspended account's public clip", body: body, headers: headers) { world, _ in
        [world.suspendedClip]
      },
      row(method, route, "deleted account's public clip", body: body, headers: headers) { world, _ in
        Array((world.gone[.public] ?? []).prefix(1))
      },
    ]
  }

  private static let key = ["idempotency-key": "a-key-of-the-matrix"]
  private static let right = #""password":"correct horse""#

  private static let moderationRows: [Row] = [
    Row(method: "POST", route: .reports, thing: "public clip") { world, _ in
      ([], #"{"kind":"clip","subject_id":"\#(world.clips[.public] ?? "")","reason":"spam"}"#, [:])
    },
    Row(method: "POST", route: .reports, thing: "private clip") { world, _ in
      ([], #"{"kind":"clip","subject_id":"\#(world.clips[.private] ?? "")","reason":"spam"}"#, [:])
    },
    Row(method: "POST", route: .reports, thing: "the owner") { world, _ in
      ([], #"{"kind":"person","subject_id":"\#(world.owner)","reason":"spam"}"#, [:])
    },
    row("GET", .accountReports, "one's own"), row("GET", .accountDecisions, "one's own"),
    row("PUT", .decisionAppeal, "one's own", body: #"{"text":"words"}"#) { world, asker in
      [asker == .owner ? world.decision : "none"]
    },
    row("PUT", .decisionAppeal, "of the owner", body: #"{"text":"other words"}"#) { world, _ in
      [world.decision]
    },
    row("GET", .moderationCases),
    row("GET", .moderationCase, "about the owner") { world, _ in [world.caseID] },
    row("GET", .moderationCase, "a guessed id") { _, _ in ["none"] },
    row(
      "POST", .caseDecisions, "about the owner",
      body: #"{"action":"warn","reason":"spam","statement":"words"}"#, headers: key
    ) { world, _ in [world.caseID] },
    row(
      "PUT", .decisionReview, "about the owner", body: #"{"outcome":"upheld","statement":"words"}"#
    ) { world, _ in [world.decision] },
  ]

  private static let rows: [Row] =
    [row("GET", .feed)] + ofClips("GET", .clip) + ofClips("GET", .comments)
    + ofClips("POST", .comments, body: #"{"text":"words"}"#, headers: key)
    + commentRows + filterRows + ofClips("POST", .reactions, body: #"{"reaction":"heart"}"#)
    + ofClips("PUT", .like) + ofClips("DELETE", .like) + ofClips("PUT", .bookmark)
    + ofClips("DELETE", .bookmark)
    + ofClips("POST", .shares, headers: key)
    + ofClips("GET", .clipInsights) + ofClips("GET", .similarClips) + [
      row("GET", .trending), row("GET", .taste, "one's own"),
    ]
    + [
      row("PUT", .taste, "one's own", body: #"{"personalised":true}"#), row("DELETE", .taste, "one's own"),
      row("DELETE", .dismissals, "of nothing"),
      Row(method: "POST", route: .dismissals, thing: "public clip") { world, _ in
        ([], #"{"kind":"clip","subject":"\#(world.clips[.public] ?? "")"}"#, [:])
      },
      row("POST", .dismissals, "a guessed clip", body: #"{"kind":"clip","subject":"none"}"#),
      row("POST", .dismissals, "a guessed author", body: #"{"kind":"author","subject":"none"}"#),
      row("POST", .dismissals, "a guessed sound", body: #"{"kind":"sound","subject":"none"}"#),
    ]
    + [Route.profile, .profileClips, .profileLikes, .profileFollowers, .profileFollowing].flatMap { route in
      ["owner", "blocked", "suspended", "deleted"].map { whose in
        row("GET", route, "of the \(whose)") { _, _ in ["the_\(whose)"] }
      }
    }
    + [
      row("PATCH", .accountProfile, "one's own", body: #"{"bio":"words"}"#),
      row(
        "PUT", .accountPicture, "one's own, no picture", body: "words",
        headers: ["content-type": "image/png"]),
      row("DELETE", .accountPicture, "one's own"),
    ]
    + moderationRows + ofClipsOfOthers("GET", .clip) + ofClipsOfOthers("GET", .comments)
    + ofClipsOfOthers("POST", .comments, body: #"{"text":"words"}"#, headers: key)
    + ofClipsOfOthers("PUT", .like)
    + ofClipsOfOthers("PUT", .bookmark) + ofClipsOfOthers("GET", .clipPage) + ofClipsOfOthers("GET", .embed)
    + ["PUT", "DELETE"].map { row($0, .follow, "the owner") { world, _ in [world.owner] } }
    + [Asker.suspended, .deleted].map { author in
      row("PUT", .follow, "the \(author.rawValue)") { world, _ in [world.ids[author] ?? ""] }
    }
    + ["PUT", "DELETE"].map { row($0, .block, "the suspended") { world, _ in [world.ids[.suspended] ?? ""] } }
    + [Asker.owner, .suspended, .deleted].flatMap { peer in
      [
        row("GET", .messages, "with the \(peer.rawValue)") { world, _ in [world.ids[peer] ?? ""] },
        row("POST", .messages, "with the \(peer.rawValue)", body: #"{"text":"words"}"#, headers: key) {
          world, _ in [world.ids[peer] ?? ""]
        },
        row("PUT", .messagesRead, "with the \(peer.rawValue)", body: #"{"up_to":"none"}"#) { world, _ in
          [world.ids[peer] ?? ""]
        },
      ]
    }
    + [Route.likes, .bookmarks, .following, .ownClips, .blocks, .conversations, .unreadMessages].map {
      row("GET", $0, "one's own")
    }
    + [
      Row(method: "POST", route: .events, thing: "public clip") { world, _ in
        let event = WatchEvent(
          id: UUID().uuidString, clipID: world.clips[.public] ?? "", kind: .impression,
          atMs: SystemTime().nowMs)
        return ([], String(decoding: try WireCoding.encode(WatchEvents([event])), as: UTF8.self), [:])
      }
    ]
    + [
      row("GET", .live, "one's own"),
      Row(method: "POST", route: .uploads, thing: "") { _, asker in
        (
          [],
          #"{"size_bytes":1000,"type":"video/mp4","details":{},"sha256":"\#(ContentHash.of(Array(asker.rawValue.utf8)))"}"#,
          ["idempotency-key": "upload-of-\(asker.rawValue)"]
        )
      },
    ]
    + ofDraft("GET", .upload) + ofDraft("HEAD", .upload)
    + ofDraft(
      "PATCH", .upload, body: #"{"caption":"words"}"#,
      headers: ["content-type": "application/merge-patch+json"])
    + ofDraft("POST", .uploadCommit) + ofDraft("GET", .uploadClip) + ofDraft("PUT", .uploadClip)
    + ofDraft("DELETE", .uploadClip) + ofDraft("DELETE", .upload)
    + ofDraft("GET", .captions)
    + ofDraft("PUT", .captionsOfLanguage, body: "WEBVTT", headers: ["content-type": "text/vtt"], ["en"])
    + ofDraft("DELETE", .captionsOfLanguage, ["en"])
    + [
      Row(method: "POST", route: .accounts, thing: "") { _, asker in
        ([], #"{"handle":"new_\#(asker.rawValue)",\#(right),"transport":"token"}"#, [:])
      },
      row("GET", .sessions, "one's own"),
      Row(method: "POST", route: .sessions, thing: "as the owner, the right password") { _, _ in
        ([], #"{"handle":"the_owner",\#(right),"transport":"token"}"#, [:])
      },
      row(
        "POST", .sessions, "as the owner, a wrong one",
        body: #"{"handle":"the_owner","password":"wrong horse","transport":"token"}"#),
      Row(method: "POST", route: .sessionRefresh, thing: "of the owner, stolen") { world, _ in
        ([], #"{"refresh_token":"\#(try await world.session(of: .owner).refreshToken ?? "")"}"#, [:])
      },
      row("POST", .sessionRefresh, "made up", body: #"{"refresh_token":"r1.a.b.0.c.d"}"#),
      row("DELETE", .session, "of the owner") { world, _ in [try await world.session(of: .owner).id] },
      row("DELETE", .session, "another of one's own") { world, asker in
        [asker.hasAccount ? try await world.session(of: asker).id : "none"]
      },
      row("GET", .devices, "one's own"),
      row(
        "POST", .devices, "one's own, nobody is told",
        body:
          #"{"token":"\#(String(repeating: "a", count: 64))","environment":"sandbox","topic":"org.example"}"#),
      row("DELETE", .device, "a guessed id") { _, _ in ["none"] },
      row(
        "POST", .webDevices, "one's own, nobody is told",
        body:
          #"{"endpoint":"https://push.example.org/x","keys":{"auth":"\#(String(repeating: "A", count: 22))","p256dh":"\#(String(repeating: "A", count: 87))"}}"#
      ),
      row("GET", .notifications, "one's own"),
      row("PUT", .notificationsSeen, "one's own", body: #"{"up_to":"1"}"#),
      row("GET", .unseenNotifications, "one's own"), row("GET", .notificationSettings, "one's own"),
      row(
        "PUT", .notificationSettings, "one's own", body: #"{"items":[{"kind":"like","push":false}]}"#),
      row("GET", .restrictedMode, "one's own"),
      row("PUT", .restrictedMode, "one's own, begun", body: #"{"restricted":true}"#),
      row("PUT", .restrictedMode, "one's own, ended", body: #"{"restricted":false}"#),
      row("GET", .generationOffer, "one's own"), row("GET", .generations, "one's own"),
      row("POST", .generations, body: #"{"prompt":"words","seconds":5}"#, headers: key),
      row("GET", .generation, "the owner's") { world, _ in [world.generation] },
      row("GET", .generation, "a guessed id") { _, _ in ["none"] },
      row("PUT", .generationPublication, "the owner's", body: "{}") { world, _ in [world.generation] },
      row(
        "POST", .generationRefinements, "the owner's", body: #"{"prompt":"other words"}"#,
        headers: ["idempotency-key": "a-refinement-of-the-matrix"]
      ) { world, _ in [world.generation] },
      row("DELETE", .generation, "the owner's") { world, _ in [world.generation] },
      row(
        "POST", .generationPictures, "one's own, no picture", body: "words",
        headers: ["content-type": "image/png"]),
      row("GET", .generationPicture, "a guessed id") { _, _ in ["none"] },
      row("DELETE", .generationPicture, "a guessed id") { _, _ in ["none"] },
      row("GET", .webhooks, "one's own"),
      row(
        "POST", .webhooks, "none are sent",
        body: #"{"address":"https://hooks.example.org/x","events":["clip.published"]}"#),
      row("PATCH", .webhook, "a guessed id", body: #"{"enabled":false}"#) { _, _ in ["none"] },
      row("POST", .webhookSecret, "a guessed id") { _, _ in ["none"] },
      row("POST", .webhookTests, "a guessed id") { _, _ in ["none"] },
      row("GET", .webhookDeliveries, "a guessed id") { _, _ in ["none"] },
      row("DELETE", .webhook, "a guessed id") { _, _ in ["none"] },
      row(
        "POST", .generationWebhook, "a provider without a secret", body: "{}",
        headers: ["webhook-id": "msg-1", "webhook-timestamp": "1", "webhook-signature": "v1,AA=="]
      ) { _, _ in ["none"] },
      row("GET", .exports, "one's own"), row("POST", .exports, "one's own", headers: key),
      row("DELETE", .export, "a guessed id") { _, _ in ["none"] },
      row("GET", .exportArchive, "a guessed seal") { _, _ in
        ["none", "1-\(String(repeating: "a", count: 64))"]
      },
      row("GET", .notices, "one's own"), row("GET", .account, "one's own"),
      row("PATCH", .account, "one's own", body: #"{"name":"Somebody"}"#),
      row(
        "PUT", .accountPassword, "one's own, wrong password",
        body: #"{"current_password":"wrong horse","new_password":"correct horse"}"#),
      row("POST", .accountDeletion, "one's own, wrong password", body: #"{"password":"wrong horse"}"#),
      row("POST", .passwordResets, "of the owner", body: #"{"handle":"the_owner"}"#),
      row("PUT", .passwordReset, "a guessed token", body: #"{"password":"another horse"}"#) { world, _ in
        ["\(world.owner).\(String(repeating: "A", count: 43))"]
      },
      row("PUT", .emailConfirmation, "a guessed token") { world, _ in
        ["\(world.owner).\(String(repeating: "A", count: 43))"]
      },
      row("GET", .signInProviders), row("GET", .foundClips), row("GET", .foundPeople), row("GET", .foundTags),
      row("GET", .foundSounds), row("GET", .searchSuggestions),
      row("POST", .signIns, "no such provider", body: #"{"provider":"none","transport":"token"}"#),
      row(
        "POST", .signInAnswers, "a guessed flow",
        body: #"{"transport":"token","flow":"a","state":"a","code":"a"}"#),
      row(
        "POST", .signInAccounts, "a guessed ticket",
        body: #"{"ticket":"a","handle":"somebody","transport":"token"}"#),
      row(
        "POST", .accountSignIns, "no such provider",
        body: #"{"provider":"none","purpose":"connect","transport":"token"}"#),
      row(
        "POST", .accountSignInAnswers, "a guessed flow",
        body: #"{"transport":"token","flow":"a","state":"a","code":"a"}"#),
      row("GET", .identities, "one's own"),
      row("POST", .identities, "a guessed ticket", body: #"{"ticket":"a",\#(right)}"#),
      row("DELETE", .identity, "a guessed id", body: "{\(right)}") { _, _ in ["none"] },
      row(
        "POST", .secondStep, "a guessed challenge",
        body: #"{"challenge":"none.none","code":"123456","transport":"token"}"#),
      row("GET", .secondFactors, "one's own"),
      row("POST", .codeApp, "one's own, wrong password", body: #"{"password":"wrong horse"}"#),
      row("PUT", .codeApp, "one's own, a guessed code", body: #"{"code":"123456"}"#),
      row("DELETE", .codeApp, "one's own, wrong password", body: #"{"password":"wrong horse"}"#),
      row("POST", .recoveryCodes, "one's own, wrong password", body: #"{"password":"wrong horse"}"#),
      // A site without an address of its own has none.
      row("POST", .passkeyQuestions, "there are none"),
      row(
        "POST", .passkeySessions, "there are none",
        body:
          #"{"credential":"AA","client_data":"AA","authenticator_data":"AA","signature":"AA","transport":"token"}"#
      ),
      row("GET", .passkeys, "one's own"), row("POST", .passkeySetups, "there are none", body: "{\(right)}"),
      row("POST", .passkeys, "there are none", body: #"{"client_data":"AA","attestation":"AA"}"#),
      row("PATCH", .passkey, "a guessed id", body: #"{"name":"Phone"}"#) { _, _ in ["none"] },
      row("DELETE", .passkey, "a guessed id", body: "{\(right)}") { _, _ in ["none"] },
      row("GET", .apiKeys, "one's own"),
      row(
        "POST", .apiKeys, "one's own, wrong password",
        body: #"{"name":"Program","scopes":["videos:read"],"owner":{"password":"wrong horse"}}"#),
      row("DELETE", .apiKey, "a guessed id") { _, _ in ["none"] },
      // Keys open these, and no token of anybody does.
      row("GET", .videos, "without a key"),
      row("POST", .videos, "without a key", body: #"{"prompt":"A fox"}"#),
      row("GET", .video, "without a key") { _, _ in ["video_none"] },
      row("DELETE", .video, "without a key") { _, _ in ["video_none"] },
      row("GET", .videoContent, "without a key") { _, _ in ["video_none"] },
      row("POST", .videoRemix, "without a key", body: #"{"prompt":"A fox"}"#) { _, _ in ["video_none"] },
      row("GET", .signInReturn, "no such provider") { _, _ in ["none"] },
      row(
        "POST", .signInReturn, "no such provider", body: "state=a",
        headers: ["content-type": "application/x-www-form-urlencoded"]
      ) { _, _ in ["none"] },
      row("GET", .media, "of a public clip") { world, _ in [world.blob] },
      row("GET", .media, "of no clip") { world, _ in [world.strayBlob] },
      row("GET", .sealedMedia, "unlisted clip, with its seal") { world, _ in
        [world.clips[.unlisted] ?? "", world.seal, world.blob]
      },
      row("GET", .sealedMedia, "private clip, the other's seal") { world, _ in
        [world.clips[.private] ?? "", world.seal, world.blob]
      },
    ]
    + [Visibility.public, .unlisted, .private].flatMap { visibility in
      [
        row("GET", .media, "deleted account's \(visibility) clip") { world, _ in
          Array((world.gone[visibility] ?? []).suffix(1))
        },
        // With the seal that its owner was handed out.
        row("GET", .sealedMedia, "deleted account's \(visibility) clip") { world, _ in
          world.gone[visibility] ?? []
        },
      ]
    } + ofClips("GET", .clipPage) + ofClips("GET", .embed)
    + [
      row("GET", .oembed, "public clip") { world, _ in
        ["?url=\(Route.encoded("http://127.0.0.1" + Route.clipPage.path(world.clips[.public] ?? "")))"]
      }, row("GET", .tagPage) { _, _ in ["words"] },
      row("GET", .soundPage, "of a public clip") { _, _ in [World.sound] },
      row("GET", .soundPage, "a guessed id") { _, _ in ["none"] }, row("GET", .openAPI),
      row("GET", .appSiteAssociation), row("GET", .health),
      row("GET", .ready),
      // Last: nothing is left of it.
      row("DELETE", .session, "the one that asks") { _, _ in [Route.currentSession] },
      Row(method: "DELETE", route: .sessions, thing: "all of one's own") { world, asker in
        guard asker.hasAccount, asker != .signedOut else { return ([], nil, [:]) }
        let token = try #require(try await world.session(of: asker).accessToken)
        return ([], nil, ["authorization": "Bearer \(token)"])
      },
    ]

  @Test func everybodyGetsWhatTheMatrixSays() async throws {
    var rules = UploadRules()
    rules.openPerAccount = 1000
    // Limits are another matter: an hour between two requests.
    let clock = TestTime(ms: SystemTime().nowMs)
    let accounts = try await bench.instance.accounts(hashing: CountingPasswords())
    let text = try await bench.serving(uploads: rules, accounts: accounts, time: clock) {
      [bench, rules] socket async throws in
      var (world, askers) = try await Self.populate(bench.instance, accounts, rules, socket)
      let guests = GuestTokens(keys: try await bench.instance.keys(.guests).tokenKeys())
      try Data("<html></html>".utf8).write(to: bench.folder.appendingPathComponent("index.html"))
      var lines = [["", "about"] + Asker.allCases.map(\.rawValue)]
      for row in Self.rows {
        var line = ["\(row.method) \(row.route.template)", row.thing]
        for asker in Asker.allCases {
          clock.advance(ms: 3_600_000)
          if asker == .guest {
            // Another one each time: signing up and in end a guest.
            let guest = guests.make(at: SystemTime())
            (world.ids[.guest], askers[.guest]) = (guest.id, Bearer(inner: socket, token: guest.token))
          }
          let (values, body, headers) = try await row.make(world, asker)
          let target = Self.path(row.route, values)
          let answer = try await #require(askers[asker]).answer(row.method, target, body, headers)
          #expect(answer.status < 500, "\(asker) \(target)")
          line.append([String(answer.status), answer.code].compactMap { $0 }.joined(separator: " "))
        }
        lines.append(line)
      }
      return Self.table(lines)
    }
    if ProcessInfo.processInfo.environment["CLIPFEED_WRITE_GOLDENS"] == "1" {
      try FileManager.default.createDirectory(
        at: Self.golden.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: Self.golden)
    }
    #expect(text == String(decoding: try Data(contentsOf: Self.golden), as: UTF8.self))
  }

  @Test func everyRouteIsInTheMatrix() {
    let told = Set(Self.rows.map { "\($0.method) \($0.route.template)" })
    for route in Route.all {
      // HEAD is GET without the body (`AccessTests`); OPTIONS says nothing of anybody.
      for method in route.methods where !["HEAD", "OPTIONS"].contains(method) {
        #expect(
          told.contains("\(method) \(route.template)"),
          "nobody looked who gets what of \(method) \(route.template)")
      }
    }
  }

  private static func path(_ route: Route, _ values: [String]) -> String {
    var values = values[...]
    let query = values.last.flatMap { $0.hasPrefix("?") ? $0 : nil } ?? ""
    return "/"
      + route.template.split(separator: "/").map { word in
        word.hasPrefix("{") ? Route.encoded(values.popFirst() ?? "none") : String(word)
      }.joined(separator: "/") + query
  }

  private static func table(_ lines: [[String]]) -> String {
    let widths = lines[0].indices.map { column in lines.map(\.[column].count).max() ?? 0 }
    return lines.map { line in
      let cells = zip(line, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }
      var text = cells.joined(separator: "  ")
      while text.last == " " { text.removeLast() }
      return text + "\n"
    }.joined()
  }
}

import Accounts
import Comments
import Contract
import Foundation
import Generation
import LocalBlobs
import Moderation
import Platform
import Social
import Testing
import Uploads
import Videos

@testable import Composition
@testable import PlatformTesting
@testable import ServerTesting

/// The things that the matrix asks about, and whose they are.
extension MatrixTests {
  struct World: Sendable {
    let instance: Instance
    let accounts: Accounts
    let rules: UploadRules
    var ids: [Asker: String] = [:]
    var clips: [Visibility: String] = [:]
    /// Of the clips of each visibility.
    var blob = ""
    /// Of no clip.
    var strayBlob = ""
    /// Of clips of a deleted account: the clip, its owner's seal, its blob.
    var gone: [Visibility: [String]] = [:]
    var seal = ""
    var suspendedClip = ""
    /// Under the owner's public clip, by whom they are.
    var comments: [String: String] = [:]
    /// About the owner, and a decision in it by somebody who asks nothing.
    var caseID = ""
    var decision = ""
    /// An upload that the deleted account had begun.
    var goneDraft = ""
    /// What the owner is having made from words.
    var generation = ""
    /// That the owner's public clip has.
    static let sound = "sound-of-the-matrix"

    var owner: String { ids[.owner] ?? "" }

    /// A session of an account beside the one that asks.
    func session(of asker: Asker) async throws -> Session {
      try await accounts.signIn(
        NewSession(handle: "the_\(asker.rawValue)", password: "correct horse", transport: .token), guest: nil,
        client: "")
    }

    /// An upload that has begun, of the owner's or of a guest's: a draft, of which nobody knows but by its
    /// id.
    func draft(of account: Asker = .owner) async throws -> String {
      try await instance.uploads(rules).create(
        NewUpload(sizeBytes: 1000, sha256: nil, type: "video/mp4"), key: nil,
        publishesItself: false,
        by: account == .guest ? .guest(address: "192.0.2.1") : .account(ids[account] ?? "")
      ).id
    }
  }

  static func populate(
    _ instance: Instance, _ accounts: Accounts, _ rules: UploadRules, _ socket: SocketTransport
  ) async throws -> (World, [Asker: any Transport]) {
    var world = World(instance: instance, accounts: accounts, rules: rules)
    var askers: [Asker: any Transport] = [:]
    for asker in Asker.allCases where asker != .guest {
      let handle = "the_\(asker.rawValue)"
      let first = try await accounts.signUp(NewAccount(handle), guest: nil, client: "")
      if asker == .deleted || asker == .signedOut {
        (world.ids[asker], askers[asker]) = (
          first.account.id, Bearer(inner: socket, token: try #require(first.accessToken))
        )
        continue
      }
      if asker == .suspended { try await accounts.setSuspended(true, handle: handle) }
      if asker == .moderator { try await accounts.setRole(.moderator, handle: handle) }
      if asker == .admin { try await accounts.setRole(.admin, handle: handle) }
      // What was made in the millisecond of the change does not count.
      var session = first
      repeat {
        session = try await accounts.refresh(try #require(session.refreshToken), client: "")
      } while try await Bearer(inner: socket, token: session.accessToken ?? "")
        .answer("GET", Route.account.path()).status != 200
      (world.ids[asker], askers[asker]) = (
        first.account.id, Bearer(inner: socket, token: try #require(session.accessToken))
      )
    }
    instance.makers.take([ScriptedVideos(takesPictures: true) { _, _ in .never }])
    world.generation = try await instance.generations().request(
      NewGeneration(prompt: "words", seconds: 5), by: world.owner, idempotencyKey: "the-owners-generation"
    ).id
    for visibility in [Visibility.public, .unlisted, .private] {
      world.clips[visibility] = try await instance.publishBare(
        visibility.rawValue, visibility: visibility, by: world.owner)
    }
    try await instance.database.write { [world] in
      try instance.clips.setSound(World.sound, of: world.clips[.public] ?? "", in: $0)
    }
    let blob = try await Self.store("bytes", on: instance)
    for visibility in [Visibility.public, .unlisted, .private] {
      try await instance.put(blob, into: world.clips[visibility] ?? "")
    }
    world.blob = "\(blob)"
    world.strayBlob = "\(try await Self.store("stray bytes", on: instance))"
    world.seal = try await Self.seal(of: world.clips[.unlisted] ?? "", for: .holder, instance)
    try await comment(&world)
    world.suspendedClip = try await instance.publishBare("suspended", by: world.ids[.suspended])
    try await instance.put(blob, into: world.suspendedClip)
    try await judge(&world)
    try await leave(&world)
    try await accounts.endSessions(of: try #require(world.ids[.signedOut]))
    _ = try await instance.social(.open).block(try #require(world.ids[.blocked]), by: world.owner)
    return (world, askers)
  }

  private static func comment(_ world: inout World) async throws {
    let comments = try await world.instance.comments(.open)
    let (clip, other) = (world.clips[.public] ?? "", world.ids[.other] ?? "")
    let first = try await comments.add("words", to: clip, by: other, idempotencyKey: "the-first-comment")
    world.comments["other's"] = first.id
    world.comments["other's reply"] =
      try await comments.add(
        "words", to: clip, replyTo: first.id, by: other, idempotencyKey: "the-first-answer"
      ).id
    world.comments["guest's"] =
      try await comments.add("words", to: clip, guest: "a-guest", idempotencyKey: "a-guests-comment").id
    let hidden = try await world.instance.publishBare("to be hidden", by: world.owner)
    world.comments["owner's, private clip"] =
      try await comments.add("words", to: hidden, by: world.owner, idempotencyKey: "a-hidden-comment").id
    try await world.instance.clips.setVisibility(of: hidden, to: .private)
  }

  private static func judge(_ world: inout World) async throws {
    let moderation = try await world.instance.moderation(world.accounts)
    _ = try await moderation.report(
      NewReport(kind: .person, subjectID: world.owner, reason: .spam), by: world.ids[.other] ?? "")
    world.caseID = try #require(try await moderation.cases(.open, cursor: nil, limit: 1).items.first?.id)
    let judge = try await world.accounts.signUp(NewAccount("the_judge"), guest: nil, client: "").account.id
    let file = try await moderation.decide(
      world.caseID, NewDecision(action: .warn, reason: .spam, statement: "words"),
      by: Viewer(id: judge, standing: .account(session: "", role: .moderator)),
      idempotencyKey: "a-key-of-the-judge")
    world.decision = try #require(file.decisions.first?.decision.id)
  }

  /// Somebody publishes a clip of each visibility and deletes the account. The blobs stay in the store until
  /// the sweep.
  private static func leave(_ world: inout World) async throws {
    let (instance, accounts) = (world.instance, world.accounts)
    let gone = try #require(world.ids[.deleted])
    world.goneDraft = try await world.draft(of: .deleted)
    for visibility in [Visibility.public, .unlisted, .private] {
      let clip = try await instance.publishBare("gone \(visibility)", visibility: visibility, by: gone)
      let blob = try await store("bytes of the gone, \(visibility)", on: instance)
      try await instance.put(blob, into: clip)
      world.gone[visibility] = [clip, try await seal(of: clip, for: .owner, instance), "\(blob)"]
    }
    try await accounts.delete(gone, AccountDeletion(password: NewAccount("").password))
  }

  private static func store(_ text: String, on instance: Instance) async throws -> BlobName {
    let file = instance.workFolder.appendingPathComponent("bytes")
    try Data(text.utf8).write(to: file)
    return try await instance.media.put(fileAt: file, ext: "mp4")
  }

  private static func seal(of clip: String, for reader: MediaSeal.Reader, _ instance: Instance) async throws
    -> String
  {
    try await instance.sealKeys.make(
      clip: clip, reader: reader, expires: SystemTime().nowMs / 1000 + 100 * 86_400)
  }
}

import AppModel
import Contract
import CoreTypes
import Device
import Foundation
import MediaCache
import MediaProxy
import MediaStore
import Persistence
import Playback
import PlaybackTesting
import Session
import Testing

@MainActor @Suite struct FeedJourneys {
  private let folder = TemporaryFolder()

  /// What somebody did in a visit is at the server, and the next visit begins with the same clip although there
  /// is no server any more.
  @Test(.timeLimit(.minutes(10))) func aVisitLeavesItsLikeAtTheServerAndItsFeedOnThePhone() async throws {
    let person = try await Person.member()
    let visit = try Visit(person.client, media: try Person.server(), folder: folder.url)
    try await until { visit.current != nil }
    let clip = try #require(visit.current)
    let item = try #require(visit.feed.host.feed.item(of: clip.id))
    // The first segment with its initialisation section is all that a first frame needs.
    try await until { visit.memory.best(item.rawValue, 0) != nil }

    visit.feed.actions.turn(.like, of: clip, item)
    #expect(visit.feed.actions.standing(of: clip, item).isLiked)
    try await until { try await person.client.clip(clip.id).viewer?.liked == true }

    visit.device.onNotice?(.backgrounded)
    await visit.end()

    let nowhere = URL(string: "http://127.0.0.1:9")!
    let transport = HTTPTransport(base: nowhere)
    let next = try Visit(Client(transport: transport), media: nowhere, folder: folder.url)
    #expect(next.current?.id == clip.id)
    try await until { next.memory.best(item.rawValue, 0) != nil }
    await next.end()
    transport.invalidate()
  }

  /// What is said in a clip that somebody keeps is read without any server, by the address that its player
  /// has, takes room of its own, and goes with the clip.
  @Test(.timeLimit(.minutes(10))) func aKeptClipHasItsCaptionsWithoutANetwork() async throws {
    let person = try await Person.member()
    let upload = try await person.upload(try Person.drawnClip(), "Spoken")
    let said = "WEBVTT\n\n00:00.200 --> 00:00.800\nGood <i>morning</i>\n"
    try await until {
      let answer = try await person.signIn.send(
        WireRequest(
          "PUT", Route.captionsOfLanguage.path(upload, "en"), headers: ["content-type": "text/vtt"],
          body: Data(said.utf8)))
      return answer.status < 300
    }
    try await until { (try? await person.client.clip(ofUpload: upload).playback.captions?.isEmpty) == false }
    let clip = try await person.client.clip(ofUpload: upload)
    let track = try #require(clip.playback.captions?.first)

    let visit = try Visit(person.client, media: try Person.server(), folder: folder.url)
    let written = try await visit.transport.send(WireRequest("GET", track.url)).body
    #expect(String(decoding: written, as: UTF8.self).contains("Good <i>morning</i>"))
    let kept = try keptClips(visit)
    kept.keep(clip)
    try await until { kept.rows.first?.state == .whole }
    let size = clip.playback.renditions.map { $0.segments.reduce($0.initialization.size) { $0 + $1.size } }
    // What it takes is counted behind that.
    try await until { size.contains(kept.bytes - written.count) }
    await visit.end()

    let nowhere = URL(string: "http://127.0.0.1:9")!
    let transport = HTTPTransport(base: nowhere)
    let next = try Visit(Client(transport: transport), media: nowhere, folder: folder.url)
    try next.proxy.start()
    let still = try keptClips(next)
    await still.start()
    next.feed.model.watch(still.playable(from: clip.id))
    try await until { next.players.contains { $0.media?.item == next.feed.host.feed.item(of: clip.id) } }
    let media = try #require(
      next.players.compactMap(\.media).first { $0.item == next.feed.host.feed.item(of: clip.id) })
    let player = HTTPTransport(base: media.address)
    let folder = media.address.deletingLastPathComponent().path
    let main = try await player.send(WireRequest("GET", media.address.path)).body
    #expect(String(decoding: main, as: UTF8.self).contains("LANGUAGE=\"en\""))
    let list = try await player.send(WireRequest("GET", folder + "/captions/0.m3u8")).body
    #expect(String(decoding: list, as: UTF8.self).contains("\n0.vtt\n"))
    #expect(try await player.send(WireRequest("GET", folder + "/captions/0.vtt")).body == written)
    await still.remove(clip.id)
    // The session has it yet: it goes as any other clip that was watched.
    next.feed.host.report(.storage(.clearRequested))
    await next.feed.host.settled()
    #expect(await next.disk.file(track.url, of: clip.playback.renditions[0].url) == nil)
    #expect(try await player.send(WireRequest("GET", folder + "/captions/0.vtt")).status == 404)
    player.invalidate()
    await next.end()
    transport.invalidate()
  }

  private func keptClips(_ visit: Visit) throws -> KeptClips {
    let fetcher = ClipFetcher(
      store: visit.disk, transport: visit.transport, base: visit.feed.host.base)
    let keeper = ClipKeeper(
      fetcher, shortEdge: { 1_080 }, isInSession: { visit.feed.host.feed.item(of: $0.id) != nil })
    let kept = KeptClips(
      file: StoredFile(folder.url.appending(path: "kept-clips")), keeper: keeper,
      announcements: visit.announcements)
    kept.onChanged = { clip, isKept in
      if let item = visit.feed.host.feed.item(of: clip.id) { visit.feed.host.setSaved(item, isKept) }
    }
    return kept
  }
}

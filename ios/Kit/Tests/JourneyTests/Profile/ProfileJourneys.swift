import AppModel
import Contract
import Foundation
import Persistence
import Playback
import PlaybackTesting
import Testing

/// Profiles on somebody's phone, over their feed.
@MainActor private final class Visitor {
  let person: Person
  let visit: Visit
  let profiles: Profiles
  private let folder = TemporaryFolder()

  init(_ person: Person) throws {
    self.person = person
    let server = try Person.server()
    visit = try Visit(person.client, media: server, folder: folder.url)
    profiles = Profiles(
      client: person.client, base: server, router: visit.router, tabs: visit.feed.tabs,
      actions: visit.feed.model.actions,
      blocking: Blocking(client: person.client, viewer: person.signIn, announcements: visit.announcements),
      viewer: person.signIn, announcements: visit.announcements,
      drafts: StoredFile(folder.url.appending(path: "profile-drafts")), clock: SystemPauseClock())
  }

  /// Of whom a name leads to, as the server has it now.
  func profile(of author: Author) async throws -> ProfileModel {
    visit.router.showFeed()
    profiles.open(author)
    let model = try #require(profiles.profile(of: .profile(author.handle)))
    await model.begin()
    return model
  }
}

/// What somebody says of themselves, who sees it, and who does not, at a real server.
@MainActor @Suite struct ProfileJourneys {
  @Test(.timeLimit(.minutes(10))) func aProfileIsFilledFoundFollowedAndClosedToOne() async throws {
    let ada = try Visitor(try await Person.member())
    let bob = try Visitor(try await Person.member())
    let upload = try await ada.person.upload(try Person.drawnClip(), "Mine")
    var clip: Clip?
    try await until {
      clip = try? await ada.person.client.clip(ofUpload: upload)
      return clip != nil
    }
    let hers = try #require(clip)

    // Ada says something of herself. A link that is none is refused where it stands.
    let own = try await ada.profile(of: hers.author)
    #expect(own.profile?.viewer.isSelf == true)
    own.edit()
    let editing = ada.profiles.editing
    editing.form[.bio] = "Engines, mostly."
    editing.form[.secondLink] = "javascript:alert(1)"
    await editing.save()
    #expect(editing.form.faults[.secondLink]?.key == ErrorCode.profileLinkInvalid.message)
    editing.form[.secondLink] = "ada.example/notes"
    await editing.save()
    #expect(ada.visit.router.path == [.profile(ada.person.handle)])
    #expect(own.profile?.bio == "Engines, mostly." && own.links.map(\.text) == ["ada.example/notes"])

    // Bob finds her by her name, and follows her.
    let search = bob.visit.discovery.search
    bob.visit.discovery.open(.search)
    search.ask("@" + ada.person.handle, .people)
    try await until {
      await search.people.list.reload()
      return !search.people.list.items.isEmpty
    }
    let found = try #require(search.people.list.items.first)
    let seen = try await bob.profile(of: found.author)
    #expect(seen.profile?.bio == "Engines, mostly." && seen.profile?.viewer == ProfileViewer())
    seen.toggleFollow()
    #expect(seen.profile?.viewer.following == true)
    #expect(seen.profile?.followers == 1)
    try await until { try await bob.person.client.profile(seen.handle).viewer.following }
    await own.reload()
    own.openFollowers()
    let followers = try #require(ada.profiles.people(of: .followers(of: own.handle)))
    await followers.people.list.begin()
    #expect(followers.people.list.items.map(\.author.handle) == [bob.person.handle])

    // What she likes is hers until she shows it.
    _ = try await ada.person.client.like(hers.id)
    #expect(seen.tabs == [.clips] && own.tabs == [.clips, .liked])
    own.edit()
    await editing.showLikes(true)
    await seen.reload()
    seen.turn(to: .liked)
    await seen.grid.list.begin()
    #expect(seen.grid.list.items.map(\.id) == [hers.id])
    seen.turn(to: .clips)

    // Her clips open the feed, and he comes back to the same place.
    await seen.clips.list.begin()
    #expect(seen.clips.list.items.map(\.id) == [hers.id])
    seen.clips.open(hers)
    try await until { bob.visit.current?.id == hers.id }
    bob.visit.feed.tabs.goBack()
    #expect(bob.visit.router.top == .profile(found.author.handle) && seen.clips.returnsTo == hers.id)

    // Once she blocks him, there is nobody of this name for him.
    let his = try await ada.profile(of: followers.people.list.items[0].author)
    await his.block()
    #expect(his.profile?.viewer.blocked == true)
    let gone = try await bob.profile(of: found.author)
    #expect(gone.state == .nobody)
    await his.unblock()
    await gone.load()
    #expect(gone.profile?.viewer == ProfileViewer())
    await ada.visit.end()
    await bob.visit.end()
  }
}

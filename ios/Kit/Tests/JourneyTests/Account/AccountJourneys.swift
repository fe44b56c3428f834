import AppModel
import Contract
import Foundation
import Testing
import Transfer

/// A person before the account's screens.
@MainActor private struct Visitor {
  let person: Person
  let announcements = Announcements()
  let account: AccountModel

  init(_ person: Person) {
    self.person = person
    account = AccountModel(
      signIn: person.signIn, announcements: announcements, router: Router(), providers: NoVisits(),
      keys: NoKeys(), drafts: StatementDrafts(nil, viewer: person.signIn, clock: SystemPauseClock()),
      surface: AccountSurface(
        open: { _ in }, remove: { _ in }, openProfile: { _ in }, openInsights: { _, _ in },
        owns: { _, _ in }))
  }

  static func member() async throws -> Visitor { Visitor(try await Person.member()) }
  var news: [String] { announcements.waiting.map(\.text.key) }
}

@MainActor @Suite struct AccountJourneys {
  @Test func whatIsWrongWithASignUpIsShownAtItsField() async throws {
    let taken = try await Person.member()
    let visitor = Visitor(try Person.guest())
    let (entry, form) = (visitor.account.entry, visitor.account.entry.joinForm)
    form[.handle] = taken.handle
    form[.password] = Person.password
    await entry.join()
    #expect(form.faults[.handle]?.key == ErrorCode.handleTaken.message)
    form[.handle] = "!"
    await entry.join()
    #expect(form.faults[.handle] != nil)
    form[.handle] = visitor.person.handle
    form[.password] = "short"
    await entry.join()
    #expect(form.faults[.password]?.key == ErrorCode.passwordTooShort.message)
    form[.password] = Person.password
    form[.email] = "nowhere"
    await entry.join()
    #expect(form.faults[.email] != nil)
    form[.email] = ""
    form[.name] = String(repeating: "x", count: 60)
    await entry.join()
    #expect(form.faults[.name] != nil)
    form[.name] = "Ada"
    await entry.join()
    #expect(visitor.account.me?.name == "Ada")
    #expect(visitor.news == ["Welcome, %@. What you liked so far is yours."])
  }

  @Test func aNameAndAnAddressAreChanged() async throws {
    let visitor = try await Visitor.member()
    let profile = visitor.account.contact
    await profile.load()
    profile.nameForm[.name] = "Countess"
    await profile.saveName()
    #expect(visitor.account.me?.name == "Countess")
    profile.emailForm[.email] = "ada@example.org"
    profile.emailForm[.password] = "not this one"
    await profile.saveEmail()
    #expect(profile.emailForm.faults[.password]?.key == ErrorCode.passwordWrong.message)
    profile.emailForm[.password] = Person.password
    profile.emailForm[.email] = "nowhere"
    await profile.saveEmail()
    #expect(profile.emailForm.faults[.email] != nil)
    profile.emailForm[.email] = "ada@example.org"
    await profile.saveEmail()
    #expect(profile.account?.pendingEmail == "ada@example.org")
    #expect(profile.emailForm[.email] == "ada@example.org")
    #expect(profile.emailForm[.password] == "")
  }

  @Test func aPasswordIsChangedAndOtherDevicesAreOut() async throws {
    let visitor = try await Visitor.member()
    let other = try Person.guest()
    _ = try await other.client.signIn(
      NewSession(handle: visitor.person.handle, password: Person.password, transport: .token))
    let model = visitor.account.password
    model.form[.current] = "not this one"
    model.form[.new] = "four blue kettles"
    await model.change()
    #expect(model.form.faults[.current]?.key == ErrorCode.passwordWrong.message)
    model.form[.current] = Person.password
    model.form[.new] = "password"
    await model.change()
    #expect(model.form.faults[.new]?.key == ErrorCode.passwordTooCommon.message)
    model.form[.new] = "four blue kettles"
    await model.change()
    #expect(visitor.news == ["The password is changed. Other devices are signed out."])
    await #expect(throws: Problem.self) { try await other.client.account() }
    await visitor.account.devices.load()
    #expect(visitor.account.devices.sessions.map(\.current) == [true])
    let notices = visitor.account.notices
    await notices.begin()
    #expect(notices.items.contains { $0.sentence.key == "Password changed" })
    #expect(notices.isWhole)
  }

  @Test func oneDeviceIsSignedOutAndThenAll() async throws {
    let visitor = try await Visitor.member()
    let other = try Person.guest()
    _ = try await other.client.signIn(
      NewSession(handle: visitor.person.handle, password: Person.password, transport: .token))
    let devices = visitor.account.devices
    await devices.load()
    let session = try #require(devices.sessions.first { !$0.current })
    await devices.end(session)
    #expect(devices.sessions.count == 1)
    await #expect(throws: Problem.self) { try await other.client.account() }
    await visitor.account.signOutEverywhere()
    #expect(visitor.account.me == nil)
    #expect(visitor.news.last == "You are signed out everywhere.")
  }

  @Test func anAccountIsDeletedAndItsHandleIsFree() async throws {
    let visitor = try await Visitor.member()
    let deletion = visitor.account.deletion
    let me = try #require(visitor.account.me)
    deletion.form[.typed] = me.handle
    deletion.form[.password] = "not this one"
    await deletion.delete(me)
    #expect(deletion.form.faults[.password]?.key == ErrorCode.passwordWrong.message)
    deletion.form[.password] = Person.password
    await deletion.delete(me)
    #expect(visitor.account.me == nil)
    #expect(visitor.news == ["The account is deleted."])
    let form = visitor.account.entry.joinForm
    form[.handle] = me.handle
    form[.password] = Person.password
    await visitor.account.entry.join()
    #expect(visitor.account.me?.handle == me.handle)
  }

  @Test func likesBookmarksAndPeopleAreListed() async throws {
    let visitor = try await Visitor.member()
    let other = try await Person.member()
    let author = try await other.client.account().id
    let clip = try #require(try await visitor.person.client.feed().items.first)
    let client = visitor.person.client
    _ = try await client.like(clip.id)
    _ = try await client.bookmark(clip.id)
    _ = try await client.follow(author)
    let account = visitor.account
    await account.likes.begin()
    await account.bookmarks.begin()
    await account.following.list.begin()
    #expect(account.likes.items.map(\.id) == [clip.id])
    #expect(account.bookmarks.items.map(\.id) == [clip.id])
    #expect(account.following.list.items.map(\.id) == [author])
    await account.following.toggle(account.following.list.items[0])
    await account.following.reload()
    #expect(account.following.list.isEmpty)
    _ = try await client.block(author)
    await account.blocked.list.begin()
    let blocked = try #require(account.blocked.list.items.first)
    await account.blocked.toggle(blocked)
    await account.blocked.reload()
    #expect(account.blocked.list.isEmpty)
  }

  @Test func anAskedLinkIsAnsweredTheSameForNobody() async throws {
    let entry = Visitor(try Person.guest()).account.entry
    entry.forgotForm[.handle] = "nobody.at.all"
    await entry.askForLink()
    #expect(entry.isLinkSent)
    entry.resetForm[.password] = Person.password
    await entry.resetPassword("made-up")
    #expect(entry.resetForm.failure?.key == ErrorCode.linkOver.message)
    await entry.confirmEmail("made-up")
    #expect(entry.confirmForm.failure?.key == ErrorCode.linkOver.message)
  }

  @Test func anOwnClipIsMadeChangedDeletedAndHadBack() async throws {
    let visitor = try await Visitor.member()
    let upload = try await visitor.person.upload(try Person.drawnClip(), "By the pier")
    let clips = visitor.account.clips
    await clips.list.begin()
    let following = Task { await clips.follow() }
    defer { following.cancel() }
    #expect(clips.list.items.map(\.uploadId) == [upload])
    clips.edit(clips.list.items[0])
    clips.editor.form.tags = "#Dawn, pier"
    clips.editor.form.visibility = .unlisted
    await clips.editor.save()
    #expect(clips.list.items[0].tags == ["dawn", "pier"])
    #expect(clips.list.items[0].visibility == .unlisted)
    await clips.delete(clips.list.items[0])
    #expect(clips.list.items[0].state == .removed)
    #expect(clips.list.items[0].removedUntil != nil)
    await clips.restore(clips.list.items[0])
    await clips.list.reload()
    #expect(clips.list.items[0].state != .removed)
    #expect(clips.list.items[0].visibility == .unlisted)
    #expect(visitor.news == ["Saved.", "Deleted. You can undo this for a day.", "Your clip is back."])
  }

  @Test(.timeLimit(.minutes(5))) func anotherCoverIsChosenFromTheClipsStoryboard() async throws {
    let visitor = try await Visitor.member()
    let upload = try await visitor.person.upload(try Person.drawnClip(), "By the pier")
    let clips = visitor.account.clips
    await clips.list.begin()
    let following = Task { await clips.follow() }
    defer { following.cancel() }
    clips.edit(clips.list.items[0])
    // Waits until the clip is made, and its storyboard.
    await clips.editor.loadCovers()
    let sheet = try #require(clips.editor.covers)
    #expect(sheet.data.starts(with: [0xFF, 0xD8]))
    let last = try #require(sheet.pictures.last)
    #expect(last.time > 0 && last.x + last.width <= sheet.width && last.y + last.height <= sheet.height)
    clips.editor.form.coverMs = last.time
    #expect(clips.editor.chosenCover == last.time)
    clips.editor.cancel()
    // The poster is in the list by now, or comes.
    while clips.list.items[0].state != .published { try await Task.sleep(for: .milliseconds(20)) }
    let poster = clips.list.items[0].picture?.url
    clips.edit(clips.list.items[0])
    clips.editor.form.coverMs = last.time
    await clips.editor.save()
    #expect(clips.editor.subject == nil)
    while clips.list.items[0].picture?.url == poster { try await Task.sleep(for: .milliseconds(20)) }
    let clip = try await visitor.person.client.clip(ofUpload: upload)
    #expect(clip.cover?.url == clips.list.items[0].picture?.url)
  }
}

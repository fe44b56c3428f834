internal import AppModel
internal import Contract
internal import Foundation
internal import SwiftUI

/// For somebody who is signed in.
struct AccountHomeView: View {
  let model: AccountModel
  let me: SignedInAccount
  let base: URL

  var body: some View {
    List {
      Section {
        Button {
          model.openProfile(of: Author(id: me.id, handle: me.handle, name: me.name))
        } label: {
          PersonLine(Author(id: me.id, handle: me.handle, name: me.name))
        }
        .buttonStyle(.plain)
        .accessibilityHint("Opens your profile.")
        if model.account?.suspended == true {
          Text(
            "This account is suspended. You can watch clips, appeal under “Decisions” or delete the account, nothing more."
          )
        }
      }
      MarkedRows(model: model)
      Section {
        Button("Clips from words", systemImage: "sparkles") { model.openGenerations() }
      }
      Section {
        NavigationLink("Name and e-mail address", value: AccountModel.Place.contact)
        NavigationLink("Password", value: model.resolved(.password))
        NavigationLink("Ways to sign in", value: AccountModel.Place.waysIn)
        NavigationLink("Two-step sign-in", value: AccountModel.Place.twoStep)
        NavigationLink("Passkeys", value: AccountModel.Place.passkeys)
        NavigationLink(value: AccountModel.Place.apiKeys) { TwoLines("API keys", "For programs") }
        NavigationLink(value: AccountModel.Place.webhooks) {
          TwoLines("Webhooks", "Programs that hear of what happens")
        }
        NavigationLink(value: AccountModel.Place.devices) {
          TwoLines("Devices", "Where you are signed in")
        }
        NavigationLink(value: AccountModel.Place.filters) { TwoLines("Comment filters", "And what waits") }
        NavigationLink(value: AccountModel.Place.security) { TwoLines("Security", "What happened") }
        NavigationLink(value: AccountModel.Place.decisions) {
          TwoLines("Decisions", "What moderators decided about you")
        }
        if let queue = model.moderation(at: base) {
          Link("What people report", destination: queue).accessibilityHint("Opens in the browser.")
        }
      }
      Section {
        Button("Sign out") { Task { await model.signOut() } }.disabled(model.isLeaving)
      }
      Section {
        NavigationLink(value: AccountModel.Place.data) { TwoLines("Your data", "To take along") }
        NavigationLink("Delete the account", value: model.resolved(.deletion))
      }
    }
    .task { await model.refresh() }
    .refreshable { await model.refresh() }
  }
}

/// A person, by face, name and handle.
struct PersonLine: View {
  private let author: Author
  private let side: Double

  /// `side`: points of the face.
  init(_ author: Author, side: Double = 44) {
    self.author = author
    self.side = side
  }

  var body: some View {
    HStack {
      FaceDisc(author, side: side)
      VStack(alignment: .leading) {
        Text(verbatim: author.name).font(.headline)
        Text(verbatim: "@" + author.handle).font(.subheadline).foregroundStyle(.secondary)
      }
    }
    .accessibilityElement(children: .combine)
  }
}

/// A row with what it is about.
struct TwoLines: View {
  private let title: LocalizedStringKey
  private let detail: LocalizedStringKey

  init(_ title: LocalizedStringKey, _ detail: LocalizedStringKey) {
    self.title = title
    self.detail = detail
  }

  var body: some View {
    VStack(alignment: .leading) {
      Text(title)
      Text(detail).font(.footnote).foregroundStyle(.secondary)
    }
  }
}

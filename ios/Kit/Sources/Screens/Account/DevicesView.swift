internal import AppModel
internal import Contract
internal import Foundation
internal import SwiftUI

/// Where somebody is signed in.
struct DevicesView: View {
  let model: AccountModel
  let devices: DevicesModel
  @State private var asks = false

  var body: some View {
    List {
      Section {
        ForEach(devices.sessions, id: \.id) { session in row(session) }
        if let failure = devices.failure { TryAgainView(failure) { await devices.load() } }
        if devices.isLoading, devices.sessions.isEmpty { ProgressView("Loading") }
      } header: {
        Text("If you don’t recognise one, sign it out and change your password.")
      }
      Section {
        Button("Sign out everywhere", role: .destructive) { asks = true }.disabled(model.isLeaving)
      }
    }
    .confirmationDialog("Sign out on all devices?", isPresented: $asks) {
      Button("Sign out everywhere", role: .destructive) { Task { await model.signOutEverywhere() } }
    }
    .task { await devices.load() }
    .refreshable { await devices.load() }
  }

  private func row(_ session: OpenSession) -> some View {
    ActionRow {
      VStack(alignment: .leading) {
        name(session).font(.headline)
        if session.current {
          Text("This device").font(.subheadline)
        } else {
          Text("Last used \(session.usedAt, format: moment)").font(.subheadline)
        }
        Text("Signed in on \(session.createdAt, format: day)").font(.footnote).foregroundStyle(.secondary)
      }
      .accessibilityElement(children: .combine)
    } action: {
      if !session.current {
        Button("Sign out") { Task { await devices.end(session) } }
          .buttonStyle(.borderless)
          .disabled(devices.isEnding(session))
      }
    }
  }

  private func name(_ session: OpenSession) -> Text {
    switch ClientName(session.client) {
    case .known(let words): Text(verbatim: words)
    case .unknown: Text("Unknown device")
    }
  }
}

let moment = Date.FormatStyle(date: .abbreviated, time: .shortened)
let day = Date.FormatStyle(date: .abbreviated, time: .omitted)

/// What happened that matters to the safety of the account.
struct SecurityView: View {
  let list: PagedList<AccountNotice>

  var body: some View {
    List {
      Section {
        ForEach(list.items, id: \.id) { notice in
          row(notice).task { await list.came(to: notice) }
        }
        ListEnd(list: list, none: "Nothing has happened in the last 90 days.")
      } header: {
        Text("If something here wasn’t you, change your password and sign out everywhere, under Devices.")
      }
    }
    .task { await list.begin() }
    .refreshable { await list.reload() }
  }

  private func row(_ notice: AccountNotice) -> some View {
    VStack(alignment: .leading) {
      Text(verbatim: notice.sentence.words).font(.headline)
      if notice.times > 1 { Text("\(notice.times) times").font(.subheadline) }
      Text(verbatim: notice.device ?? Sentence("Unknown device").words).font(.subheadline)
      Text(notice.createdAt, format: moment).font(.footnote).foregroundStyle(.secondary)
    }
    .accessibilityElement(children: .combine)
  }
}

/// What stands below the rows of a list: that more come, that it failed, or that there is nothing.
struct ListEnd<Item>: View where Item: Codable & Sendable & Equatable {
  let list: PagedList<Item>
  let none: LocalizedStringKey

  var body: some View {
    if let failure = list.failure {
      TryAgainView(failure) { await list.more() }
    } else if list.isLoading {
      ProgressView("Loading").frame(maxWidth: .infinity)
    } else if list.isEmpty {
      Text(none).foregroundStyle(.secondary)
    }
  }
}
